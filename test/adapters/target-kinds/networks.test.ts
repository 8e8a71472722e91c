import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { TARGET_KINDS } from '#adapters/target-kinds/target-kinds.js';
import { awekas } from '#adapters/target-kinds/awekas.js';
import { temperaturNu } from '#adapters/target-kinds/temperatur-nu.js';
import { weathercloud } from '#adapters/target-kinds/weathercloud.js';
import { windguru } from '#adapters/target-kinds/windguru.js';
import { windy } from '#adapters/target-kinds/windy.js';
import { SOFTWARE } from '#adapters/target-kinds/writing/software.js';
import type { SentWeather, TargetKind } from '#application/ports/target-kind.js';
import { VARIABLES } from '#domain/weather/variables.js';
import {
  type ReceivedRequest,
  SENDING_STATION,
  type SimulatedReply,
  type SimulatedService,
  startService,
  TargetBench,
  weatherOf,
} from '../../support/target-bench.js';

const PASSWORD = 'hunter-22';
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** A value of every variable of the catalog. A variable without one has the number that no field of a service has. */
const PLANTED: Readonly<Record<string, number>> = {
  ...Object.fromEntries(VARIABLES.map(({ name }) => [name, 0.987])),
  air_temperature: 3.4,
  dew_point_temperature: 0.46,
  relative_humidity: 81,
  surface_air_pressure: 1005.8,
  air_pressure_at_mean_sea_level: 1008.2,
  wind_speed: 2.1,
  wind_from_direction: 214,
  wind_speed_of_gust: 4,
  rainfall_rate: 1.2,
  surface_downwelling_shortwave_flux_in_air: 103.4,
  ultraviolet_index: 1.5,
  visibility_in_air: 12_345,
  surface_snow_thickness: 0.12,
  soil_temperature: 5.25,
  volume_fraction_of_condensed_water_in_soil: 0.31,
  mass_concentration_of_pm1_ambient_aerosol_particles_in_air: 3.2,
  mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air: 7.6,
  mass_concentration_of_pm10_ambient_aerosol_particles_in_air: 12.2,
};
const RAIN = { hour: 0.2, day: 1, twentyFourHours: 1.4 };
const FULL = weatherOf(PLANTED, { rain: RAIN, sunshine: 9180 });
const COLD = weatherOf({ air_temperature: -4.04 });

/** The fields of each service with every variable, and with a temperature below zero alone. */
const EXPECTED: readonly (readonly [
  kind: TargetKind,
  path: string,
  head: Readonly<Record<string, string>>,
  full: Readonly<Record<string, string>>,
  cold: Readonly<Record<string, string>>,
])[] = [
  [
    windy,
    '/api/v2/observation/update/',
    { id: 'me', time: '2026-11-23T06:00:00.000Z', softwaretype: 'weatherd' },
    {
      temp: '3.4',
      dewpoint: '0.46',
      rh: '81',
      pressure: '100820',
      wind: '2.1',
      gust: '4',
      winddir: '214',
      uv: '1.5',
      solarradiation: '103.4',
      precip: '0.2',
    },
    { temp: '-4.04' },
  ],
  [
    weathercloud,
    '/v01/set',
    { wid: 'me', key: PASSWORD, date: '20261123', time: '0600', software: 'weatherd_1.0' },
    {
      temp: '34',
      dew: '5',
      chill: '14',
      wspd: '21',
      wspdhi: '40',
      bar: '10082',
      rain: '10',
      rainrate: '12',
      solarrad: '1034',
      uvi: '15',
      hum: '81',
      wdir: '214',
      pm25: '8',
      pm10: '12',
      aqi: '42',
    },
    { temp: '-40' },
  ],
  [
    awekas,
    '/eingabe_pruefung.php',
    { output: 'json' },
    {
      AqPM1: '3.2',
      'AqPM2.5': '7.6',
      AqPM10: '12.2',
      soilmoisture1: '31',
      val: `me;${md5(PASSWORD)};23.11.2026;07:00;3.4;81;1008.2;1;7.56;214;;;12;en;;14.4;103.4;1.5;;2.55;5.25;1.2;weatherd_1.0;10.75;59.91`,
    },
    {
      val: `me;${md5(PASSWORD)};23.11.2026;07:00;-4.04;;;;;;;;;en;;;;;;;;;weatherd_1.0;10.75;59.91`,
    },
  ],
  [
    windguru,
    '/upload/api.php',
    { uid: 'me', interval: '300', unixtime: '1795413600', salt: '', hash: '' },
    {
      wind_avg: '4.08',
      wind_max: '7.78',
      wind_direction: '214',
      temperature: '3.4',
      rh: '81',
      mslp: '1008.2',
      precip: '0.2',
      precip_interval: '3600',
    },
    { temperature: '-4.04' },
  ],
  [temperaturNu, '/rapportera.php', { hash: PASSWORD }, { t: '3.4' }, { t: '-4' }],
];

const ACCEPTED: Readonly<Record<string, string>> = {
  weathercloud: '200',
  awekas: 'OK Daten gespeichert',
  windguru: 'OK',
  'temperatur-nu': 'ok! (3.4)',
};

describe('Networks of weather stations', () => {
  let service: SimulatedService;
  let answer: (request: ReceivedRequest) => SimulatedReply;
  let bench: TargetBench;
  beforeEach(async () => {
    service = await startService((request) => answer(request));
  });
  afterEach(() => service.stop());

  const send = async (kind: TargetKind, weather: SentWeather = COLD) => {
    bench = new TargetBench(kind);
    return await bench.send(settingsOf(kind), weather);
  };
  const settingsOf = ({ settings }: TargetKind) => ({
    ...(settings.account === true && { account: 'me' }),
    secret: PASSWORD,
    url: service.url,
  });
  const assertHidden = (outcome: unknown) => {
    const [request] = service.requests;
    const digests = [...(request?.path ?? '').matchAll(/[\da-f]{32}/g)].map(([digest]) => digest);
    for (const secret of [PASSWORD, ...digests])
      expect(JSON.stringify([outcome, bench.shown]).toLowerCase()).not.to.contain(secret);
  };

  for (const [kind, path, head, full, cold] of EXPECTED) {
    describe(kind.title, () => {
      beforeEach(() => (answer = () => ({ body: ACCEPTED[kind.name] ?? '' })));

      it('gets the fields that it has, in its units, and no others', async () => {
        for (const [weather, values] of [
          [FULL, full],
          [COLD, cold],
        ] as const) {
          service.requests.length = 0;
          expect(await send(kind, weather)).to.equal('delivered');
          expect(service.requests).to.have.length(1);
          const [{ method, path: sent, query } = {} as ReceivedRequest] = service.requests;
          expect([method, sent.split('?')[0]]).to.deep.equal(['GET', path]);
          const fields = Object.fromEntries(query);
          for (const name of ['salt', 'hash'].filter((one) => head[one] === '')) fields[name] = '';
          expect(fields).to.deep.equal({ ...head, ...values });
          assertHidden('delivered');
        }
      });

      it('skips a row that has nothing for it, and says so', async () => {
        expect(await send(kind, weatherOf({ lightning_strike_count: 3 }))).to.deep.equal({
          failed: `The row has no value that ${kind.title} takes.`,
          permanent: true,
        });
        expect(service.requests).to.deep.equal([]);
      });

      it('fails without the password where the reply repeats the request', async () => {
        for (const status of [401, 500]) {
          answer = ({ path: sent, headers }) => ({ status, body: `${headers.authorization} ${sent}` });
          const outcome = await send(kind, FULL);
          expect(outcome).to.have.property('failed').that.contains('***');
          expect(outcome).not.to.have.property('permanent');
          assertHidden(outcome);
        }
      });
    });
  }

  it('name this version of the service', () => {
    const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;
    expect([name, version]).to.deep.equal([SOFTWARE.name, `${SOFTWARE.version}.0`]);
  });

  it('keep the order of lists', () => {
    expect(TARGET_KINDS.map(({ name }) => name).join(' ')).to.equal(
      'wunderground pwsweather wow-be windy weathercloud openweathermap awekas windguru cwop temperatur-nu ntfy telegram gotify',
    );
  });

  describe('Windy', () => {
    it('gets the password in a header', async () => {
      answer = () => ({});
      await send(windy);
      expect(service.requests[0]?.headers.authorization).to.equal(`Bearer ${PASSWORD}`);
    });

    it('has a row that it has already', async () => {
      answer = () => ({ status: 409, body: '{"message":"duplicate"}' });
      expect(await send(windy)).to.equal('delivered');
    });

    it('says until when it takes nothing', async () => {
      const until = (body: string, headers = {}) => {
        answer = () => ({ status: 429, body, headers });
        return send(windy);
      };
      expect(await until('{"message":"x","retry_after":"2026-11-23T06:02:00.500Z"}')).to.deep.include({
        retryAfter: 121,
      });
      for (const body of ['', '{"retry_after":"soon"}', '{"retry_after":"2026-11-23T05:00:00Z"}'])
        expect(await until(body)).to.deep.include({ retryAfter: 300 });
      expect(await until('', { 'retry-after': '40' })).to.deep.include({ retryAfter: 40 });
    });

    it('says that the password is wrong, and goes on with later rows', async () => {
      for (const status of [400, 401]) {
        answer = () => ({ status, body: '{"message":"Invalid password"}' });
        expect(await send(windy)).to.deep.equal({
          failed: `Windy refused the upload with status ${status}. Check the id of the station and its password. It said: ${JSON.stringify('{"message":"Invalid password"}')}.`,
          retryAfter: 300,
        });
      }
    });
  });

  describe('Weathercloud', () => {
    for (const code of [400, 401, 429, 500])
      it(`refuses with ${code} as the status and as the text of a reply with status 200`, async () => {
        answer = () => ({ body: `${code}\n` });
        const said = await send(weathercloud);
        expect(said).to.have.property('failed').that.contains('Weathercloud');
        expect(said).to.have.property('retryAfter', 600);
        answer = () => ({ status: code, body: `${code}\n` });
        expect(await send(weathercloud)).to.deep.equal(said);
      });

    it('gets the heat index', async () => {
      answer = () => ({ body: '200' });
      await send(weathercloud, weatherOf({ air_temperature: 32, relative_humidity: 70 }));
      // NWS: 90 °F and 70 % are 106 °F.
      expect(Number(service.requests[0]?.query.get('heat'))).to.be.within(400, 410);
    });

    it('gets the largest air quality index of the particles', async () => {
      answer = () => ({ body: '200' });
      // EPA: the ends of the ranges "good" and "moderate", 9 and 54 µg/m³, are 50, and 35.4 and 154 µg/m³ are 100.
      const fine = 'mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air';
      const coarse = 'mass_concentration_of_pm10_ambient_aerosol_particles_in_air';
      for (const [particles, index] of [
        [{ [fine]: 9 }, '50'],
        [{ [coarse]: 154 }, '100'],
        [{ [fine]: 9, [coarse]: 154 }, '100'],
        [{ [fine]: 35.4, [coarse]: 54 }, '100'],
        [{}, null],
      ] as const) {
        await send(weathercloud, weatherOf({ air_temperature: 20, ...particles }));
        expect(service.requests.at(-1)?.query.get('aqi')).to.equal(index);
      }
    });

    const others = ['', 'OK', '<html>Sign in to this network</html>', '<p>\n200</p>', '2000', '204', '302'];
    for (const body of others)
      it(`has not accepted the upload if a reply with status 200 is ${JSON.stringify(body)}`, async () => {
        answer = () => ({ body });
        const outcome = await send(weathercloud);
        expect(outcome)
          .to.have.property('failed')
          .that.matches(
            /^(The reply is not the one of Weathercloud|Weathercloud refused the upload with code)/,
          );
        expect(outcome).to.have.property('retryAfter', 600);
      });

    it('accepts with the code 200 as text', async () => {
      for (const body of ['200', '200\n', ' 200 OK']) {
        answer = () => ({ body });
        expect(await send(weathercloud), body).to.equal('delivered');
      }
    });
  });

  describe('AWEKAS', () => {
    it('accepts with text and with JSON', async () => {
      for (const body of [
        'OK',
        'ok\n',
        '{"status":2,"authentication":1,"minuploadtime":300}',
        '{"status":1}',
      ]) {
        answer = () => ({ body });
        expect(await send(awekas), body).to.equal('delivered');
      }
    });

    const refusals: readonly (readonly [body: string, sentence: string, retryAfter: number])[] = [
      ['Benutzer/Passwort Fehler', 'AWEKAS does not know this user or password.', 300],
      [
        '{"status":0,"authentication":0,"minuploadtime":60}',
        'AWEKAS does not know this user or password.',
        300,
      ],
      ['{"status":0,"authentication":1,"minuploadtime":900}', 'AWEKAS refused the upload.', 900],
      ['null', 'AWEKAS refused the upload.', 300],
      ['', 'AWEKAS refused the upload.', 300],
      ['<html>wait</html>', 'AWEKAS refused the upload.', 300],
    ];
    for (const [body, sentence, retryAfter] of refusals)
      it(`refuses with ${JSON.stringify(body)} and status 200`, async () => {
        answer = () => ({ body });
        const outcome = await send(awekas);
        expect(outcome).to.have.property('failed').that.contains(sentence);
        expect(outcome).to.have.property('retryAfter', retryAfter);
      });

    it('gets the clock of the station, also in summer and at midnight', async () => {
      answer = () => ({ body: 'OK' });
      const clock = async (time: number, timeZone: string) => {
        service.requests.length = 0;
        const station = { ...SENDING_STATION, timeZone };
        await send(awekas, weatherOf({ air_temperature: 1 }, { time, station }));
        return service.requests[0]?.query.get('val')?.split(';').slice(2, 4).join(' ');
      };
      expect(await clock(Date.UTC(2026, 6, 1, 22, 0), 'Europe/Oslo')).to.equal('02.07.2026 00:00');
      expect(await clock(Date.UTC(2026, 0, 1, 3, 4), 'America/New_York')).to.equal('31.12.2025 22:04');
    });

    it('gets a user and a secret with any characters, and 25 positions', async () => {
      answer = () => ({ body: 'OK' });
      const settings = { account: 'ä&b=c#d+e', secret: 'pä;ss&', url: service.url };
      expect(await new TargetBench(awekas).send(settings, FULL)).to.equal('delivered');
      const parts = service.requests[0]?.query.get('val')?.split(';') ?? [];
      expect(parts).to.have.length(25);
      expect(parts.slice(0, 2)).to.deep.equal([settings.account, md5(settings.secret)]);
      expect(awekas.faultOf?.({ account: 'a;b' })).to.contain('no semicolon');
      expect(awekas.faultOf?.({ account: 'ab' })).to.equal(undefined);
    });
  });

  describe('Windguru', () => {
    it('gets another salt each time, and its hash', async () => {
      answer = () => ({ body: 'OK' });
      for (let count = 0; count < 5; count += 1) await send(windguru);
      const salts = service.requests.map(({ query }) => query.get('salt'));
      expect(new Set(salts)).to.have.property('size', 5);
      for (const { query } of service.requests)
        expect(query.get('hash')).to.equal(md5(`${query.get('salt')}me${PASSWORD}`));
    });

    it('may refuse with status 200', async () => {
      answer = () => ({ body: 'Station not found' });
      expect(await send(windguru)).to.deep.equal({
        failed: 'Windguru refused the upload. It said: "Station not found".',
        retryAfter: 300,
      });
    });
  });

  describe('Temperatur.nu', () => {
    it('may refuse with status 200', async () => {
      answer = () => ({ body: `Fel hash ${PASSWORD}` });
      const outcome = await send(temperaturNu);
      expect(outcome).to.deep.equal({
        failed:
          'Temperatur.nu refused the temperature. Check the hash of the station. It said: "Fel hash ***".',
        retryAfter: 300,
      });
    });
  });
});

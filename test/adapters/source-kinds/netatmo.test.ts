import { expect } from 'chai';
import { createNetatmo, netatmo } from '#adapters/source-kinds/netatmo.js';
import type { SourceKind, SourceReport, Span } from '#application/ports/source-kind.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { type AskedDevice, askedDevice, NOW } from '../../support/devices/asked-device.js';
import { askWithMutations } from '../../support/devices/mutated-replies.js';
import {
  CLIENT,
  IDS,
  MEASURED,
  type NetatmoService,
  netatmoService,
  OUTDOOR,
  ROOM,
  STATION,
  station,
  WIND,
} from '../../support/devices/netatmo.js';
import { valuesOf } from '../../support/devices/report-values.js';
import { failureOf } from '../../support/devices/failure.js';

const HOUR = 3_600_000;

describe('netatmo', () => {
  const open: NetatmoService[] = [];

  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
  });

  async function start(options: Parameters<typeof netatmoService>[0] = {}): Promise<NetatmoService> {
    const service = await netatmoService(options);
    open.push(service);
    return service;
  }

  const deviceOf = (
    { url }: NetatmoService,
    { refresh = 'refresh-0', ...more }: { refresh?: string; now?: number; account?: string } = {},
  ): AskedDevice => askedDevice({ url, secrets: { ...CLIENT, 'refresh-token': refresh }, ...more });

  async function ask(kind: SourceKind, device: AskedDevice, span?: Span): Promise<readonly SourceReport[]> {
    return (await kind.ask?.(device, span)) ?? [];
  }

  const pathsOf = ({ requests }: NetatmoService) => requests.map(({ path }) => path.replace(/\?.*/, ''));

  it('reads the newest values of all modules as one report', async () => {
    const service = await start();
    expect(await ask(createNetatmo(), deviceOf(service))).to.deep.equal([
      {
        time: MEASURED * 1000,
        readings: [
          {
            field: 'indoor_Pressure',
            variable: 'air_pressure_at_mean_sea_level',
            value: 1021.3,
            unit: 'mbar',
          },
          { field: 'indoor_AbsolutePressure', variable: 'surface_air_pressure', value: 1004.9, unit: 'mbar' },
          { field: 'outdoor_Temperature', variable: 'air_temperature', value: 4.2 },
          { field: 'outdoor_Humidity', variable: 'relative_humidity', value: 88 },
          { field: 'wind_WindStrength', variable: 'wind_speed', value: 9, unit: 'km/h' },
          { field: 'wind_WindAngle', variable: 'wind_from_direction', value: 225 },
          { field: 'wind_GustStrength', variable: 'wind_speed_of_gust', value: 18, unit: 'km/h' },
          { field: 'wind_GustAngle', variable: 'wind_gust_from_direction', value: 240 },
        ],
        counters: [{ gauge: 'tipping', period: 'day', amount: 3.6 }],
        fields: [
          { name: 'indoor_Temperature', value: 21.4, unit: '°C' },
          { name: 'indoor_Humidity', value: 47, unit: '%' },
          { name: 'indoor_CO2', value: 612, unit: 'ppm' },
          { name: 'indoor_Noise', value: 38 },
        ],
        sensors: [
          { sensor: 'Garden', batteryPercent: 79, batteryVoltage: 5.613 },
          { sensor: 'Roof', batteryPercent: 55 },
          { sensor: 'Gauge', batteryPercent: 90 },
        ],
      },
    ]);
  });

  it('reads a direction of -1 as no direction, and leaves out old values and modules that are not reachable', async () => {
    const calm = {
      ...WIND,
      dashboard_data: { time_utc: MEASURED, WindStrength: 0, WindAngle: -1, GustAngle: -1 },
    };
    const old = { ...OUTDOOR, dashboard_data: { time_utc: MEASURED - 1801, Temperature: 30 } };
    const room = { ...ROOM, reachable: true, dashboard_data: { time_utc: MEASURED, Temperature: 19 } };
    const [report] = await ask(
      createNetatmo(),
      deviceOf(await start({ stations: [station([calm, old, room])] })),
    );
    expect(valuesOf(report)).to.have.all.keys(
      'air_pressure_at_mean_sea_level',
      'surface_air_pressure',
      'wind_speed',
    );
    expect(report?.fields?.at(-1)).to.deep.equal({
      name: `${IDS.room}_Temperature`,
      value: 19,
      unit: '°C',
    });
    const silent = station([{ ...OUTDOOR, reachable: false }], { dashboard_data: undefined });
    const failure = await failureOf(ask(createNetatmo(), deviceOf(await start({ stations: [silent] }))));
    expect(failure.message).to.equal('Netatmo has no new values: the station is not reachable.');
  });

  it('reports the rain between the last report of a day and midnight, which no counter has', async () => {
    const measures = {
      [IDS.rain]: { [MEASURED - 915]: [0.7], [MEASURED - 615]: [0.3], [MEASURED - 15]: [0.1] },
    };
    const service = await start({ measures });
    const kind = createNetatmo();
    let refresh = 'refresh-0';
    const askSince = async (minutes: number, timeZone: string) => {
      const device = askedDevice({
        timeZone,
        url: service.url,
        secrets: { ...CLIENT, 'refresh-token': refresh },
      });
      const reports = await ask(kind, { ...device, since: (MEASURED - 60 * minutes) * 1000 });
      refresh = device.secrets['refresh-token'] ?? '';
      return reports
        .slice(0, -1)
        .map(({ time = 0, readings }) => [time / 1000 - MEASURED, readings[0]?.value]);
    };
    // The newest report is of 11:55 UTC. In this zone it is five minutes after midnight.
    expect(await askSince(15, '-11:50')).to.deep.equal([[-615, 0.3]]);
    expect(await askSince(3, '-11:50')).to.deep.equal([]);
    expect(await askSince(15, 'UTC')).to.deep.equal([]);
    // A longer silence is a gap.
    expect(await askSince(90, '-11:50')).to.deep.equal([]);
  });

  it('asks for the past of each module, which has its own times', async () => {
    const [one, two] = [MEASURED - 600, MEASURED - 300];
    const service = await start({
      measures: {
        [STATION]: { [one + 3]: [21, 47, 600, 38, 1020], [two + 3]: [21.1, 47, 601, 38, 1020.1] },
        [IDS.outdoor]: { [one]: [4, 88], [two]: [4.1, null] },
        [IDS.wind]: { [one]: [9, -1, 18, 240] },
        [IDS.rain]: { [one]: [0.101], [MEASURED + 900]: [5] },
      },
    });
    const span = { from: one * 1000, to: MEASURED * 1000 };
    const reports = await ask(createNetatmo(), deviceOf(service), span);
    expect(reports.map((report) => [(report.time ?? 0) / 1000 - one, valuesOf(report)])).to.deep.equal([
      [
        0,
        {
          air_temperature: 4,
          relative_humidity: 88,
          wind_speed: 9,
          wind_speed_of_gust: 18,
          wind_gust_from_direction: 240,
          precipitation_amount: 0.101,
        },
      ],
      [3, { air_pressure_at_mean_sea_level: 1020 }],
      [300, { air_temperature: 4.1 }],
      [303, { air_pressure_at_mean_sea_level: 1020.1 }],
    ]);
    expect(reports[1]?.fields).to.deep.include({ name: 'indoor_CO2', value: 600, unit: 'ppm' });
    const { searchParams } = new URL(service.requests[3]?.path ?? '', service.url);
    expect(Object.fromEntries(searchParams)).to.deep.equal({
      device_id: STATION,
      module_id: IDS.outdoor,
      scale: 'max',
      type: 'temperature,humidity',
      date_begin: String(one),
      date_end: String(MEASURED),
      optimize: 'false',
    });
    // A module measures every 5 minutes, and the service returns 1024 values at most.
    expect((netatmo.history?.longest ?? Infinity) / 300_000).to.be.at.most(1024);
  });

  describe('tokens', () => {
    it('keeps the access token in memory until it ends, and stores each new refresh token', async () => {
      const service = await start();
      const kind = createNetatmo();
      const device = deviceOf(service);
      let now = NOW;
      const later = { ...device, now: () => now };
      for (const hours of [0, 2, 2.98, 2.99, 5]) {
        now = NOW + hours * HOUR;
        await ask(kind, later);
      }
      const data = '/api/getstationsdata';
      const token = '/oauth2/token';
      expect(pathsOf(service)).to.deep.equal([token, data, data, data, token, data, data]);
      expect(device.kept).to.deep.equal([{ 'refresh-token': 'refresh-1' }, { 'refresh-token': 'refresh-2' }]);
    });

    it('stores the new refresh token before it uses the access token', async () => {
      const service = await start();
      const device = deviceOf(service);
      const before: string[][] = [];
      await ask(createNetatmo(), {
        ...device,
        keep: (secrets) => {
          before.push([...pathsOf(service), ...service.accepted]);
          return device.keep(secrets);
        },
      });
      expect(before).to.deep.equal([['/oauth2/token', 'refresh-0', 'refresh-1']]);
      expect([...service.accepted]).to.deep.equal(['refresh-1']);
    });

    it('survives a crash between the reply with the tokens and their storage', async () => {
      const service = await start();
      const kind = createNetatmo();
      const crash = new SourceFailure('New secrets of the source could not be stored.');
      const device = { ...deviceOf(service), keep: () => Promise.reject(crash) };
      expect(await failureOf(ask(kind, device))).to.equal(crash);
      // The access token was not used, so the stored refresh token is still valid: for this process, and for the next one.
      expect(pathsOf(service)).to.deep.equal(['/oauth2/token']);
      expect(await ask(kind, deviceOf(service))).to.have.length(1);
      const other = await start();
      await failureOf(ask(createNetatmo(), { ...deviceOf(other), keep: () => Promise.reject(crash) }));
      expect(await ask(createNetatmo(), deviceOf(other))).to.have.length(1);
    });

    it('survives a crash after the storage, before the access token is used', async () => {
      const service = await start();
      const device = deviceOf(service);
      const crash = new SourceFailure('The service stops.');
      const fetch: AskedDevice['fetch'] = async (request) => {
        if (request.url.includes('/api/')) throw crash;
        return await device.fetch(request);
      };
      expect(await failureOf(ask(createNetatmo(), { ...device, fetch }))).to.equal(crash);
      const [stored] = device.kept;
      expect(
        await ask(createNetatmo(), deviceOf(service, { refresh: stored?.['refresh-token'] ?? '' })),
      ).to.have.length(1);
    });

    it('replaces an access token once that the service does not accept any more', async () => {
      const service = await start();
      const kind = createNetatmo();
      const device = deviceOf(service);
      await ask(kind, device);
      service.expireTokens();
      expect(await ask(kind, device)).to.have.length(1);
      expect(pathsOf(service).slice(2)).to.deep.equal([
        '/api/getstationsdata',
        '/oauth2/token',
        '/api/getstationsdata',
      ]);
      service.answer({ status: 403, body: { error: { code: 3, message: 'Access token expired' } } });
      expect((await failureOf(ask(kind, device))).message).to.equal(
        'Netatmo refused the request: Access token expired (3).',
      );
      expect(pathsOf(service)).to.have.length(8);
    });

    it('stores nothing if the service keeps the refresh token, or sends none', async () => {
      for (const more of [{}, { refresh_token: 'refresh-0' }]) {
        const service = await start();
        service.answerTokens({ body: { access_token: 'access', expire_in: 10_800, ...more } });
        const device = deviceOf(service);
        await failureOf(ask(createNetatmo(), device));
        expect(device.kept).to.deep.equal([]);
      }
    });

    it('does not share access tokens between sources', async () => {
      const [one, two] = [await start(), await start({ refreshToken: 'other' })];
      const kind = createNetatmo();
      await ask(kind, deviceOf(one));
      await ask(kind, deviceOf(two, { refresh: 'other' }));
      expect(pathsOf(two)[0]).to.equal('/oauth2/token');
    });
  });

  it('fails with one sentence for wrong secrets, a wrong account, the limit and another service', async () => {
    const kind = createNetatmo();
    const service = await start({
      stations: [station(), station([], { _id: '70:ee:50:00:00:02', station_name: 'Hut' })],
    });
    const stations = 'Its stations: 70:ee:50:00:00:01 (Home), 70:ee:50:00:00:02 (Hut).';
    const wrongClient = askedDevice({
      url: service.url,
      secrets: { ...CLIENT, 'client-secret': 'x', 'refresh-token': 'r' },
    });
    const device = deviceOf(service);
    const failures: [AskedDevice, string][] = [
      [wrongClient, 'Netatmo does not know the client id with this client secret.'],
      [
        deviceOf(service, { refresh: 'used' }),
        'Netatmo does not accept the refresh token any more: create a new one, and store it as a secret of the source.',
      ],
      [
        device,
        `The account has several stations or none, so the account of the source must name one. ${stations}`,
      ],
      [
        { ...device, account: '70:ee:50:00:00:03' },
        `The account has no station 70:ee:50:00:00:03. ${stations}`,
      ],
    ];
    for (const [asked, message] of failures) {
      const failure = await failureOf(ask(kind, asked));
      expect([failure.message, failure.needsOwner]).to.deep.equal([message, true]);
    }
    expect(await ask(kind, { ...device, account: STATION.toUpperCase() })).to.have.length(1);

    const replies: [Parameters<typeof service.answer>[0], string, number?][] = [
      [{ status: 403, body: { error: { code: 26 } } }, 'Netatmo allows no more requests for now (26).', 600],
      [
        { status: 403, body: { error: { code: 26 } }, headers: { 'retry-after': '9' } },
        'Netatmo allows no more requests for now (26).',
        9,
      ],
      [
        { status: 403, body: { error: { code: 13, message: 'Bad scope' } } },
        'Netatmo refused the request: Bad scope (13).',
      ],
      [{ status: 404, body: '<html>' }, 'Netatmo answered with status 404.'],
      [{ status: 500, body: '' }, 'The source answered with status 500.'],
      [{ body: { sensors: [] } }, 'The reply is not one of Netatmo: check the base URL.'],
      [{ body: { body: {} }, dieAfter: 4 }, 'The source ended the connection in the middle of its reply.'],
    ];
    for (const [reply, message, retryAfter] of replies) {
      service.answer(reply);
      const failure = await failureOf(ask(kind, device));
      expect([failure.message, failure.retryAfter]).to.deep.equal([message, retryAfter]);
    }
  });

  it('never names a secret in a message', async () => {
    const service = await start();
    for (const status of [400, 401, 403, 500]) {
      service.answerTokens({ status, body: '' });
      const { message } = await failureOf(ask(createNetatmo(), deviceOf(service)));
      for (const secret of [...Object.values(CLIENT), 'refresh-0'])
        expect(` ${message} `).not.to.contain(` ${secret} `);
    }
  });

  it('reads every reply with a value of another type without a fault', async () => {
    const device = askedDevice({ secrets: { ...CLIENT, 'refresh-token': 'refresh-0' } });
    const tokens = { access_token: 'access', expires_in: 10_800 };
    const { faults, count } = await askWithMutations(
      createNetatmo(),
      device,
      { body: { devices: [station()] } },
      [undefined, { from: 0, to: NOW }],
      ({ url }) => (url.endsWith('/oauth2/token') ? tokens : undefined),
    );
    expect(faults).to.deep.equal([]);
    expect(count).to.be.greaterThan(300);
  });
});

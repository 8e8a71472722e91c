import { expect } from 'chai';
import fc from 'fast-check';
import { pwsweather } from '#adapters/target-kinds/pwsweather.js';
import { wowBe } from '#adapters/target-kinds/wow-be.js';
import { DECIMALS, OTHER_DECIMALS } from '#adapters/target-kinds/writing/written-fields.js';
import { wunderground } from '#adapters/target-kinds/wunderground.js';
import { targetAddress } from '#adapters/target-network/target-address.js';
import { DIALECTS } from '#adapters/uploads/dialects/dialects.js';
import { WUNDERGROUND_FIELDS } from '#adapters/uploads/dialects/wunderground.js';
import { readUpload } from '#adapters/uploads/request/raw-upload.js';
import type { TargetExchange, TargetRequest } from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';
import { conversionOf, converter } from '#domain/weather/units.js';
import { type Variable, VARIABLES, variableNamed } from '#domain/weather/variables.js';
import { startService, TargetBench, weatherOf } from '../../support/target-bench.js';
import { requestOf } from '../uploads/captures.js';

const KINDS = [wunderground, pwsweather, wowBe];

/** Keeps the requests, and gives the same reply to all. */
function recorder(settings: { readonly account: string; readonly secret: string }) {
  const sent: TargetRequest[] = [];
  const exchange: TargetExchange = {
    ...settings,
    now: Date.now,
    memory: new Map(),
    hide: () => undefined,
    address: (address) => targetAddress(address, undefined),
    fetch: async (request) => {
      sent.push(request);
      return { status: 200, headers: {}, text: 'success', json: () => undefined };
    },
    converse: () => Promise.reject(new TargetFailure('No lines.')),
    record: () => undefined,
  };
  return { sent, exchange };
}

/** The request as a server reads it. */
function received({ url, body }: TargetRequest) {
  const text = typeof body === 'string' ? body : '';
  const length = text === '' ? '' : `Content-Length: ${Buffer.byteLength(text)}\r\n`;
  const method = text === '' ? 'GET' : 'POST';
  const raw = readUpload(
    requestOf(`${method} ${url.pathname}${url.search} HTTP/1.1\r\n${length}\r\n${text}`),
  );
  const dialect = DIALECTS.find((one) => one.recognizes(raw));
  const uploads = dialect?.read(raw);
  return { dialect: dialect?.name, upload: typeof uploads === 'string' ? undefined : uploads?.[0] };
}

const UNITS = new Map(WUNDERGROUND_FIELDS.readings.map(([, name, unit]) => [name, unit]));

/** Half of the last digit that is sent, in the stored unit. */
function precision(name: string): number {
  const unit = UNITS.get(name);
  const { factor = 1 } = conversionOf(variableNamed(name)?.unit ?? '', unit ?? '') ?? {};
  const digits = unit === undefined ? OTHER_DECIMALS : (DECIMALS[unit] ?? OTHER_DECIMALS);
  return (0.5000001 * 10 ** -digits) / factor;
}

const row = fc
  .tuple(
    ...VARIABLES.map(({ name, limits: { min, max } }) =>
      fc.option(
        fc.double({ min, max, noNaN: true }).map((value) => [name, value] as const),
        { nil: undefined },
      ),
    ),
  )
  .map((values) => Object.fromEntries(values.filter((value) => value !== undefined)));
const visible = fc.string({
  minLength: 1,
  maxLength: 40,
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
});

describe('Uploads with the fields of Weather Underground', () => {
  for (const kind of KINDS)
    it(`are read by this service as what was sent to ${kind.title}`, async () => {
      const amount = fc.option(fc.double({ min: 0, max: 1825, noNaN: true }));
      const time = fc.integer({ min: 946_684_800, max: 4_102_444_799 });
      await fc.assert(
        fc.asyncProperty(row, time, visible, visible, amount, async (values, seconds, account, key, day) => {
          const { sent, exchange } = recorder({ account, secret: key });
          const rain = { hour: day, day, twentyFourHours: day };
          await kind.weather?.send(weatherOf(values, { time: seconds * 1000, rain }), exchange);
          const { dialect, upload } = received(sent[0] as TargetRequest);
          expect(dialect).to.equal(kind === wowBe ? 'wow' : kind.name);
          expect(upload?.time).to.deep.equal({ sent: seconds * 1000, isLive: false });
          expect(upload?.sender).to.deep.equal({ id: account, password: key });
          const wanted = Object.entries(values).filter(([name]) => UNITS.has(name));
          expect(upload?.readings.map(({ variable }) => variable)).to.have.members(
            wanted.map(([name]) => name),
          );
          for (const { variable, unit, value } of upload?.readings ?? []) {
            const known = variableNamed(variable) as Variable;
            const read = converter(known, unit ?? known.unit, 'stored')(value);
            expect(read, variable).to.be.closeTo(values[variable] as number, precision(variable));
          }
          const counted = upload?.counters.map(({ period, amount: sum }) => [
            period,
            Math.abs(sum - (day ?? 0)) < 0.0013,
          ]);
          expect(counted).to.deep.equal(day === null ? [] : [['day', true]]);
          expect(upload?.fields, 'unmapped').to.deep.equal([]);
        }),
      );
    });

  it('have the address, the account and the fields of the service', async () => {
    const { sent, exchange } = recorder({ account: 'KNYNEWYO1', secret: 'secret' });
    const values = { air_temperature: 20, relative_humidity: 100, wind_speed: 0, ultraviolet_index: 3.5 };
    const options = {
      time: Date.UTC(2026, 0, 31, 12, 0, 0, 789),
      rain: { hour: 0, day: 25.4, twentyFourHours: 30 },
    };
    for (const { weather } of KINDS) await weather?.send(weatherOf(values, options), exchange);
    const fields = 'dateutc=2026-01-31+12%3A00%3A00&action=updateraw&softwaretype=weatherd';
    const query = `ID=KNYNEWYO1&PASSWORD=secret&${fields}&UV=3.5&tempf=68&humidity=100&windspeedmph=0&rainin=0&dailyrainin=1`;
    expect(sent.map(({ url }) => url.href)).to.deep.equal([
      `https://weatherstation.wunderground.com/weatherstation/updateweatherstation.php?${query}`,
      `https://pwsupdate.pwsweather.com/api/v1/submitwx?${query}`,
      'https://wow.meteo.be/api/v2/send/wow',
    ]);
    expect(JSON.parse(sent[2]?.body as string)).to.deep.include({
      siteid: 'KNYNEWYO1',
      siteAuthenticationKey: 'secret',
      tempf: 68,
    });
  });

  const replies: readonly (readonly [text: string, isDelivered: boolean])[] = [
    ['success\n', true],
    ['{}', true],
    ['ERROR: Not a valid Station ID\n', false],
    ['<html>\n<body>\nData Logged and posted in METAR mirror.\n\n</body>\n</html>', true],
    ['<html>\n<body>\nERROR: Not a valid Station ID\n</body>\n</html>', false],
    ['INVALIDPASSWORDID|Password or key and/or id are incorrect', false],
  ];
  for (const [body, isDelivered] of replies)
    it(`take ${JSON.stringify(body)} as ${isDelivered ? 'a success' : 'a refusal'}`, async () => {
      const service = await startService(() => ({ body }));
      try {
        for (const kind of KINDS) {
          const settings = { account: 'a', secret: 'hunter22', url: service.url };
          const outcome = await new TargetBench(kind).send(settings, weatherOf({ air_temperature: 3 }));
          if (isDelivered) expect(outcome).to.equal('delivered');
          else expect(outcome).to.have.property('failed').that.contains('refused the upload. It said: "');
        }
        expect(service.requests.map(({ path }) => path.split('?')[0])).to.deep.equal([
          '/weatherstation/updateweatherstation.php',
          '/api/v1/submitwx',
          '/api/v2/send/wow',
        ]);
      } finally {
        service.stop();
      }
    });
});

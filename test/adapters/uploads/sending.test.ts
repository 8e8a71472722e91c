import { expect } from 'chai';
import fc from 'fast-check';
import { DIALECTS } from '#adapters/uploads/dialects/dialects.js';
import { WUNDERGROUND_FIELDS } from '#adapters/uploads/dialects/wunderground.js';
import { readUpload } from '#adapters/uploads/request/raw-upload.js';
import { type Requests, UploadDelivery } from '#adapters/uploads/sending/upload-delivery.js';
import { DECIMALS, OTHER_DECIMALS } from '#adapters/uploads/sending/written-fields.js';
import type { DeliveryOutcome } from '#application/ports/delivery.js';
import { UPLOAD_PROTOCOLS, type UploadTarget } from '#domain/hooks/hook-target.js';
import { conversionOf, converter } from '#domain/weather/units.js';
import { type Variable, VARIABLES, variableNamed } from '#domain/weather/variables.js';
import { requestOf } from './captures.js';

type Outgoing = Parameters<Requests['deliver']>[0];

/** Keeps the requests, and gives the same answer to all. */
function recorder(outcome: DeliveryOutcome = 'delivered', text = 'success') {
  const sent: Outgoing[] = [];
  const delivery = new UploadDelivery({
    deliver: async (outgoing) => {
      sent.push(outgoing);
      return { outcome, text };
    },
  });
  return { sent, delivery };
}

/** The request as a server reads it. */
function received({ method, url, body }: Outgoing) {
  const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  const raw = readUpload(
    requestOf(`${method} ${url.pathname}${url.search} HTTP/1.1\r\n${length}\r\n${body ?? ''}`),
  );
  const dialect = DIALECTS.find((one) => one.recognizes(raw));
  return { dialect: dialect?.name, upload: dialect?.read(raw)?.[0] };
}

const target = (protocol: UploadTarget['protocol'], account = 'KNYNEWYO1', key = 'secret'): UploadTarget => ({
  kind: 'upload',
  protocol,
  account,
  key,
  allowPrivate: false,
});
const message = (time: string, values: Readonly<Record<string, number>>, rain?: object) => ({
  event: 'observation',
  id: '1',
  body: JSON.stringify({ time, values, rain }),
});
const signal = () => new AbortController().signal;

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

describe('Uploads to weather services', () => {
  for (const protocol of UPLOAD_PROTOCOLS) {
    it(`are read by this service as what was sent to ${protocol}`, async () => {
      const amount = fc.option(fc.double({ min: 0, max: 1825, noNaN: true }));
      const time = fc.integer({ min: 946_684_800, max: 4_102_444_799 });
      await fc.assert(
        fc.asyncProperty(row, time, visible, visible, amount, async (values, seconds, account, key, day) => {
          const { sent, delivery } = recorder();
          const iso = new Date(seconds * 1000).toISOString();
          expect(
            await delivery.send(
              target(protocol, account, key),
              message(iso, values, { hour: day, day }),
              signal(),
            ),
          ).to.equal('delivered');
          const { dialect, upload } = received(sent[0] as Outgoing);
          expect(dialect).to.equal(protocol === 'wow-be' ? 'wow' : protocol);
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
  }

  it('have the address, the account and the fields of the service', async () => {
    const { sent, delivery } = recorder();
    const values = { air_temperature: 20, relative_humidity: 100, wind_speed: 0, ultraviolet_index: 3.5 };
    for (const protocol of UPLOAD_PROTOCOLS)
      await delivery.send(
        target(protocol),
        message('2026-01-31T12:00:00.789Z', values, { hour: 0, day: 25.4 }),
        signal(),
      );
    const fields = 'dateutc=2026-01-31+12%3A00%3A00&action=updateraw&softwaretype=weatherd';
    const query = `ID=KNYNEWYO1&PASSWORD=secret&${fields}&UV=3.5&tempf=68&humidity=100&windspeedmph=0&rainin=0&dailyrainin=1`;
    expect(sent.map(({ url }) => url.href)).to.deep.equal([
      `https://weatherstation.wunderground.com/weatherstation/updateweatherstation.php?${query}`,
      `https://www.pwsweather.com/pwsupdate/pwsupdate.php?${query}`,
      'https://wow.meteo.be/api/v2/send/wow',
    ]);
    expect(JSON.parse(sent[2]?.body ?? '')).to.deep.include({
      siteid: 'KNYNEWYO1',
      siteAuthenticationKey: 'secret',
      tempf: 68,
    });
  });

  const replies: readonly (readonly [text: string, isDelivered: boolean])[] = [
    ['success\n', true],
    ['{}', true],
    ['ERROR: Not a valid Station ID\n', false],
    ['INVALIDPASSWORDID|Password or key and/or id are incorrect', false],
  ];
  it('show a refusal without the key, if the service repeats it', async () => {
    const sent = { ...target('pwsweather'), key: 'a pass&word' };
    for (const repeated of [sent.key, encodeURIComponent(sent.key)]) {
      const { delivery } = recorder('delivered', `INVALID ${repeated} of ${repeated}`);
      const outcome = await delivery.send(sent, message('2026-01-31T12:00:00Z', {}), signal());
      expect(outcome).to.have.property('failed').that.contains('"INVALID … of …"');
    }
  });

  for (const [text, isDelivered] of replies)
    it(`take ${JSON.stringify(text)} as ${isDelivered ? 'a success' : 'a refusal'}`, async () => {
      const { delivery } = recorder('delivered', text);
      const outcome = await delivery.send(
        target('pwsweather'),
        message('2026-01-31T12:00:00Z', {}),
        signal(),
      );
      if (isDelivered) expect(outcome).to.equal('delivered');
      else expect(outcome).to.have.property('failed').that.contains('refused the upload: "');
    });

  it('fail as the request fails', async () => {
    const failed = { failed: 'The target answered with status 429.', retryAfter: 60 };
    const { delivery } = recorder(failed, 'invalid');
    const outcome = await delivery.send(target('wow-be'), message('2026-01-31T12:00:00Z', {}), signal());
    expect(outcome).to.deep.equal(failed);
  });
});

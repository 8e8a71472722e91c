import { expect } from 'chai';
import { BeginImport } from '#application/observations/imports/begin-import.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { KeepSourceFlags } from '#application/observations/source-flags/keep-source-flags.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { header } from '#transport-suite/raw-http.js';
import { type RunningApi, runApi, defaultTransport } from '../../support/api-server.js';
import { Client } from '../../support/client.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, UPLOAD_REACH, World } from '../../support/world.js';

const DAY = 86_400_000;
const [MAXIMUM, RAIN] = ['daily_maximum_air_temperature', 'daily_precipitation_amount'] as const;
const REASON = 'failed a check of NOAA: bounds (flag X), "so"';
const FAILED = { text: ',X,7', failure: REASON };

for (const [name, load] of defaultTransport) {
  describe(`source flags over HTTP › ${name}`, () => {
    let world: World;
    let running: RunningApi;
    let client: Client;

    beforeEach(async () => {
      world = await World.make();
      await addStation(world);
      await addStation(world, { id: 'empty' });
      running = await runApi(await load(), {
        endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
      });
      client = new Client(running.url);
      // The first day is in another block of flags than the next ones.
      await importDays([undefined, FAILED, { text: 'T,,7', failure: null }, undefined]);
      await record(world, '2024-01-01T00:00:00Z', { air_temperature: [1, 2, 3] });
    });
    afterEach(() => running.server.close(1000));

    const start = 3653 * 5 * DAY - DAY + 5 * 3_600_000;
    const importDays = async (flags: readonly ({ text: string; failure: string | null } | undefined)[]) => {
      const importNumber = await world.get(BeginImport).execute(undefined, 'days.csv');
      const rows = {
        stations: 'JFK',
        times: Float64Array.from(flags, (_flag, day) => start + day * DAY),
        columns: [
          {
            variable: MAXIMUM,
            unit: '°C',
            values: Float64Array.from(flags, (_flag, day) => 10 * day),
            flags,
          },
          {
            variable: RAIN,
            unit: 'mm',
            values: Float64Array.of(25.4, Number.NaN, 0, 0).subarray(0, flags.length),
          },
        ],
      };
      await world.get(RecordObservations).execute(rows, CALLER, { importNumber });
      await world.get(KeepSourceFlags).execute(importNumber, { rows, rejected: new Set() });
    };
    const get = (query = '', id = 'JFK') => client.ask('GET', `/v1/stations/${id}/source-flags${query}`);
    const csv = async (query: string) =>
      (await fetch(`${running.url}/v1/stations/JFK/source-flags?format=csv${query}`)).text();

    it('returns the values of days with their flags and failed checks, in JSON and in CSV', async () => {
      const { status, body } = await get();
      expect(status).to.equal(200);
      expect(body).to.deep.include({
        units: { [MAXIMUM]: '°C', [RAIN]: 'mm' },
        observations: {
          time: [0, 1, 2, 3].map((day) => new Date(start + day * DAY).toISOString().replace('.000Z', 'Z')),
          [MAXIMUM]: [0, 10, 20, 30],
          [RAIN]: [25.4, null, 0, 0],
        },
        flags: { [MAXIMUM]: [null, ',X,7', 'T,,7', null], [RAIN]: [null, null, null, null] },
        failed: [{ variable: MAXIMUM, index: 1, reason: REASON }],
        next: null,
      });
      expect((await csv('&units=imperial')).split('\r\n')).to.deep.equal([
        `time,${MAXIMUM} (°F),${MAXIMUM}_flags,${RAIN} (in),${RAIN}_flags,failed`,
        '2020-01-03T05:00:00Z,32,,1,,',
        `2020-01-04T05:00:00Z,50,",X,7",,,"${MAXIMUM}: ${REASON.replaceAll('"', '""')}"`,
        '2020-01-05T05:00:00Z,68,"T,,7",0,,',
        '2020-01-06T05:00:00Z,86,,0,,',
        '',
      ]);
    });

    it('returns a range, the named variables, and pages', async () => {
      const { body } = await get(`?variables=${MAXIMUM}&from=2020-01-04T05:00:00Z&limit=1`);
      expect([body['flags'], body['failed']]).to.deep.equal([
        { [MAXIMUM]: [',X,7'] },
        [{ variable: MAXIMUM, index: 0, reason: REASON }],
      ]);
      const next = await get(
        `?variables=${MAXIMUM}&from=2020-01-04T05:00:00Z&limit=1&cursor=${String(body['next'])}`,
      );
      expect([next.body['flags'], next.body['failed']]).to.deep.equal([{ [MAXIMUM]: ['T,,7'] }, []]);
      expect(header(next.reply, 'link')).to.contain('cursor=');
    });

    it('has no rows for a station without values of days, and refuses an unknown variable', async () => {
      const { status, body } = await get('', 'empty');
      expect([status, body['observations'], body['flags']]).to.deep.equal([200, { time: [] }, {}]);
      expect((await get('?variables=daily_nonsense')).status).to.equal(400);
      expect((await get('', 'unknown')).status).to.equal(404);
      expect((await get('?limit=10001')).status).to.equal(400);
    });

    it('has another ETag if only the flags change', async () => {
      const ask = (etag = '') =>
        fetch(`${running.url}/v1/stations/JFK/source-flags`, { headers: { 'if-none-match': etag } });
      const etag = (await ask()).headers.get('etag') ?? '';
      expect((await ask(etag)).status).to.equal(304);
      await importDays([FAILED]);
      expect((await ask(etag)).status).to.equal(200);
      const after = await get();
      expect(after.body['flags']).to.deep.equal({
        [MAXIMUM]: [',X,7', ',X,7', 'T,,7', null],
        [RAIN]: [null, null, null, null],
      });
    });
  });
}

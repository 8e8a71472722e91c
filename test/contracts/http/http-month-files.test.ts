import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import { expect } from 'chai';
import { asyncBufferFromUrl, parquetMetadata, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import sinon from 'sinon';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { ReadSettledMonths } from '#application/observations/files/read-settled-months.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { AddOverride } from '#application/observations/overrides/add-override.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { ReadGate } from '#application/observations/read/gate/read-gate.js';
import { MonthFiles } from '#application/observations/files/month-files.js';
import { UNLIMITED } from '#application/observations/read/gate/permit.js';
import { RecheckObservations } from '#application/observations/recheck/recheck-observations.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { MILLISECONDS } from '#domain/time.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import { FLAG } from '#domain/weather/series.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { defaultTransport, type RunningApi, runApi, serviceTransports } from '../../support/api-server.js';
import { loadCode } from '../../support/document-code.js';
import { blocksOf } from '../../support/document-shell.js';
import { eventually } from '../../support/process.js';
import { catchUp } from '../../support/recheck.js';
import { addStation, record, sentColumns } from '../../support/weather-world.js';
import { CALLER, UPLOAD_REACH, World } from '../../support/world.js';

const FILES = '/v1/stations/JFK/files';
const JULY = `${FILES}/2013-07.parquet`;
const JULY_OF_ARROW = `${FILES}/2013-07.arrow`;
/** A file of each format. */
const JULYS = [JULY, JULY_OF_ARROW] as const;
/** The end of July 2013 in New York. */
const END = Date.parse('2013-08-01T04:00:00Z');
const SETTLING = 48 * MILLISECONDS.hour;

/** Hourly values of June to August 2013. The first row of July is `START`; one temperature of July is outside of its limits. */
async function fill(world: World): Promise<void> {
  await addStation(world);
  const hours = 24 * 92;
  await record(world, '2013-06-01T04:00:00Z', {
    air_temperature: Array.from({ length: hours }, (_hour, index) =>
      index === 24 * 30 + 100 ? 70 : Math.round(200 + 50 * Math.sin((index * Math.PI) / 12)) / 10,
    ),
    relative_humidity: Array.from({ length: hours }, (_hour, index) =>
      index % 5 === 0 ? Number.NaN : 50 + (index % 30),
    ),
  });
  await settle(world);
}

async function settle(world: World): Promise<void> {
  await catchUp(world.get(RecheckObservations));
}

async function serve(world: World, load = defaultTransport[0]![1]): Promise<RunningApi> {
  const authorize = world.get(Authorize);
  return await runApi(await load(), {
    endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
    authorize: (given, access) => authorize.execute({ token: given, ...access }),
  });
}

const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer());

for (const [name, load] of serviceTransports) {
  describe(`files of months › ${name}`, () => {
    let world: World;
    let running: RunningApi;
    const get = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
      fetch(`${running.url}${target}`, { headers, method });

    before(async () => {
      world = await World.make();
      world.clock.time = Date.parse('2013-09-05T00:00:00Z');
      await fill(world);
      running = await serve(world, load);
    });
    after(() => running.server.close(1000));

    it('have the rows, the flags and the metadata of the month', async () => {
      const reply = await get(JULY, { 'accept-encoding': 'gzip, br' });
      expect(reply.status).to.equal(200);
      const body = await bytesOf(reply);
      expect(Object.fromEntries(reply.headers)).to.include({
        'content-type': 'application/vnd.apache.parquet',
        'content-length': String(body.length),
        'accept-ranges': 'bytes',
        'cache-control': 'no-cache',
      });
      expect(reply.headers.has('content-encoding')).to.equal(false);
      expect(reply.headers.get('etag')).to.match(/^"[\w-]{27}"$/);
      const file = new Uint8Array(body).buffer;
      const rows = await parquetReadObjects({ file });
      expect(rows).to.have.lengthOf(24 * 31);
      expect(rows[0]).to.deep.equal({
        time: new Date('2013-07-01T04:00:00Z'),
        air_temperature: 20,
        relative_humidity: null,
        air_temperature_qc: 0,
        relative_humidity_qc: 0,
      });
      expect(rows.filter(({ air_temperature_qc: flags }) => flags !== 0)).to.deep.equal([
        { ...rows[100], air_temperature: 70, air_temperature_qc: FLAG.grossRange },
      ]);
      expect(rows.at(-1)?.['time']).to.deep.equal(new Date('2013-08-01T03:00:00Z'));
      const { key_value_metadata: pairs = [] } = parquetMetadata(file);
      expect(Object.fromEntries(pairs.map(({ key, value }) => [key, value]))).to.deep.include({
        station: 'JFK',
        latitude: '40.639751',
        month: '2013-07',
        computation_rules: String(COMPUTATION_RULES),
        flag_masks: '[1,2,4,8,16,32,128]',
        flag_meanings:
          'gross_range step internal_consistency spike persistence spatial_consistency overruled',
      });
    });

    it('have the same rows, flags and metadata in Arrow', async () => {
      const reply = await get(JULY_OF_ARROW, { 'accept-encoding': 'gzip, br' });
      expect(reply.status).to.equal(200);
      const body = await bytesOf(reply);
      expect(Object.fromEntries(reply.headers)).to.include({
        'content-type': 'application/vnd.apache.arrow.file',
        'content-length': String(body.length),
        'accept-ranges': 'bytes',
        'cache-control': 'no-cache',
      });
      expect(reply.headers.has('content-encoding')).to.equal(false);
      const file = new Uint8Array(await bytesOf(await get(JULY))).buffer;
      const { schema, ...table } = tableFromIPC(body);
      const [batch] = table.batches;
      const expected = await parquetReadObjects({ file });
      const rows = expected.map((_row, row) => {
        const cells = schema.fields.map(({ name: column }): [string, unknown] => [
          column,
          batch?.getChild(column)?.get(row),
        ]);
        const { time, ...others } = Object.fromEntries(cells);
        return { time: new Date(time as number), ...others };
      });
      expect([table.batches.length, batch?.numRows]).to.deep.equal([1, expected.length]);
      expect(rows).to.deep.equal(expected);
      const { key_value_metadata: pairs = [] } = parquetMetadata(file);
      expect([...schema.metadata]).to.deep.equal(pairs.map(({ key, value }) => [key, value]));
    });

    it('are sent in ranges', async () => {
      for (const july of JULYS) await checkRanges(july);
    });

    async function checkRanges(july: string): Promise<void> {
      const whole = await bytesOf(await get(july));
      const size = whole.length;
      const cases: readonly (readonly [range: string, status: number, first: number, end: number])[] = [
        ['bytes=0-3', 206, 0, 4],
        ['bytes=4-', 206, 4, size],
        ['bytes=-8', 206, size - 8, size],
        [`bytes=-${size + 1}`, 206, 0, size],
        [`bytes=${size - 1}-${size + 100}`, 206, size - 1, size],
        ['BYTES=1-1', 206, 1, 2],
        // Several ranges, other units and invalid forms get the whole file (RFC 9110, section 14.2).
        ['bytes=0-1,4-5', 200, 0, size],
        ['bytes=5-4', 200, 0, size],
        ['bytes=-', 200, 0, size],
        ['bytes=a-b', 200, 0, size],
        ['rows=0-1', 200, 0, size],
        [`bytes=${size}-`, 416, 0, 0],
        ['bytes=-0', 416, 0, 0],
        ['bytes=99999999999999999999-', 416, 0, 0],
      ];
      for (const [range, status, first, end] of cases) {
        const reply = await get(july, { range });
        const body = await bytesOf(reply);
        expect(reply.status, range).to.equal(status);
        expect(reply.headers.get('content-range'), range).to.equal(
          status === 200 ? null : status === 416 ? `bytes */${size}` : `bytes ${first}-${end - 1}/${size}`,
        );
        expect(reply.headers.get('accept-ranges'), range).to.equal('bytes');
        if (status === 416) expect(JSON.parse(body.toString())).to.include({ error: 'RANGE_INVALID' });
        else expect(body.equals(whole.subarray(first, end)), range).to.equal(true);
        if (status !== 416) expect(reply.headers.get('content-length'), range).to.equal(String(end - first));
      }
      const head = await get(july, { range: 'bytes=0-3' }, 'HEAD');
      expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, String(size)]);
    }

    it('keep the conditions of If-Match, If-None-Match and If-Range', async () => {
      for (const july of JULYS) await checkConditions(july);
    });

    async function checkConditions(july: string): Promise<void> {
      const etag = (await get(july)).headers.get('etag') ?? '';
      const part = { range: 'bytes=0-3' };
      const cases: readonly (readonly [headers: Record<string, string>, status: number])[] = [
        [{ 'if-none-match': etag }, 304],
        [{ 'if-none-match': etag, ...part }, 304],
        [{ 'if-none-match': '"other"', ...part }, 206],
        [{ 'if-match': etag, ...part }, 206],
        [{ 'if-match': '*', ...part }, 206],
        [{ 'if-match': '"other"', ...part }, 412],
        [{ 'if-match': `W/${etag}`, ...part }, 412],
        [{ 'if-match': '"other"', 'if-none-match': etag }, 412],
        [{ 'if-range': etag, ...part }, 206],
        [{ 'if-range': '"other"', ...part }, 200],
        [{ 'if-range': `W/${etag}`, ...part }, 200],
        [{ 'if-range': 'Sat, 28 Nov 2026 00:00:00 GMT', ...part }, 200],
      ];
      for (const [headers, status] of cases)
        expect((await get(july, headers)).status, JSON.stringify(headers)).to.equal(status);
    }
  });
}

describe('files of months', () => {
  let world: World;
  let running: RunningApi;
  const get = (target: string, headers: Record<string, string> = {}) =>
    fetch(`${running.url}${target}`, { headers });
  const refusal = async (target: string) => {
    const reply = await get(target);
    const { error, message } = (await reply.json()) as { error: string; message: string };
    return [reply.status, error, message, reply.headers.get('retry-after')];
  };

  beforeEach(async () => {
    world = await World.make();
    world.clock.time = Date.parse('2013-09-05T00:00:00Z');
    await fill(world);
    running = await serve(world);
  });
  afterEach(async () => {
    sinon.restore();
    await running.server.close(1000);
  });

  it('exist from 48 hours after the end of the month in the time zone of the station', async () => {
    world.clock.time = END + SETTLING - 1;
    expect(await refusal(JULY)).to.deep.equal([
      404,
      'FILE_UNKNOWN',
      'The month 2013-07 is not settled. Its files may exist from 2013-08-03T04:00:00.000Z, 48 hours after its end.',
      null,
    ]);
    world.clock.time += 1;
    expect((await get(JULY)).status).to.equal(200);
    expect((await refusal(`${FILES}/2030-01.parquet`)).slice(0, 2)).to.deep.equal([404, 'FILE_UNKNOWN']);
    expect(await refusal(`${FILES}/2013-05.parquet`)).to.deep.equal([
      404,
      'FILE_UNKNOWN',
      'The station has no observations in 2013-05.',
      null,
    ]);
  });

  it('have only names of months', async () => {
    for (const file of ['2013-13', '2013-00', '1599-12', '9999-01', '213-07', '2013-7', '2013-07-01', '..'])
      expect((await get(`${FILES}/${file}.parquet`)).status, file).to.equal(400);
    for (const file of [
      '2013-07.csv',
      '2013-07',
      '2013-07.parquet.gz',
      '2013-07.arrows',
      '2013-07xarrow',
      '%2e%2e%2f2013-07.parquet',
    ])
      expect((await get(`${FILES}/${file}`)).status, file).to.equal(400);
    expect((await get(`${FILES}/2013-07.parquet?x=1`)).status).to.equal(400);
    expect((await get('/v1/stations/XYZ/files/2013-07.parquet')).status).to.equal(404);
  });

  it('wait for quality control after an override and a late row, and then have another ETag', async () => {
    const request = { variable: 'air_temperature', from: END - 7_200_000, to: END, verdict: 'bad' } as const;
    const changes = [
      () => world.get(AddOverride).execute('JFK', { ...request, reason: 'x' }, CALLER),
      () => record(world, '2013-07-10T04:30:00Z', { air_temperature: [21] }),
    ];
    for (const change of changes) {
      const old = await get(JULY);
      const etag = old.headers.get('etag') ?? '';
      const etagOfArrow = (await get(JULY_OF_ARROW)).headers.get('etag') ?? '';
      const august = (await get(`${FILES}/2013-08.parquet`)).headers.get('etag');
      await change();
      await world.stores.recheck.requests(0);
      const [status, error, message, after] = await refusal(JULY);
      expect([status, error, after]).to.deep.equal([404, 'FILE_UNKNOWN', '60']);
      expect((await get(JULY_OF_ARROW)).status).to.equal(404);
      expect(message).to.contain('Quality control still checks rows of 2013-07');
      await settle(world);
      expect((await get(JULY, { range: 'bytes=0-3', 'if-match': etag })).status).to.equal(412);
      expect((await get(JULY_OF_ARROW, { 'if-match': etagOfArrow })).status).to.equal(412);
      const reply = await get(JULY, { range: 'bytes=0-3', 'if-range': etag });
      expect(reply.status).to.equal(200);
      expect(reply.headers.get('etag')).to.not.equal(etag);
      expect((await bytesOf(reply)).equals(await bytesOf(old))).to.equal(false);
      expect((await get(`${FILES}/2013-08.parquet`)).headers.get('etag')).to.equal(august);
    }
  });

  it('have another ETag after each change of what they contain, and only then', async () => {
    const changes = [
      {},
      { reportingInterval: 3601 },
      { name: 'Kennedy' },
      { latitude: 41 },
      { longitude: -73 },
      { elevation: 5 },
      { identifiers: { wmo: '74486' } },
      { timeZone: 'America/Toronto' },
    ];
    const replies: Response[][] = [];
    for (const change of changes) {
      await addStation(world, change);
      await settle(world);
      replies.push(await Promise.all(JULYS.map((july) => get(july))));
    }
    const numbered = (all: readonly string[]) => all.map((one) => all.indexOf(one));
    for (const index of JULYS.keys()) {
      const ofFormat = replies.flatMap((all) => all[index] ?? []);
      const files = await Promise.all(
        ofFormat.map(async (reply) => (await bytesOf(reply)).toString('latin1')),
      );
      expect(numbered(files)).to.deep.equal([0, 0, 2, 3, 4, 5, 6, 7]);
      expect(numbered(ofFormat.map(({ headers }) => headers.get('etag') ?? ''))).to.deep.equal(
        numbered(files),
      );
    }
  });

  it('stay the same while newer rows arrive, and are not made again', async () => {
    const etag = (await get(JULY)).headers.get('etag') ?? '';
    const made = sinon.spy(ReadSettledMonths.prototype, 'pages');
    await record(world, '2013-09-04T00:00:00Z', { air_temperature: [20], wind_speed: [3] });
    await settle(world);
    expect((await get(JULY, { 'if-none-match': etag })).status).to.equal(304);
    expect((await get(JULY, { range: 'bytes=0-3', 'if-match': etag })).status).to.equal(206);
    expect(made.callCount).to.equal(0);
  });

  it('are made once for requests at the same time, and read once for each version of the station', async () => {
    const made = sinon.spy(ReadSettledMonths.prototype, 'pages');
    const read = sinon.spy(world.stores.observations, 'read');
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => get(JULY, { range: 'bytes=-8' }).then(bytesOf)),
    );
    expect(new Set(replies.map((bytes) => bytes.toString('hex')))).to.have.property('size', 1);
    expect([made.callCount, read.callCount]).to.deep.equal([1, 2]);
    await get(JULY).then(bytesOf);
    expect([made.callCount, read.callCount]).to.deep.equal([1, 2]);
  });

  it('hold a permit of the read gate until they are sent, and then none', async () => {
    const gate = world.get(ReadGate);
    const etag = (await get(JULY)).headers.get('etag') ?? '';
    const requests: readonly (readonly [headers: Record<string, string>, method?: string])[] = [
      [{}],
      [{}, 'HEAD'],
      [{ range: 'bytes=0-3' }],
      [{ range: 'bytes=99999999-' }],
      [{ 'if-none-match': etag }],
      [{ 'if-match': '"other"' }],
    ];
    for (const [headers, method = 'GET'] of requests) {
      await (await fetch(`${running.url}${JULY}`, { headers, method })).arrayBuffer();
      await eventually(
        async () => gate.held,
        (held) => held === 0,
      );
    }
    // A file that is too large for one piece counts while a client reads it slowly, by its bytes.
    const file = new Uint8Array(8_000_000);
    sinon.stub(MonthFiles.prototype, 'findOrMake').resolves(file);
    const left = new AbortController();
    const slow = await fetch(`${running.url}${JULY}`, { signal: left.signal });
    expect(Number(slow.headers.get('content-length'))).to.equal(file.length);
    expect(gate.held).to.equal(file.length / 8);
    left.abort();
    await eventually(
      async () => gate.held,
      (held) => held === 0,
    );
  });

  it('have the same bytes and ETag in another instance, and after an upgrade', async () => {
    const other = await World.make();
    other.clock.time = world.clock.time;
    await fill(other);
    const second = await serve(other);
    try {
      for (const july of JULYS) {
        const [one, two] = await Promise.all([get(july), fetch(`${second.url}${july}`)]);
        expect(one.headers.get('etag')).to.equal(two.headers.get('etag'));
        const bytes = await bytesOf(one);
        expect(bytes.equals(await bytesOf(two))).to.equal(true);
        // If this fails while the rows of the test are the same, increase the version of the format.
        expect(createHash('sha256').update(bytes).digest('hex'), july).to.equal(GOLDEN[july]);
      }
    } finally {
      await second.server.close(1000);
    }
  });

  it('are not sent if rows change while the file is made', async () => {
    const months = world.get(ReadSettledMonths);
    const described = await world.get(DescribeStation).execute('JFK');
    const month = months.month(described.station, '2013-07');
    const content = await months.content(described, month, UNLIMITED);
    await record(world, '2013-07-10T04:30:00Z', { air_temperature: [21] });
    let error: unknown;
    try {
      for await (const page of months.pages(described, month, content, UNLIMITED))
        expect(page).to.be.an('object');
    } catch (caught) {
      error = caught;
    }
    expect(error).to.include({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
  });

  it('are not made for a month with too many values', async () => {
    const described = await world.get(DescribeStation).execute('JFK');
    const inventory = { ...described.inventory, count: 1e8 };
    const describe = sinon.stub(DescribeStation.prototype, 'execute');
    // A million rows of two variables in July, and values of days, which are few.
    const daily = VARIABLES.filter(({ period }) => period === 'day').map(({ number }) => number);
    const variables = [...inventory.variables, ...daily];
    describe.resolves({ ...described, inventory: { ...inventory, count: 3e6, variables } });
    expect((await get(JULY)).status).to.equal(200);
    describe.resolves({ ...described, inventory, version: 'later' });
    const [status, error, message] = await refusal(JULY);
    expect([status, error]).to.deep.equal([404, 'FILE_UNKNOWN']);
    expect(message).to.contain('too many for a file');
    const list = (await (await get(FILES)).json()) as { months: { rows: number | null; files: unknown[] }[] };
    expect(list.months.map(({ rows, files }) => [rows, files])).to.deep.equal([
      [null, []],
      [null, []],
      [null, []],
    ]);
  });

  it('are listed by year with address, ETag, size and rows', async () => {
    world.clock.time = Date.parse('2013-09-02T00:00:00Z');
    const files = await Promise.all(
      JULYS.map(async (url) => {
        const file = await get(url);
        const [, format] = url.split('.');
        return { format, url, etag: file.headers.get('etag'), bytes: (await bytesOf(file)).length };
      }),
    );
    const reply = await get(FILES);
    const list = (await reply.json()) as Record<string, unknown>;
    expect(list).to.deep.include({
      station: 'JFK',
      timezone: 'America/New_York',
      years: { first: 2013, last: 2013 },
    });
    const [june, july, august] = list['months'] as Record<string, unknown>[];
    expect(july).to.deep.equal({
      month: '2013-07',
      from: '2013-07-01T04:00:00Z',
      to: '2013-08-01T04:00:00Z',
      settled: true,
      settles_at: null,
      rows: 744,
      first: '2013-07-01T04:00:00Z',
      last: '2013-08-01T03:00:00Z',
      files,
    });
    expect(june).to.deep.nested.include({ rows: 720, 'files[0].bytes': null });
    expect(august).to.deep.include({
      settled: false,
      settles_at: '2013-09-03T04:00:00Z',
      rows: null,
      files: [],
    });
    expect(list['months']).to.have.lengthOf(3);
    expect((await get(FILES, { 'if-none-match': reply.headers.get('etag') ?? '' })).status).to.equal(304);
    const other = (await (await get(`${FILES}?year=2012`)).json()) as { months: unknown[] };
    expect(other.months).to.deep.equal([]);
    expect((await get(`${FILES}?year=1599`)).status).to.equal(400);
  });

  it('are listed without reading the rows again for ten minutes', async () => {
    await get(FILES);
    const read = sinon.spy(world.stores.observations, 'read');
    for (let minute = 0; minute < 9; minute += 1) {
      world.clock.time += MILLISECONDS.minute;
      await record(world, new Date(world.clock.time).toISOString(), { air_temperature: [20] });
      await settle(world);
      const before = read.callCount;
      expect((await get(FILES)).status).to.equal(200);
      expect(read.callCount).to.equal(before);
    }
    world.clock.time += MILLISECONDS.minute;
    const before = read.callCount;
    await get(FILES);
    expect(read.callCount).to.be.greaterThan(before);
  });
});

describe('files of a year', () => {
  it('give one column to a reader of ranges, with three requests a month and few bytes', async () => {
    const world = await World.make();
    world.clock.time = Date.parse('2014-03-01T00:00:00Z');
    await addStation(world, { timeZone: 'UTC', reportingInterval: 600 });
    const length = 365 * 144;
    const start = Date.UTC(2013, 0, 1);
    const times = Float64Array.from({ length }, (_row, index) => start + index * 600_000);
    const noise = (seed: number) => (_row: unknown, index: number) =>
      Math.round(100 * Math.abs(Math.sin(index * index * seed + index))) / 10;
    const columns = sentColumns({
      air_temperature: Array.from({ length }, noise(0.37)),
      relative_humidity: Array.from({ length }, noise(0.41)),
      wind_speed: Array.from({ length }, noise(0.43)),
      wind_speed_of_gust: Array.from({ length }, noise(0.47)),
      rainfall_rate: Array.from({ length }, noise(0.53)),
      ultraviolet_index: Array.from({ length }, noise(0.59)),
    });
    await world.get(RecordObservations).execute({ stations: 'JFK', times, columns }, CALLER);
    await settle(world);
    const running = await serve(world);
    try {
      let [requests, bytes, sizes, rows] = [0, 0, 0, 0];
      const { fetch: send } = globalThis;
      const counted: typeof fetch = async (url, init) => {
        const reply = await send(url, init);
        requests += 1;
        if (init?.method !== 'HEAD') bytes += Number(reply.headers.get('content-length'));
        return reply;
      };
      for (let month = 1; month <= 12; month += 1) {
        const name = `2013-${String(month).padStart(2, '0')}`;
        const url = `${running.url}${FILES}/${name}.parquet`;
        const file = await asyncBufferFromUrl({ url, fetch: counted });
        const metadata = await parquetMetadataAsync(file, { initialFetchSize: 4096 });
        const read = await parquetReadObjects({ file, metadata, columns: ['air_temperature'] });
        sizes += file.byteLength;
        rows += read.length;
      }
      expect(rows).to.equal(length);
      expect(requests).to.equal(3 * 12);
      expect(bytes / sizes).to.be.below(0.35);

      // The example of the documentation. The list has the sizes of the files, so that the reader needs no HEAD.
      requests = 0;
      sinon.stub(globalThis, 'fetch').callsFake(counted);
      const [code = ''] = blocksOf(readFileSync('docs/files.md', 'utf8'), ['js']);
      const names = { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects };
      const module = await loadCode(`${code.replace(/^import .*$/m, '')}\nexport { readYear };`, names);
      const readYear = module['readYear'] as (...parts: unknown[]) => Promise<{ time: Date }[]>;
      const read = await readYear(running.url, 'JFK', 2013, ['time', 'air_temperature']);
      expect(read).to.have.lengthOf(length);
      expect(read.at(-1)?.time).to.deep.equal(new Date(times.at(-1) ?? 0));
      expect(requests).to.equal(1 + 2 * 12);
    } finally {
      sinon.restore();
      await running.server.close(1000);
    }
  });
});

const GOLDEN: Readonly<Record<(typeof JULYS)[number], string>> = {
  [JULY]: 'dc0e0e78a80363566d8e672f9ecf133c2c1c421a0071d0d73750f06774d7f80e',
  [JULY_OF_ARROW]: '3bdc57c4a4a1a8ebb4f0b4ff0930f1fff87b5f1a2aad97e562acfb37834d80eb',
};

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ENVELOPE } from '#adapters/formats/packed/blob.js';
import { header } from '#transport-suite/raw-http.js';
import { SqliteDataVerifier } from '#adapters/store-sqlite/damage/sqlite-data-verifier.js';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { SqliteDatabase } from '#adapters/store-sqlite/database/sqlite-database.js';
import { SqliteObservationStore } from '#adapters/store-sqlite/observations/sqlite-observation-store.js';
import { sqliteStations } from '#adapters/store-sqlite/stations/sqlite-station-store.js';
import { makeExternalEndpoints, makeInternalEndpoints } from '#composition/modules/endpoints.js';
import { WATCH } from '../../support/verify-watch.js';
import { type RunningApi, runApi, transports } from '../../support/api-server.js';
import { type Answer, Client } from '../../support/client.js';
import { errorOf, rowsOf, parseBody } from '../../support/frame-sketch.js';
import { eventually } from '../../support/process.js';
import { addStation } from '../../support/weather-world.js';
import { UPLOAD_REACH, World } from '../../support/world.js';

const NEVER = 3_600_000;
const [OLD, NEW] = ['2013-01-01', '2024-03-01'] as const;
const [TEMPERATURE, HUMIDITY] = [1, 3];

/** Offsets of a damaged byte in a run, negative from the end: its last value, its directory, its envelope. */
const PLACES = { values: -1, directory: ENVELOPE + 8, envelope: 0 } as const;

describe('damaged data over HTTP', () => {
  let folder: string;
  let file: string;
  let database: SqliteDatabase;
  let store: SqliteObservationStore;
  let apis: RunningApi[] = [];
  let external: Client;

  const open = async () => {
    database = new SqliteDatabase(file);
    await database.open();
    store = new SqliteObservationStore(database, {
      interval: NEVER,
      retry: NEVER,
      maxRetry: NEVER,
      stall: NEVER,
    });
    const world = await World.make({}, { stations: sqliteStations(database), observations: store });
    world.clock.time = Date.UTC(2024, 2, 2);
    const transport = await (transports[0] as (typeof transports)[0])[1]();
    apis = [
      await runApi(transport, { endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH) }),
      await runApi(transport, { endpoints: makeInternalEndpoints(world.container, false) }),
    ];
    external = new Client(apis[0]?.url ?? '');
    return world;
  };
  const close = async () => {
    for (const { server } of apis) await server.close(100);
    await database.close();
  };
  /** Writes hours of a day. Each value is its hour. */
  const write = (station: number, day: string, hours: readonly number[], variables = [TEMPERATURE]) =>
    store.write([
      {
        batch: {
          stations: new Uint32Array(hours.length).fill(station),
          times: Float64Array.from(hours, (hour) => Date.parse(day) + hour * 3_600_000),
          values: new Map(variables.map((variable) => [variable, Float64Array.from(hours)])),
          flags: new Map(),
        },
      },
    ]);

  /**
   * Three stations with a merged day in 2013. Then station a has written a run, and after that station b. Station c has
   * written nothing since.
   */
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weatherd-damage-'));
    file = join(folder, 'weatherd.db');
    const world = await open();
    for (const id of ['a', 'b', 'c']) await addStation(world, { id, reportingInterval: null });
    for (const station of [1, 2]) await write(station, OLD, [0, 1, 2], [TEMPERATURE, HUMIDITY]);
    await store.merge();
  });
  afterEach(async () => {
    await close();
    await rm(folder, { recursive: true });
  });

  const outside = <T>(work: (connection: InstanceType<typeof Sqlite>) => T): T => {
    const connection = new Sqlite(file);
    try {
      return work(connection);
    } finally {
      connection.close();
    }
  };
  /** Changes one bit of the oldest run and opens the file again, because threads cache runs. */
  const damage = async (place: keyof typeof PLACES) => {
    await close();
    outside((connection) => {
      const select = connection.prepare<[], { id: number; data: Buffer }>(
        'SELECT id, data FROM run ORDER BY id',
      );
      const { id, data } = select.get() as { id: number; data: Buffer };
      const at = (data.length + PLACES[place]) % data.length;
      data.writeUInt8(data.readUInt8(at) ^ 1, at);
      connection.prepare('UPDATE run SET data = ? WHERE id = ?').run(data, id);
    });
    await open();
  };
  const writeAndDamage = async (place: keyof typeof PLACES) => {
    await write(1, NEW, [0, 1]);
    await write(2, NEW, [5]);
    await damage(place);
  };

  const ask = (path: string, etag?: string): Promise<Answer> =>
    external.ask('GET', path, etag === undefined ? [] : [`If-None-Match: ${etag}`]);
  const etagOf = ({ reply }: Answer) => header(reply, 'etag') ?? '';
  const statusOf = async (path: string, etag?: string) => (await ask(path, etag)).status;
  const range = (station: string, day: string) =>
    `/v1/stations/${station}/observations?from=${day}T00:00:00Z&to=${day}T12:00:00Z`;
  const ofMap = async () =>
    ((await ask('/v1/observations/latest')).body['stations'] as { station: { id: string } }[]).map(
      ({ station }) => station.id,
    );
  const expectDamaged = async (path: string, station: string) => {
    const { status, error, body } = await ask(path);
    expect([path, status, error]).to.deep.equal([path, 503, 'DATA_DAMAGED']);
    expect(body['message']).to.contain(`"${station}"`).and.to.contain(NEW);
  };
  const newest = async (query = '') => {
    const reply = await fetch(`${apis[1]?.url}/v1/observations/newest${query}`);
    const frames = parseBody(Buffer.from(await reply.arrayBuffer()));
    return reply.status === 200
      ? rowsOf(frames).map(({ station }) => station)
      : [reply.status, errorOf(frames).code, errorOf(frames).message];
  };
  /** Waits, because a check returns its previous result and reads a new one meanwhile. */
  const expectDegraded = (expected: boolean) =>
    eventually(
      async () => (await Promise.all(store.checks.map((check) => check.check()))).some(Boolean),
      (found) => found === expected,
    );

  for (const place of ['values', 'envelope'] as const) {
    it(`are refused where a read touches them, and nothing else is: ${place} of a run`, async () => {
      await writeAndDamage(place);
      // Before and after the run is put aside.
      for (let round = 0; round < 2; round += 1) {
        for (const path of ['/v1/stations/a', range('a', OLD), range('b', OLD), range('b', NEW)]) {
          const answer = await ask(path);
          expect([path, answer.status]).to.deep.equal([path, 200]);
          expect(await statusOf(path, etagOf(answer)), path).to.equal(304);
        }
        expect(await statusOf(`/v1/stations/a/summaries?interval=day&from=${OLD}&to=2013-02-01`)).to.equal(
          200,
        );
        await expectDamaged(range('a', NEW), 'a');
        // Without an end the range reaches up to the newest row.
        await expectDamaged('/v1/stations/a/observations', 'a');
        await expectDamaged('/v1/stations/a/summaries?interval=year', 'a');
        await expectDamaged('/v1/stations/a/observations/latest', 'a');
        expect(await statusOf('/v1/stations/b/observations/latest')).to.equal(200);
        expect(await ofMap()).to.deep.equal(['b', 'c']);
        expect(await newest()).to.deep.equal([2]);
        expect(await newest('?stations=1,2')).to.deep.equal([2]);
        expect((await newest('?stations=1')).slice(0, 2)).to.deep.equal([503, 'DATA_DAMAGED']);
        await expectDegraded(true);
        await store.merge();
      }
    });
  }

  it('of a station without other data are refused, not left out', async () => {
    await write(3, NEW, [0]);
    await damage('values');
    await expectDamaged('/v1/stations/c/observations', 'c');
    await expectDamaged(range('c', NEW), 'c');
    await expectDamaged('/v1/stations/c/observations/latest', 'c');
    expect((await ask(range('c', OLD))).body['observations']).to.deep.equal({ time: [] });
  });

  it('are never confirmed as unchanged, nor are replies from before or after the damage', async () => {
    const paths = ['/v1/stations/a', range('a', OLD), range('a', NEW), '/v1/stations/a/observations'];
    const etags = async () => await Promise.all(paths.map(async (path) => etagOf(await ask(path))));
    const before = await etags();
    await write(1, NEW, [0, 1]);
    const sound = await etags();
    await damage('values');
    const expected = [200, 200, 503, 503];
    for (const held of [before, sound]) {
      expect(await Promise.all(paths.map((path, at) => statusOf(path, held[at])))).to.deep.equal(expected);
    }
    const [station = '', old = ''] = await etags();
    await store.merge();
    expect([await statusOf(paths[0] ?? '', station), await statusOf(range('a', OLD), old)]).to.deep.equal([
      304, 304,
    ]);
    await new SqliteDataVerifier(database).discard(WATCH);
    for (const held of [before, sound, [station, old]]) {
      expect(await Promise.all(paths.map((path, at) => statusOf(path, held[at])))).to.deep.equal([
        200, 200, 200, 200,
      ]);
    }
  });

  it('hide the newest values until newer rows arrive; late rows do not count', async () => {
    await write(1, NEW, [0, 1], [TEMPERATURE, HUMIDITY]);
    await damage('values');
    await write(1, OLD, [5]);
    await expectDamaged('/v1/stations/a/observations/latest', 'a');
    await write(1, NEW, [2]);
    const { body } = await ask('/v1/stations/a/observations/latest');
    expect(body['last_seen']).to.equal(`${NEW}T02:00:00Z`);
    // The humidity of 2013 is not the newest one; the newest one was in the damaged run.
    expect(Object.keys(body['latest'] as object)).to.deep.equal(['air_temperature']);
    expect(await ofMap()).to.deep.equal(['a', 'b', 'c']);
    expect(await newest('?stations=1')).to.deep.equal([1]);
    await expectDamaged('/v1/stations/a/observations', 'a');
  });

  it('of unknown stations affect all stations, only for the times of the run', async () => {
    await writeAndDamage('directory');
    for (const station of ['a', 'b', 'c']) {
      expect(await statusOf(`/v1/stations/${station}`)).to.equal(200);
      expect(await statusOf(range(station, OLD))).to.equal(200);
      await expectDamaged(range(station, NEW), station);
    }
    // A newer row of b is readable.
    expect(await ofMap()).to.deep.equal(['b']);
    expect(await newest()).to.deep.equal([2]);
    expect(await statusOf('/v1/stations/b/observations?from=2024-03-01T04:00:00Z')).to.equal(200);
    await expectDamaged('/v1/stations/a/observations/latest', 'a');
  });

  it('do not affect a page that ends before them', async () => {
    await writeAndDamage('values');
    const path = '/v1/stations/a/observations';
    const page = await ask(`${path}?from=2013-01-01T00:00:00Z&limit=2`);
    expect(page.status).to.equal(200);
    expect(page.body['next']).to.be.a('string');
    expect((await ask(`${path}?from=2013-01-01T00:00:00Z&limit=4`)).status).to.equal(503);
  });

  it('do not affect any page that ends before them, whatever the size of pages', async () => {
    // Another merged day, so that a page crosses the boundary between two chunks.
    await write(1, '2013-01-05', [0, 1, 2]);
    await store.merge();
    await writeAndDamage('values');
    for (const limit of [1, 2, 3, 4, 5, 6]) {
      const times: string[] = [];
      let path: string | null = `/v1/stations/a/observations?from=2013-01-01T00:00:00Z&limit=${limit}`;
      let status = 200;
      while (path !== null) {
        const page: Answer = await ask(path);
        ({ status } = page);
        if (status !== 200) break;
        times.push(...(page.body['observations'] as { time: string[] }).time);
        path = `/v1/stations/a/observations?from=2013-01-01T00:00:00Z&limit=${limit}&cursor=${page.body['next'] as string}`;
      }
      expect([limit, status, times.length]).to.deep.equal([limit, 503, Math.floor(6 / limit) * limit]);
    }
  });

  it('are removed with their station, and other stations keep theirs', async () => {
    const both = { stations: Uint32Array.of(1, 2), times: new Float64Array(2).fill(Date.parse(NEW)) };
    const values = new Map([[TEMPERATURE, Float64Array.of(1, 2)]]);
    await store.write([{ batch: { ...both, values, flags: new Map() } }]);
    await damage('values');
    await store.merge();
    const stations = sqliteStations(database);
    await stations.remove('a');
    await expectDegraded(true);
    await expectDamaged(range('b', NEW), 'b');
    expect(await statusOf('/v1/stations/c/observations/latest')).to.equal(200);
    await stations.remove('b');
    await expectDegraded(false);
  });
});

import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { DamagedBlobError, ENVELOPE } from '#adapters/formats/packed/blob.js';
import { Chunk, encodeChunk } from '#adapters/formats/packed/chunk-codec.js';
import { chunkKey, dayOf } from '#adapters/formats/packed/chunk-key.js';
import { type DamagedRunError, encodeRun, Run } from '#adapters/formats/packed/run-codec.js';
import { SqliteDataVerifier } from '#adapters/store-sqlite/damage/sqlite-data-verifier.js';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { SqliteDatabase } from '#adapters/store-sqlite/database/sqlite-database.js';
import { SqliteObservationStore } from '#adapters/store-sqlite/observations/sqlite-observation-store.js';
import { sqliteStations } from '#adapters/store-sqlite/stations/sqlite-station-store.js';
import { pause } from '#application/pause.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Series } from '#domain/weather/series.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { WATCH } from '../../support/verify-watch.js';
import { domainErrorOf } from '../../support/rejection.js';

/** Chunks of several days begin here. */
const START = Date.UTC(2024, 2, 2);
const HOUR = 3_600_000;
/** Number of hourly rows of a chunk. Its days are 8. */
const CHUNK = 192;

const series: Series = {
  times: Float64Array.from({ length: 24 }, (_, hour) => START + hour * HOUR + (hour % 3)),
  values: new Map([
    [1, Float64Array.from({ length: 24 }, (_, hour) => hour / 10)],
    [7, Float64Array.from({ length: 24 }, (_, hour) => hour / 3)],
  ]),
  flags: new Map([[7, Uint8Array.from({ length: 24 }, (_, hour) => hour % 2)]]),
};

const PLACE = { station: 4, day: dayOf(START), days: 1 };
const KEY = [0, 1];

describe('blobs of observations', () => {
  const chunk = encodeChunk(PLACE, series);
  const places = [
    { station: 4, from: 0, inserted: 10 },
    { station: 9, from: 10, inserted: 14 },
  ];
  const run = encodeRun(KEY, places, series);
  const kinds: readonly (readonly [string, Buffer, (blob: Buffer) => unknown])[] = [
    ['chunk', chunk, (blob) => new Chunk(PLACE, blob)],
    ['run', run, (blob) => new Run(1, KEY, blob)],
  ];
  for (const [kind, blob, open] of kinds) {
    it(`are refused where any bit of a ${kind} has changed, or any of its end is missing`, () => {
      for (let bit = 0; bit < blob.length * 8; bit += 1) {
        const changed = Buffer.from(blob);
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        expect(() => open(changed), `bit ${bit}`).to.throw(DamagedBlobError);
      }
      for (let length = 0; length < blob.length; length += 1) {
        expect(() => open(blob.subarray(0, length)), `${length} bytes`).to.throw(DamagedBlobError);
      }
      expect(() => open(Buffer.concat([blob, Buffer.alloc(8)]))).to.throw(DamagedBlobError);
      open(blob);
    });

    it(`of any bytes are a ${kind} that can be read, or are refused`, () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
          try {
            open(Buffer.from(bytes));
          } catch (error) {
            expect(error).to.be.instanceOf(DamagedBlobError);
          }
        }),
        { numRuns: 2000 },
      );
    });
  }

  it('have the stations of a damaged run, as long as its directory is sound', () => {
    const stationsOf = (at: number): unknown => {
      const changed = Buffer.from(run);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      try {
        return new Run(1, KEY, changed);
      } catch (error) {
        return (error as DamagedRunError).stations;
      }
    };
    // The last byte, and the fields of the envelope: magic number, version, length and checksum.
    for (const at of [run.length - 1, 0, 4, 8, 12])
      expect(stationsOf(at), `byte ${at}`).to.deep.equal([4, 9]);
    // The first byte of the directory, and its checksum.
    expect(stationsOf(ENVELOPE + 8)).to.equal(undefined);
    expect(stationsOf(ENVELOPE)).to.equal(undefined);
  });
});

describe('damaged observations', () => {
  let folder: string;
  let file: string;
  let database: SqliteDatabase;
  let store: SqliteObservationStore;
  let a: number;
  let b: number;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weatherd-sqlite-'));
    file = join(folder, 'weatherd.db');
    database = new SqliteDatabase(file);
    await database.open();
    const never = 3_600_000;
    store = new SqliteObservationStore(database, {
      interval: never,
      retry: never,
      maxRetry: never,
      stall: never,
    });
    const made = await sqliteStations(database).put(['a', 'b'].map((id) => ({ ...JFK, id })));
    [a, b] = made.map(({ station }) => station.number) as [number, number];
  });
  afterEach(async () => {
    await database.close();
    await rm(folder, { recursive: true });
  });

  const write = (station: number, hours: readonly number[]) =>
    store.write([
      {
        batch: {
          stations: new Uint32Array(hours.length).fill(station),
          times: Float64Array.from(hours, (hour) => START + hour * HOUR),
          values: new Map([[1, Float64Array.from(hours, (hour) => 10 + (hour % 7) / 10)]]),
          flags: new Map(),
        },
      },
    ]);
  const readHours = async (station: number, from = 0, to = 10_000): Promise<number[]> => {
    const hours: number[] = [];
    const range = { from: START + from * HOUR, to: START + to * HOUR };
    for await (const { times } of store.read({ stations: [station], ...range })) {
      hours.push(...Array.from(times, (time) => (time - START) / HOUR));
    }
    return hours;
  };
  const span = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
  const outside = <T>(work: (connection: InstanceType<typeof Sqlite>) => T): T => {
    const connection = new Sqlite(file);
    try {
      return work(connection);
    } finally {
      connection.close();
    }
  };
  const damageChunk = (station: number, hour: number) =>
    outside((connection) => {
      const key = chunkKey(station, dayOf(START + hour * HOUR));
      const { changes } = connection
        .prepare('UPDATE chunk SET data = substr(data, 1, length(data) - 1) WHERE key = ?')
        .run(key);
      expect(changes).to.equal(1);
    });
  const count = (table: string) =>
    outside((connection) => connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  const details = async () => {
    await Promise.all(store.checks.map((check) => check.check()));
    // The check returns its previous result and reads a new one meanwhile.
    await database.call('damage');
    await pause();
    return await Promise.all(store.checks.map((check) => check.check()));
  };

  it('are reported by station and day, and everything else is served', async () => {
    await write(a, span(0, 3 * CHUNK));
    await write(b, span(0, 3 * CHUNK));
    await store.merge();
    damageChunk(a, CHUNK);
    const error = await domainErrorOf(readHours(a), 'DATA_DAMAGED');
    expect(error.message).to.contain('"a"').and.to.contain('2024-03-10');
    expect(await readHours(a, 0, CHUNK)).to.deep.equal(span(0, CHUNK));
    expect(await readHours(a, 2 * CHUNK)).to.deep.equal(span(2 * CHUNK, 3 * CHUNK));
    expect(await readHours(b)).to.deep.equal(span(0, 3 * CHUNK));
    const [newest] = await store.newest([a]);
    expect(newest?.lastSeen).to.equal(START + (3 * CHUNK - 1) * HOUR);
    expect((await store.inventory([a, b])).map((one) => one.count)).to.deep.equal([3 * CHUNK, 3 * CHUNK]);
    expect(await count('damaged')).to.equal(1);
    // Again after the blob was put aside: on its first day, on one within, and on its last day.
    for (const hour of [CHUNK, CHUNK + 30, 2 * CHUNK - 1])
      await domainErrorOf(readHours(a, hour, hour + 1), 'DATA_DAMAGED');
    expect((await details())[0]).to.match(
      /^192 rows of observations are damaged.*from 2024-03-10 to 2024-03-17/,
    );
  });

  it('stop neither writing nor merging', async () => {
    const end = 2 * CHUNK;
    await write(a, span(0, end));
    await store.merge();
    damageChunk(a, 0);
    damageChunk(a, CHUNK);
    await write(a, [1.5, end - 0.5, end]);
    await write(b, [0]);
    await store.merge();
    expect((await details())[1]).to.equal(undefined);
    expect(await count('run')).to.equal(0);
    expect(await count('damaged')).to.equal(2);
    expect(await readHours(b)).to.deep.equal([0]);
    expect(await readHours(a, end)).to.deep.equal([end]);
    await domainErrorOf(readHours(a, 0, 24), 'DATA_DAMAGED');
  });

  it('in a run affect only its stations and only its times', async () => {
    await write(a, span(0, 48));
    await store.merge();
    await write(a, [48, 49]);
    await write(b, [0]);
    outside((connection) => {
      const [oldest] = connection.prepare<[], { id: number; data: Buffer }>('SELECT id, data FROM run').all();
      const { id = 0, data = Buffer.alloc(0) } = oldest ?? {};
      data.writeUInt8(data.readUInt8(data.length - 1) ^ 1, data.length - 1);
      connection.prepare('UPDATE run SET data = ? WHERE id = ?').run(data, id);
    });
    await database.close();
    database = new SqliteDatabase(file);
    await database.open();
    store = new SqliteObservationStore(database);
    await domainErrorOf(readHours(a), 'DATA_DAMAGED');
    // The newest values are unknown too, until a newer row arrives.
    const [hidden, shown] = await store.newest([a, b]);
    expect(hidden).to.include({ lastSeen: null, hiddenSince: START + 48 * HOUR });
    expect(hidden?.values).to.have.property('size', 0);
    expect(shown).to.include({ lastSeen: START }).and.not.have.property('hiddenSince');
    const [totals] = await store.inventory([a]);
    expect(totals?.damaged).to.deep.equal({ first: START + 48 * HOUR, last: START + 49 * HOUR });
    expect(await readHours(a, 0, 48)).to.deep.equal(span(0, 48));
    expect(await readHours(b)).to.deep.equal([0]);
    await store.merge();
    expect(await count('run')).to.equal(0);
    expect(await count('damaged')).to.equal(1);
    await domainErrorOf(readHours(a, 48, 49), 'DATA_DAMAGED');
    await write(a, [50]);
    expect(await readHours(a, 50)).to.deep.equal([50]);
    expect((await store.newest([a]))[0]?.lastSeen).to.equal(START + 50 * HOUR);
  });

  it('in a run of a block affect only its stations and times, and neither newest values nor merging', async () => {
    await write(a, span(0, 48));
    await store.merge();
    await write(a, [48, 49]);
    await store.merge('due');
    await write(b, [0]);
    await store.merge('due');
    expect(await count('block_run')).to.equal(2);
    outside((connection) =>
      connection.exec('UPDATE block_run SET data = substr(data, 1, length(data) - 1) WHERE id = 1'),
    );
    const verifier = new SqliteDataVerifier(database);
    const { verified, damage } = await verifier.verify(WATCH);
    expect(verified).to.equal(2);
    expect(damage).to.deep.equal([
      {
        stations: ['a'],
        first: START + 48 * HOUR,
        last: START + 49 * HOUR,
        rows: 2,
        reason: 'its checksum is wrong',
      },
    ]);
    await domainErrorOf(readHours(a), 'DATA_DAMAGED');
    expect(await count('damaged')).to.equal(1);
    expect(await count('block_run')).to.equal(1);
    expect(await readHours(a, 0, 48)).to.deep.equal(span(0, 48));
    expect(await readHours(b)).to.deep.equal([0]);
    expect((await store.newest([a]))[0]?.lastSeen).to.equal(START + 49 * HOUR);
    await write(a, [50]);
    await store.merge();
    expect(await count('block_run')).to.equal(0);
    expect(await readHours(a, 50)).to.deep.equal([50]);
    expect((await details())[0]).to.match(/^2 rows of observations are damaged.*2024-03-04/);
    await verifier.discard(WATCH);
    expect(await readHours(a)).to.deep.equal([...span(0, 48), 50]);
    expect((await store.inventory([a]))[0]).to.include({ count: 49, last: START + 50 * HOUR });
  });

  it('in a run of a block are put aside by a merge that meets them first', async () => {
    await write(a, [0]);
    await store.merge('due');
    outside((connection) => connection.exec("UPDATE block_run SET data = x'00'"));
    await write(a, [1]);
    await store.merge();
    expect([await count('run'), await count('block_run'), await count('damaged')]).to.deep.equal([0, 0, 1]);
    // Nobody knows which stations of the block had rows in it.
    await domainErrorOf(readHours(b, 0, 1), 'DATA_DAMAGED');
    expect(await readHours(a, 1)).to.deep.equal([1]);
  });

  it('are removed from the caches of threads when another process has put them aside', async () => {
    await write(a, span(0, 48));
    await store.merge();
    await write(a, [48]);
    const known = async () => {
      // Enough reads to use every reading thread.
      const found = await Promise.all(Array.from({ length: 8 }, () => store.newest([a])));
      return [...new Set(found.map(([one]) => `${one?.revision}, last ${one?.lastSeen}`))];
    };
    expect(await known()).to.have.length(1);
    outside((connection) => connection.exec('UPDATE run SET data = substr(data, 1, length(data) - 1)'));
    const other = new SqliteDatabase(file);
    await other.open();
    await new SqliteObservationStore(other).merge();
    await other.close();
    expect(await count('damaged')).to.equal(1);
    const [described, ...others] = await known();
    expect(described).to.match(/, last null$/);
    expect(others).to.deep.equal([]);
    await write(a, [49]);
    await store.merge();
    expect((await store.inventory([a]))[0]?.count).to.equal(49);
  });

  it('are found by reading everything, and the rest can be read when they are discarded', async () => {
    await write(a, span(0, 3 * CHUNK));
    await write(b, span(0, 24));
    await store.merge();
    const verifier = new SqliteDataVerifier(database);
    expect(await verifier.verify(WATCH)).to.deep.equal({
      verified: 4,
      faults: [],
      damage: [],
      differences: [],
    });
    const [before] = await store.newest([a]);
    damageChunk(a, 2 * CHUNK);
    const { damage } = await verifier.verify(WATCH);
    const reason = 'its checksum is wrong';
    const [first, last] = [START + 16 * MILLISECONDS.day, START + 24 * MILLISECONDS.day - 1];
    expect(damage).to.deep.equal([{ stations: ['a'], first, last, rows: CHUNK, reason }]);
    expect((await verifier.discard(WATCH)).damage).to.deep.equal(damage);
    expect(await readHours(a)).to.deep.equal(span(0, 2 * CHUNK));
    const [inventory] = await store.inventory([a]);
    const newest = START + (2 * CHUNK - 1) * HOUR;
    expect(inventory).to.deep.equal({ first: START, last: newest, count: 2 * CHUNK, variables: [1] });
    const [after] = await store.newest([a]);
    expect(after?.lastSeen).to.equal(newest);
    expect(after?.revision).not.to.equal(before?.revision);
    await write(a, span(2 * CHUNK, 3 * CHUNK));
    expect(await readHours(a)).to.deep.equal(span(0, 3 * CHUNK));
    expect((await details())[0]).to.equal(undefined);
  });

  it('that are found while reading in advance fail only that read', async () => {
    const minutes = Array.from({ length: 40_000 }, (_, minute) => minute / 60);
    await write(a, minutes);
    await store.merge();
    damageChunk(a, 39_999 / 60);
    let rows = 0;
    const slowly = async () => {
      for await (const { times } of store.read({ stations: [a], from: START, to: START + 1e12 })) {
        rows += times.length;
        // Reads that the thread answers after what it reads in advance.
        for (let round = 0; round < 20; round += 1) await store.newest([a]);
      }
    };
    // An unhandled rejection would make the run fail.
    await domainErrorOf(slowly(), 'DATA_DAMAGED');
    expect(rows).to.be.above(0);
  });

  it('are not checked by the rules of another write', async () => {
    const stations = sqliteStations(database);
    await write(a, [0]);
    await stations.put([{ ...JFK, id: 'a', limits: { air_temperature: { min: -50, max: 5 } } }]);
    await rename(file, `${file}.moved`);
    await database.check().catch(() => undefined);
    await domainErrorOf(write(a, [1]), 'STORE_UNAVAILABLE');
    await rename(`${file}.moved`, file);
    await database.check();
    await write(a, [2]);
    expect((await store.newest([a]))[0]?.values.get(1)?.flags).to.equal(1);
  });
});

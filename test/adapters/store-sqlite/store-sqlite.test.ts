import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, readlink, rename, rm, stat, writeFile } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SqliteConnection } from '#adapters/store-sqlite/database/sqlite-connection.js';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { SqliteDatabase } from '#adapters/store-sqlite/database/sqlite-database.js';
import { sqliteStore } from '#adapters/store-sqlite/database/sqlite-store.js';
import { observationOperations } from '#adapters/store-sqlite/observations/observation-operations.js';
import { SqliteObservationStore } from '#adapters/store-sqlite/observations/sqlite-observation-store.js';
import { openSqliteStores } from '#adapters/store-sqlite/sqlite-stores.js';
import { sqliteStations } from '#adapters/store-sqlite/stations/sqlite-station-store.js';
import { stationRemoval } from '#adapters/store-sqlite/stations/station-removal.js';
import type { User } from '#domain/accounts/user.js';
import { MILLISECONDS } from '#domain/time.js';

import { VARIABLES } from '#domain/weather/variables.js';
import { MemoryKeyStore } from '../../application/fakes/fakes.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { domainErrorOf } from '../../support/rejection.js';
import { putStations } from '../../support/sqlite-stations.js';

describe('SqliteDatabase', () => {
  const user: User = {
    id: '1',
    name: 'ada',
    email: null,
    passwordHash: '$',
    enabled: true,
    administrator: false,
    stations: [],
    createdAt: 1,
  };
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weatherd-sqlite-'));
    file = join(folder, 'weatherd.db');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const open = async () => {
    const database = new SqliteDatabase(file);
    await database.open();
    const check = () => database.check();
    const close = () => database.close();
    return Object.assign(sqliteStore(database, 'credentials'), { check, close });
  };

  it('has no open file after it was closed, although its threads are kept', async function () {
    if (platform() !== 'linux') return this.skip();
    const openFiles = async () => {
      const all = await readdir('/proc/self/fd');
      const targets = all.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
      return (await Promise.all(targets)).filter((target) => target.startsWith(folder));
    };
    const stores = await openSqliteStores(file, new MemoryKeyStore());
    await stores.credentials.add(user);
    for await (const _ of stores.observations.read({ stations: [1], from: 0, to: 1 })) break;
    expect(await stores.stations.list()).to.deep.equal([]);
    expect(await openFiles()).to.have.length.above(2);
    await stores.close();
    expect(await openFiles()).to.deep.equal([]);
  });

  it('stores data in a file that only its owner can read', async () => {
    const first = await open();
    await first.add(user);
    await first.close();
    const second = await open();
    expect(await second.list()).to.deep.equal([user]);
    await second.close();
    expect((await stat(file)).mode & 0o777).to.equal(0o600);
  });

  it('does not fail its check while it is busy, and its file is still checked', async () => {
    const database = new SqliteDatabase(file);
    await database.open();
    const stations = sqliteStations(database);
    const [made] = await stations.put([JFK]);
    const rows = 4;
    const batch = {
      stations: new Uint32Array(rows).fill(made?.station.number ?? 0),
      times: Float64Array.from({ length: rows }, (_, row) => row * 60_000),
      values: new Map([[1, new Float64Array(rows)]]),
      flags: new Map(),
    };
    // The writes wait for it, for as long as it is open.
    const other = new Sqlite(file);
    other.exec('BEGIN IMMEDIATE');
    let isBusy = true;
    const work = Promise.all(
      Array.from({ length: 5 }, () => database.call('writeObservations', [{ batch }])),
    ).then(() => (isBusy = false));
    await database.check();
    expect(await stations.find(JFK.id)).to.deep.equal(made?.station);
    expect(isBusy, 'a question has waited for the writes').to.equal(true);
    await rename(file, `${file}.moved`);
    await domainErrorOf(database.check(), 'STORE_UNAVAILABLE');
    await rename(`${file}.moved`, file);
    other.exec('COMMIT');
    other.close();
    await work;
    await database.check();
    await database.close();
  });

  it('deletes the observations of a removed station in parts', async () => {
    const connection = new SqliteConnection(file);
    const { database } = connection;
    const { writeObservations, mergeAllRuns } = observationOperations(database);
    const { removeStation, eraseRows } = stationRemoval(database, mergeAllRuns, 0);
    putStations(database, { ...JFK, id: 'a' }, { ...JFK, id: 'b' });
    const times = Float64Array.from({ length: 8 }, (_, row) => (row % 4) * 64 * MILLISECONDS.day);
    const stations = Uint32Array.from(times, (_, row) => (row < 4 ? 1 : 2));
    writeObservations([{ batch: { stations, times, values: new Map([[1, times]]), flags: new Map() } }]);
    expect(eraseRows(1)).to.equal(false);
    removeStation('a');
    const chunks = database.prepare<[], number>('SELECT count(*) FROM chunk').pluck();
    const left = [chunks.get()];
    while (eraseRows(1)) left.push(chunks.get());
    expect(left).to.deep.equal([8, 7, 6, 5, 4]);
    expect(chunks.get()).to.equal(4);
    database.close();
  });

  it('starts in two processes at once on an empty folder', async () => {
    const stores = await Promise.all([open(), open(), open()]);
    await stores[0]?.add(user);
    expect(await stores[2]?.findByName('ada')).to.deep.equal(user);
    await Promise.all(stores.map((store) => store.close()));
  });

  const causeOf = async (): Promise<string> => {
    const error = await domainErrorOf(open(), 'STORE_UNAVAILABLE');
    expect(error.message).not.to.contain(folder);
    return (error.cause as Error).message;
  };

  it('refuses a damaged, foreign or newer file with the reason, and does not change it', async () => {
    await writeFile(file, 'this is not a database, however long it may be'.repeat(100));
    const before = await readFile(file);
    expect(await causeOf()).to.match(
      /weatherd\.db: the file is not an SQLite database \(file is not a database\)/,
    );
    expect(await readFile(file)).to.deep.equal(before);
    await rm(file);

    const foreign = new Sqlite(file);
    foreign.exec('CREATE TABLE other (x)');
    foreign.close();
    expect(await causeOf()).to.contain('another program');
    await rm(file);

    await (await open()).close();
    const newer = new Sqlite(file);
    newer.pragma('user_version = 999');
    newer.close();
    expect(await causeOf()).to.match(/version 999.*newer/);
  });

  it('refuses a file with unknown variables, and accepts one with fewer variables', async () => {
    const known = Math.max(...VARIABLES.map(({ number }) => number));
    await (await open()).close();
    const data = new Sqlite(file);
    const highest = data.prepare<[], number>('SELECT highest FROM catalogue').pluck();
    expect(highest.get()).to.equal(known);
    data.exec(`UPDATE catalogue SET highest = ${known + 1}`);
    expect(await causeOf()).to.match(new RegExp(`up to ${known + 1}, .* up to ${known}: .*newer`));
    expect(highest.get()).to.equal(known + 1);
    data.exec(`UPDATE catalogue SET highest = ${known - 1}`);
    await (await open()).close();
    expect(highest.get()).to.equal(known);
    data.close();
  });

  it('has room for each variable in the mask of a chunk, which is a float64', () => {
    // A float64 has 53 bits. The numbers begin at 1, so the bits of the numbers 1 to 53 are all kept.
    const mask = VARIABLES.reduce((sum, { number }) => sum + 2 ** number, 0);
    const bits = VARIABLES.reduce((sum, { number }) => sum | (1n << BigInt(number)), 0n);
    expect(BigInt(mask)).to.equal(bits);
  });

  it('cannot be opened in a missing folder', async () => {
    file = join(folder, 'missing', 'weatherd.db');
    expect(await causeOf()).to.contain('ENOENT');
  });

  it('notices that its file is missing, fails, and works again when it is back', async () => {
    const store = await open();
    await store.add(user);
    await rename(file, `${file}.away`);
    await domainErrorOf(store.check(), 'STORE_UNAVAILABLE');
    await domainErrorOf(store.findByName('ada'), 'STORE_UNAVAILABLE');
    await rename(`${file}.away`, file);
    expect(await store.check()).to.equal(undefined);
    expect(await store.findByName('ada')).to.deep.equal(user);
    await store.close();
  });

  it('does not take another file for its own', async () => {
    const store = await open();
    await cp(file, `${file}.copy`);
    await rename(`${file}.copy`, file);
    const error = await domainErrorOf(store.check(), 'STORE_UNAVAILABLE');
    expect((error.cause as Error).message).to.contain('replaced');
    await store.close();
  });

  it('notices that its file has been overwritten', async () => {
    await (await open()).close(); // Moves everything from the write-ahead log to the file.
    const store = await open();
    await writeFile(file, 'x'.repeat(16_384));
    await domainErrorOf(store.check(), 'STORE_UNAVAILABLE');
    await store.close().catch(() => undefined);
  });

  it('answers short reads during long ones', async () => {
    const database = new SqliteDatabase(file);
    await database.open();
    const stations = sqliteStations(database);
    const observations = new SqliteObservationStore(database);
    await stations.put([JFK]);
    let ended = 0;
    const many = Array.from({ length: 50_000 }, () => 1);
    const long = [1, 2].map(() => database.read('inventory', many).then(() => (ended += 1)));
    expect(await stations.find(JFK.id)).to.have.property('id', JFK.id);
    // As many stations as one read of live events.
    expect(await observations.newest(Array.from({ length: 500 }, () => 1))).to.have.length(500);
    expect(ended, 'it has waited for a long one').to.equal(0);
    await Promise.all(database.checks.map((check) => check.check()));
    await Promise.all(long);
    await database.close();
  });

  it('fails its check from a write that failed until one succeeds, and reads meanwhile', async () => {
    const child = fork(new URL('../../support/sqlite-full.js', import.meta.url), [file]);
    const [found] = (await once(child, 'message')) as [Record<string, unknown>];
    expect(found).to.deep.equal({
      write: 'STORE_UNAVAILABLE',
      whileFull: 'The data file cannot be written.',
      read: 'user0',
      afterwards: null,
    });
    await once(child, 'exit');
  });

  it('loses no acknowledged data when the process is killed', async () => {
    const child = fork(new URL('../../support/sqlite-writer.js', import.meta.url), [file]);
    let acknowledged = 0;
    await new Promise<void>((resolve) => {
      child.on('message', (count: number) => {
        acknowledged = count;
        if (count === 200) resolve();
      });
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    const store = await open();
    expect((await store.list()).length).to.be.at.least(acknowledged);
    await store.close();
  });
});

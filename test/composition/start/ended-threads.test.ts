import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import type { runCommand } from '#composition/command.js';
import { loadConfig } from '#composition/config.js';
import { openStores } from '#composition/modules/stores.js';
import { FLAG } from '#domain/weather/series.js';
import { ENDS_AT_START, Installation } from '../../support/installation.js';
import { Place } from '../../support/place.js';
import { eventually, type Served, statusOf, Workplace } from '../../support/process.js';
import { JFK } from '../../contracts/stores/station-store.js';

const SERVICE = fileURLToPath(new URL('../../../service/', import.meta.url));
const PASSWORD = 'correct horse battery staple';

/**
 * Runs a command with a module that ends in one way. A module that exits is tried in a process, which must end by itself. The
 * other ways are tried in this process, which takes a fifth of the time.
 */
function run(place: Workplace, end: string, parameters: readonly string[]) {
  return end === 'exits' ? place.runProcess(parameters, PASSWORD) : place.run(parameters, PASSWORD);
}

/** What uses each module of a thread or a process, and how its failure is reported. */
const USES: Readonly<
  Record<string, (place: Workplace, end: string, served: () => Promise<Served>) => Promise<void>>
> = {
  'worker.js': async (place, end) => {
    const { status, stderr } = await run(place, end, ['init', 'ada']);
    expect([status, stderr.split('\n').length], stderr).to.deep.equal([1, 2]);
    expect(stderr).to.match(end === 'exits' ? /cannot start: the thread ended/ : /cannot start: planted/);
    expect(existsSync(place.dataDir)).to.equal(false);
  },
  'reader-worker.js': async (place, end) => {
    await place.makeData({}, [JFK]);
    const { status, stderr } = await run(place, end, ['station', 'list']);
    expect([status, stderr.split('\n').length], stderr).to.deep.equal([1, 2]);
    expect(stderr).to.match(end === 'exits' ? /cannot start: the thread ended/ : /cannot start: planted/);
  },
  'hashing-worker.js': async (place, end) => {
    await place.makeData();
    const { status, stderr } = await run(place, end, ['user', 'add', 'bob']);
    expect([status, stderr.split('\n').length], stderr).to.deep.equal([1, 2]);
    expect(stderr).to.match(/A thread has ended or cannot start/);
    const { status: unused } = await place.run(['station', 'list']);
    expect(unused).to.equal(0);
  },
  'vacuum-worker.js': async (place, end) => {
    await place.makeData();
    const database = new Sqlite(place.dataFile);
    database.exec(
      'CREATE TABLE free (data BLOB); INSERT INTO free VALUES (zeroblob(100000)); DROP TABLE free',
    );
    database.close();
    const { status, stderr } = await run(place, end, ['compact']);
    expect([status, stderr.split('\n').length], stderr).to.deep.equal([1, 2]);
    expect(stderr).to.match(end === 'exits' ? /ended before it had finished/ : /planted/);
  },
  'check-worker.js': async (place, end) => {
    await place.makeData({}, [JFK]);
    const file = join(place.folder, 'hours.csv');
    // The values of quality control are checked in the process if no thread starts.
    const values = Array.from({ length: 48 }, (_, hour) => (hour === 24 ? 35 : 10 + (hour % 3) / 10));
    const lines = values.map(
      (value, hour) => `${new Date(Date.UTC(2024, 0, 2, hour)).toISOString()},${value}\n`,
    );
    await writeFile(file, `time,air_temperature\n${lines.join('')}`);
    const { status, stderr } = await run(place, end, [
      'import',
      file,
      '--station',
      JFK.id,
      '--yes',
      '--wait',
    ]);
    expect(status, stderr).to.equal(0);
    const stores = await openStores(loadConfig(undefined, { WEATHERD_DATA_DIR: place.dataDir }));
    expect(await stores.recheck.waiting()).to.equal(0);
    const flags = [];
    for await (const rows of stores.observations.read({ stations: [1], from: 0, to: Infinity }))
      flags.push(...(rows.flags.get(1) ?? []));
    await stores.close();
    expect(
      flags.filter((flag) => flag !== 0),
      flags.join(),
    ).to.deep.equal([FLAG.spike]);
  },
  'backup-worker.js': async (_place, end, served) => {
    const { log } = await served();
    const before = (await log()).length;
    const failures = async () => (await log()).slice(before).match(/.*the backup has failed.*/g) ?? [];
    // The first of these backups may have begun before the module was replaced.
    const [, failure] = await eventually(failures, ({ length }) => length > 1);
    expect(failure)
      .to.contain('The process that makes the backup ended early')
      .and.contain(end === 'exits' ? '(0)' : 'planted');
  },
};

/** More stations than a group of 64, so that PostgreSQL sums rows of all stations in threads. */
const STATIONS = 65;

/** Requests to a running service that use a module of a thread, and what stays possible without it. */
const REQUESTS: Readonly<
  Record<string, (external: string, onPostgres: () => Promise<string>) => Promise<void>>
> = {
  'sum-worker.js': async (_external, onPostgres) => {
    const external = await onPostgres();
    const days = 'interval=day&from=2024-01-02&to=2024-01-03&variables=air_temperature';
    expect(await statusOf(`${external}/v1/summaries?${days}`)).to.equal(503);
    expect(await statusOf(`${external}/v1/summaries?${days}&stations=${JFK.id}`)).to.equal(200);
  },
  'text-worker.js': async (external) => {
    const rows = `${external}/v1/stations/${JFK.id}/observations?from=2024-01-01T00:00:00Z`;
    const reply = await fetch(`${rows}&format=parquet&limit=all`);
    const body = await reply.text().catch(() => 'broken off');
    expect(reply.status === 503 || body === 'broken off', `${reply.status} ${body}`).to.equal(true);
    expect(await statusOf(rows)).to.equal(200);
  },
  'paint-worker.js': async (external) => {
    const page = `${external}/stations/${JFK.id}`;
    expect(await statusOf(`${page}/card.png`)).to.be.oneOf([500, 503]);
    expect(await statusOf(page)).to.equal(200);
  },
};

/** Writes a row of the first station. */
async function writeRow(settings: Readonly<Record<string, string>>): Promise<void> {
  const stores = await openStores(loadConfig(undefined, settings));
  const times = Float64Array.of(Date.UTC(2024, 0, 2));
  const values = new Map([[1, Float64Array.of(3)]]);
  await stores.observations.append({ stations: Uint32Array.of(1), times, values, flags: new Map() });
  await stores.close();
}

/** Number of message ports of threads that keep this process running. */
function openPorts(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
}

describe('a thread that ends while it is loaded', () => {
  let installation: Installation;
  let command: typeof runCommand;
  let place: Workplace;
  let shared: Workplace;
  let served: () => Promise<Served>;
  let backups: string;
  let database: Place;
  let servedPostgres: () => Promise<string>;
  before(async () => {
    installation = await Installation.make();
    command = await installation.loadCommand();
    shared = await Workplace.make(installation.main);
    database = await Place.ready('postgres');
    await shared.makeData({}, [JFK]);
    await writeRow({ WEATHERD_DATA_DIR: shared.dataDir });
    backups = join(shared.folder, 'backups');
    await mkdir(backups);
    // Every backup fails, from the first one at the start on.
    await installation.replaceModule('backup-worker.js', ENDS_AT_START['throws'] ?? '');
    // The service starts when a test first needs it, because it starts a process for a backup in each second.
    let starting: Promise<Served> | undefined;
    let onPostgres: Promise<string> | undefined;
    servedPostgres = () => (onPostgres ??= servePostgres());
    served = () => (starting ??= shared.serve({ WEATHERD_BACKUP_DIR: backups, WEATHERD_BACKUP_EVERY: '1s' }));
  });
  /** Starts a service on PostgreSQL. */
  async function servePostgres(): Promise<string> {
    const settings = { WEATHERD_DATABASE_URL: database.databaseUrl };
    const others = Array.from({ length: STATIONS }, (_, index) => ({ ...JFK, id: `s${index}` }));
    await shared.makeData(settings, [JFK, ...others]);
    await writeRow({ ...settings, WEATHERD_DATA_DIR: shared.dataDir });
    return (await shared.serve(settings)).external;
  }
  after(async () => {
    const { child, ended } = await served();
    child.kill('SIGTERM');
    expect((await ended).status).to.equal(0);
    expect((await readdir(backups)).filter((name) => !name.endsWith('.lock'))).to.deep.equal([]);
    await shared.remove();
    await installation.remove();
    await database.remove();
  });
  beforeEach(async () => (place = await Workplace.make(installation.main, command)));
  afterEach(() => place.remove());

  it('is tried for every module that runs in a thread or a process of its own', async () => {
    const modules = (await readdir(SERVICE)).filter((name) => name.endsWith('worker.js'));
    expect([...Object.keys(USES), ...Object.keys(REQUESTS)]).to.have.members(modules);
  });

  for (const [name, use] of Object.entries(USES)) {
    for (const [end, text] of Object.entries(ENDS_AT_START)) {
      it(`fails what needs it, and nothing waits: ${name} ${end}`, async () => {
        const original = await installation.readModule(name);
        await installation.replaceModule(name, text);
        const before = openPorts();
        try {
          await use(place, end, served);
          await eventually(
            async () => openPorts(),
            (count) => count <= before,
          );
        } finally {
          await installation.replaceModule(name, original);
        }
      });
    }
  }

  describe('of a running service', () => {
    for (const [name, request] of Object.entries(REQUESTS)) {
      for (const [end, text] of Object.entries(ENDS_AT_START)) {
        it(`fails what needs it, and nothing waits: ${name} ${end}`, async () => {
          // No test brings the module back, because the service would start the thread again meanwhile.
          await installation.replaceModule(name, text);
          await request((await served()).external, servedPostgres);
        });
      }
    }
  });
});

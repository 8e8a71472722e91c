import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfig } from '#composition/config.js';
import { openStores } from '#composition/modules/stores.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { postgresServer } from '../../support/postgres.js';
import { eventually, waitForEnd, Workplace } from '../../support/process.js';

const PASSWORD = 'correct horse battery staple';
const STATIONS = 40;
const ROWS = 5000;

describe('weatherd copy', () => {
  let place: Workplace;
  let target: string;
  beforeEach(async () => {
    place = await Workplace.make();
    target = join(place.folder, 'new', 'weatherd.db');
    await place.initialize('ada', PASSWORD);
  });
  afterEach(() => place.remove());

  const options = () => ['--to', `sqlite:${target}`, '--data-dir', join(place.folder, 'new')];
  const inTarget = (parameters: readonly string[], input = '') =>
    place.run(parameters, input, { WEATHERD_DATA_DIR: join(place.folder, 'new') });
  const fill = async ({ dataDir }: Workplace, stations: number, rows: number) => {
    const stores = await openStores(loadConfig(undefined, { WEATHERD_DATA_DIR: dataDir }));
    const ids = Array.from({ length: stations }, (_, index) => `station-${index}`);
    const made = await stores.stations.put(ids.map((id) => ({ ...JFK, id })));
    for (const { station } of made) {
      await stores.observations.append({
        stations: new Uint32Array(rows).fill(station.number),
        times: Float64Array.from({ length: rows }, (_, row) => 1_700_000_000_000 + row * 60_000),
        values: new Map([[1, Float64Array.from({ length: rows }, (_, row) => (row % 300) / 10)]]),
        flags: new Map(),
      });
    }
    await stores.close();
  };

  it('copies a data file to PostgreSQL and back, without showing the password', async () => {
    await fill(place, 2, 100);
    const where = ['--latitude', '40.6', '--longitude=-73.8', '--time-zone', '-05:00'];
    expect((await place.run(['station', 'add', 'standard-time', ...where])).status).to.equal(0);
    const url = await (await postgresServer()).newDatabase();
    const there = await place.run(['copy', '--to', url]);
    expect([there.status, there.stderr]).to.deep.equal([0, '']);
    expect(there.stdout).to.match(/^Copied .* to postgres:.*: 3 stations with 200 rows, .* and 1 signing key\./);
    const file = join(place.folder, 'url');
    await writeFile(file, `sqlite:${target}\n`);
    const back = await place.run(
      ['copy', '--to-file', file, '--data-dir', join(place.folder, 'new')],
      '',
      { WEATHERD_DATABASE_URL: url, WEATHERD_DATA_DIR: join(place.folder, 'none') },
    );
    expect([back.status, back.stderr]).to.deep.equal([0, '']);
    expect(there.stdout + back.stdout).not.to.contain('a-password');
    expect((await stat(target)).mode & 0o777).to.equal(0o600);
    for (const command of [['user', 'list'], ['audit'], ['station', 'list']])
      expect((await inTarget(command)).stdout).to.equal((await place.run(command)).stdout);
    const copied = await inTarget(['station', 'show', 'standard-time']);
    expect(copied.stdout).to.equal((await place.run(['station', 'show', 'standard-time'])).stdout);
    expect(copied.stdout).to.contain('-05:00').and.not.to.contain('damaged');
    expect((await inTarget(['check'])).status).to.equal(0);
  });

  it('refuses what it cannot copy to, and changes nothing', async () => {
    const cases: readonly (readonly [parameters: readonly string[], status: number, message: string])[] = [
      [[], 2, 'give either --to or --to-file'],
      [['--to', 'memory:'], 1, 'a temporary folder'],
      [['--to', 'nonsense'], 1, '--to: Must be sqlite:'],
      [['--to', `sqlite:${target}`], 1, '--data-dir'],
      [['--to', `sqlite:${place.dataFile}`, '--data-dir', place.folder], 1, 'the target is the file that is copied'],
      [['--to', 'postgres://weatherd:secret@127.0.0.1:1/x'], 1, 'postgres://127.0.0.1:1/x'],
      [['--to', 'postgres://weatherd:sec#ret@127.0.0.1:1/x'], 1, 'percent-encode'],
    ];
    const before = await readFile(place.dataFile);
    for (const [parameters, status, message] of cases) {
      const refused = await place.run(['copy', ...parameters]);
      expect([refused.status, refused.stdout], message).to.deep.equal([status, '']);
      expect(refused.stderr).to.contain(message).and.not.to.contain('secret').and.not.to.contain('sec#ret');
    }
    expect(await readFile(place.dataFile)).to.deep.equal(before);
    await inTarget(['init', 'eve'], PASSWORD);
    const notEmpty = await place.run(['copy', ...options()]);
    expect(notEmpty.status).to.equal(1);
    expect(notEmpty.stderr).to.contain('is not empty');
    expect((await inTarget(['user', 'list'])).stdout).to.contain('eve').and.not.to.contain('ada');
  });

  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    it(`is continued after ${signal}`, async () => {
      await place.copyData(`${STATIONS} stations`, async (first) => {
        await first.initialize('ada', PASSWORD);
        await fill(first, STATIONS, ROWS);
      });
      await mkdir(join(place.folder, 'new'), { mode: 0o700 });
      const child = place.spawn(['copy', ...options()], { WEATHERD_DATA_DIR: place.dataDir });
      const ended = waitForEnd(child);
      const size = async (name: string) => (await stat(name).catch(() => ({ size: 0 }))).size;
      const begun = async () => (await size(target)) + (await size(`${target}-wal`));
      await eventually(begun, (bytes) => bytes > 400_000);
      child.kill(signal);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      const { status, stdout, stderr } = await ended;
      expect(stdout).to.equal('');
      if (signal === 'SIGINT') expect([status, stderr]).to.deep.equal([1, 'weatherd: Interrupted by SIGINT.\n']);
      expect((await inTarget(['user', 'list'])).stdout).not.to.contain('ada');
      const again = await place.run(['copy', ...options()]);
      expect([again.status, again.stderr]).to.deep.equal([0, '']);
      expect(again.stdout).to.contain(`${STATIONS} stations with ${STATIONS * ROWS} rows`);
      expect((await inTarget(['check'])).status).to.equal(0);
      expect((await inTarget(['user', 'list'])).stdout).to.contain('ada');
    });
  }
});

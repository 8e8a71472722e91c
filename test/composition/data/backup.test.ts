import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { writeBackup } from '#adapters/store-sqlite/database/sqlite-backup.js';
import { eventually, waitForEnd, Workplace } from '../../support/process.js';

const PASSWORD = 'correct horse battery staple';

describe('a backup that ends early', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
    await place.initialize('ada', PASSWORD);
  });
  afterEach(() => place.remove());

  const file = () => join(place.folder, 'backup.db');
  /** Makes the data file large, so that work on it takes a while. */
  const grow = (megabytes: number) => {
    const database = new Sqlite(place.dataFile);
    database.exec('CREATE TABLE ballast (data)');
    const insert = database.prepare('INSERT INTO ballast VALUES (randomblob(1000000))');
    for (let count = 0; count < megabytes; count += 1) insert.run();
    database.close();
  };
  const start = async (command: readonly string[], folder: string, begun: (name: string) => boolean) => {
    const child = place.spawn(command, { WEATHERD_DATA_DIR: place.dataDir });
    const ended = waitForEnd(child);
    const isBegun = async () => child.exitCode !== null || (await readdir(folder)).some(begun);
    await eventually(isBegun, Boolean);
    return { child, ended };
  };

  it('leaves no file after SIGINT, and the earlier backup as it was', async () => {
    await place.run(['backup', file()]);
    const before = await readFile(file());
    grow(150);
    const { child, ended } = await start(['backup', file(), '--force'], place.folder, (name) =>
      name.endsWith('.tmp'),
    );
    child.kill('SIGINT');
    const { status, stdout, stderr } = await ended;
    expect([status, stdout, stderr]).to.deep.equal([1, '', 'weatherd: Interrupted by SIGINT.\n']);
    expect((await readdir(place.folder)).sort()).to.deep.equal(['backup.db', 'data']);
    expect(await readFile(file())).to.deep.equal(before);
  });

  it('reports the progress of a copy that does not start again when others write', async () => {
    grow(20);
    const writer = new Sqlite(place.dataFile);
    let [total, copied] = [0, 0];
    await writeBackup(place.dataFile, file(), [], {
      signal: new AbortController().signal,
      onStart: (bytes) => (total = bytes),
      onBytes: (bytes) => {
        copied += bytes;
        writer.exec("INSERT INTO ballast VALUES ('later')");
      },
    });
    writer.close();
    expect(total).to.be.above(20e6);
    expect(copied).to.be.within(total * 0.7, total);
    const backup = new Sqlite(file(), { readonly: true });
    expect(backup.prepare("SELECT count(*) FROM ballast WHERE data = 'later'").pluck().get()).to.equal(0);
    backup.close();
  });

  it('restore --force sets data and keys aside', async () => {
    await place.run(['backup', file()]);
    await place.run(['user', 'add', 'later'], PASSWORD);
    await place.run(['keys', 'rotate']);
    const { status, stdout } = await place.run(['restore', file(), '--force']);
    expect(status).to.equal(0);
    const [keys, data, ...rest] = (await readdir(place.dataDir)).filter((name) => name.includes('.replaced-')).sort();
    expect(rest).to.deep.equal([]);
    expect(stdout).to.contain(`${keys}`).and.contain(`${data}`);
    const users = async () => (await place.run(['user', 'list'])).stdout;
    expect(await users()).to.contain('ada').and.not.to.contain('later');
    expect(await readdir(join(place.dataDir, 'keys'))).to.have.length(1);
    expect(await readdir(join(place.dataDir, keys ?? ''))).to.have.length(2);
    expect((await stat(join(place.dataDir, keys ?? ''))).mode & 0o777).to.equal(0o700);
    const former = { WEATHERD_DATABASE_URL: `sqlite:${join(place.dataDir, data ?? '')}` };
    expect((await place.run(['user', 'list'], '', former)).stdout).to.contain('later');
  });

  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    it(`restore --force has the old or the new data after ${signal}`, async () => {
      grow(50);
      await place.run(['backup', file()]);
      await place.run(['user', 'add', 'later'], PASSWORD);
      const { child, ended } = await start(['restore', file(), '--force'], place.dataDir, (name) =>
        name.endsWith('.tmp'),
      );
      child.kill(signal);
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      const { status } = await ended;
      const { stdout } = await place.run(['user', 'list']);
      expect(stdout).to.contain('ada');
      expect(stdout.includes('later')).to.equal(status !== 0);
      if (signal === 'SIGINT')
        expect((await readdir(place.dataDir)).filter((name) => name.endsWith('.tmp'))).to.deep.equal([]);
      expect((await place.run(['check'])).status).to.equal(0);
      expect((await place.run(['restore', file(), '--force'])).status).to.equal(0);
    });
  }
});

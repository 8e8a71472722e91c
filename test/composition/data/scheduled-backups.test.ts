import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { readBackup } from '#adapters/store-sqlite/database/sqlite-backup.js';
import { lockFolder } from '#adapters/store-sqlite/files/folder-lock.js';
import { ListChecks } from '#application/operation/list-checks.js';
import { backupName } from '#composition/backups/backup-folder.js';
import { type Service, startService } from '#composition/service.js';
import { Place, silentLog } from '../../support/place.js';
import { eventually, killWhen, statusOf, Workplace } from '../../support/process.js';

const NAME = /^weatherd-\d{8}T\d{6}Z\.db$/;
const LOCK = 'weatherd-backups.lock';
const LEFTOVER = 'weatherd-20200101T000000Z.db.7b1d1c1e-0000-4000-8000-000000000000.tmp';

describe('backups by schedule', () => {
  let place: Place;
  let folder: string;
  let service: Service | undefined;
  let lines: Record<string, unknown>[];

  beforeEach(async () => {
    place = await Place.make('sqlite');
    folder = `${place.folder}-backups`;
    await mkdir(folder);
    lines = [];
  });
  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await place.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (settings: Readonly<Record<string, string>> = {}) => {
    const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
    const log = { ...silentLog, logger: pino({ level: 'info' }, { write }) };
    const config = place.config({
      WEATHERD_BACKUP_DIR: folder,
      WEATHERD_BACKUP_EVERY: '1s',
      WEATHERD_BACKUP_KEEP: '2',
      ...settings,
    });
    service = await startService(config, log);
    return service;
  };
  const names = async () => (await readdir(folder)).sort();
  const made = () => lines.filter(({ msg }) => msg === 'a backup was made');
  const check = async () => {
    const statuses = service?.application.container.get(ListChecks).execute();
    return statuses?.find(({ name }) => name === 'backups');
  };

  it('are verified files for the owner alone, of which the newest stay, and other files are not touched', async () => {
    await writeFile(join(folder, LEFTOVER), '');
    await writeFile(join(folder, 'weatherd-of-mine.db'), '');
    await start();
    await eventually(async () => made().length, (count) => count >= 4);
    await service?.stop();
    service = undefined;
    const [lock, newest, ...rest] = (await names()).toSorted((a, b) => Number(NAME.test(a)) - Number(NAME.test(b)));
    expect([lock, newest]).to.have.members([LOCK, 'weatherd-of-mine.db']);
    expect(rest).to.have.length(2);
    const all = made().map(({ file }) => String(file));
    expect(rest.map((name) => join(folder, name))).to.deep.equal(all.slice(-2));
    for (const file of all.slice(-2)) {
      expect(readBackup(file)).to.have.length(1);
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
    }
    const removed = made().flatMap(({ removed: files }) => files as string[]);
    expect(removed).to.deep.equal(all.slice(0, -2));
  });

  it('begin at once if none is recent, and not if one is', async () => {
    await start({ WEATHERD_BACKUP_EVERY: '1d' });
    await eventually(async () => made().length, (count) => count === 1);
    await service?.stop();
    await start({ WEATHERD_BACKUP_EVERY: '1d' });
    expect(await check()).to.include({ state: 'ok' });
    await service?.stop();
    service = undefined;
    expect(made()).to.have.length(1);
  });

  it('that fail are a defect with a reason in the log, end no liveliness, and are tried again', async () => {
    await rm(folder, { recursive: true });
    await start();
    const failed = await eventually(check, (status) => status?.state === 'degraded');
    expect(failed?.detail).to.equal('The last backup has failed. The log gives the reason.');
    const reason = lines.find(({ msg }) => msg === 'the backup has failed')?.['reason'];
    expect(reason).to.contain(`${folder} (WEATHERD_BACKUP_DIR)`).and.contain('does not exist');
    expect(await statusOf(`${service?.internalUrl}/v1/health/liveliness`)).to.equal(200);
    await mkdir(folder);
    await eventually(check, (status) => status?.state === 'ok' && made().length > 0);
  });

  it('refuse a folder with backups of other data', async () => {
    lockFolder(join(folder, LOCK), '/srv/other/weatherd.db')?.();
    await start();
    await eventually(check, (status) => status?.state === 'degraded');
    const reason = lines.find(({ msg }) => msg === 'the backup has failed')?.['reason'];
    expect(reason).to.contain('the folder is used for /srv/other/weatherd.db');
    expect(await names()).to.deep.equal([LOCK]);
  });

  it('are made by one process at a time', async () => {
    await start({ WEATHERD_BACKUP_EVERY: '1d' });
    await eventually(async () => made().length, (count) => count === 1);
    await service?.stop();
    const first = (await names()).find((name) => NAME.test(name));
    await rm(join(folder, first ?? ''));
    const other = new Sqlite(join(folder, LOCK));
    other.exec('BEGIN EXCLUSIVE');
    await writeFile(join(folder, LEFTOVER), '');
    const processes = async () =>
      process.getActiveResourcesInfo().filter((resource) => resource === 'ProcessWrap').length;
    const others = await processes();
    await start();
    // Two rounds, in which it finds the folder locked.
    for (const isTried of [true, false, true, false])
      await eventually(processes, (number) => number > others === isTried);
    expect(await names()).to.deep.equal([LOCK, LEFTOVER].sort());
    expect(await check()).to.include({ state: 'ok' });
    other.close();
    await eventually(names, (found) => found.some((name) => NAME.test(name)) && !found.includes(LEFTOVER));
  });

  it('remove nothing while the data have damaged observations', async () => {
    await start({ WEATHERD_BACKUP_EVERY: '1d' });
    await service?.stop();
    const database = new Sqlite(join(place.folder, 'weatherd.db'));
    database.exec(
      "INSERT INTO damaged (kind, key, stations, first, last, rows, reason, found_at, data) VALUES ('run', 1, NULL, 0, 0, 0, 'test', 0, x'')",
    );
    database.close();
    await start();
    await eventually(async () => made().length, (count) => count >= 4);
    expect(made().flatMap(({ removed }) => removed as string[])).to.deep.equal([]);
    expect(await check()).to.deep.include({
      state: 'degraded',
      detail: 'The data have damaged observations, so no old backup is removed.',
    });
  });
});

describe('a backup by schedule that is killed', () => {
  let place: Workplace;
  let folder: string;
  beforeEach(async () => {
    place = await Workplace.make();
    folder = join(place.folder, 'backups');
    await mkdir(folder);
    await place.makeData();
    const database = new Sqlite(place.dataFile);
    database.exec('CREATE TABLE ballast (data)');
    const insert = database.prepare('INSERT INTO ballast VALUES (randomblob(1000000))');
    for (let count = 0; count < 60; count += 1) insert.run();
    database.close();
  });
  afterEach(() => place.remove());

  const settings = () => ({
    WEATHERD_DATA_DIR: place.dataDir,
    WEATHERD_BACKUP_DIR: folder,
    WEATHERD_BACKUP_EVERY: '1s',
    WEATHERD_BACKUP_KEEP: '1',
  });
  const unfinished = () => readdirSync(folder).filter((name) => name.includes('.tmp'));
  const complete = () => readdirSync(folder).filter((name) => NAME.test(name));

  const isUnlocked = () => {
    const lock = new Sqlite(join(folder, LOCK), { timeout: 0 });
    try {
      lock.exec('BEGIN EXCLUSIVE; ROLLBACK');
      return true;
    } catch {
      return false;
    } finally {
      lock.close();
    }
  };

  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    it(`leaves the earlier backup after ${signal}, and the next start removes what is left`, async () => {
      const earlier = backupName(Date.UTC(2026, 0, 31));
      expect((await place.run(['backup', join(folder, earlier)])).status).to.equal(0);
      const { child } = await place.serve(settings());
      if (signal === 'SIGKILL') await killWhen(child, () => unfinished().length > 0);
      else {
        await eventually(
          async () => unfinished(),
          ({ length }) => length > 0,
        );
        // A process that stands still would never end by itself.
        const [worker] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
        process.kill(Number(worker), 'SIGSTOP');
        child.kill(signal);
        await once(child, 'exit');
        expect(child.exitCode).to.equal(0);
        expect(unfinished()).to.deep.equal([]);
      }
      // The process that makes the backup may end a little later.
      await eventually(async () => isUnlocked(), Boolean);
      for (const name of complete()) expect(readBackup(join(folder, name))).to.have.length(1);
      expect(complete()).not.to.have.length(0);
      const next = await place.serveHere(settings());
      await eventually(
        async () => complete(),
        (found) => found.length === 1 && !found.includes(earlier),
      );
      await next.stop();
      expect(unfinished()).to.deep.equal([]);
      const [only = ''] = complete();
      expect(readBackup(join(folder, only))).to.have.length(1);
      expect(existsSync(join(folder, LOCK))).to.equal(true);
    });
  }
});

import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { expect } from 'chai';
import { TemporaryFolder } from '#adapters/imports/files/temporary-folder.js';
import { importFixture } from '../../../support/imported.js';
import { Workplace } from '../../../support/process.js';
import { STATION } from '../../../support/weather-world.js';
import { zip } from '../../../support/zip.js';

const GARDEN = { ...STATION, id: 'garden', timeZone: 'UTC', identifiers: {}, reportingInterval: null };

const leftBehind = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith('weatherd-import-')).toSorted();

describe('weatherd import of packed databases', () => {
  let place: Workplace;
  let before: readonly string[];
  beforeEach(async () => {
    before = await leftBehind();
    place = await Workplace.make();
    await place.makeData({}, [GARDEN]);
  });
  afterEach(async () => {
    await place.remove();
    expect(await leftBehind()).to.deep.equal(before);
  });

  const write = async (name: string, content: string | Uint8Array) => {
    const file = join(place.folder, name);
    await writeFile(file, content);
    return file;
  };
  const run = (file: string, more: readonly string[] = [], input?: Buffer) =>
    place.run(['import', file, '--station', 'garden', ...more], input);

  it('reads a database, a Parquet file and text alike: plain, gzip, zip, and from standard input', async () => {
    const source = await write(
      'in.csv',
      'time,air_temperature\n2024-01-01T00:00:00Z,1\n2024-01-01T01:00:00Z,2\n',
    );
    expect((await run(source)).stdout).to.contain('2 inserted');
    const parquet = join(place.folder, 'own.parquet');
    await place.run(['export', '--station', 'garden', '--format', 'parquet', parquet]);
    for (const [name, content, rows] of [
      ['weewx.sdb', importFixture('weewx/simulator.sdb'), undefined],
      ['own.parquet', await readFile(parquet), 2],
      ['in.csv', await readFile(source), 2],
    ] as const) {
      const packed = zip({ [name]: content });
      const counts: string[] = [];
      for (const [file, input] of [
        [await write(name, content), undefined],
        [await write(`${name}.gz`, gzipSync(content)), undefined],
        [await write(`${name}.zip`, packed), undefined],
        ['-', content],
        ['-', gzipSync(content)],
        ['-', packed],
      ] as const) {
        const { status, stdout, stderr } = await run(file, [], input);
        expect(status, `${name} ${file} ${stderr}`).to.equal(0);
        counts.push(
          /^(\d+) rows: .*, 0 rejected\.$|^(\d+) rows/m.exec(stdout)?.[0].replace(/:.*/, '') ?? stdout,
        );
      }
      expect(new Set(counts).size, counts.join()).to.equal(1);
      if (rows !== undefined) expect(counts[0]).to.equal(`${rows} rows`);
    }
  });

  it('removes what it has unpacked when the content cannot be read, and after a signal', async () => {
    const database = importFixture('weewx/simulator.sdb');
    const cut = await run(await write('cut.sdb.gz', gzipSync(database.subarray(0, database.length - 1024))));
    expect([cut.status, cut.stderr.includes('is cut off')], cut.stderr).to.deep.equal([1, true]);
    const nested = await run(await write('a.zip', zip({ 'b.zip': zip({ 'weewx.sdb': database }) })));
    expect(nested.stderr).to.contain('a zip archive in another archive');
    const controller = new AbortController();
    const folder = new TemporaryFolder();
    const endless = async function* () {
      for (;;) {
        controller.signal.throwIfAborted();
        yield Buffer.alloc(1000);
        controller.abort(new Error('Interrupted'));
      }
    };
    const error = await folder.write('x', endless()).catch((found: Error) => found.message);
    expect(error).to.equal('Interrupted');
    await folder.remove();
    await folder.remove();
  });

  it('lets nobody else read what it unpacks, and stops at a limit and at a full disk', async () => {
    const folder = new TemporaryFolder(1000);
    const pieces = async function* (count: number, failure?: Error) {
      for (let piece = 0; piece < count; piece += 1) yield Buffer.alloc(100);
      if (failure !== undefined) throw failure;
    };
    const path = await folder.write('a', pieces(4));
    const modes = [await stat(path), await stat(join(path, '..'))].map(({ mode, size }) => [
      mode & 0o777,
      size,
    ]);
    expect([modes[0], modes[1]?.[0]]).to.deep.equal([[0o600, 400], 0o700]);
    const messageOf = (written: Promise<string>) => written.catch((error: Error) => error.message);
    expect(await messageOf(folder.write('bomb.zip: a.sdb', pieces(7)))).to.contain(
      'bomb.zip: a.sdb has more than 1000 bytes after decompression',
    );
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
    const roomy = new TemporaryFolder();
    expect(await messageOf(roomy.write('b', pieces(1, full)))).to.contain('the environment variable TMPDIR');
    await folder.remove();
    await roomy.remove();
  });

  it('fails where a database is cut off or damaged anywhere, and where there is no row', async () => {
    const database = importFixture('weewx/simulator.sdb');
    const pageSize = database.readUInt16BE(16);
    for (let pages = 1; pages < database.length / pageSize; pages += 1) {
      const { status, stderr } = await run(await write('cut.sdb', database.subarray(0, pages * pageSize)));
      expect([status, stderr.includes('the file is cut off')], stderr).to.deep.equal([1, true]);
      expect(stderr).not.to.contain('    at ');
    }
    const odd = await run(await write('odd.sdb', database.subarray(0, database.length - 7)));
    expect([odd.status, odd.stderr.includes('is cut off')], odd.stderr).to.deep.equal([1, true]);
    const holed = Buffer.from(database).fill(0x5a, database.length - pageSize);
    const damaged = await run(await write('holed.sdb', holed));
    expect([damaged.status, damaged.stderr.includes('is damaged')], damaged.stderr).to.deep.equal([1, true]);
    const empty = join(place.folder, 'empty.sdb');
    const made = new Sqlite(empty);
    made.exec(
      'CREATE TABLE archive (dateTime INTEGER PRIMARY KEY, usUnits INTEGER, interval INTEGER, outTemp REAL)',
    );
    made.close();
    const headings = await write('headings.csv', 'time,air_temperature\n');
    for (const file of [empty, headings]) {
      const { status, stderr } = await run(file, ['--yes']);
      expect(status, stderr).to.equal(1);
      expect(stderr)
        .to.contain('the file has no rows')
        .and.contain('No row was imported: the files have no rows.');
    }
    const full = await write('full.csv', 'time,air_temperature\n2024-01-01T00:00:00Z,1\n');
    const both = await run(headings, [full]);
    expect([both.status, both.stdout.includes('1 inserted')], both.stderr).to.deep.equal([0, true]);
    expect(both.stderr).to.contain('headings.csv: the file has no rows.');
  });

  it('tells the row of WeeWX whose system of units is none', async () => {
    const file = await write('units.sdb', importFixture('weewx/simulator.sdb'));
    const database = new Sqlite(file);
    const line = database.prepare('SELECT count(*) FROM archive').pluck().get() as number;
    database.exec('UPDATE archive SET usUnits = 99 WHERE dateTime = (SELECT max(dateTime) FROM archive)');
    database.close();
    const { stderr, stdout } = await run(file);
    expect(stderr).to.contain(`line ${line}, column "usUnits": "99" is not a unit system (1, 16, 17)\n`);
    expect(stdout).to.contain(' 1 rejected.');
  });

  it('takes the other rows of a database with a time of 64 bits', async () => {
    const file = join(place.folder, 'far.sdb');
    const database = new Sqlite(file);
    database.exec(
      'CREATE TABLE archive (dateTime INTEGER PRIMARY KEY, usUnits INTEGER, interval INTEGER, outTemp REAL);' +
        'INSERT INTO archive VALUES (1704067200, 16, 5, 1), (9223372036854775807, 16, 5, 2)',
    );
    database.close();
    const { status, stdout, stderr } = await run(file);
    expect([
      status,
      stdout.includes('2 rows: 1 inserted, 0 updated, 0 unchanged, 1 rejected.'),
    ]).to.deep.equal([0, true]);
    expect(stderr).to.contain('line 2, column "dateTime": "9223372036854775807" is in the future');
  });

  it('takes the members of an archive as one import, which is undone as one', async () => {
    const members = Array.from({ length: 70 }, (_, day) => {
      const time = new Date(Date.UTC(2024, 0, 1 + day)).toISOString();
      return [`${String(day).padStart(2, '0')}.csv`, Buffer.from(`time,air_temperature\n${time},${day}\n`)];
    });
    const file = await write('days.zip', zip(Object.fromEntries(members) as Record<string, Buffer>));
    const other = await write('other.csv', 'time,air_temperature\n2025-01-01T00:00:00Z,1\n');
    const { status, stdout, stderr } = await run(file, [other]);
    expect(status, stderr).to.equal(0);
    expect(stdout.match(/This was import \d+/g)).to.deep.equal(['This was import 1', 'This was import 2']);
    expect(stdout.match(/^1 rows: 1 inserted/gm)).to.have.lengthOf(71);
    // The first file, those that are shown because they are alike, and the number of the others.
    expect(stderr.match(/first rows as they are stored/g)).to.have.lengthOf(51);
    expect(stderr).to.contain('… and 20 more files, which are read like files above');
    const imports = (await place.run(['imports'])).stdout;
    expect(imports).to.contain('days.zip').and.not.contain('.csv)');
    const undone = await place.run(['import', '--undo', '1']);
    expect(undone.stdout).to.contain('70 rows with 70 values removed.');
  });

  it('names the tables of a database of no program that is known', async () => {
    const file = join(place.folder, 'other.sdb');
    const database = new Sqlite(file);
    database.exec('CREATE TABLE states (a); CREATE TABLE "an archive" (b)');
    database.close();
    expect((await run(file)).stderr).to.contain(
      'an SQLite file of an unknown program: its tables are states, an archive.',
    );
  });
});

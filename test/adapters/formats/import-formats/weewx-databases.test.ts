import { chmodSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { expect } from 'chai';
import { rejectionText } from '#adapters/formats/files/sentences.js';
import { foreignTables } from '#adapters/store-sqlite/database/foreign-file.js';
import { imported, importFixture } from '../../../support/imported.js';

const SIMULATOR = 'weewx/simulator.sdb';
/** All sizes of pages that SQLite has. 1024 was the default before version 3.12. */
const PAGE_SIZES = [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536];
/** A user without rights. */
const NOBODY = 65_534;
const START = Date.UTC(2024, 0, 1) / 1000;

describe('databases of WeeWX', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weatherd-weewx-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** A copy of the archive of the simulator, changed and still open. */
  const copyOf = (name: string, change: (database: Database) => void) => {
    const path = join(folder, name);
    writeFileSync(path, importFixture(SIMULATOR));
    const database = new Sqlite(path);
    change(database);
    return { path, database };
  };
  const read = (path: string) => imported(path, { zone: 'UTC', now: Date.UTC(2030, 0) });

  it('give the same rows at every size of pages, in WAL mode, and in any encoding of texts', async () => {
    const { rows } = await read(SIMULATOR);
    expect(Object.keys(rows[0] ?? {})).to.include.members(['wind_speed', 'air_temperature', 'rainfall_rate']);
    for (const size of PAGE_SIZES) {
      const { path, database } = copyOf(`${size}.sdb`, (changed) => {
        changed.pragma(`page_size = ${size}`);
        changed.exec('VACUUM');
      });
      database.close();
      expect(importFixture(path).readUInt16BE(16)).to.equal(size === 65_536 ? 1 : size);
      expect((await read(path)).rows, `${size}`).to.deep.equal(rows);
      const wal = copyOf(`${size}-wal.sdb`, (changed) => {
        changed.pragma(`page_size = ${size}`);
        changed.exec('VACUUM');
        changed.pragma('journal_mode = WAL');
      });
      expect((await read(wal.path)).rows, `${size}, WAL`).to.deep.equal(rows);
      // What is in the log alone is read too.
      wal.database.pragma('wal_autocheckpoint = 0');
      wal.database.exec('UPDATE archive SET outTemp = 212, usUnits = 1');
      expect((await read(wal.path)).rows.map((row) => row['air_temperature'])).to.deep.equal(
        rows.map(() => 100),
      );
      wal.database.close();
    }
    const { path, database } = copyOf('utf8.sdb', () => undefined);
    const definition = database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'archive'").pluck().get();
    const utf16 = new Sqlite(join(folder, 'utf16.sdb'));
    utf16.pragma("encoding = 'UTF-16le'");
    utf16.exec(String(definition));
    for (const row of database.prepare('SELECT * FROM archive').raw().all() as unknown[][]) {
      utf16.prepare(`INSERT INTO archive VALUES (${row.map(() => '?').join(', ')})`).run(...row);
    }
    utf16.close();
    database.close();
    expect((await read(path)).rows).to.deep.equal(rows);
    expect((await read(join(folder, 'utf16.sdb'))).rows).to.deep.equal(rows);
  });

  it('have the columns that were added later, quoted names, and any order of columns', async () => {
    const { rows } = await read(SIMULATOR);
    const { path, database } = copyOf('added.sdb', (changed) => {
      changed.exec('ALTER TABLE archive RENAME COLUMN outTemp TO formerTemp');
      changed.exec('ALTER TABLE archive ADD COLUMN "a, b) (odd" REAL DEFAULT 1');
      changed.exec('ALTER TABLE archive ADD COLUMN outTemp REAL');
      changed.exec('UPDATE archive SET outTemp = formerTemp');
    });
    database.close();
    const added = await read(path);
    expect(added.rows).to.deep.equal(rows);
    expect(added.plan.columns.map(({ heading }) => heading)).to.include.members(['a, b) (odd', 'formerTemp']);
    const ordered = join(folder, 'ordered.sdb');
    const other = new Sqlite(ordered);
    other.exec(
      'CREATE TABLE [archive] (`outTemp` REAL, -- a comment, with (brackets\n' +
        '"interval" INT DEFAULT (5), usUnits INT CHECK (usUnits IN (1, 16, 17)), dateTime INT UNIQUE)',
    );
    other.exec('INSERT INTO archive VALUES (11, 5, 16, 1704070800), (10, 5, 16, 1704067200)');
    other.close();
    expect((await read(ordered)).rows).to.deep.equal([
      { line: 1, station: 'x', time: '2024-01-01T00:00:00Z', air_temperature: 10 },
      { line: 2, station: 'x', time: '2024-01-01T01:00:00Z', air_temperature: 11 },
    ]);
  });

  /** Values of every storage class, and what is said of them as a temperature; a number is stored. */
  const CELLS: readonly (readonly [sql: string, found: number | RegExp | undefined])[] = [
    ['NULL', undefined],
    ['12', 12],
    ['-0.5', -0.5],
    ["'12.25'", 12.25],
    ['1e3', 1000],
    ['9223372036854775807', 2 ** 63],
    ['-9223372036854775808', -(2 ** 63)],
    ['9e999', /^"Infinity" is not a number$/],
    ["'warm'", /^"warm" is not a number$/],
    ["''", undefined],
    ["x'00ff'", /^"a blob of 2 bytes" is not a number$/],
    ['zeroblob(30000)', /^"a blob of 30000 bytes" is not a number$/],
    ["printf('%.*c', 30000, 'x')", /^"a text of 30000 bytes" is not a number$/],
    // In a column of the type REAL the digits are a number.
    ["printf('%.*c', 30000, '1')", /^"(?:a text of 30000 bytes|Infinity)" is not a number$/],
  ];

  it('may have cells of every storage class in every column', async () => {
    const names = ['outTemp', 'rain', 'windGustDir', 'dateTime', 'usUnits', 'interval', 'inTemp'];
    for (const [column, type] of names.flatMap((name) => [[name, 'REAL'] as const, [name, ''] as const])) {
      for (const [sql, found] of CELLS) {
        const path = join(folder, 'cells.sdb');
        await rm(path, { force: true });
        const database = new Sqlite(path);
        const columns = names.map((name) => `${name} ${name === column ? type : ''}`).join(', ');
        database.exec(`CREATE TABLE archive (${columns})`);
        const insert = (time: number, of: string, value: string) =>
          database.exec(
            `INSERT INTO archive VALUES (${names
              .map((name) => {
                if (name === of) return value;
                const others: Record<string, string> = { dateTime: String(time), usUnits: '16' };
                return others[name] ?? '20';
              })
              .join(', ')})`,
          );
        insert(START, '', '');
        insert(START + 300, column, sql);
        database.close();
        const { rows, faults } = await read(path);
        const at = `${column} ${type} ${sql}`;
        expect(rows.length + faults.filter(({ lost }) => lost === 'row').length, at).to.equal(2);
        for (const { line, reasons } of faults) {
          expect([1, 2], at).to.include(line);
          expect(rejectionText(reasons, 'command').length, at).to.be.lessThan(200);
        }
        if (column !== 'outTemp') continue;
        const fault = faults.find((one) => one.column === 'outTemp');
        const row = rows.find(({ time }) => time === '2024-01-01T00:05:00Z');
        if (found instanceof RegExp)
          expect(rejectionText(fault?.reasons ?? [], 'command'), at).to.match(found);
        else expect([fault, row?.['air_temperature']], at).to.deep.equal([undefined, found]);
      }
    }
  });

  it('in WAL mode without a log are refused in a folder that cannot be written', () => {
    const { path, database } = copyOf('wal.sdb', (changed) => {
      changed.pragma('journal_mode = WAL');
    });
    database.close();
    const user = process.geteuid?.();
    chmodSync(folder, 0o555);
    try {
      // The administrator may write everywhere.
      if (user === 0) process.seteuid?.(NOBODY);
      expect(() => foreignTables(path)).to.throw('needs a writable folder');
    } finally {
      if (user === 0) process.seteuid?.(0);
      chmodSync(folder, 0o755);
    }
  });

  it('are refused with a sentence where another program is writing', () => {
    const { path, database } = copyOf('busy.sdb', (changed) => {
      changed.exec('BEGIN EXCLUSIVE');
    });
    expect(() => foreignTables(path)).to.throw('Another program is writing the database');
    database.close();
  }).timeout(30_000);
});

import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { SCHEMA_VERSION } from '#adapters/store-sqlite/database/migrations.js';
import { JFK } from '../../contracts/stores/station-store.js';
import { Workplace } from '../../support/process.js';

const OLD = new URL('../../../../test/fixtures/versions/1.0.0/', import.meta.url);

/** What can be wrong with a backup, by a statement that does it, and what the refusal says. */
const FAULTS: readonly (readonly [what: string, statement: string, reason: RegExp])[] = [
  ['lacks a table', 'DROP TABLE chunk', /chunk is missing/],
  ['lacks another table', 'DROP TABLE session', /session is missing/],
  ['lacks an index', 'DROP INDEX alarm_state_of_station', /alarm_state_of_station is missing/],
  ['lacks a view', 'DROP VIEW any_station', /any_station is missing/],
  ['lacks a trigger', 'DROP TRIGGER newest_made', /newest_made is missing/],
  [
    'lacks a column',
    'ALTER TABLE station DROP COLUMN visibility',
    /the column visibility in station is missing/,
  ],
  [
    'has a column of a newer version than it says',
    'DROP TABLE alarm; DROP TABLE alarm_state; DROP TABLE alarm_version; PRAGMA user_version = 18',
    /the column visibility in station does not exist in version 18/,
  ],
  ['says that it is older than it is', 'PRAGMA user_version = 3', /version 3 of the schema/],
  ['says that it has no schema', 'PRAGMA user_version = 0', /version 0 of the schema/],
  [
    'is of a newer version',
    `PRAGMA user_version = ${SCHEMA_VERSION + 1}`,
    /a newer weatherd has written the file\. Install the newer weatherd/,
  ],
  ['is of another program', 'PRAGMA application_id = 1', /database of another program/],
  ['has no keys', 'DROP TABLE backup_key', /the file is a data file and not a backup/],
  ['has keys that cannot be read', "UPDATE backup_key SET content = '{'", /a signing key in the backup cannot be read/],
];

describe('weatherd restore', () => {
  let place: Workplace;
  let backup: string;
  before(async () => {
    place = await Workplace.make();
    await place.makeData({}, [JFK]);
    backup = join(place.folder, 'backup.db');
    expect(await place.run(['backup', backup])).to.have.property('status', 0);
  });
  after(() => place.remove());

  const contents = () =>
    readdirSync(place.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name)).toString('base64')]);

  for (const [what, statement, reason] of FAULTS) {
    it(`refuses a backup that ${what}, with and without data, and changes nothing`, async () => {
      const file = join(place.folder, 'faulty.db');
      cpSync(backup, file);
      const database = new Sqlite(file);
      database.exec(statement);
      database.close();
      const before = contents();
      for (const data of [place.dataDir, join(place.folder, 'new')]) {
        const { status, stdout, stderr } = await place.run(['restore', '--force', file], '', {
          WEATHERD_DATA_DIR: data,
        });
        expect([status, stdout]).to.deep.equal([1, '']);
        expect(stderr).to.match(reason).and.match(/^weatherd: \S+faulty\.db: .*\n$/);
      }
      expect(contents()).to.deep.equal(before);
      expect(readdirSync(place.folder)).to.have.members(['backup.db', 'data', 'faulty.db']);
      rmSync(file);
    });
  }

  it('restores one of an older version', async () => {
    const file = join(place.folder, 'old.db');
    cpSync(fileURLToPath(new URL('weatherd.db', OLD)), file);
    const database = new Sqlite(file);
    database.exec('CREATE TABLE backup_key (id TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL) STRICT, WITHOUT ROWID');
    database.close();
    const settings = { WEATHERD_DATA_DIR: join(place.folder, 'older') };
    expect(await place.run(['restore', file], '', settings)).to.have.property('status', 0);
    expect(await place.run(['station', 'list'], '', settings)).to.have.property('status', 0);
  });

  it('restores one with tables that SQLite or another program has made', async () => {
    const file = join(place.folder, 'analyzed.db');
    cpSync(backup, file);
    const database = new Sqlite(file);
    database.exec('ANALYZE; CREATE TABLE of_another_program (id TEXT)');
    database.close();
    expect(await place.run(['restore', '--force', file])).to.have.property('status', 0);
    const { stdout } = await place.run(['station', 'list']);
    expect(stdout).to.contain(JFK.id);
  });
});

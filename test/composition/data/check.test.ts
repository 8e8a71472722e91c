import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { Place } from '../../support/place.js';
import { Workplace } from '../../support/process.js';
import { flipped, RawStore } from '../../support/raw-store.js';

describe('weatherd check', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData();
  });
  afterEach(() => place.remove());

  it('finds damaged data, ends with status 1, and deletes them on request', async () => {
    const where = ['--latitude', '1', '--longitude', '1', '--time-zone', 'UTC'];
    await place.run(['station', 'add', 'garden', ...where]);
    const file = join(place.folder, 'garden.csv');
    const rows = ['2024-02-28', '2024-02-29'].map((day) => `${day}T12:00:00Z,5\n`);
    await writeFile(file, `time,air_temperature\n${rows.join('')}`);
    await place.run(['import', file, '--station', 'garden']);
    expect((await place.run(['check'])).stdout).to.match(/^Verified \d+ blobs of observations/);
    const database = new Sqlite(place.dataFile);
    const table = ['chunk', 'run'].find(
      (name) => database.prepare(`SELECT 1 FROM ${name}`).get() !== undefined,
    );
    database.exec(`UPDATE ${table} SET data = substr(data, 1, length(data) - 1)`);
    database.close();
    const found = await place.run(['check']);
    expect(found.status).to.equal(1);
    expect(found.stdout).to.match(/garden .*2024-02-2/);
    expect(found.stderr).to.contain('weatherd check --discard');
    const discarded = await place.run(['check', '--discard']);
    expect([discarded.status, discarded.stdout]).to.deep.equal([
      0,
      `${found.stdout}The listed observations were deleted.\n`,
    ]);
    expect(discarded.stderr).to.contain('Changed the data in');
    const clean = await place.run(['check']);
    expect([clean.status, clean.stderr]).to.deep.equal([0, '']);
    expect((await place.run(['audit'])).stdout).to.contain('observations-discard');
  });

  it('reports what it has deleted, and where, if it fails because of the file itself', async () => {
    const file = join(place.folder, 'garden.csv');
    await writeFile(file, 'time,air_temperature\n2024-02-28T12:00:00Z,5\n');
    const where = ['--latitude', '1', '--longitude', '1', '--time-zone', 'UTC'];
    await place.run(['station', 'add', 'garden', ...where]);
    await place.run(['import', file, '--station', 'garden']);
    const database = new Sqlite(place.dataFile);
    for (const table of ['chunk', 'run']) {
      database.exec(`UPDATE ${table} SET data = substr(data, 1, length(data) - 1)`);
    }
    // A column can become NOT NULL without a check of its values.
    database.unsafeMode();
    database.exec('CREATE TABLE gap (number); INSERT INTO gap VALUES (NULL); PRAGMA writable_schema = ON');
    database.exec("UPDATE sqlite_schema SET sql = 'CREATE TABLE gap (number NOT NULL)' WHERE name = 'gap'");
    database.close();
    const { status, stdout, stderr } = await place.run(['check', '--discard']);
    expect(status).to.equal(1);
    expect(stdout).to.match(/garden .*2024-02-28(?:.*\n)+The listed observations were deleted\.\n$/);
    expect(stderr).to.match(/^weatherd: The data file \S+weatherd\.db is damaged: NULL value in gap\.number/);
    expect(stderr).to.contain(place.dataFile);
    const again = await place.run(['check', '--discard']);
    expect([again.status, again.stdout]).to.deep.equal([1, '']);
  });

  it('verifies and mends PostgreSQL too, and prints JSON', async () => {
    const database = await Place.make('postgres');
    const settings = { WEATHERD_DATABASE_URL: database.databaseUrl };
    const run = (...parameters: string[]) => place.run(parameters, '', settings);
    const where = ['--latitude', '1', '--longitude', '1', '--time-zone', 'UTC'];
    await place.makeData(settings);
    await run('station', 'add', 'garden', ...where);
    const file = join(place.folder, 'garden.csv');
    await writeFile(file, 'time,air_temperature\n2024-02-28T12:00:00Z,5\n');
    await run('import', file, '--station', 'garden');
    expect(JSON.parse((await run('check', '--json')).stdout)).to.deep.equal({
      verified: 2,
      faults: [],
      damage: [],
      differences: [],
      forecasts: [],
      stations: [],
    });
    const raw = new RawStore(database);
    for (const table of ['chunk', 'run']) await raw.change(table, '1 = 1', flipped);
    const found = await run('check', '--json');
    expect(found.status).to.equal(1);
    const damage = [
      {
        stations: ['garden'],
        first: '2024-02-28T12:00:00.000Z',
        last: '2024-02-28T12:00:00.000Z',
        rows: 1,
        reason: 'its checksum is wrong',
      },
    ];
    expect(JSON.parse(found.stdout)).to.have.deep.property('damage', damage);
    expect((await run('check', '--discard')).stdout).to.match(/garden .*\nThe listed observations were deleted\.\n$/);
    expect((await run('check')).status).to.equal(0);
    await database.remove();
  });

  for (const store of ['sqlite', 'postgres']) {
    it(`finds stations of ${store} with a field that cannot be read, which a command repairs`, async () => {
      const database = await Place.make(store);
      const settings = {
        WEATHERD_DATABASE_URL: database.databaseUrl,
        ...(store === 'sqlite' && { WEATHERD_DATA_DIR: database.folder }),
      };
      const run = (...parameters: string[]) => place.run(parameters, '', settings);
      await (await database.open()).close();
      if (store === 'postgres') await place.makeData(settings);
      const where = ['--latitude', '1', '--longitude', '1', '--time-zone', 'UTC'];
      for (const id of ['garden', 'roof']) await run('station', 'add', id, ...where);
      await new RawStore(database).run(
        `UPDATE @station SET limits = '[4]', time_zone = 'Mars/Olympus' WHERE id = 'garden'`,
      );
      const stations = [
        { station: 'garden', column: 'limits', reason: 'does not have the form of this field' },
        { station: 'garden', column: 'time_zone', reason: 'is not a time zone: "Mars/Olympus"' },
      ];
      const json = await run('check', '--json');
      expect([json.status, JSON.parse(json.stdout).stations]).to.deep.equal([1, stations]);
      const { status, stdout, stderr } = await run('check');
      expect(status).to.equal(1);
      for (const { column, reason } of stations)
        expect(stdout.split('\n').some((line) => line.includes(column) && line.includes(reason))).to.equal(true);
      expect(stderr).to.contain('weatherd station set garden --limit … --time-zone');
      expect((await run('station', 'show', 'garden')).stdout).to.contain('limits does not have the form');
      const refused = await run('station', 'set', 'garden', '--time-zone', 'UTC');
      expect([refused.status, refused.stderr.includes('column limits')]).to.deep.equal([1, true]);
      const repair = ['--time-zone', 'Europe/Oslo', '--limit', 'air_temperature=-60:45'];
      expect((await run('station', 'set', 'garden', ...repair)).status).to.equal(0);
      expect((await run('check')).status).to.equal(0);
      await new RawStore(database).run(`UPDATE @station SET limits = '[4]' WHERE id = 'garden'`);
      expect((await run('station', 'remove', 'garden', '--yes')).status).to.equal(0);
      expect((await run('station', 'list')).stdout).to.contain('roof');
      await database.remove();
    });
  }

  it('finds impossible values of stations, and overrides whose verdict is unknown', async () => {
    const where = ['--latitude', '1', '--longitude', '1', '--time-zone', 'UTC'];
    for (const id of ['garden', 'roof']) await place.run(['station', 'add', id, ...where]);
    const range = ['--from', '2024-01-01', '--to', '2024-01-02'];
    const what = ['--variable', 'air_temperature', ...range, '--verdict', 'bad', '--reason', 'x'];
    const added = await place.run(['observations', 'judge', '--station', 'roof', ...what]);
    expect(added.status, added.stderr).to.equal(0);
    const database = new Sqlite(place.dataFile);
    database.exec("UPDATE station SET reporting_interval = -5, latitude = 999 WHERE id = 'garden'");
    database.exec("UPDATE overrule SET verdict = 'maybe'");
    const id = database.prepare<[], string>('SELECT id FROM overrule').pluck().get() ?? '';
    database.close();
    const { status, stderr } = await place.run(['check']);
    expect(status).to.equal(1);
    for (const part of [
      'column latitude breaks a rule: A latitude must be from -90 to 90 degrees',
      'column reporting_interval breaks a rule: A reporting interval must be a whole number of seconds from 1 to 86400',
      'weatherd station set garden --latitude … --interval',
      'is neither bad nor good: "maybe"',
      `weatherd override remove --station roof ${id}`,
    ])
      expect(stderr).to.contain(part);
    const repair = ['--latitude', '2', '--interval', '60'];
    expect((await place.run(['station', 'set', 'garden', ...repair])).status).to.equal(0);
    expect((await place.run(['overrule', 'remove', '--station', 'roof', id])).status).to.equal(0);
    expect((await place.run(['check'])).status).to.equal(0);
  });

  it('reports what it cannot check', async () => {
    const { status, stderr } = await place.run(['check', '--nonsense']);
    expect(status).to.equal(2);
    expect(stderr).to.contain('unknown option');
  });
});

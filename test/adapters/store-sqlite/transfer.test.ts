import { expect } from 'chai';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { migrate } from '#adapters/store-sqlite/database/migrations.js';
import { recordColumnOf, formOf, RECORD_KINDS } from '#application/record-forms.js';

describe('records of a SQLite data file', () => {
  it('have every column of their tables, so that a copy lacks nothing', () => {
    const database = new Sqlite(':memory:');
    migrate(database);
    for (const kind of RECORD_KINDS) {
      const { table, key, fields } = formOf(kind);
      const columns = database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table);
      expect(Object.keys(fields).map(recordColumnOf), kind).to.have.members(columns);
      expect(Object.keys(fields), kind).to.include.members(Object.keys(key));
    }
    database.close();
  });
});

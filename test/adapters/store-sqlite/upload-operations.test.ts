import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Statement, splitStatement, sqlText } from '#adapters/store/sql.js';
import type { Operation } from '#adapters/store/run-operation.js';
import { lockRecords, RECORDS, writeRecords } from '#adapters/store/records.js';
import { SqliteConnection } from '#adapters/store-sqlite/database/sqlite-connection.js';
import { runOn } from '#adapters/store-sqlite/database/statements.js';

describe('the statements about records of uploads', () => {
  it('find them by the index of their names, and never read the whole table', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weatherd-sqlite-'));
    const { database } = new SqliteConnection(join(folder, 'weatherd.db'));
    const seen: Statement[] = [];
    const run = <T>(operation: Operation<T>) =>
      runOn(
        database,
        (function* () {
          let step = operation.next();
          while (step.done !== true) {
            seen.push(step.value);
            step = operation.next(yield step.value);
          }
        })(),
      );
    const record = (name: string, revision: number) => ({ name, key: null, revision, text: '', time: 0 });
    const { records, record: one, purge } = RECORDS;
    // The second group is left out, so that the row made for it is removed.
    run(lockRecords([[record('a/1', 0)], [record('b', 0), record('c', 3)]]));
    run(writeRecords([record('a/1', 0)]));
    run(records.begin('a/'));
    run(one.begin('a/1'));
    run(purge.begin('a/', 1));
    const about = seen.filter(({ texts }) => !texts.join('').startsWith('INSERT'));
    expect(about).to.have.length(6);
    for (const statement of about) {
      const text = sqlText(statement, 'sqlite');
      const plan = database
        .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
        .all(...splitStatement(statement, 'sqlite').values);
      const details = plan.map(({ detail }) => detail).join();
      expect(details, text).to.match(/SEARCH upload_record USING \w* ?INDEX/);
      expect(details, text).not.to.contain('SCAN upload_record');
    }
    database.close();
    await rm(folder, { recursive: true });
  });
});

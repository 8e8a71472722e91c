import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { Connection } from '#adapters/store-sqlite/database/connection.js';
import { uploadOperations, uploadReads } from '#adapters/store-sqlite/uploads/upload-operations.js';

describe('the statements about uploads', () => {
  it('find records by the index of their names, and never read the whole table', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'weatherd-sqlite-'));
    const { database } = new Connection(join(folder, 'weatherd.db'));
    const prepare = sinon.spy(database, 'prepare');
    uploadReads(database);
    uploadOperations(database);
    const statements = prepare.args
      .map(([text]) => text)
      .filter((text) => /\bupload_record\b/.test(text) && !text.startsWith('INSERT'));
    prepare.restore();
    expect(statements).to.have.length.greaterThan(4);
    for (const text of statements) {
      const parameters = text.includes('@') ? [{ prefix: 'a/', time: 0 }] : ['a/'];
      const plan = database
        .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`)
        .all(...parameters);
      expect(plan.map(({ detail }) => detail).join(), text).to.match(
        /^SEARCH upload_record USING \w* ?INDEX/,
      );
    }
    database.close();
    await rm(folder, { recursive: true });
  });
});

import { expect } from 'chai';
import { slowText } from '#adapters/store-sqlite/database/slow-thread.js';
import { SqliteDatabase } from '#adapters/store-sqlite/database/sqlite-database.js';
import { rejectionOf } from '../../support/rejection.js';

describe('SqliteDatabase without an answer in time', () => {
  const failing = (reason: string) =>
    rejectionOf(
      new SqliteDatabase('/data/weatherd.db', {
        perform: () => Promise.reject(new Error(reason)),
      }).operate('stations.list', 'write', []),
    );

  for (const what of ['answer', 'start'] as const)
    it(`says that the file did not answer, and not that it is unusable: ${what}`, async () => {
      const error = (await failing(slowText(what, 10_000))) as Error;
      expect(error.message).to.equal('The data file did not answer in time.');
      expect((error.cause as Error).message).to.equal(
        `/data/weatherd.db: a thread of the data file did not ${what} within 10000 ms: the machine may be busy, or the disk does not answer`,
      );
    });

  it('says of other faults that the file cannot be used or written', async () => {
    expect(await failing('the file is damaged (x)')).to.have.property(
      'message',
      'The data file cannot be used.',
    );
    expect(await failing('the disk is full (x)')).to.have.property(
      'message',
      'The data file cannot be written.',
    );
  });
});

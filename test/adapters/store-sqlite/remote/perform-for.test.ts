import { expect } from 'chai';
import type { SqliteDatabase } from '#adapters/store-sqlite/database/sqlite-database.js';
import type { SqliteObservationStore } from '#adapters/store-sqlite/observations/sqlite-observation-store.js';
import { performFor } from '#adapters/store-sqlite/remote/perform-for.js';

const OBSERVATIONS = {} as SqliteObservationStore;

describe('performFor', () => {
  it('finishes a write itself, whether or not the process that asked for it goes on', async () => {
    const parts = [
      { result: undefined, number: 7, due: false },
      { result: 'all', number: 7, due: true },
    ];
    const calls: unknown[] = [];
    const database = {
      perform: async (...asked: readonly unknown[]) => {
        calls.push(asked);
        return { result: undefined, number: 7, due: false };
      },
      call: async (...asked: readonly unknown[]) => {
        calls.push(asked);
        return parts.shift();
      },
    } as unknown as SqliteDatabase;
    const written = await performFor(database, OBSERVATIONS).perform('writeObservations', ['rows']);
    expect(written).to.deep.equal({ result: 'all', number: 7, due: true });
    expect(calls).to.deep.equal([
      ['writeObservations', ['rows']],
      ['continueWrite', 7],
      ['continueWrite', 7],
    ]);
  });

  it('does not go on with a write of an import that has ended', async () => {
    const closed = { result: undefined, isClosed: true, number: 1, due: false };
    const database = { perform: async () => closed } as unknown as SqliteDatabase;
    expect(await performFor(database, OBSERVATIONS).perform('writeObservations', [])).to.equal(closed);
  });
});

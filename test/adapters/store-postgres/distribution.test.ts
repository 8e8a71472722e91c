import { expect } from 'chai';
import type pg from 'pg';
import { commitTogether, distribute } from '#adapters/store-postgres/database/distribution.js';
import type { Query } from '#adapters/store-postgres/database/query.js';
import { rejectionOf } from '../../support/rejection.js';

describe('a database with the extension Citus', () => {
  /** @param nodes what the coordinator knows of itself and of its workers */
  const database = (nodes: object, isDistributed = false) => {
    const statements: string[] = [];
    const answer = (text: string) => {
      statements.push(text);
      if (text.includes('pg_extension')) return [{}];
      return text.includes('pg_dist_node') ? [nodes] : [];
    };
    const send = (text: string) => Promise.resolve({ rows: answer(text) } as unknown as pg.QueryResult);
    return { query: Object.assign(send, { isDistributed }) as Query, statements };
  };
  const isChange = (statement: string) => /create_distributed|truncate_local|CREATE TABLE/.test(statement);

  for (const [what, nodes, reason] of [
    [
      'does not know its own address',
      { hasCoordinator: false, workers: 2 },
      /run SELECT citus_set_coordinator_host/,
    ],
    ['has no workers', { hasCoordinator: true, workers: 0 }, /run SELECT citus_add_node/],
  ] as const) {
    it(`that ${what} is not distributed, and the error says what to do`, async () => {
      const { query, statements } = database(nodes);
      expect(String(await rejectionOf(distribute(query, true)))).to.match(reason);
      expect(statements.filter(isChange)).to.deep.equal([]);
    });
  }

  it('is distributed on request only', async () => {
    const { query, statements } = database({ hasCoordinator: true, workers: 2 });
    expect(await distribute(query, false)).to.equal(false);
    expect(statements.filter(isChange)).to.deep.equal([]);
    expect(await distribute(query, true)).to.equal(true);
    expect(statements.filter((one) => one.includes('create_distributed'))).to.have.length(6);
  });

  it('commits tables of the coordinator and of a worker in two phases', async () => {
    for (const isDistributed of [false, true]) {
      const { query, statements } = database({}, isDistributed);
      await commitTogether(query);
      expect(statements).to.deep.equal(
        isDistributed ? ['DELETE FROM weatherd.commit_mark WHERE id = 0'] : [],
      );
    }
  });
});

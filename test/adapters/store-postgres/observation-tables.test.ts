import { expect } from 'chai';
import type { Query } from '#adapters/store-postgres/database/query.js';
import { PostgresObservationTables } from '#adapters/store-postgres/observations/observation-tables.js';

const LOCK = /FOR UPDATE|commit_mark|advisory/;

describe('tables of observations in PostgreSQL', () => {
  it('lock stations, then blocks for writing and for merging, before anything is read', async () => {
    const sent: string[] = [];
    const send = (text: string) => {
      sent.push(text);
      return Promise.resolve({ rows: [], rowCount: 0 });
    };
    const query = Object.assign(send, { isDistributed: true }) as unknown as Query;
    await new PostgresObservationTables(query).settle([64, 0], true);
    const [station = '', mark = '', writer = '', merger = '', ...read] = sent;
    expect(station).to.contain('weatherd.station_version FOR UPDATE');
    expect(mark).to.contain('commit_mark');
    expect([writer, merger].map((text) => /xact_lock\((\d+)/.exec(text)?.[1])).to.deep.equal([
      String(0x57585752),
      String(0x57584d47),
    ]);
    expect(read.filter((text) => LOCK.test(text))).to.deep.equal([]);
    expect(read.join()).to.contain('weatherd.block');
  });
});

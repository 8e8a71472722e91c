import { expect } from 'chai';
import { ConnectionPermits } from '#adapters/uploads/server/connection-permits.js';

const LIMITS = {
  permits: 3,
  permitsOfNetwork: 2,
  connectionsWithoutPermit: 6,
  connectionsWithoutPermitOfNetwork: 3,
};

describe('permits of connections', () => {
  let refused: number;
  let seen: string[];
  let permits: ConnectionPermits;
  beforeEach(() => {
    [refused, seen] = [0, []];
    permits = new ConnectionPermits(LIMITS, () => (refused += 1));
  });

  const enter = (name: string, network: string | null) =>
    permits.add(network, () => seen.push(`end of ${name}`));
  /** A connection whose request is complete. */
  const ask = (name: string, network: string | null) => {
    const entry = enter(name, network);
    void entry.acquire().then(() => seen.push(name));
    return entry;
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it('go to the network with the fewest, and in it to the one that arrived last', async () => {
    const first = ask('a1', 'a');
    for (const name of ['a2', 'a3', 'a4']) ask(name, 'a');
    const other = ask('b1', 'b');
    ask('b2', 'b');
    await settle();
    expect(seen).to.deep.equal(['a1', 'a2', 'b1']);
    first.end();
    await settle();
    expect(seen.at(-1)).to.equal('a4');
    other.release();
    await settle();
    expect(seen.at(-1)).to.equal('b2');
  });

  it('are not for those whose request is not complete', async () => {
    for (const name of ['a1', 'a2', 'a3']) enter(name, 'a');
    ask('a4', 'a');
    await settle();
    expect(seen).to.deep.equal(['end of a1', 'a4']);
  });

  it('end the oldest without a request beyond the bounds, and the one that waits for longest where there is none', async () => {
    for (const name of ['a1', 'a2']) ask(name, 'a');
    enter('a3', 'a');
    for (const name of ['a4', 'a5', 'a6', 'a7']) ask(name, 'a');
    await settle();
    expect(seen.toSorted()).to.deep.equal(['a1', 'a2', 'end of a3', 'end of a4']);
    expect(refused).to.equal(2);
  });

  it('end connections of the network with the most beyond the bound of all', () => {
    for (const name of ['b1', 'b2', 'a1', 'a2', 'a3', 'c1', 'c2']) enter(name, name.charAt(0));
    expect([seen, refused]).to.deep.equal([['end of a1'], 1]);
  });

  it('of a trusted proxy have no share of their own', async () => {
    for (const name of ['p1', 'p2', 'p3', 'p4']) ask(name, null);
    await settle();
    expect(seen).to.deep.equal(['p1', 'p2', 'p3']);
  });

  it('are free again when a connection ends at any moment', async () => {
    for (const end of ['idle', 'waiting', 'holding', 'served']) {
      const holding = [ask('x', 'x'), ask('x', 'x')];
      const entry = enter('y', 'x');
      if (end === 'holding' || end === 'served') for (const other of holding) other.end();
      if (end !== 'idle') void entry.acquire();
      if (end === 'served') entry.release();
      for (const other of [entry, ...holding]) other.end();
    }
    for (const name of ['a1', 'a2', 'a3']) ask(name, 'a');
    await settle();
    expect(seen.filter((name) => name.startsWith('a'))).to.deep.equal(['a1', 'a2']);
  });
});

import { expect } from 'chai';
import { Places } from '#adapters/uploads/server/places.js';

const LIMITS = {
  places: 3,
  placesOfNetwork: 2,
  waiting: 4,
  waitingOfNetwork: 3,
  idleTime: 10,
  waitingTime: 100,
};

describe('places of connections', () => {
  let now: number;
  let refused: number;
  let begun: string[];
  let places: Places;
  beforeEach(() => {
    [now, refused, begun] = [0, 0, []];
    places = new Places(
      LIMITS,
      () => now,
      () => (refused += 1),
    );
  });

  /** A connection that is idle from its start, unless it is served. */
  const enter = (name: string, network: string | null, isServed = false) => {
    const since = now;
    const leave = places.enter(
      {
        begin: () => begun.push(name),
        idleSince: isServed ? undefined : since,
        giveUp: () => begun.push(`end of ${name}`),
      },
      network,
    );
    return leave;
  };

  it('go to the network with the fewest, and in it to the one that arrived last', () => {
    const leaveA = enter('a1', 'a', true);
    enter('a2', 'a', true);
    enter('a3', 'a');
    enter('a4', 'a');
    const leaveB = enter('b1', 'b', true);
    enter('b2', 'b');
    expect(begun).to.deep.equal(['a1', 'a2', 'b1']);
    leaveA();
    expect(begun.at(-1)).to.equal('a4');
    leaveB();
    expect(begun.at(-1)).to.equal('b2');
  });

  it('are taken from those that are idle while others wait, and only then', () => {
    enter('a1', 'a');
    enter('a2', 'a', true);
    now = 50;
    places.sweep();
    expect(begun).to.deep.equal(['a1', 'a2']);
    enter('a3', 'a');
    places.sweep();
    expect(begun).to.deep.equal(['a1', 'a2', 'end of a1']);
  });

  it('close those that wait beyond the bounds or for too long, the oldest first', () => {
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) enter(name, 'a', true);
    expect(begun).to.deep.equal(['a1', 'a2', 'end of a3']);
    now = 100;
    places.sweep();
    expect(begun.slice(3)).to.deep.equal(['end of a4', 'end of a5', 'end of a6']);
    expect([refused, places.isCrowded]).to.deep.equal([4, false]);
  });

  it('of a trusted proxy have no share of their own', () => {
    for (const name of ['p1', 'p2', 'p3', 'p4']) enter(name, null, true);
    expect(begun).to.deep.equal(['p1', 'p2', 'p3']);
  });
});

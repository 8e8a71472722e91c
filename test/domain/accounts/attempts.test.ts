import { expect } from 'chai';
import { type AttemptTally, countAttempt, secondsUntil, tallyLimits } from '#domain/accounts/attempts.js';

const LIMITS = tallyLimits(
  [
    {
      key: 'ada',
      limits: [
        { attempts: 2, seconds: 10 },
        { attempts: 3, seconds: 60 },
      ],
    },
    { key: 'address', limits: [{ attempts: 4, seconds: 10 }] },
  ],
  (key) => `<${key}>`,
);

describe('counted attempts', () => {
  it('have a tally for each limit, under a digest of its key', () => {
    expect([...LIMITS.keys()]).to.deep.equal(['2/10:<ada>', '3/60:<ada>', '4/10:<address>']);
  });

  it('count towards all limits, or towards none where one is reached', () => {
    const tallies = new Map<string, AttemptTally>();
    const attempt = (now: number) => {
      const counted = countAttempt(LIMITS, (key) => tallies.get(key), now);
      for (const [key, tally] of counted.tallies) tallies.set(key, tally);
      return [counted.wait, ...[...LIMITS.keys()].map((key) => tallies.get(key)?.points)];
    };
    expect(attempt(0)).to.deep.equal([0, 1, 1, 1]);
    expect(tallies.get('3/60:<ada>')?.expire).to.equal(60_000);
    expect(attempt(1000)).to.deep.equal([0, 2, 2, 2]);
    expect(attempt(2000)).to.deep.equal([8, 2, 2, 2]);
    expect(attempt(9999)).to.deep.equal([1, 2, 2, 2]);
    // The first one was forgotten, and the one of a minute was not.
    expect(attempt(10_000)).to.deep.equal([0, 1, 3, 1]);
    expect(attempt(11_000)).to.deep.equal([49, 1, 3, 1]);
    expect(attempt(60_000)).to.deep.equal([0, 1, 1, 1]);
    expect(countAttempt(LIMITS, () => undefined, 5).tallies.size).to.equal(3);
    expect(countAttempt(LIMITS, () => ({ points: 9, expire: 6 }), 5)).to.deep.equal({
      wait: 1,
      tallies: new Map(),
    });
  });

  it('wait whole seconds, rounded up', () => {
    expect([
      secondsUntil(1000, 0),
      secondsUntil(1001, 0),
      secondsUntil(1, 0),
      secondsUntil(5, 5),
    ]).to.deep.equal([1, 2, 1, 0]);
  });
});

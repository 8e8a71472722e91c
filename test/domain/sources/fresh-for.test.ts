import { expect } from 'chai';
import fc from 'fast-check';
import { freshFor } from '#domain/sources/fresh-for.js';
import { nextPoll } from '#domain/sources/poll-times.js';
import { MILLISECONDS } from '#domain/time.js';

const NOW = Date.UTC(2026, 10, 27, 12);
const at = (seconds: number) => new Date(NOW + seconds * MILLISECONDS.second).toUTCString();

describe('the freshness of a reply', () => {
  const cases: readonly (readonly [headers: Readonly<Record<string, string>>, seconds: number])[] = [
    [{}, 0],
    [{ 'cache-control': 'public, max-age=300' }, 300],
    [{ 'cache-control': 'max-age=300', age: '100' }, 200],
    [{ 'cache-control': 'max-age=300', age: '400' }, 0],
    [{ 'cache-control': 'no-cache, max-age=300' }, 0],
    [{ 'cache-control': 'max-age=300', expires: at(9) }, 300],
    [{ expires: at(1800) }, 1800],
    [{ expires: at(1800), date: at(-60) }, 1860],
    [{ expires: at(-1) }, 0],
    [{ expires: '0' }, 0],
    [{ expires: 'soon' }, 0],
    [{ 'cache-control': 'max-age=999999999' }, 86_400],
  ];
  for (const [headers, seconds] of cases)
    it(`of ${JSON.stringify(headers)} is ${seconds} s`, () => {
      expect(freshFor(headers, NOW)).to.equal(seconds * MILLISECONDS.second);
    });
});

describe('the time of the next request', () => {
  const duration = fc.nat(10 * MILLISECONDS.minute);

  it('is never earlier than the interval, the freshness and the wish of the service allow', () => {
    fc.assert(
      fc.property(
        duration,
        duration,
        duration,
        fc.nat(40),
        duration,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (...given) => {
          const [took, interval, freshness, failures, retryAfter, random] = given;
          const outcome = { askedAt: 0, endedAt: took, interval, failures, retryAfter, freshFor: freshness };
          const next = nextPoll(outcome, () => random);
          if (failures === 0) {
            expect(next)
              .to.be.at.least(interval)
              .and.at.least(took + freshness);
            expect(next).to.be.at.most(1.1 * Math.max(interval, took + freshness) + 1e-6);
          } else {
            expect(next - took).to.be.at.least(Math.min(2 ** (failures - 1), 300) * MILLISECONDS.second);
            expect(next - took).to.be.at.least(retryAfter);
            expect(next - took).to.be.at.most(1.1 * Math.max(300 * MILLISECONDS.second, retryAfter) + 1e-6);
          }
        },
      ),
    );
  });
});

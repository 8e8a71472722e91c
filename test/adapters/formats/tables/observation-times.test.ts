import { expect } from 'chai';
import fc from 'fast-check';
import { ObservationTimes } from '#adapters/formats/tables/observation-times.js';
import type { FilePlan } from '#adapters/formats/files/file-plan.js';
import { MILLISECONDS } from '#domain/time.js';

const DAY = MILLISECONDS.day;
const MAX_GAP = 31;

/** The periods of a file with these days and times, in days. */
function periodsOf(
  rows: readonly (readonly [day: number, text: string])[],
  where: FilePlan['observationTime'] = { at: [0] },
) {
  const times = new ObservationTimes({ observationTime: where, time: { interval: DAY / 1000 } } as FilePlan);
  for (const [day, text] of rows) times.read([text], 'x', (day + 1) * DAY);
  const [[, observed] = ['', []]] = [...times.stations()];
  return observed.map(
    ({ from, until, dailyObservationTime: time }) => [from / DAY, until / DAY, time] as const,
  );
}

describe('the times of observation of a file', () => {
  it('are the periods of days with one time, which short gaps do not end', () => {
    const texts = fc.constantFrom('0700', '1800', '');
    const days = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 150 }), texts), {
      selector: ([day]) => day,
    });
    fc.assert(
      fc.property(days, (rows) => {
        const expected: [number, number, string][] = [];
        for (const [day, text] of rows.toSorted(([a], [b]) => a - b)) {
          if (text === '') continue;
          const time = `${text.slice(0, 2)}:00`;
          const last = expected.at(-1);
          if (last?.[2] === time && day - last[1] <= MAX_GAP) last[1] = day + 1;
          else expected.push([day, day + 1, time]);
        }
        expect(periodsOf(rows.toSorted(([a], [b]) => a - b))).to.deep.equal(expected);
        expect(periodsOf(rows.toSorted(([a], [b]) => b - a))).to.deep.equal(expected);
      }),
    );
  });

  it('are in order, begin and end with a day of their time, and are as long as possible, in any order of rows', () => {
    const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 150 }), fc.constantFrom('0700', '1800')));
    fc.assert(
      fc.property(rows, (given) => {
        const first = new Map<number, string>();
        for (const [day, text] of given) if (!first.has(day)) first.set(day, `${text.slice(0, 2)}:00`);
        const found = periodsOf(given);
        for (const [index, [from, until, time]] of found.entries()) {
          expect([first.get(from), first.get(until - 1)]).to.deep.equal([time, time]);
          const [nextFrom, , nextTime] = found[index + 1] ?? [Infinity, Infinity, ''];
          expect(nextFrom).to.be.at.least(until);
          if (nextTime === time) expect(nextFrom - until).to.be.above(MAX_GAP);
        }
        for (const day of first.keys())
          expect(found.some(([from, until]) => from <= day && day < until)).to.equal(true);
      }),
    );
  });

  it('are hours and minutes; other texts are no times', () => {
    for (const [text, time] of [
      ['0700', '07:00'],
      ['700', '07:00'],
      ['2400', '24:00'],
      ['0000', '00:00'],
      ['2359', '23:59'],
    ] as const)
      expect(periodsOf([[3, text]]), text).to.deep.equal([[3, 4, time]]);
    for (const text of ['', '7', '07', '0760', '2401', '9999', '07:00', '-700', '07000'])
      expect(periodsOf([[3, text]]), text).to.deep.equal([]);
    expect(periodsOf([[3, ',,7,0700']], { at: [0], part: 3 })).to.deep.equal([[3, 4, '07:00']]);
    expect(periodsOf([[3, ',,7']], { at: [0], part: 3 })).to.deep.equal([]);
  });
});

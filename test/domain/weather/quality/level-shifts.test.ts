import { expect } from 'chai';
import fc from 'fast-check';
import { recheckRange } from '#domain/weather/quality/recheck-range.js';
import { findLevelShifts } from '#domain/weather/quality/level-shifts.js';
import { NO_RULES } from '#domain/weather/quality/station-rules.js';
import { FLAG, type Series } from '#domain/weather/series.js';
import { V } from '#domain/weather/variables.js';
import { ALL, changed, HOUR, mildDays, seriesOf, START } from './made-series.js';

const hours = mildDays(600, HOUR);

function checked(values: readonly number[]): Series {
  const series = seriesOf(HOUR, { air_temperature: values });
  return { ...series, flags: recheckRange(series, ALL, NO_RULES, []) };
}

/** Steps as rows: the row of the step, its size to four degrees, the row of the return. */
function stepsOf(series: Series) {
  const row = (time: number | null) => (time === null ? null : (time - START) / HOUR);
  // The weather changes by up to a degree in the same hour.
  const size = (change: number) => 4 * Math.round(change / 4);
  return findLevelShifts(series).map((step) => [row(step.time), size(step.change), row(step.returned)]);
}

const offset = (from: number, length: number, size: number, values: readonly number[] = hours) =>
  changed(
    values,
    from,
    values.slice(from, from + length).map((value) => value + size),
  );

describe('lastingSteps', () => {
  it('names the beginning, the size and the end of an offset that lasts longer than the check of steps sees', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 200 }),
        fc.integer({ min: 55, max: 300 }),
        fc.constantFrom(-25, -12, 12, 25),
        (from, length, size) => {
          const series = checked(offset(from, length, size));
          const [[start, change, end] = []] = stepsOf(series);
          expect([start, end]).to.deep.equal([from, from + length]);
          expect(change).to.be.within(size - 3, size + 3);
          expect(stepsOf(series).length).to.equal(1);
          // The check itself finds its ends alone.
          const flagged = [...(series.flags.get(V.temperature) ?? [])].filter((flag) => flag !== 0);
          expect(flagged.length).to.equal(2);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('names a step that has not returned', () => {
    expect(stepsOf(checked(offset(300, 300, 12)))).to.deep.equal([[300, 12, null]]);
  });

  it('names neither a spike nor an offset that the check finds whole, and no step of a quiet series', () => {
    expect(stepsOf(checked(hours))).to.deep.equal([]);
    expect(stepsOf(checked(offset(300, 1, 12)))).to.deep.equal([]);
    expect(stepsOf(checked(offset(300, 30, 12)))).to.deep.equal([]);
  });

  it('names no step from or to what a sensor showed while it was stuck', () => {
    for (const size of [-6, 6]) {
      const stuck = changed(
        hours,
        300,
        Array.from({ length: 72 }, () => 10 + size),
      );
      const series = checked(stuck);
      expect(stepsOf(series)).to.deep.equal([]);
      const found = [...(series.flags.get(V.temperature) ?? [])].flatMap((flag, row) =>
        flag === 0 ? [] : [[row, flag]],
      );
      expect(found).to.deep.equal(Array.from({ length: 72 }, (_, row) => [300 + row, FLAG.persistence]));
    }
  });

  it('pairs only opposite steps of about the same size', () => {
    const twice = checked(offset(200, 400, 12, offset(300, 300, 12)));
    expect(stepsOf(twice)).to.deep.equal([
      [200, 12, null],
      [300, 12, null],
    ]);
    const partly = checked(offset(350, 250, -8, offset(200, 400, 16)));
    expect(stepsOf(partly)).to.deep.equal([
      [200, 16, null],
      [350, -8, null],
    ]);
    const both = checked(offset(200, 80, 12, offset(400, 80, -12)));
    expect(stepsOf(both)).to.deep.equal([
      [200, 12, 280],
      [400, -12, 480],
    ]);
  });

  it('treats values that an overrule or the gross limits made fail as absent', () => {
    const series = checked(offset(200, 100, 12));
    const bytes = series.flags.get(V.temperature) as Uint8Array;
    for (let row = 200; row < 300; row += 1) bytes[row] = (bytes[row] as number) | FLAG.overridden;
    // The return is a step from values that are known to be bad.
    expect(stepsOf(series).filter(([, , returned]) => returned !== null)).to.deep.equal([]);
    const gap = checked(offset(200, 100, 12).with(199, 99));
    expect(stepsOf(gap)).to.deep.equal([[200, 12, 300]]);
  });
});

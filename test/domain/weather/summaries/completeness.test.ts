import { expect } from 'chai';
import {
  completenessOf,
  type CoveredDays,
  type MonthRule,
  type SummaryInterval,
} from '#domain/weather/summaries/completeness.js';
import { V, variableNumbered } from '#domain/weather/variables.js';

const DAY = 86_400_000;
const TEMPERATURE = variableNumbered(V.temperature);
const RAIN = variableNumbered(V.precipitation);
const RADIATION = variableNumbered(V.radiation);

/** An interval of successive days; `months` has the number of days of each month. */
function intervalOf(kind: SummaryInterval['kind'], months: readonly number[]): SummaryInterval {
  const count = months.reduce((sum, days) => sum + days, 0);
  return { kind, start: 0, end: count * DAY, months };
}

/** Days with this covered time. */
function daysOf(covered: Float64Array): CoveredDays {
  return { lengths: covered.map(() => DAY), covered, from: 0, to: covered.length };
}

/** Days of which those of `missing` have nothing. */
const coveredOf = (days: number, missing: readonly number[]) =>
  daysOf(Float64Array.from({ length: days }, (_, day) => (missing.includes(day) ? 0 : DAY)));
const alternating = (count: number) => Array.from({ length: count }, (_, index) => index * 2);
const successive = (count: number) => Array.from({ length: count }, (_, index) => 10 + index);

describe('completeness', () => {
  const ofDay = (variable: typeof RAIN, hours: number) =>
    completenessOf(variable, intervalOf('day', [1]), daysOf(Float64Array.of(hours * 3_600_000)), 'wmo_1203');

  it('of a mean needs four fifths of the time, of a sum and of radiation all of it', () => {
    expect(ofDay(TEMPERATURE, 19.2)).to.deep.equal({
      complete: true,
      valid: true,
      missing: 4.8 * 3_600_000,
      days: null,
      rule: 'time_80',
    });
    expect(ofDay(TEMPERATURE, 19.1)).to.include({ complete: false, valid: false });
    expect(ofDay(RAIN, 24)).to.include({ complete: true, missing: 0, rule: 'time_100' });
    expect(ofDay(RAIN, 23.9)).to.include({ complete: false, valid: false });
    for (const hours of [0, 19.2, 23.9, 24, Number.NaN])
      expect(ofDay(RADIATION, hours), `${hours} h`).to.deep.equal(ofDay(RAIN, hours));
    expect(ofDay(TEMPERATURE, Number.NaN)).to.include({ complete: null, valid: null, missing: null });
  });

  it('of a month makes a mean void at 11 missing days or 5 in a row, a sum at one; or by the stricter rule', () => {
    for (const [variable, missing, rule, valid] of [
      [TEMPERATURE, alternating(10), 'wmo_1203', true],
      [TEMPERATURE, alternating(11), 'wmo_1203', false],
      [TEMPERATURE, successive(4), 'wmo_1203', true],
      [TEMPERATURE, successive(5), 'wmo_1203', false],
      [TEMPERATURE, alternating(5), 'five_three', true],
      [TEMPERATURE, alternating(6), 'five_three', false],
      [TEMPERATURE, successive(3), 'five_three', true],
      [TEMPERATURE, successive(4), 'five_three', false],
      [RAIN, [], 'wmo_1203', true],
      [RAIN, [30], 'wmo_1203', false],
      [RADIATION, [], 'wmo_1203', true],
      [RADIATION, [30], 'five_three', false],
      [RAIN, [30], 'five_three', false],
    ] as const) {
      const found = completenessOf(
        variable,
        intervalOf('month', [31]),
        coveredOf(31, missing),
        rule satisfies MonthRule,
      );
      const told = `${variable.name}, ${missing.length} days, ${rule}`;
      expect(found.valid, told).to.equal(valid);
      expect(found, told).to.include({ days: 31 - missing.length, missing: missing.length * DAY });
      expect(found.rule).to.equal(variable === TEMPERATURE ? rule : 'every_day');
    }
  });

  it('of a season or a year needs valid months; days in a row do not go beyond a month', () => {
    const season = intervalOf('season', [31, 31, 28]);
    const valid = (variable: typeof RAIN, missing: readonly number[]) =>
      completenessOf(variable, season, coveredOf(90, missing), 'wmo_1203');
    expect(valid(TEMPERATURE, [28, 29, 30, 31, 32, 33])).to.include({
      valid: true,
      rule: 'every_month',
      days: 84,
    });
    expect(valid(TEMPERATURE, [29, 30, 31, 32, 33, 34, 35])).to.include({ valid: false, complete: true });
    expect(valid(RAIN, [89])).to.include({ valid: false });
    expect(valid(RAIN, [])).to.include({ valid: true, complete: true });
    // The station has no rows in the last month.
    const without = { ...season, months: [31, 31, 0] };
    expect(completenessOf(TEMPERATURE, without, coveredOf(62, []), 'wmo_1203')).to.include({
      valid: false,
      complete: false,
      missing: 28 * DAY,
    });
  });

  it('counts days as missing whose covered time is unknown, unless it is unknown for all', () => {
    const month = intervalOf('month', [30]);
    const some = coveredOf(30, []);
    some.covered.fill(Number.NaN, 0, 5);
    expect(completenessOf(TEMPERATURE, month, some, 'wmo_1203')).to.include({ valid: false, days: 25 });
    const none = daysOf(new Float64Array(30).fill(Number.NaN));
    expect(completenessOf(TEMPERATURE, month, none, 'wmo_1203')).to.include({
      valid: null,
      complete: null,
      days: null,
    });
  });
});

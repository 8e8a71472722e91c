import { expect } from 'chai';
import { withPartners } from '#application/observations/read/summary-rows.js';
import { COVERED } from '#domain/weather/summaries/layout.js';
import { Summaries } from '#domain/weather/summaries/summaries.js';
import { variableNamed, variableNumbered, VARIABLES } from '#domain/weather/variables.js';

const HOUR = 3_600_000;
const numberOf = (name: string) => variableNamed(name)?.number ?? 0;
const DAILY = VARIABLES.filter(({ period }) => period === 'day').map(({ number }) => number);

/** Summaries of days of these lengths in hours, of one value of every variable of days at each time. */
function summariesOf(lengths: readonly number[], times: readonly number[], reportingInterval: number | null) {
  let end = 0;
  const buckets = lengths.map((hours) => ({ start: end, end: (end += hours * HOUR) }));
  const summaries = new Summaries(buckets, { variables: DAILY, reportingInterval });
  const column = Float64Array.from(times, (_time, index) => index + 1);
  summaries.add({
    times: Float64Array.from(times),
    values: new Map(DAILY.map((number) => [number, column])),
    flags: new Map(),
  });
  return summaries;
}

describe('summaries of values of days', () => {
  it('have a published direction whatever the wind at the end of the day is', () => {
    const [direction, wind] = [numberOf('daily_mean_wind_from_direction'), numberOf('wind_speed')];
    const buckets = [{ start: 0, end: 24 * HOUR }];
    const summaries = new Summaries(buckets, { variables: [direction, wind], reportingInterval: 3600 });
    const times = Float64Array.from({ length: 24 }, (_, hour) => (hour + 1) * HOUR);
    summaries.add({
      times,
      values: new Map([
        [direction, times.map((time) => (time === 24 * HOUR ? 200 : Number.NaN))],
        [wind, times.map((time) => (time === 24 * HOUR ? 0 : 5))],
      ]),
      flags: new Map(),
    });
    expect(summaries.statistics(direction, 0).mean).to.be.closeTo(200, 1e-9);
    expect(withPartners([direction].map(variableNumbered))).to.deep.equal([direction]);
  });

  it('have each value in the interval that ends at its time, where it stands for a day', () => {
    for (const reporting of [null, 60, 3600, 86_400]) {
      const summaries = summariesOf([24, 25, 23], [24 * HOUR, 49 * HOUR, 72 * HOUR], reporting);
      for (const number of DAILY) {
        const { name } = variableNumbered(number);
        const found = [0, 1, 2].map((day) => summaries.statistics(number, day));
        // A direction has no sum.
        const isDirection = variableNumbered(number).aggregation === 'direction';
        const values = found.map(({ sum, mean }) => (isDirection ? Math.round(mean * 1e9) / 1e9 : sum));
        expect(values, name).to.deep.equal([1, 2, 3]);
        const covered = Array.from(summaries.sumsOf(number).fields[COVERED] ?? [], (time) => time / HOUR);
        expect(covered, `${name} ${reporting}`).to.deep.equal([24, 25, 23]);
      }
    }
  });

  it('have those to 09:00 in the day in which they end', () => {
    const summaries = summariesOf([24, 24], [9 * HOUR, 33 * HOUR], 3600);
    const rain = numberOf('daily_precipitation_amount');
    expect([0, 1].map((day) => summaries.statistics(rain, day).sum)).to.deep.equal([1, 2]);
  });

  it('cover nothing of an hour', () => {
    const rain = numberOf('daily_precipitation_amount');
    const { fields } = summariesOf([1, 1], [HOUR], 3600).sumsOf(rain);
    expect([...(fields[COVERED] ?? [])]).to.deep.equal([0, 0]);
  });
});

import { percentile } from '#domain/weather/climate/usual.js';
import { V } from '#domain/weather/variables.js';
import type { DatedTable } from '../dated-table.js';
import { byDate, dayFinding, daysOf } from '../day-findings.js';
import { joinedFindings } from '../joined-findings.js';
import type { Finding, NoticeCheck, NoticeInput } from '../notice-check.js';

/** Numbers of Durre et al. */
const NUMBERS = {
  /** Equal values in a row: daily extremes, and amounts of days with rain or snow. */
  temperature: 20,
  rain: 20,
  snow: 10,
  /** Smallest equal amount in mm. Dew gives the smallest amount of a gauge on many days in a row. */
  smallest: 1,
  /** Days with rain among which equal amounts are counted. */
  among: 10,
  /** Numbers of equal amounts, and the percentile of the days with rain around the date that the amount must reach. */
  frequent: [
    [9, 0.3],
    [8, 0.5],
    [7, 0.7],
    [5, 0.9],
  ],
  /** Days before and after a date, and smallest number of days with rain in them. */
  around: 14,
  values: 20,
} as const;

/** Differences below this number are rounding errors of a sum of hours. */
const ROUNDING = 1e-6;

/** Finds equal daily values in a row. Dry days and days without a value do not end a row. */
export const dailyStreak: NoticeCheck = {
  kind: 'daily_streak',
  span: 'years',
  source: 'Durre et al. (2010), streak check of GHCN-Daily',
  finds: `${NUMBERS.temperature} equal daily maxima or minima in a row, ${NUMBERS.rain} equal amounts of days with rain, or ${NUMBERS.snow} equal amounts of days with fresh snow`,
  find(input) {
    const days = daysOf(input);
    return [
      ...streaksOf(input, days, V.dailyMaximum, NUMBERS.temperature, -Infinity),
      ...streaksOf(input, days, V.dailyMinimum, NUMBERS.temperature, -Infinity),
      ...streaksOf(input, days, V.dailyPrecipitation, NUMBERS.rain, 0),
      ...streaksOf(input, days, V.dailySnow, NUMBERS.snow, 0),
    ];
  },
};

/** Finds a large amount of rain that comes again too often. */
export const frequentRain: NoticeCheck = {
  kind: 'daily_streak',
  span: 'years',
  source: 'Durre et al. (2010), frequent-value check of GHCN-Daily',
  finds: `${NUMBERS.frequent.map(([count, share]) => `${count} equal amounts from the ${100 * share}th percentile on`).join(', ')}, among ${NUMBERS.among} days with rain, of ${NUMBERS.smallest} mm and more`,
  find(input) {
    const days = daysOf(input);
    const variable = V.dailyPrecipitation;
    const column = days.columns.get(variable);
    if (column === undefined) return [];
    const sortedOf = byDate(
      column,
      days.first,
      NUMBERS.around,
      (value) => value > 0,
      (values) => Float64Array.from(values).sort(),
    );
    const wet = [...column.entries()].filter(([, amount]) => amount > 0);
    const findings: Finding[] = [];
    for (let from = 0; from + NUMBERS.among <= wet.length; from += 1) {
      const window = wet.slice(from, from + NUMBERS.among);
      // An amount that is among ten days five times is among their first six.
      for (const [day, amount] of window.slice(0, NUMBERS.among / 2 + 1)) {
        const equal = window.filter(([, other]) => Math.abs(other - amount) < ROUNDING);
        const share = NUMBERS.frequent.find(([count]) => equal.length >= count)?.[1];
        if (share === undefined || amount < NUMBERS.smallest) continue;
        const sorted = sortedOf(days.first + day);
        if (sorted.length < NUMBERS.values || amount < percentile(sorted, share)) continue;
        const [first, last] = [equal[0], equal.at(-1)] as [[number, number], [number, number]];
        const facts = { value: amount, days: equal.length };
        findings.push(dayFinding(input, days, { variable, from: first[0], to: last[0] + 1, facts }));
        break;
      }
    }
    return joinedFindings(findings.sort((a, b) => a.from - b.from));
  },
};

/** @param above only values above this one are compared */
function streaksOf(
  input: NoticeInput,
  days: DatedTable,
  variable: number,
  fewest: number,
  above: number,
): Finding[] {
  const findings: Finding[] = [];
  let [from, to, value, count] = [0, 0, Number.NaN, 0];
  const end = () => {
    if (count >= fewest)
      findings.push(dayFinding(input, days, { variable, from, to, facts: { value, days: count } }));
  };
  for (const [day, next] of (days.columns.get(variable) ?? new Float64Array()).entries()) {
    if (!(next > above)) continue;
    if (Math.abs(next - value) < ROUNDING) count += 1;
    else {
      end();
      [from, value, count] = [day, next, 1];
    }
    to = day + 1;
  }
  end();
  return findings;
}

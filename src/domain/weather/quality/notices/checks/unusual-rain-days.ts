import { percentile } from '#domain/weather/climate/usual.js';
import { V } from '#domain/weather/variables.js';
import { byDate, dayFinding, daysOf } from '../day-findings.js';
import type { Finding, NoticeCheck } from '../notice-check.js';

/** Numbers of Durre et al. */
const NUMBERS = {
  /** Days before and after a date, and smallest number of days with rain in them. */
  around: 14,
  values: 20,
  /** Percentile of the days with rain, and how often it is exceeded by a reported amount: in general, and in frost. */
  share: 0.95,
  factor: 9,
  factorInFrost: 5,
  /** Gap in mm to the next smaller amount of the station beyond which the larger amounts are reported. */
  gap: 300,
} as const;

/** Finds daily amounts of rain that the station has never had near to. */
export const unusualRainDay: NoticeCheck = {
  kind: 'unusual_day',
  span: 'years',
  source: 'Durre et al. (2010), climatological outlier and gap check of GHCN-Daily',
  finds: `a daily amount of rain is above ${NUMBERS.factor} times (in frost ${NUMBERS.factorInFrost} times) the 95th percentile of the days with rain around its date, or ${NUMBERS.gap} mm above all smaller amounts`,
  find(input) {
    const days = daysOf(input);
    const variable = V.dailyPrecipitation;
    const column = days.columns.get(variable);
    if (column === undefined) return [];
    const usualOf = byDate(
      column,
      days.first,
      NUMBERS.around,
      (value) => value > 0,
      (values) =>
        values.length < NUMBERS.values
          ? Number.NaN
          : percentile(Float64Array.from(values).sort(), NUMBERS.share),
    );
    const beyond = beyondGap(column);
    const findings: Finding[] = [];
    for (const [day, amount] of column.entries()) {
      if (!(amount > 0)) continue;
      const [high, low] = [V.dailyMaximum, V.dailyMinimum].map(
        (one) => days.columns.get(one)?.[day] ?? Number.NaN,
      );
      const isFrost = ((high as number) + (low as number)) / 2 < 0;
      const usual = usualOf(days.first + day);
      const facts = { amount, percentile_95: usual };
      if (amount > (isFrost ? NUMBERS.factorInFrost : NUMBERS.factor) * usual)
        findings.push(dayFinding(input, days, { variable, from: day, to: day + 1, facts }));
      else if (amount > beyond)
        findings.push(
          dayFinding(input, days, {
            variable,
            from: day,
            to: day + 1,
            facts: { amount, nearest_other: beyond },
          }),
        );
    }
    return findings;
  },
};

/** The largest amount below the gap; Infinity if there is no gap. */
function beyondGap(column: Float64Array): number {
  const sorted = column.filter((value) => value > 0).sort();
  if (sorted.length < NUMBERS.values) return Infinity;
  const at = sorted.findIndex((value, index) => value - (sorted[index - 1] ?? value) >= NUMBERS.gap);
  return at < 0 ? Infinity : (sorted[at - 1] as number);
}

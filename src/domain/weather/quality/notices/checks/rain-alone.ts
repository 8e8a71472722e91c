import { V } from '#domain/weather/variables.js';
import { dayFinding } from '../day-findings.js';
import type { Finding, NoticeCheck, NoticeInput } from '../notice-check.js';

const NUMBERS = {
  /** Successive hours with exactly the same amount above zero. */
  steadyHours: 24,
  /** Durations in hours whose amounts are checked. */
  durations: [1, 3, 6, 24],
  /** Share of the greatest amount of the world for the duration (425 mm · hours^0.47) that is reported. */
  share: 0.2,
  world: { factor: 425, exponent: 0.47 },
} as const;

/** Finds a leaking or a tipping gauge: the same amount in many hours in a row. */
export const steadyRain: NoticeCheck = {
  kind: 'steady_rain',
  span: 'weeks',
  source: 'Blenkinsop et al. (2017), repeated non-zero hourly amounts; number of the project',
  finds: `exactly the same amount of rain, above zero, in at least ${NUMBERS.steadyHours} hours in a row`,
  find({ own }: NoticeInput): readonly Finding[] {
    const column = own.columns.get(V.precipitation);
    if (column === undefined) return [];
    const findings: Finding[] = [];
    let from = 0;
    for (let hour = 1; hour <= column.length; hour += 1) {
      const amount = column[from] as number;
      if (hour < column.length && Math.abs((column[hour] as number) - amount) < 1e-9) continue;
      if (amount > 0 && hour - from >= NUMBERS.steadyHours) {
        const facts = { amount_each_hour: amount, hours: hour - from };
        findings.push({ variable: V.precipitation, from, to: hour, facts, comparedWith: [] });
      }
      from = hour;
    }
    return findings;
  },
};

/** The amount in mm that is reported for a duration in hours. */
function limitOf(hours: number): number {
  return NUMBERS.share * NUMBERS.world.factor * hours ** NUMBERS.world.exponent;
}

/** Finds amounts that few places of the world have seen. */
export const extremeRain: NoticeCheck = {
  kind: 'extreme_rain',
  span: 'weeks',
  source: 'Jennings (1950) and WMO-No. 1045 (2009), greatest amounts by duration; share of the project',
  finds: `the rain of ${NUMBERS.durations.join(', ')} hours, or a published amount of a day, is above ${100 * NUMBERS.share} % of the greatest amount of the world for this duration`,
  find: (input) => [...extremesOfHours(input), ...extremesOfDays(input)].sort((a, b) => a.from - b.from),
};

function extremesOfHours({ own }: NoticeInput): Finding[] {
  const column = own.columns.get(V.precipitation);
  if (column === undefined) return [];
  const findings: Finding[] = [];
  for (const hours of NUMBERS.durations) {
    const limit = limitOf(hours);
    let sum = 0;
    for (let hour = 0; hour < column.length; hour += 1) {
      sum += column[hour] || 0;
      sum -= column[hour - hours] || 0;
      if (sum <= limit || findings.some(({ from, to }) => from <= hour && hour - hours < to)) continue;
      const facts = { amount: sum, hours };
      findings.push({
        variable: V.precipitation,
        from: Math.max(0, hour - hours + 1),
        to: hour + 1,
        facts,
        comparedWith: [],
      });
    }
  }
  return findings;
}

/** Of published daily amounts alone, because the sums of hours are checked as hours. */
function extremesOfDays(input: NoticeInput): Finding[] {
  const { published } = input;
  const variable = V.dailyPrecipitation;
  return [...(published.columns.get(variable) ?? [])].flatMap((amount, day) =>
    amount > limitOf(24)
      ? [dayFinding(input, published, { variable, from: day, to: day + 1, facts: { amount, hours: 24 } })]
      : [],
  );
}

import type { Series } from '../series.js';
import { V } from '../variables.js';
import { DRY_TIME } from './dry-time.js';

/** Without rows for more than this number of reporting intervals, it is unknown whether it rained in between. */
const MAX_MISSED_INTERVALS = 3;

/** A time with rain and without a dry hour. Times are in milliseconds since 1970-01-01T00:00:00Z. */
export interface RainSpell {
  /** Start of the first wet interval. */
  readonly from: number;
  /** End of the last wet interval. */
  readonly to: number;
  /** Amount of all of its intervals, in mm. */
  readonly amount: number;
}

/** The amounts of precipitation that passed quality control, with the ends of their intervals. */
interface Amounts {
  readonly ends: readonly number[];
  readonly amounts: readonly number[];
}

/**
 * Finds the last spell of rain in a series. Only amounts that passed quality control count.
 *
 * @param interval reporting interval in milliseconds
 * @returns undefined if the series has no rain
 */
export function lastRainSpell(series: Series, interval: number): RainSpell | undefined {
  const { ends, amounts } = amountsOf(series);
  const last = amounts.findLastIndex((amount) => amount > 0);
  if (last === -1) return undefined;
  const startOf = (index: number) =>
    Math.max((ends[index] as number) - interval, ends[index - 1] ?? -Infinity);
  let [from, amount] = [startOf(last), amounts[last] as number];
  for (let index = last - 1; index >= 0; index -= 1) {
    if (amounts[index] === 0) continue;
    if (from - (ends[index] as number) >= DRY_TIME) break;
    from = startOf(index);
    amount += amounts[index] as number;
  }
  return { from, to: ends[last] as number, amount };
}

/** Whether it still rained at a time. Amounts of more than an hour cannot tell. @param interval reporting interval in milliseconds */
export function isRaining({ to }: RainSpell, at: number, interval: number): boolean {
  return interval <= DRY_TIME && at - to < DRY_TIME;
}

/**
 * Whether the amounts of `[from, to]` are known, so that a time without an amount above 0 was dry. Short gaps do not count.
 *
 * @param interval reporting interval in milliseconds
 */
export function isGauged(series: Series, from: number, to: number, interval: number): boolean {
  const longest = Math.max(DRY_TIME, MAX_MISSED_INTERVALS * interval);
  const ends = amountsOf(series).ends.filter((end) => end > from && end <= to);
  return [...ends, to].every((end, index) => end - (ends[index - 1] ?? from) <= longest);
}

function amountsOf({ times, values, flags }: Series): Amounts {
  const column = values.get(V.precipitation) ?? new Float64Array(0);
  const bytes = flags.get(V.precipitation);
  const rows = [...column.keys()].filter((row) => !Number.isNaN(column[row]) && (bytes?.[row] ?? 0) === 0);
  return { ends: rows.map((row) => times[row] as number), amounts: rows.map((row) => column[row] as number) };
}

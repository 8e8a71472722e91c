import type { Stores } from '#application/ports/stores.js';
import type { Station } from '#domain/weather/station.js';
import type { Bucket } from '#domain/weather/summaries/bucket.js';
import type { Summaries } from '#domain/weather/summaries/summaries.js';
import { summariesOf, summedStation } from '#domain/weather/summaries/sums-query.js';

const DAY = 86_400_000;

/** Buckets of whole days, from `from` to `to`, in ms since 1970-01-01T00:00:00Z. */
export function daysOf({ from, to }: { readonly from: number; readonly to: number }): Bucket[] {
  return Array.from({ length: (to - from) / DAY }, (_, day) => ({
    start: from + day * DAY,
    end: from + (day + 1) * DAY,
  }));
}

/** Summarizes the rows of stations by days. @returns the summaries of the days of each station, one station after the other */
export async function summariesFromRows(
  { observations }: Stores,
  stations: readonly Station[],
  days: readonly Bucket[],
  variables: readonly number[],
): Promise<Summaries> {
  const query = sumsOf(stations, days, variables);
  const summaries = summariesOf(query);
  for await (const { at, sums } of observations.sum(query)) summaries.addSums(at, sums);
  return summaries;
}

/**
 * Summarizes the days of a month from the daily aggregates of the stations, which must exist.
 *
 * @param timeZone the time zone of the days and the aggregates
 * @returns as `summariesFromRows`
 */
export async function summariesFromAggregates(
  { dailyAggregates }: Stores,
  stations: readonly Station[],
  timeZone: string,
  days: readonly Bucket[],
  variables: readonly number[],
): Promise<Summaries> {
  const summaries = summariesOf(sumsOf(stations, days, variables));
  const numbers = stations.map(({ number }) => number);
  const range = { timeZone, from: days[0]?.start ?? 0, to: days.at(-1)?.end ?? 0 };
  const tables = await dailyAggregates.find({ stations: numbers, ...range });
  if (tables.length !== numbers.length)
    throw new Error(`Only ${tables.length} of ${numbers.length} stations have daily aggregates.`);
  const indexes = new Map(numbers.map((number, index) => [number, index]));
  for (const table of tables) summaries.addDays((indexes.get(table.station) as number) * days.length, table);
  return summaries;
}

function sumsOf(stations: readonly Station[], buckets: readonly Bucket[], variables: readonly number[]) {
  const all = stations.map((station) => summedStation(station));
  return { stations: all, buckets, variables, columns: variables, includeAll: false };
}

import type { Stores } from '#application/ports/stores.js';
import type { Bucket } from '#domain/weather/summaries/bucket.js';
import { Summaries } from '#domain/weather/summaries/summaries.js';

const DAY = 86_400_000;
const REPORTING_INTERVAL = 600;

/** Buckets of whole days, from `from` to `to`, in ms since 1970-01-01T00:00:00Z. */
export function daysOf({ from, to }: { readonly from: number; readonly to: number }): Bucket[] {
  return Array.from({ length: (to - from) / DAY }, (_, day) => ({
    start: from + day * DAY,
    end: from + (day + 1) * DAY,
  }));
}

/** Summarizes the rows of all stations by days. @returns the summaries by `Station.number` */
export async function summariesFromRows(
  { observations }: Stores,
  query: { readonly from: number; readonly to: number; readonly variables: number[] },
): Promise<Map<number, Summaries>> {
  const buckets = daysOf(query);
  const { variables } = query;
  const all = new Map<number, Summaries>();
  for await (const { stations, times, values, flags } of observations.read(query)) {
    let from = 0;
    while (from < times.length) {
      const station = stations[from] as number;
      let to = from + 1;
      while (to < times.length && stations[to] === station) to += 1;
      let summaries = all.get(station);
      if (summaries === undefined)
        all.set(
          station,
          (summaries = new Summaries(buckets, { variables, reportingInterval: REPORTING_INTERVAL })),
        );
      summaries.add({
        times: times.subarray(from, to),
        values: new Map([...values].map(([variable, column]) => [variable, column.subarray(from, to)])),
        flags: new Map([...flags].map(([variable, column]) => [variable, column.subarray(from, to)])),
      });
      from = to;
    }
  }
  return all;
}

/**
 * Summarizes the days of a month from the daily aggregates of the stations, which must exist.
 *
 * @param days the days of the month in the time zone of the aggregates
 * @returns the summaries by `Station.number`
 */
export async function summariesFromAggregates(
  { dailyAggregates }: Stores,
  numbers: readonly number[],
  timeZone: string,
  days: readonly Bucket[],
  variables: readonly number[],
): Promise<Map<number, Summaries>> {
  const range = { timeZone, from: days[0]?.start ?? 0, to: days.at(-1)?.end ?? 0 };
  const tables = await dailyAggregates.find({ stations: numbers, ...range });
  if (tables.length !== numbers.length)
    throw new Error(`Only ${tables.length} of ${numbers.length} stations have daily aggregates.`);
  const all = new Map<number, Summaries>();
  for (const table of tables) {
    const summaries = new Summaries(days, { variables, reportingInterval: REPORTING_INTERVAL });
    summaries.addDays(0, table);
    all.set(table.station, summaries);
  }
  return all;
}

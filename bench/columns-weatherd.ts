import { statSync } from 'node:fs';
import { join } from 'node:path';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { MaintainDailyAggregates } from '#application/observations/read/maintain-daily-aggregates.js';
import { loadConfig } from '#composition/config.js';
import { openStores } from '#composition/modules/stores.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import type { Bucket } from '#domain/weather/summaries/bucket.js';
import type { Summaries } from '#domain/weather/summaries/summaries.js';
import { DIRECTION, type MeasuredStore } from './column-stores.js';
import { daysOf, summariesFromAggregates, summariesFromRows } from './daily-means.js';
import { makeStations } from './weather-data.js';

/**
 * A function that returns the mean of a variable in a bucket, or the number of values of the wind direction. It reads the sums of the
 * buckets, because making an object with all statistics of each bucket takes as long as reading the sums.
 */
function columnOf(summaries: Summaries, variable: number): (bucket: number) => number {
  const { fields } = summaries.sumsOf(variable);
  const field = (index: number) => fields[index] as Float64Array;
  const [counts, sums] = [field(0), field(1)];
  // The mean of the service counts the night as zeros where the last day has no rows, which the other stores do not.
  if (variable !== DIRECTION) return (bucket) => (sums[bucket] as number) / (counts[bucket] as number);
  // The directions with a wind speed are summed apart from the others, which count only if no direction has a speed.
  const [others, calms] = [field(3), field(8)];
  return (bucket) =>
    counts[bucket] || calms[bucket] ? (counts[bucket] as number) : (others[bucket] as number);
}

/** Opens weatherd's SQLite store with stations that have the numbers `numbers`, which are 1, 2 and so on. */
export async function openWeatherd(
  folder: string,
  numbers: readonly number[],
  variables: readonly number[],
): Promise<MeasuredStore> {
  const stores = await openStores(
    loadConfig(undefined, { WEATHERD_DATA_DIR: folder, WEATHERD_DATABASE_URL: 'sqlite:' }),
  );
  const timeZone = 'UTC';
  const drafts = makeStations(numbers.length).map((station) => ({ ...station, timeZone }));
  const made = (await stores.stations.put(drafts)).map(({ station }) => station);
  if (made.some(({ number }, index) => number !== numbers[index]))
    throw new Error('The stations have other numbers than in the other stores.');
  const { observations, dailyAggregates } = stores;
  const calendar = new TemporalCalendar();
  const maintain = new MaintainDailyAggregates(calendar, observations, dailyAggregates);
  let isPrepared = false;
  const means = (summaries: Summaries, asked: readonly number[], days: readonly Bucket[]) => {
    const width = 2 + asked.length;
    const rows = new Float64Array(numbers.length * days.length * width);
    const columns = asked.map((variable) => columnOf(summaries, variable));
    let at = 0;
    for (const [index, station] of numbers.entries())
      for (const [day, { start }] of days.entries()) {
        const found = columns.map((column) => column(index * days.length + day));
        // A day without any value has no row, as in the other stores.
        if (found.every((value) => value === 0 || Number.isNaN(value))) continue;
        rows.set([station, start, ...found], at);
        at += width;
      }
    return { width, rows: rows.subarray(0, at) };
  };
  return {
    async write(batch: ObservationBatch) {
      await observations.write([{ batch }]);
    },
    async settle() {
      const store = observations as { merge?(): Promise<void> };
      // The first call may only wait for a merge that began before the last write.
      await store.merge?.();
      await store.merge?.();
    },
    async rows(station: number, from: number, to: number) {
      const width = 2 + variables.length;
      const rows: number[] = [];
      for await (const { times, values } of observations.read({ stations: [station], from, to })) {
        const columns = variables.map((variable) => values.get(variable) as Float64Array);
        for (const [row, time] of times.entries())
          rows.push(station, time, ...columns.map((column) => column[row] as number));
      }
      return { width, rows: Float64Array.from(rows) };
    },
    async newest() {
      const width = 2 + variables.length;
      const rows = new Float64Array(numbers.length * width);
      for (const [index, newest] of (await observations.newest(numbers)).entries()) {
        let at = index * width;
        rows[at++] = newest.station;
        rows[at++] = newest.lastSeen ?? Number.NaN;
        newest.each((_variable, _time, value) => (rows[at++] = value));
      }
      return { width, rows };
    },
    async daily(asked: readonly number[], from: number, to: number) {
      const days = daysOf({ from, to });
      return means(await summariesFromRows(stores, made, days, asked), asked, days);
    },
    async aggregates(asked: readonly number[], from: number, to: number) {
      const days = daysOf({ from, to });
      if (!isPrepared)
        for (const station of made) await maintain.compute(station, [{ start: from, end: to }]);
      isPrepared = true;
      return means(await summariesFromAggregates(stores, made, timeZone, days, asked), asked, days);
    },
    async close() {
      await stores.close();
      return statSync(join(folder, 'weatherd.db')).size;
    },
  };
}

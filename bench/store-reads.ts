import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { LocalAnnouncer } from '#adapters/announcer-local/local-announcer.js';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { SystemClock } from '#adapters/clock-system/system-clock.js';
import { KdbushStationSearch } from '#adapters/search-kdbush/kdbush-station-search.js';
import { SumFromAggregates } from '#application/observations/read/sum-from-aggregates.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { MaintainDailyAggregates } from '#application/observations/read/maintain-daily-aggregates.js';
import { Summarize, type SummarizeInput } from '#application/observations/read/summarize.js';
import type { Stores } from '#application/ports/stores.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import type { Station } from '#domain/weather/station.js';
import { isSettled } from '#domain/weather/summaries/daily-aggregate.js';
import type { Bucket } from '#domain/weather/summaries/bucket.js';
import { daysOf, summariesFromAggregates, summariesFromRows } from './daily-means.js';
import { median } from './load.js';
import type { Opened } from './store-sizes.js';
import { makeBatch, makeStations, START, STEP } from './weather-data.js';
import { NO_DAILY_AGGREGATES } from '../test/support/no-daily-aggregates.js';

/**
 * Measures reads through the interfaces of the stores. 1,000 stations have a number of rows, and one more station has rows of 30
 * years. Summaries of days and months are read from rows and from daily aggregates.
 */
const POST = 10_000;
const DAY = 86_400_000;
const YEAR = 52_560;
const YEARS = 30;
/** Number of stations that are added for the search of stations. The list of Meteostat has as many stations. */
const SPREAD = 22_311;

const CALENDAR = new TemporalCalendar();
const ALL: Omit<SummarizeInput, 'interval'> = {
  timeZone: 'station',
  dayStart: 0,
  from: undefined,
  to: undefined,
  variables: undefined,
  quality: 'pass',
};

type Question = readonly [name: string, times: number, ask: (index: number) => Promise<unknown>];

export async function compareReads(
  name: string,
  { stores, numbers, folder }: Opened,
  url: string,
  rows: number,
  isSpread: boolean,
): Promise<void> {
  const { observations, stations } = stores;
  const steps = rows / numbers.length;
  let spent = 0;
  for (let step = 0; step < steps; step += POST / numbers.length) {
    const batch = makeBatch(numbers, step, Math.min(step + POST / numbers.length, steps), 'time');
    const before = performance.now();
    await observations.write([{ batch }]);
    spent += performance.now() - before;
  }
  const [made] = await stations.put([
    { ...(makeStations(1)[0] as ReturnType<typeof makeStations>[0]), id: 'years' },
  ]);
  const long = made?.station.number ?? 0;
  for (let step = 0; step < YEARS * YEAR; step += POST) {
    const batch = makeBatch([long], step, Math.min(step + POST, YEARS * YEAR), 'station');
    await observations.write([{ batch }]);
  }
  await sleep(2000); // Deferred work is finished after this time.
  if (isSpread) await stations.put(spreadStations());
  const questions = await questionsOf(stores, numbers, long, Math.max(1, Math.floor((steps * STEP) / DAY)));
  console.log(`| ${name}, ${rows} rows | p50 ms | max ms |\n| --- | ---: | ---: |`);
  for (const [question, count, ask] of questions) {
    if (count === 0) continue;
    await ask(0);
    const times: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const before = performance.now();
      await ask(index);
      times.push(performance.now() - before);
    }
    console.log(`| ${question} | ${median(times).toFixed(2)} | ${Math.max(...times).toFixed(1)} |`);
  }
  await stores.close();
  const size = name === 'SQLite' ? statSync(join(folder, 'weatherd.db')).size : await sizeOf(url);
  const each = size / (rows + YEARS * YEAR);
  console.log(`\nWritten at ${Math.round(rows / (spent / 1000))} rows/s; ${each.toFixed(1)} bytes a row.\n`);
}

async function questionsOf(
  stores: Stores,
  numbers: readonly number[],
  long: number,
  days: number,
): Promise<Question[]> {
  const { observations, stations } = stores;
  const some = (index: number) => numbers[(index * 37) % numbers.length] as number;
  const describe = new DescribeStation(new SystemClock(), observations);
  const tables = stores.dailyAggregates;
  const keep = new MaintainDailyAggregates(CALENDAR, observations, tables);
  const summarize = (from: typeof tables) =>
    new Summarize(CALENDAR, observations, new SumFromAggregates(CALENDAR, from, keep));
  const [fromTables, fromRows] = [summarize(tables), summarize(NO_DAILY_AGGREGATES)];
  const ask = async (use: Summarize, id: string, input: Partial<SummarizeInput>) => [
    ...(await use.execute(await describe.execute(id), { ...ALL, interval: 'day', ...input })).rows,
  ];
  // Computes the daily aggregates: of all 30 years of the long station, and of the past months of the other stations.
  await ask(fromTables, 'years', { interval: 'month' });
  const all = (await stations.list()).filter(({ id }) => id.startsWith('station-'));
  for (const { id } of all) {
    await ask(fromTables, id, { interval: 'month' });
    await keep.execute();
  }
  await keep.execute();
  const year = { from: START, to: START + YEAR * STEP };
  const [month] = CALENDAR.buckets('month', 'Europe/Berlin', 0, START, START + DAY);
  const range = daysOf({ from: START, to: START + Math.min(30, days) * DAY });
  const search = new KdbushStationSearch(new StationDirectory(stations, new LocalAnnouncer()));
  return [
    [
      "a station's day (144 rows)",
      300,
      (index) => drain(stores, some(index), START + (index % days) * DAY, START + ((index % days) + 1) * DAY),
    ],
    ['a station-year (52,560 rows)', 15, () => drain(stores, long, year.from, year.to)],
    ['its daily summaries, from rows', 15, () => ask(fromRows, 'years', year)],
    ['its daily summaries, from daily aggregates', 15, () => ask(fromTables, 'years', year)],
    ['monthly summaries of 30 years, from rows', 3, () => ask(fromRows, 'years', { interval: 'month' })],
    [
      'monthly summaries of 30 years, from daily aggregates',
      9,
      () => ask(fromTables, 'years', { interval: 'month' }),
    ],
    ['newest of 1,000 stations', 50, () => observations.newest(numbers)],
    ['the list of stations with their totals', 20, () => observations.inventory(numbers)],
    [
      'nearest 20 stations',
      300,
      (index) => search.search('users', { near: { latitude: 48 + (index % 50) / 10, longitude: 9 } }, 0, 20),
    ],
    [
      `daily means of all stations, ${Math.min(30, days)} days, from rows`,
      3,
      () => summariesFromRows(stores, all, range, [1]),
    ],
    [
      'daily means of all stations for a month, from daily aggregates',
      // The number of reads is 0 if there are so few rows that no month has daily aggregates.
      month !== undefined && isSettled(month, START + days * DAY) ? 9 : 0,
      () => meansFromAggregates(stores, all, month as Bucket),
    ],
  ];
}

function spreadStations() {
  return makeStations(SPREAD).map((station, index) => ({
    ...station,
    id: `m-${station.id}`,
    latitude: Math.asin(((index * 0.618_033_988) % 1) * 2 - 1) * (180 / Math.PI),
    longitude: ((index * 0.754_877_666) % 1) * 360 - 180,
  }));
}

/** Bytes of the tables of a PostgreSQL database, including their indexes. */
async function sizeOf(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    // Removes versions of rows that no transaction needs, so that they are not counted.
    await client.query('VACUUM FULL');
    const { rows } = await client.query<{ bytes: number }>(
      `SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class
       WHERE relnamespace = 'weatherd'::regnamespace AND relkind = 'r'`,
    );
    return rows[0]?.bytes ?? Number.NaN;
  } finally {
    await client.end();
  }
}

async function drain({ observations }: Stores, station: number, from: number, to: number): Promise<number> {
  let rows = 0;
  for await (const { times } of observations.read({ stations: [station], from, to })) rows += times.length;
  return rows;
}

/** The sum of the mean temperatures of all stations and days of a month. */
async function meansFromAggregates(
  stores: Stores,
  stations: readonly Station[],
  { start, end }: Bucket,
): Promise<number> {
  const timeZone = 'Europe/Berlin';
  const days = CALENDAR.buckets('day', timeZone, 0, start, end);
  const summaries = await summariesFromAggregates(stores, stations, timeZone, days, [1]);
  let sum = 0;
  for (let index = 0; index < stations.length * days.length; index += 1)
    sum += summaries.statistics(1, index).mean;
  return sum;
}

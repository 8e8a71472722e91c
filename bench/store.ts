import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { LocalAnnouncer } from '../src/adapters/announcer-local/local-announcer.js';
import { TemporalCalendar } from '../src/adapters/calendar-temporal/temporal-calendar.js';
import { SystemClock } from '../src/adapters/clock-system/system-clock.js';
import { KdbushStationSearch } from '../src/adapters/search-kdbush/kdbush-station-search.js';
import { DescribeStation } from '../src/application/observations/read/describe-station.js';
import { AddUpTables } from '../src/application/observations/read/add-up-tables.js';
import { KeepDayTables } from '../src/application/observations/read/keep-day-tables.js';
import { ReadGate } from '../src/application/observations/read/read-gate.js';
import { Summarize } from '../src/application/observations/read/summarize.js';
import { NO_DAY_TABLES } from '../src/application/observations/read/no-day-tables.js';
import type { Stores } from '../src/application/ports/stores.js';
import { StationDirectory } from '../src/application/stations/station-directory.js';
import { loadConfig } from '../src/composition/config.js';
import { openStores } from '../src/composition/modules/stores.js';
import { Summaries } from '../src/domain/weather/summaries/summaries.js';
import { compareImport } from './import-rates.js';
import { PEERS, toLines } from './line-protocol-peers.js';
import { median } from './load.js';
import { compareSizes } from './store-sizes.js';
import { makeBatch, makeStations, START, STEP } from './weather-data.js';

/**
 * The observation store through its port: durable, judged, 12 variables, 1,000 stations, a row every ten minutes.
 * Writes in alternating rounds with peers. Imports a CSV file, and one with ten times as many rows. Then reads, with this number
 * of rows and with ten times as many.
 * `BENCH_POSTGRES_URL` names an empty database to measure PostgreSQL too.
 */
const STATIONS = 1000;
const POST = 10_000;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const INGEST = Number(process.env['BENCH_INGEST'] ?? 1_000_000);
const ROWS = Number(process.env['BENCH_ROWS'] ?? 5_000_000);
const IMPORT = Number(process.env['BENCH_IMPORT'] ?? 3_000_000);
const IMPORT_ROUNDS = 3;
const DAY = 86_400_000;
const YEAR = 52_560;

const root = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
const postgresUrl = process.env['BENCH_POSTGRES_URL'];
try {
  await compareIngest();
  await compareSizes(open);
  await compareImport(root, [IMPORT / 10, IMPORT], IMPORT_ROUNDS);
  for (const rows of [ROWS / 10, ROWS]) await reads('SQLite', 'sqlite:', rows);
  if (postgresUrl !== undefined) await reads('PostgreSQL', postgresUrl, ROWS / 10);
} finally {
  rmSync(root, { recursive: true });
}

async function open(
  name: string,
  url: string,
): Promise<{ stores: Stores; numbers: number[]; folder: string }> {
  const folder = join(root, name);
  const stores = await openStores(
    loadConfig(undefined, { WEATHERD_DATA_DIR: folder, WEATHERD_DATABASE_URL: url }),
  );
  const made = await stores.stations.put(makeStations(STATIONS));
  return { stores, folder, numbers: made.map(({ station }) => station.number) };
}

/** Rows per second, without the time for making the rows. */
async function compareIngest(): Promise<void> {
  const rates = new Map<string, number[]>();
  const note = (name: string, rows: number, milliseconds: number) =>
    rates.set(name, [...(rates.get(name) ?? []), rows / (milliseconds / 1000)]);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { stores, numbers } = await open(`ingest${round}`, 'sqlite:');
    let spent = 0;
    const steps = INGEST / STATIONS;
    for (let step = 0; step < steps; step += POST / STATIONS) {
      const batch = makeBatch(numbers, step, step + POST / STATIONS, 'time');
      const before = performance.now();
      await stores.observations.write([{ batch: batch }]);
      spent += performance.now() - before;
    }
    note('weatherd, time order', INGEST, spent);
    const years = await stores.stations.put(
      makeStations(10).map((station) => ({ ...station, id: `y-${station.id}` })),
    );
    spent = 0;
    for (const { station } of years) {
      const batch = makeBatch([station.number], 0, YEAR, 'station');
      const before = performance.now();
      await stores.observations.write([{ batch: batch }]);
      spent += performance.now() - before;
    }
    note('weatherd, station order', YEAR * years.length, spent);
    await stores.close();
    for (const [name, start] of Object.entries(PEERS)) {
      const folder = join(root, `${name.replace(/\W+/g, '-')}${round}`);
      mkdirSync(folder);
      const peer = await start(folder);
      if (peer === undefined) continue;
      spent = 0;
      for (let step = 0; step < steps; step += POST / STATIONS) {
        const lines = toLines(makeBatch(numbers, step, step + POST / STATIONS, 'time'));
        const before = performance.now();
        await peer.write(lines);
        spent += performance.now() - before;
      }
      note(name, INGEST, spent);
      await peer.stop();
    }
  }
  console.log(`| ${INGEST} rows × 12, posts of ${POST}, ${ROUNDS} rounds | rows/s |\n| --- | ---: |`);
  for (const [name, found] of rates) console.log(`| ${name} | ${Math.round(median(found))} |`);
  console.log('');
}

async function reads(name: string, url: string, rows: number): Promise<void> {
  const { stores, numbers, folder } = await open(`reads-${name}-${rows}`, url);
  const { observations, stations } = stores;
  const steps = rows / STATIONS;
  let spent = 0;
  for (let step = 0; step < steps; step += POST / STATIONS) {
    const batch = makeBatch(numbers, step, step + POST / STATIONS, 'time');
    const before = performance.now();
    await observations.write([{ batch: batch }]);
    spent += performance.now() - before;
  }
  const [year] = await stations.put([
    { ...(makeStations(1)[0] as ReturnType<typeof makeStations>[0]), id: 'year' },
  ]);
  const yearly = year?.station.number ?? 0;
  for (let step = 0; step < YEAR; step += POST) {
    await observations.write([{ batch: makeBatch([yearly], step, Math.min(step + POST, YEAR), 'station') }]);
  }
  await sleep(2000); // deferred work is done after that time
  const some = (index: number) => numbers[(index * 37) % STATIONS] as number;
  const days = Math.max(1, Math.floor((steps * STEP) / DAY));
  const calendar = new TemporalCalendar();
  const describeStation = new DescribeStation(new SystemClock(), observations);
  const tables = stores.dayTables ?? NO_DAY_TABLES;
  const keepDayTables = new KeepDayTables(calendar, observations, tables);
  const addUp = new AddUpTables(calendar, tables, keepDayTables);
  const summarize = new Summarize(calendar, observations, new ReadGate(), addUp);
  // The number of stations in Meteostat's list.
  const spread = makeStations(22_311).map((station, index) => ({
    ...station,
    id: `m-${station.id}`,
    latitude: Math.asin(((index * 0.618_033_988) % 1) * 2 - 1) * (180 / Math.PI),
    longitude: ((index * 0.754_877_666) % 1) * 360 - 180,
  }));
  if (rows === ROWS) await stations.put(spread);
  const search = new KdbushStationSearch(new StationDirectory(stations, new LocalAnnouncer()));
  const daily = {
    interval: 'day',
    timeZone: 'station',
    dayStart: 0,
    from: START,
    to: START + YEAR * STEP,
    variables: undefined,
    quality: 'pass',
  } as const;
  const month = { from: START, to: START + Math.min(30, days) * DAY, variables: [1] };
  const questions: readonly (readonly [string, number, (index: number) => Promise<unknown>])[] = [
    [
      "a station's day (144 rows)",
      300,
      (index) =>
        drain(stores, {
          stations: [some(index)],
          from: START + (index % days) * DAY,
          to: START + ((index % days) + 1) * DAY,
        }),
    ],
    [
      'a station-year (52,560 rows)',
      15,
      () => drain(stores, { stations: [yearly], from: START, to: START + YEAR * STEP }),
    ],
    [
      'its daily summaries, 12 variables',
      15,
      async () => [...(await summarize.execute(await describeStation.execute('year'), daily)).rows],
    ],
    ['newest of 1,000 stations', 50, () => observations.newest(numbers)],
    [
      'nearest 20 stations',
      300,
      (index) => search.search({ near: { latitude: 48 + (index % 50) / 10, longitude: 9 } }, 0, 20),
    ],
    [
      'its daily summaries, with tables of days',
      15,
      async () => {
        await keepDayTables.execute();
        return [...(await summarize.execute(await describeStation.execute('year'), daily)).rows];
      },
    ],
    [`daily means of all stations, ${Math.min(30, days)} days`, 3, () => dailyMeans(stores, month)],
  ];
  console.log(`| ${name}, ${rows} rows | p50 ms | most ms |\n| --- | ---: | ---: |`);
  for (const [question, count, ask] of questions) {
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
  const size =
    (name === 'SQLite' ? statSync(join(folder, 'weatherd.db')).size : await sizeOf(url)) / (rows + YEAR);
  console.log(`\nWritten at ${Math.round(rows / (spent / 1000))} rows/s; ${size.toFixed(1)} bytes a row.\n`);
}

/** Bytes of the tables of a PostgreSQL database, with their indexes. */
async function sizeOf(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    // Versions of rows that no transaction sees any more are not counted.
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

async function drain(
  { observations }: Stores,
  query: Parameters<Stores['observations']['read']>[0],
): Promise<number> {
  let rows = 0;
  for await (const { times } of observations.read(query)) rows += times.length;
  return rows;
}

async function dailyMeans(
  { observations }: Stores,
  query: { readonly from: number; readonly to: number; readonly variables: number[] },
): Promise<void> {
  const buckets = Array.from({ length: (query.to - query.from) / DAY }, (_, day) => ({
    start: query.from + day * DAY,
    end: query.from + (day + 1) * DAY,
  }));
  const all = new Map<number, Summaries>();
  for await (const { stations, times, values, flags } of observations.read(query)) {
    let from = 0;
    while (from < times.length) {
      const station = stations[from] as number;
      let to = from + 1;
      while (to < times.length && stations[to] === station) to += 1;
      let summaries = all.get(station);
      if (summaries === undefined) all.set(station, (summaries = new Summaries(buckets, [1], false)));
      summaries.add({
        times: times.subarray(from, to),
        values: new Map([...values].map(([variable, column]) => [variable, column.subarray(from, to)])),
        flags: new Map([...flags].map(([variable, column]) => [variable, column.subarray(from, to)])),
      });
      from = to;
    }
  }
}

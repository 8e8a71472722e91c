import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { SCHEMA_VERSION as POSTGRES_SCHEMA } from '#adapters/store-postgres/database/migrations.js';
import { SCHEMA_VERSION as SQLITE_SCHEMA } from '#adapters/store-sqlite/database/migrations.js';
import { loadConfig } from '#composition/config.js';
import { openStores } from '#composition/modules/stores.js';
import { Workplace } from './process.js';
import {
  COMPUTED,
  elevatedToken,
  type GoldenReply,
  PASSWORD,
  repliesTo,
  sendRows,
  STORED,
} from './golden-replies.js';
import { writeService } from './packed-service.js';
import { contentOf, type StoredContent } from './stored-content.js';

/*
 * Creates the fixture of this build in test/fixtures/versions; the README there contains the command. It needs pg_dump and an empty
 * database on a server whose version pg_dump supports.
 */
const HOUR = 3_600_000;
const BEGIN = Date.UTC(2024, 2, 30);

/** Writes hourly rows of some days, with a spike, gaps and small amounts of rain. */
function csv(days: number, phase: number): string {
  const lines = Array.from({ length: 24 * days }, (_, hour) => {
    if (hour % 50 === 49) return [];
    const temperature = hour === 30 ? 59 : (8 + 5 * Math.sin((hour + phase) / 3.8)).toFixed(1);
    const rain = hour % 17 === 0 ? 0.4 : 0;
    return [`${new Date(BEGIN + hour * HOUR).toISOString()},${temperature},${1013 - (hour % 9)},${rain}`];
  });
  return `time,air_temperature (°C),station_pressure (hPa),precipitation_amount (mm)\n${lines.flat().join('\n')}\n`;
}

/**
 * Writes one row with wind for each day of two years. So each chunk, which stores the rows of a station for one or more days, has
 * few rows.
 */
function dailyCsv(): string {
  const lines = Array.from({ length: 731 }, (_, day) => {
    const time = new Date(Date.UTC(2023, 0, 1, 6) + day * 24 * HOUR).toISOString();
    return `${time},${(10 - 9 * Math.cos(day / 58)).toFixed(1)},${(day * 37) % 360},${(day % 12) / 2}`;
  });
  return `time,air_temperature (°C),wind_from_direction (degree),wind_speed (m/s)\n${lines.join('\n')}\n`;
}

/**
 * Writes the values of each day of three years, at the end of the day in UTC, and the reports of each hour of the last 20 days. At
 * midnight a row has both, and in one line of three the report is missing.
 */
function yearsCsv(): string {
  const lines = Array.from({ length: 24 * 3 * 365 }, (_, hour) => {
    const time = new Date(Date.UTC(2021, 2, 1) + hour * HOUR).toISOString();
    const isDay = hour % 24 === 0;
    const day = hour / 24;
    const report = hour >= 24 * (3 * 365 - 20) && hour % 3 !== 2 ? (hour % 37) / 2 : '';
    const values = [
      (day % 29) + 5,
      (day % 29) - 4.5,
      day % 7 === 0 ? 3.2 : 0,
      day % 11 === 0 ? '' : 90 + (day % 9),
    ];
    if (isDay) return [`${time},${report},${values.join(',')}`];
    return report === '' ? [] : [`${time},${report},,,,`];
  });
  const names = [
    'air_temperature (°C)',
    'daily_maximum_air_temperature (°C)',
    'daily_minimum_air_temperature (°C)',
    'daily_precipitation_amount (mm)',
    'daily_mean_relative_humidity (%)',
  ];
  return `time,${names.join(',')}\n${lines.flat().join('\n')}\n`;
}

/**
 * Writes one row for each minute of three days. So each chunk, which stores the rows of a station for one or more days, has many
 * rows.
 */
function minuteCsv(): string {
  const lines = Array.from({ length: 3 * 1440 }, (_, minute) => {
    const time = new Date(BEGIN + (minute * HOUR) / 60).toISOString();
    return `${time},${(minute % 97) / 10}`;
  });
  return `time,air_temperature (°C)\n${lines.join('\n')}\n`;
}

/** Writes data with commands and requests, as an operator and clients do. */
async function fill(place: Workplace, settings: Readonly<Record<string, string>>): Promise<Golden> {
  const run = async (parameters: readonly string[], input = '') => {
    const { status, stdout, stderr } = await place.run(parameters, input, settings);
    if (status !== 0) throw new Error(`weatherd ${parameters.join(' ')}: ${stderr}`);
    return stdout;
  };
  await run(['init', 'ada'], PASSWORD);
  await run(['user', 'add', 'bob', '--email', 'bob@example.org'], PASSWORD);
  const where = (latitude: number, zone: string) => [
    '--latitude',
    String(latitude),
    '--longitude=-73.8',
    '--time-zone',
    zone,
  ];
  const roof = [...where(40.6, 'America/New_York'), '--name', 'Óslo – Blindern 秋', '--elevation', '4'];
  await run(['station', 'add', 'roof', ...roof, '--interval', '3600']);
  await run(['station', 'add', 'mast', ...where(40.7, '+05:30')]);
  await run(['station', 'add', 'gone', ...where(40.8, 'Europe/Lisbon')]);
  await run(['station', 'add', 'daily', ...where(40.9, 'Europe/Oslo'), '--name', '<b>Daily & "dry"</b>']);
  await run(['station', 'set', 'daily', '--observation-time', '07:00', '--since', '2023-06-01']);
  await run(['station', 'add', 'minutes', ...where(41, 'UTC')]);
  await run(['station', 'add', 'years', ...where(41.2, 'Europe/Zurich')]);
  await run(['station', 'add', 'sent', ...where(41.1, 'UTC')]);
  const more = [
    '--limit',
    'air_temperature=-60:45',
    '--step',
    'air_temperature=3:15',
    '--visibility',
    'hidden',
  ];
  await run([
    'station',
    'set',
    'roof',
    ...more,
    '--sensor-height',
    'wind_speed=10',
    '--stamp-interval',
    '3600',
  ]);
  await run(['station', 'set', 'mast', '--position-decimals', '1']);
  await run(['user', 'grant', 'bob', 'roof', 'mast']);
  for (const [index, id] of ['roof', 'mast', 'gone'].entries()) {
    const file = join(place.folder, `${id}.csv`);
    writeFileSync(file, csv(40, 3 * index));
    await run(['import', file, '--station', id, '--yes']);
  }
  for (const [id, rows] of Object.entries({ daily: dailyCsv(), minutes: minuteCsv(), years: yearsCsv() })) {
    const file = join(place.folder, `${id}.csv`);
    writeFileSync(file, rows);
    await run(['import', file, '--station', id, '--yes']);
  }
  await run(['station', 'remove', 'gone', '--yes']);
  const range = ['--from', '2024-04-02T00:00:00Z', '--to', '2024-04-02T06:00:00Z'];
  await run([
    'overrule',
    'add',
    '--station',
    'roof',
    '--variable',
    'air_temperature',
    ...range,
    '--verdict',
    'bad',
    '--reason',
    'Sensor in the sun',
  ]);
  await run(['retention', '--station', 'mast', '--keep', '100y']);
  await run(['upload-key', 'add', '--station', 'roof', '--note', 'console']);
  const target = ['--post', 'https://example.org/hook'];
  await run(['alarm', 'add', 'frost', '--station', 'roof', '--below', 'air_temperature=0:°C', ...target]);
  await run(['hook', 'add', 'forward', '--station', 'roof', ...target]);
  await run(['keys', 'rotate']);
  const served = await place.serve({ WEATHERD_DATA_DIR: place.dataDir, ...settings });
  const token = await elevatedToken(served.external);
  for (const [count, value] of [3, -2, 5].entries()) {
    const times = [0, 1, 2].map((hour) => new Date(BEGIN + (3 * count + hour) * HOUR).toISOString());
    // Each request is a separate commit. The rows of different commits are not merged into one stored piece, so the fixture also
    // has unmerged rows.
    await sendRows(served.external, token, 'sent', { time: times, air_temperature: times.map(() => value) });
  }
  const midnights = [0, 1].map((day) => new Date(BEGIN + 24 * day * HOUR).toISOString());
  await sendRows(served.external, token, 'sent', {
    time: midnights,
    air_temperature: [4, null],
    daily_maximum_air_temperature: [9, 99],
  });
  const stored = await repliesTo(served.external, token, STORED);
  const computed = await repliesTo(served.external, token, COMPUTED);
  const failed = [...stored, ...computed].filter(({ status }) => status !== 200);
  if (failed.length > 0) throw new Error(JSON.stringify(failed));
  served.child.kill('SIGTERM');
  await served.ended;
  const stores = await openStores(loadConfig(undefined, { WEATHERD_DATA_DIR: place.dataDir, ...settings }));
  try {
    return { content: await contentOf(stores), stored, computed };
  } finally {
    await stores.close();
  }
}

interface Golden {
  readonly content: StoredContent;
  readonly stored: readonly GoldenReply[];
  readonly computed: readonly GoldenReply[];
}

/** Writes a compressed file, because fixtures are large. */
function write(name: string, bytes: string | Buffer): void {
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
}

function writeGolden(store: string, { content, stored, computed }: Golden): void {
  write(`${store}.json`, JSON.stringify({ content, stored }));
  write('computed.json', JSON.stringify(computed));
}

const [url = '', name = `schema-${SQLITE_SCHEMA}-${POSTGRES_SCHEMA}`] = process.argv.slice(2);
const folder = fileURLToPath(new URL(`../../../test/fixtures/versions/${name}/`, import.meta.url));
mkdirSync(folder);
const place = await Workplace.make();
try {
  writeGolden('sqlite', await fill(place, {}));
  write('weatherd.db', readFileSync(place.dataFile));
  cpSync(join(place.dataDir, 'keys'), join(folder, 'keys'), { recursive: true });
  const backup = join(place.folder, 'backup.db');
  const { status, stderr } = await place.run(['backup', backup]);
  if (status !== 0) throw new Error(stderr);
  write('backup.db', readFileSync(backup));
  renameSync(place.dataDir, `${place.dataDir}-sqlite`);
  writeGolden('postgres', await fill(place, { WEATHERD_DATABASE_URL: url }));
  const dump = execFileSync('pg_dump', ['--inserts', '--no-owner', `--dbname=${url}`], { encoding: 'utf8' });
  // Commands of psql are removed, so that any client can run the statements.
  const lines = dump
    .split('\n')
    .filter((line) => !/^(?:--(?: |$)|\\)/.test(line) && !line.startsWith('SET transaction_timeout'));
  write('postgres.sql', lines.join('\n').replaceAll(/\n{2,}/g, '\n'));
  if (name.startsWith('build-')) await writeService(join(folder, 'service.br'));
} finally {
  await place.remove();
}
process.stdout.write(`The fixture was written to ${folder}\n`);

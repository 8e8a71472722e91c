import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SCHEMA_VERSION as POSTGRES_SCHEMA } from '../../src/adapters/store-postgres/database/migrations.js';
import { SCHEMA_VERSION as SQLITE_SCHEMA } from '../../src/adapters/store-sqlite/database/migrations.js';
import { loadConfig } from '../../src/composition/config.js';
import { openStores } from '../../src/composition/modules/stores.js';
import { Workplace } from './process.js';
import { contentOf } from './stored-content.js';

/*
 * Makes the fixture of the present schemas in test/fixtures/versions; its README has the command. It needs pg_dump and
 * an empty database of a server that pg_dump knows.
 */
const PASSWORD = 'correct horse battery staple';
const HOUR = 3_600_000;
const BEGIN = Date.UTC(2024, 2, 30);

/** Hourly rows of some days, with a spike, a gap and a trace of rain. */
function csv(days: number, phase: number): string {
  const lines = Array.from({ length: 24 * days }, (_, hour) => {
    if (hour % 50 === 49) return [];
    const temperature = hour === 30 ? 59 : (8 + 5 * Math.sin((hour + phase) / 3.8)).toFixed(1);
    const rain = hour % 17 === 0 ? 0.4 : 0;
    return [`${new Date(BEGIN + hour * HOUR).toISOString()},${temperature},${1013 - (hour % 9)},${rain}`];
  });
  return `time,air_temperature (°C),station_pressure (hPa),precipitation_amount (mm)\n${lines.flat().join('\n')}\n`;
}

/** Fills data by commands, as an operator does. @returns everything in them, as JSON */
async function fill(place: Workplace, settings: Readonly<Record<string, string>>): Promise<string> {
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
  const stores = await openStores(loadConfig(undefined, { WEATHERD_DATA_DIR: place.dataDir, ...settings }));
  try {
    return `${JSON.stringify(await contentOf(stores), null, 1)}\n`;
  } finally {
    await stores.close();
  }
}

const [url = ''] = process.argv.slice(2);
const name = `schema-${SQLITE_SCHEMA}-${POSTGRES_SCHEMA}`;
const folder = fileURLToPath(new URL(`../../../test/fixtures/versions/${name}/`, import.meta.url));
mkdirSync(folder);
const place = await Workplace.make();
try {
  writeFileSync(join(folder, 'sqlite.json'), await fill(place, {}));
  for (const part of ['weatherd.db', 'keys'])
    cpSync(join(place.dataDir, part), join(folder, part), { recursive: true });
  renameSync(place.dataDir, `${place.dataDir}-sqlite`);
  writeFileSync(join(folder, 'postgres.json'), await fill(place, { WEATHERD_DATABASE_URL: url }));
  const dump = execFileSync('pg_dump', ['--inserts', '--no-owner', `--dbname=${url}`], { encoding: 'utf8' });
  // Without the commands of psql, so that any client can run it.
  const lines = dump
    .split('\n')
    .filter((line) => !/^(?:--|\\)/.test(line) && !line.startsWith('SET transaction_timeout'));
  writeFileSync(join(folder, 'postgres.sql'), lines.join('\n').replaceAll(/\n{2,}/g, '\n'));
} finally {
  await place.remove();
}
process.stdout.write(`${folder}: ${readFileSync(join(folder, 'sqlite.json')).length} bytes of content\n`);

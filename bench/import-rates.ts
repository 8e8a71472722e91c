import { spawn } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, mkdirSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { fileHead } from '#adapters/formats/files/file-head.js';
import type { FileSource } from '#adapters/formats/files/file-plan.js';
import { genericPlan } from '#adapters/formats/files/generic-plan.js';
import { Questions } from '#adapters/formats/files/questions.js';
import { fileTimes } from '#adapters/formats/tables/file-times.js';
import { localZone } from '#adapters/formats/tables/local-zone.js';
import { TableReader } from '#adapters/formats/tables/table-reader.js';
import { variableNumbered } from '#domain/weather/variables.js';
import { loadConfig } from '#composition/config.js';
import { openStores } from '#composition/modules/stores.js';
import { median } from './load.js';
import { makeBatch, makeStations, STEP } from './weather-data.js';

const MAIN = fileURLToPath(new URL('../service/main.js', import.meta.url));
/** Number of rows that are written to the file at once. */
const BATCH = 10_000;
/** Time of the end of the file. Later rows would be rejected because they are in the future. */
const END = Date.UTC(2024, 0, 1);
export const RAIN = 'precipitation_amount';
/** A module that makes a process print its resource usage at its end. */
const REPORT = `data:text/javascript,import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.once('exit', () => console.error(JSON.stringify(process.resourceUsage())));`;

/** CPU time of all threads in seconds, and peak of the resident memory in bytes. */
interface Used {
  readonly cpu: number;
  readonly memory: number;
}

/**
 * Writes a CSV file of 12 variables for each size, and measures three programs on it in turns:
 *
 * - the package csv-parse, which only splits the file into fields;
 * - the reader of the command `weatherd import`, which parses columns of times and numbers;
 * - the whole command in its own process, on one core.
 *
 * Prints rows per second of CPU time, and the peak memory of the command.
 *
 * @param folder folder for the files
 * @param sizes numbers of rows
 */
export async function compareImport(folder: string, sizes: readonly number[], rounds: number): Promise<void> {
  const lines = [];
  for (const size of sizes) {
    const file = join(folder, `rows-${size}.csv`);
    await writeFile(file, size);
    const [fields, columns, whole, memory]: number[][] = [[], [], [], []];
    for (let round = 0; round < rounds; round += 1) {
      fields?.push(size / (await cpuOf(() => parseRows(file))));
      columns?.push(size / (await cpuOf(() => readRows(file))));
      const used = await importRows(file, join(folder, `import-${size}`));
      whole?.push(size / used.cpu);
      memory?.push(used.memory / 2 ** 20);
    }
    rmSync(file);
    const peer = median(fields ?? []);
    const rate = (rates: readonly number[] = []) =>
      `${Math.round(median(rates))} | ${(median(rates) / peer).toFixed(2)}`;
    lines.push(
      `| ${size} | ${Math.round(peer)} | ${rate(columns)} | ${rate(whole)} | ${Math.round(median(memory ?? []))} |`,
    );
  }
  console.log(
    `| CSV, rows × 12, ${rounds} rounds, rows/s of CPU | csv-parse, fields | columns | ratio | weatherd import | ratio | peak MiB |`,
  );
  console.log(`| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n${lines.join('\n')}\n`);
}

/** Writes a CSV file of 12 variables with a row every ten minutes. */
export async function writeFile(file: string, rows: number): Promise<void> {
  const stream = createWriteStream(file);
  for (let from = 0; from < rows; from += BATCH) {
    const { times, values } = makeBatch([1], from, Math.min(from + BATCH, rows), 'time');
    if (from === 0) {
      stream.write(
        `time,${[...values.keys()].map((variable) => variableNumbered(variable).name).join(',')}\n`,
      );
    }
    const lines = Array.from(times, (_, row) => {
      const time = new Date(END - (rows - from - row) * STEP).toISOString().slice(0, 19);
      return `${time}Z,${[...values.values()].map((column) => column[row]).join(',')}\n`;
    });
    if (!stream.write(lines.join(''))) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}

async function cpuOf(read: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await read();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

async function parseRows(file: string): Promise<void> {
  const parser = createReadStream(file).pipe(parse());
  parser.on('data', () => undefined);
  await once(parser, 'end');
}

async function readRows(file: string): Promise<void> {
  const calendar = new TemporalCalendar();
  const [start] = (await once(createReadStream(file, { end: 65_535 }), 'data')) as [Buffer];
  const utc = localZone('utc', 'UTC', calendar);
  const fits = (time: string, format: string) => fileTimes([format]).instants(time, utc).length > 0;
  const questions = new Questions(new Map([[`kind:${RAIN}`, 'amount']]));
  const head = fileHead(file, start, false);
  const plan = genericPlan(head, { map: [], where: [], missing: [], trace: [] }, questions, fits);
  const source: FileSource = {
    text: () => createReadStream(file),
    canRepeat: true,
    path: file,
    sqlite: () => {
      throw new Error('The file is not a database.');
    },
  };
  const context = { stationOf: () => 'x', zoneOf: () => 'UTC', calendar, ambiguous: 'order' } as const;
  for await (const { faults } of new TableReader(plan, context).chunks(source)) {
    if (faults.length > 0) throw new Error(faults[0]?.reasons[0].code);
  }
}

/** Makes a folder for data with one station. @returns the id of the station */
export async function makeData(folder: string): Promise<string> {
  mkdirSync(folder);
  const stores = await openStores(loadConfig(undefined, { WEATHERD_DATA_DIR: folder }));
  const [station] = makeStations(1);
  await stores.stations.put(station === undefined ? [] : [station]);
  await stores.close();
  return station?.id ?? '';
}

/** Imports a file with `weatherd import`. @param folder folder for the data, which is removed at the end */
async function importRows(file: string, folder: string): Promise<Used> {
  const settings = { WEATHERD_DATA_DIR: folder };
  const station = await makeData(folder);
  const command = ['import', file, '--station', station, '--amount', RAIN, '--yes'];
  const pinned = existsSync('/usr/bin/taskset') ? ['taskset', '-c', '0'] : [];
  const [program = '', ...parameters] = [...pinned, process.execPath, '--import', REPORT, MAIN, ...command];
  const child = spawn(program, parameters, {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [printed] = await Promise.all([text(child.stderr), once(child, 'close')]);
  rmSync(folder, { recursive: true });
  if (child.exitCode !== 0) throw new Error(printed);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(
    printed.trim().split('\n').at(-1) ?? '',
  ) as NodeJS.ResourceUsage;
  return { cpu: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS * 1024 };
}

import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse';
import { TemporalCalendar } from '../src/adapters/calendar-temporal/temporal-calendar.js';
import { fileHead } from '../src/adapters/formats/files/file-head.js';
import type { FileSource } from '../src/adapters/formats/files/file-plan.js';
import { genericPlan } from '../src/adapters/formats/files/generic-plan.js';
import { Questions } from '../src/adapters/formats/files/questions.js';
import { fileTimes } from '../src/adapters/formats/tables/file-times.js';
import { localZone } from '../src/adapters/formats/tables/local-zone.js';
import { TableReader } from '../src/adapters/formats/tables/table-reader.js';
import { VARIABLES } from '../src/domain/weather/variables.js';

/** Rows of the file that is read. */
const ROWS = Number(process.argv[2] ?? 300_000);
const COLUMNS = VARIABLES.slice(0, 12);

/** Reads a CSV file of 12 variables as `weatherd import` does, without writing, and as the package csv-parse does. */
const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
try {
  const file = join(folder, 'rows.csv');
  await writeFile(file);
  for (const round of [1, 2, 3]) {
    const [own, other] = [await rate(() => readRows(file)), await rate(() => parseRows(file))];
    const heap = Math.round(process.memoryUsage().rss / 2 ** 20);
    console.log(
      `round ${round}: ${Math.round(own)} rows/s into columns, csv-parse ${Math.round(other)} rows/s into fields; ratio ${(own / other).toFixed(2)}; ${heap} MiB`,
    );
  }
} finally {
  rmSync(folder, { recursive: true });
}

async function writeFile(file: string): Promise<void> {
  const stream = createWriteStream(file);
  stream.write(`time,${COLUMNS.map(({ name }) => name).join(',')}\n`);
  for (let row = 0; row < ROWS; row += 1) {
    const time = new Date(1_300_000_000_000 + row * 600_000).toISOString().slice(0, 19);
    const values = COLUMNS.map(({ limits }, column) =>
      ((limits.min + ((row * 7 + column * 13) % 977) / 10) % limits.max).toFixed(1),
    );
    if (!stream.write(`${time}Z,${values.join(',')}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'finish');
}

async function rate(read: () => Promise<number>): Promise<number> {
  const start = process.cpuUsage();
  const rows = await read();
  const { user, system } = process.cpuUsage(start);
  return (rows / (user + system)) * 1e6;
}

async function readRows(file: string): Promise<number> {
  const calendar = new TemporalCalendar();
  const head = fileHead(
    file,
    (await once(createReadStream(file, { end: 65_535 }), 'data'))[0] as Buffer,
    false,
  );
  const utc = localZone('utc', 'UTC', calendar);
  const fits = (text: string, format: string) => fileTimes([format]).instants(text, utc).length > 0;
  const plan = genericPlan(head, { map: [], missing: [], trace: [] }, new Questions(new Map()), fits);
  const source: FileSource = {
    text: () => createReadStream(file),
    canRepeat: true,
    path: file,
    sqlite: () => {
      throw new Error('it is no database');
    },
  };
  const context = { stationOf: () => 'x', zoneOf: () => 'UTC', calendar, ambiguous: 'order' } as const;
  let rows = 0;
  for await (const { parts } of new TableReader(plan, context).chunks(source)) {
    for (const { lines } of parts) rows += lines.length;
  }
  return rows;
}

async function parseRows(file: string): Promise<number> {
  let rows = 0;
  const parser = createReadStream(file).pipe(parse());
  parser.on('data', () => (rows += 1));
  await once(parser, 'end');
  return rows;
}

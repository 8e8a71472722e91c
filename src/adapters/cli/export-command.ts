import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ColumnSource } from 'hyparquet-writer';
import {
  type ObservationPage,
  type ReadObservations,
  ROW_LIMITS,
} from '../../application/read-observations.js';
import { checksOf, verdictOf } from '../../domain/observations.js';
import type { Variable } from '../../domain/variables.js';

export interface ExportUseCases {
  readonly readObservations: ReadObservations;
}

type WithExport = (work: (useCases: ExportUseCases) => Promise<void>) => Promise<void>;

interface ExportOptions {
  readonly station: string;
  readonly format: keyof typeof FORMATS;
  readonly from?: number;
  readonly to?: number;
  readonly variables?: readonly string[];
  readonly qc: 'all' | 'pass';
}

type Pages = AsyncGenerator<ObservationPage>;

/** How each format is written, from pages of rows. */
const FORMATS = { csv: toCsv, jsonl: toJsonLines, parquet: toParquet } as const;

/** `weatherd export`. */
export function addExportCommand(program: Command, withExport: WithExport): void {
  program
    .command('export [file]')
    .description('write the observations of a station to a file, or to standard output')
    .requiredOption('--station <id>', 'whose')
    .addOption(new Option('--format <format>', 'how').choices(Object.keys(FORMATS)).default('csv'))
    .option('--from <time>', 'from this time on', parseTime)
    .option('--to <time>', 'before this time', parseTime)
    .option('--variables <names>', 'comma between; all when left out', (text) => text.split(','))
    .addOption(
      new Option('--qc <which>', 'pass: without what quality control found')
        .choices(['all', 'pass'])
        .default('all'),
    )
    .action((file: string | undefined, options: ExportOptions) =>
      withExport(async ({ readObservations }) => {
        const content = Readable.from(FORMATS[options.format](pages(readObservations, options)));
        if (file === undefined) await pipeline(content, process.stdout, { end: false });
        else await writeWhole(file, content);
      }),
    );
}

/** The file is there when it is whole, and not before. */
async function writeWhole(file: string, content: Readable): Promise<void> {
  const temporary = `${file}.partial`;
  try {
    await pipeline(content, createWriteStream(temporary));
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** All pages have the same variables: those of the first, which are all that the station has, or what was asked for. */
async function* pages(read: ReadObservations, options: ExportOptions): Pages {
  const input = {
    station: options.station,
    from: options.from,
    to: options.to,
    variables: options.variables ?? (await read.variablesOf(options.station)),
    quality: options.qc,
    limit: ROW_LIMITS.max,
  };
  let cursor: number | undefined;
  for (;;) {
    const page = await read.execute({ ...input, cursor });
    yield page;
    if (page.next === null) return;
    cursor = page.next;
  }
}

function columnOf({ series }: ObservationPage, { number }: Variable): Float64Array {
  return series.values.get(number) ?? new Float64Array(series.times.length).fill(Number.NaN);
}

function qualityOf({ series, variables }: ObservationPage, row: number): string {
  return variables
    .flatMap(({ number, name }) => {
      const found = series.flags.get(number)?.[row] ?? 0;
      return found === 0 ? [] : [[name, verdictOf(found), ...checksOf(found)].join(' ')];
    })
    .join('; ');
}

const timeText = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z');

async function* toCsv(all: Pages): AsyncGenerator<string> {
  let first = true;
  for await (const page of all) {
    const { series, variables } = page;
    if (first) yield `${['time', ...variables.map(({ name }) => name), 'quality'].join(',')}\r\n`;
    first = false;
    const columns = variables.map((variable) => columnOf(page, variable));
    for (let row = 0; row < series.times.length; row += 1) {
      const values = columns.map((column) => (Number.isNaN(column[row]) ? '' : plain(column[row] as number)));
      yield `${[timeText(series.times[row] as number), ...values, qualityOf(page, row)].join(',')}\r\n`;
    }
  }
}

async function* toJsonLines(all: Pages): AsyncGenerator<string> {
  for await (const page of all) {
    const columns = page.variables.map((variable) => [variable.name, columnOf(page, variable)] as const);
    for (let row = 0; row < page.series.times.length; row += 1) {
      const fields = columns.flatMap(([name, column]) =>
        Number.isNaN(column[row]) ? [] : [`,${JSON.stringify(name)}:${plain(column[row] as number)}`],
      );
      const quality = qualityOf(page, row);
      const tail = quality === '' ? '' : `,"quality":${JSON.stringify(quality)}`;
      yield `{"time":"${timeText(page.series.times[row] as number)}"${fields.join('')}${tail}}\n`;
    }
  }
}

/** As JSON has it, but with the sign of -0. */
function plain(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Parquet has its index at its end and is made in one piece. */
async function* toParquet(all: Pages): AsyncGenerator<Uint8Array> {
  const times: Date[] = [];
  const quality: (string | null)[] = [];
  const columns = new Map<string, (number | null)[]>();
  for await (const page of all) {
    for (const time of page.series.times) times.push(new Date(time));
    for (let row = 0; row < page.series.times.length; row += 1) {
      quality.push(qualityOf(page, row) || null);
    }
    for (const variable of page.variables) {
      let column = columns.get(variable.name);
      if (column === undefined) columns.set(variable.name, (column = []));
      for (const value of columnOf(page, variable)) column.push(Number.isNaN(value) ? null : value);
    }
  }
  const columnData: ColumnSource[] = [
    { name: 'time', data: times, type: 'TIMESTAMP', nullable: false },
    ...[...columns].map(([name, data]): ColumnSource => ({ name, data, type: 'DOUBLE', nullable: true })),
    { name: 'quality', data: quality, type: 'STRING', nullable: true },
  ];
  // Loaded for this alone: a service at rest should not pay for it.
  const { ByteWriter, parquetWrite } = await import('hyparquet-writer');
  const writer = new ByteWriter();
  await parquetWrite({ writer, columnData });
  yield new Uint8Array(writer.getBuffer());
}

function parseTime(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError('It must be a time in ISO 8601.');
  return time;
}

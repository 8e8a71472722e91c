import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { ReadObservations, ROW_LIMITS } from '#application/observations/read/read-observations.js';
import { isDateAlone, parseInstant, parseLocalTime, timeFault } from '#domain/time.js';
import type { Station } from '#domain/weather/station.js';
import type { Pages } from '#adapters/formats/pages/page-columns.js';
import { toParquet } from '#adapters/formats/pages/parquet-format.js';
import { toCsv, toJsonLines } from '#adapters/formats/pages/text-formats.js';
import type { CommandContext, WithContext } from '../command-context.js';
import { isReaderGone, type Terminal } from '../terminal.js';
import { writeWhole } from './whole-file.js';

interface ExportOptions {
  readonly station: string;
  readonly format: keyof typeof FORMATS;
  readonly from?: string;
  readonly to?: string;
  readonly variables?: readonly string[];
  readonly qc: 'all' | 'pass';
  readonly force?: boolean;
}

/**
 * The functions that write the rows of a station to a file, by format. They get the rows in pages, which are batches of
 * consecutive rows.
 */
const FORMATS = { csv: toCsv, jsonl: toJsonLines, parquet: toParquet } as const;

/** Adds the command `weatherd export`. */
export function addExportCommand(program: Command, terminal: Terminal, withContext: WithContext): void {
  program
    .command('export [file]')
    .description('write the observations of a station to a file, or to standard output')
    .requiredOption('--station <id>', 'id of the station')
    .addOption(
      new Option('--format <format>', 'format of the file').choices(Object.keys(FORMATS)).default('csv'),
    )
    .option('--from <time>', 'from this time on; a date is a day of the station', checkTime)
    .option('--to <time>', 'before this time; a date is the start of that day', checkTime)
    .option('--variables <names>', 'variables separated by commas; default: all', (text) => text.split(','))
    .addOption(
      new Option('--qc <which>', 'pass: only values that passed quality control')
        .choices(['all', 'pass'])
        .default('all'),
    )
    .option('--force', 'replace an existing file')
    .action((file: string | undefined, options: ExportOptions) =>
      withContext(async (context) => {
        const { rows, station } = await exported(context, options);
        const content = Readable.from(FORMATS[options.format](rows, station));
        if (file !== undefined) {
          const { dataPaths } = context;
          const rules = { dataPaths, force: options.force === true };
          await terminal.interruptibly((signal) => writeWhole(file, content, rules, signal));
          return;
        }
        await pipeline(content, terminal.output, { end: false }).catch((error: unknown) => {
          if (!isReaderGone(error)) throw error;
        });
      }),
    );
}

/**
 * The exported rows in pages (batches of consecutive rows), and the station of the rows. All pages have the same columns: the
 * requested variables, or all variables of the station.
 */
async function exported(
  { useCase, calendar }: CommandContext,
  options: ExportOptions,
): Promise<{ readonly rows: Pages; readonly station: Station }> {
  const read = useCase(ReadObservations);
  const described = await useCase(DescribeStation).execute(options.station, undefined, { audience: 'users' });
  const { station } = described;
  const instant = (text: string | undefined) => {
    if (text === undefined) return undefined;
    return isDateAlone(text) ? calendar.instant(`${text}T00:00:00`, station.timeZone) : parseInstant(text);
  };
  const input = {
    from: instant(options.from),
    to: instant(options.to),
    variables: options.variables,
    quality: options.qc,
    limit: ROW_LIMITS.max,
    cursor: undefined,
  };
  async function* rows() {
    for await (const { variables, series } of read.pages(described, input))
      yield { columns: variables.map(({ number, name }) => ({ number, name })), series };
  }
  return { rows: rows(), station };
}

/** Accepts a date, or a time with an offset. */
function checkTime(text: string): string {
  if (isDateAlone(text) ? parseLocalTime(text) !== undefined : !Number.isNaN(parseInstant(text))) return text;
  throw new InvalidArgumentError(`${JSON.stringify(text)} ${timeFault(text)}.`);
}

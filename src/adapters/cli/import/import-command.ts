import { type Command, InvalidArgumentError, Option } from 'commander';
import { isDateAlone, parseLocalTime, timeFault } from '#domain/time.js';
import { SECONDS_OF_DAY } from '#domain/weather/stations/station-ranges.js';
import { ENCODINGS } from '#adapters/formats/files/encodings.js';
import type { MappedColumn } from '#adapters/formats/files/generic-columns.js';
import { checkedColumn } from '#adapters/formats/files/mapped-column.js';
import { DATE_ORDERS, KINDS } from '#adapters/formats/files/questions.js';
import { unitNamed } from '#adapters/formats/files/unit-names.js';
import type { ImportFormat } from '#adapters/formats/import-formats/import-format.js';
import { AMBIGUOUS } from '#adapters/formats/tables/time-order.js';
import { NO_OPTIONS } from '#adapters/imports/plan/import-options.js';
import { STATION_PRESET } from '#adapters/imports/plan/import-plan.js';
import type { WithContext } from '../command-context.js';
import type { Terminal } from '../terminal.js';
import type { CommandOptions } from './command-options.js';
import { importFiles } from './import-files.js';
import { addUndoOption, assertUndoAlone, undoImport } from './import-undo.js';

/** The import formats that the help of the command lists. */
export interface ListedFormats {
  readonly formats: readonly ImportFormat[];
  /** Why the list has no formats of packages; undefined if it is complete. */
  readonly fault?: string;
}

/** Adds the command `weatherd import`. */
export function addImportCommand(
  program: Command,
  terminal: Terminal,
  withContext: WithContext,
  listed: () => ListedFormats,
): void {
  const command = program
    .command('import [file...]')
    .description(
      'write the observations of files in many import formats, of text tables and of METARs; also compressed (gzip, zip); - is standard input',
    )
    .option('--station <id>', 'the station of all rows')
    .option('--station-column <name>', 'the column that names the station')
    .option('--only <code>', 'import only the rows of the station with this code in the file')
    .option('--dry-run', 'show how the file is read, and write nothing')
    .option('--yes', 'do not ask')
    .option('--wait', 'end when quality control has finally checked the rows')
    .option('--preset <name>', 'the import format of the file, if it is not recognized; see below')
    .option(
      '--map <column=variable:unit>',
      'variable and unit of a column; may be repeated; *FACTOR, :counter or :amount may follow; the unit is optional',
      addColumn,
    )
    .option('--leave-out <column>', 'a column that is not imported; may be repeated', addText)
    .option('--unit <quantity=unit>', 'the unit of a quantity, if the file does not name it', addUnit)
    .option('--date-order <order>', 'order in dates such as 1/2/2024: DMY or MDY', checkedOrder)
    .option('--counter <column>', 'amounts in this column are a running total', addText)
    .option('--amount <column>', 'amounts in this column are not a running total', addText)
    .option('--time-column <name>', 'the column with the time; twice for a date and a time of day', addText)
    .option(
      '--time-format <format>',
      'iso, unix, unix-ms or a pattern; see below; may be repeated for several formats',
      addText,
    )
    .option('--date <date>', 'the date of all rows, if the file has only times of day', checkDate)
    .option(
      '--time-zone <zone>',
      'zone of times without a zone: Europe/Oslo, +01:00, utc, or standard; default: the zone of the station',
    )
    .option(
      '--stamp-interval <seconds>',
      'timestamps are at the start of an interval of this length, and rows are moved to its end; 0: at the end',
      secondsOf,
    )
    .option(
      '--interval <seconds>',
      'time between routine observations; it becomes the reporting interval of stations without one; 0: no change',
      secondsOf,
    )
    .addOption(
      new Option('--ambiguous <which>', 'which instant a local time means that occurs twice; see below')
        .choices(AMBIGUOUS)
        .default('order'),
    )
    .option('--delimiter <text>', "text between fields; '\\t' for a tab", delimiterOf)
    .option('--skip-lines <number>', 'number of lines before the headings', lineNumber)
    .option('--no-header', 'the file has no headings; columns are named by their number from 1')
    .addOption(new Option('--decimal <sign>', 'decimal sign of numbers').choices(['.', ',']))
    .addOption(new Option('--encoding <name>', 'encoding of the text').choices(ENCODINGS))
    .option(
      '--where <column=text>',
      'import only the rows with this text in this column; may be repeated, for one column with several texts',
      addFilter,
    )
    .option('--missing <text>', 'text for an absent value; may be repeated', addText)
    .option(
      '--trace <text>',
      'text for an amount too small to be measured, which is stored as 0 with a mark',
      addText,
    )
    .option('--variable-column <name>', 'if each row has one value: the column that names the variable')
    .option('--value-column <name>', 'if each row has one value: the column with the value')
    .option('--issued <time>', 'a time before which the METARs were issued; default: now')
    .option('--restart', 'start at the first line, even if an earlier import was interrupted')
    .option(
      '--rejections <file>',
      'write rejected rows and cells to this file: line, column, text and reason',
    )
    .addHelpText('after', () => helpText(listed()))
    .action(
      (
        files: string[],
        { undo, ...parsed }: Partial<CommandOptions> & { header: boolean; undo?: number },
      ) => {
        if (undo !== undefined) {
          assertUndoAlone(command, files[0]);
          return withContext((context) => undoImport(undo, context, terminal));
        }
        if (files.length === 0) return command.error("error: missing required argument 'file'");
        return withContext(async (context) => {
          // The default values are added here. As defaults of the options they would be displayed in the help.
          const { header, ...settings } = parsed;
          const options: CommandOptions = { ...NO_OPTIONS, ...settings, ...(!header && { header }) };
          if (options.preset !== STATION_PRESET) return importFiles(files, options, context, terminal);
          const { importStations } = await import('./import-stations.js');
          for (const file of files) await importStations(file, options.rejections, context, terminal);
        });
      },
    );
  addUndoOption(command);
}

const helpText = ({ formats, fault }: ListedFormats) => `
Import formats, which are recognized automatically or named with --preset:
${formats.map(({ name, title }) => `  ${name}: ${title}`).join('\n')}
  ${STATION_PRESET}: Meteostat's station list, one JSON object in each line
${fault === undefined ? '' : `Formats of packages are not listed: ${fault}\n`}
At a terminal the command shows how it reads the file, and asks before it writes. If it is not certain, it asks a question, or
stops and names the option to give. docs/import.md has the rules.

Patterns of times: YYYY YY, MM M MMM (name), DD D, DDD (day of the year), HH H (0 to 23), hh h with A (AM, PM), mm m,
ss, Z (offset), Hmm (hour and minute without leading zeros).

Local times that do not exist, because clocks were set forward, are rejected. For local times that occur twice, because
clocks were set back, --ambiguous chooses the instant:
  order: the earlier instant, and the later one after the rows of the station step back; the other way round in a
    file with the newest row first; rejected if the order does not decide. Each time must have one row.
  earlier, later: always this instant
  reject: neither; the row is rejected

An interrupted import continues where it stopped. Importing the same rows again changes nothing.`;

function addColumn(text: string, columns: readonly MappedColumn[] = []): MappedColumn[] {
  const match = /^(.+)=([a-z0-9_]+)((?:[:*].+)?)$/s.exec(text);
  if (match === null) throw new InvalidArgumentError('It must be COLUMN=VARIABLE:UNIT.');
  const [, field = '', name = '', rest = ''] = match;
  // The factor follows the unit, or the variable if there is no unit: `°C*0.1`.
  const [ending = '', ...scaled] = rest.split('*');
  const [times, ...after] = scaled.join('*').split(':');
  const parts = [...ending.split(':').slice(1), ...after];
  const kind = KINDS.find((known) => known === parts.at(-1));
  if (kind !== undefined) parts.pop();
  try {
    const column = {
      field,
      variable: name,
      unit: parts.join(':'),
      ...(kind !== undefined && { kind }),
      ...(scaled.length > 0 && { factor: Number(times || Number.NaN) }),
    };
    return [...columns, checkedColumn(column, columns)];
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

function addUnit(text: string, units: readonly string[] = []): string[] {
  const match = /^([^=]+)=(.+)$/.exec(text);
  const unit = unitNamed(match?.[2] ?? '');
  if (match === null || unit === undefined)
    throw new InvalidArgumentError('It must be QUANTITY=UNIT, such as wind=km/h.');
  return [...units, `${match[1]}=${unit}`];
}

function addText(text: string, texts: readonly string[] = []): string[] {
  return [...texts, text];
}

function addFilter(text: string, filters: readonly string[] = []): string[] {
  if (!/^[^=]+=/.test(text)) throw new InvalidArgumentError('It must be COLUMN=TEXT.');
  return [...filters, text];
}

function checkedOrder(text: string): string {
  const order = DATE_ORDERS.find((known) => known === text.toUpperCase());
  if (order === undefined) throw new InvalidArgumentError(`It must be one of ${DATE_ORDERS.join(', ')}.`);
  return order;
}

function delimiterOf(text: string): string {
  return text === '\\t' || text === 'tab' ? '\t' : text;
}

function lineNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function secondsOf(text: string): number {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= SECONDS_OF_DAY) return seconds;
  throw new InvalidArgumentError(`It must be a whole number of seconds from 0 to ${SECONDS_OF_DAY}.`);
}

function checkDate(text: string): string {
  if (isDateAlone(text) && parseLocalTime(text) !== undefined) return text;
  throw new InvalidArgumentError(`${JSON.stringify(text)} ${timeFault(text)}.`);
}

import { type Command, InvalidArgumentError, Option } from 'commander';
import { suggestion } from '#domain/nearest-name.js';
import { isDateAlone, parseLocalTime, timeFault } from '#domain/time.js';
import { SECONDS_OF_DAY } from '#domain/weather/stations/station-ranges.js';
import { unitsOf } from '#domain/weather/units.js';
import { variableNamed, VARIABLES } from '#domain/weather/variables.js';
import { ENCODINGS } from '#adapters/formats/files/encodings.js';
import type { MappedColumn } from '#adapters/formats/files/generic-columns.js';
import { DATE_ORDERS, KINDS } from '#adapters/formats/files/questions.js';
import { unitNamed } from '#adapters/formats/files/unit-names.js';
import { IMPORT_FORMATS } from '#adapters/formats/import-formats/import-formats.js';
import { AMBIGUOUS } from '#adapters/formats/tables/time-order.js';
import type { WithContext } from '../command-context.js';
import type { Terminal } from '../terminal.js';
import { importFiles } from './import-files.js';
import { addUndoOption, assertUndoAlone, undoImport } from './import-undo.js';
import { type ImportOptions, NO_OPTIONS } from './plan/import-options.js';
import { STATION_PRESET } from './plan/import-plan.js';

/** `weatherd import`. */
export function addImportCommand(program: Command, terminal: Terminal, withContext: WithContext): void {
  const command = program
    .command('import [file...]')
    .description(
      'write the observations of files: exports of many makes, tables as text, METARs; also packed (gzip, zip); - is standard input',
    )
    .option('--station <id>', 'the station of all rows')
    .option('--station-column <name>', 'the column with the station')
    .option('--only <code>', 'take only the rows of the station that the file calls so')
    .option('--dry-run', 'show what is understood, and write nothing')
    .option('--yes', 'do not ask')
    .option('--preset <name>', 'the make of the file, where it is not recognized; see below')
    .option(
      '--map <column=variable:unit>',
      'what a column is, once for each; :counter or :amount may follow. The unit may be left out',
      addColumn,
    )
    .option('--leave-out <column>', 'a column that is not taken, once for each', addText)
    .option('--unit <quantity=unit>', 'the unit of a quantity that the file does not tell', addUnit)
    .option('--date-order <order>', 'of dates such as 1/2/2024: DMY or MDY', checkedOrder)
    .option('--counter <column>', 'amounts in this column are a running total', addText)
    .option('--amount <column>', 'amounts in this column are no running total', addText)
    .option('--time-column <name>', 'the column with the time; twice for a date and a time of day', addText)
    .option(
      '--time-format <format>',
      'iso, unix, unix-ms or a pattern; see below; more than once for several',
      addText,
    )
    .option('--date <date>', 'the date of all rows, where the file has times of day alone', checkDate)
    .option(
      '--time-zone <zone>',
      'of times without one: Europe/Oslo, +01:00, utc, or standard; by default that of the station',
    )
    .option(
      '--stamp-interval <seconds>',
      'stamps are the beginning of an interval of this length, and rows are moved to its end; 0: they are its end',
      secondsOf,
    )
    .option(
      '--interval <seconds>',
      'between routine observations; becomes the reporting interval of stations that have none; 0: nothing does',
      secondsOf,
    )
    .addOption(
      new Option('--ambiguous <which>', 'the time that is meant by a local time that comes twice; see below')
        .choices(AMBIGUOUS)
        .default('order'),
    )
    .option('--delimiter <text>', "what stands between fields; '\\t' for a tab", delimiterOf)
    .option('--skip-lines <number>', 'lines before the headings', lineNumber)
    .option('--no-header', 'the file has no headings: columns are called by their number from 1')
    .addOption(new Option('--decimal <sign>', 'decimal sign of numbers').choices(['.', ',']))
    .addOption(new Option('--encoding <name>', 'of the text').choices(ENCODINGS))
    .option('--missing <text>', 'what stands for no value, once for each', addText)
    .option('--trace <text>', 'what stands for an amount too small to be measured: 0 with a mark', addText)
    .option(
      '--variable-column <name>',
      'where each row has one value: the column that says of which variable',
    )
    .option('--value-column <name>', 'where each row has one value: the column that has it')
    .option('--issued <time>', 'a time before which the METARs were issued; now when left out')
    .option('--restart', 'begin anew, also where an attempt before was broken off')
    .option('--rejections <file>', 'write there what was not taken: line, column, text and reason')
    .addHelpText('after', HELP)
    .action(
      (files: string[], { undo, ...given }: Partial<ImportOptions> & { header: boolean; undo?: number }) => {
        if (undo !== undefined) {
          assertUndoAlone(command, files[0]);
          return withContext((context) => undoImport(undo, context, terminal));
        }
        if (files.length === 0) return command.error("error: missing required argument 'file'");
        return withContext(async (context) => {
          // Not as defaults of the options: the help would show them.
          const { header, ...rest } = given;
          const options: ImportOptions = { ...NO_OPTIONS, ...rest, ...(!header && { header }) };
          if (options.preset !== STATION_PRESET) return importFiles(files, options, context, terminal);
          const { importStations } = await import('./import-stations.js');
          for (const file of files) await importStations(file, options.rejections, context, terminal);
        });
      },
    );
  addUndoOption(command);
}

const HELP = `
Makes, which are recognized by themselves or named with --preset:
${IMPORT_FORMATS.map(({ name, title }) => `  ${name}: ${title}`).join('\n')}
  ${STATION_PRESET}: Meteostat's station list, a JSON object a line

On a terminal the command shows what it has understood, and asks. Where it cannot be sure, it asks too, or stops with the
option to give. docs/import.md has the rules.

Patterns of times: YYYY YY, MM M MMM (name), DD D, DDD (day of the year), HH H (0 to 23), hh h with A (AM, PM), mm, ss, Z (offset).

Local times that do not exist, because clocks were set forward, are rejected. Those that come twice, because
clocks were set back, are taken as --ambiguous says:
  order: the earlier time, and the later one once the rows of the station go back; the other way round in a file
    with the newest row first; rejected where the order does not tell. Each time must have one row.
  earlier, later: always this one
  reject: neither

An import that was broken off goes on where it was; doing it again changes nothing.`;

function addColumn(text: string, columns: readonly MappedColumn[] = []): MappedColumn[] {
  const match = /^(.+)=([a-z0-9_]+)(?::(.+?))?$/s.exec(text);
  if (match === null) throw new InvalidArgumentError('It must be COLUMN=VARIABLE:UNIT.');
  const [, field = '', name = '', rest = ''] = match;
  const variable = variableNamed(name);
  if (variable === undefined) {
    const near = suggestion(
      name,
      VARIABLES.map((known) => known.name),
    );
    throw new InvalidArgumentError(`There is no variable ${JSON.stringify(name)} in the catalogue.${near}`);
  }
  const other = columns.find((column) => column.variable === name);
  if (other !== undefined) {
    throw new InvalidArgumentError(`The column ${JSON.stringify(other.field)} is ${name} already.`);
  }
  const parts = rest === '' ? [] : rest.split(':');
  const kind = KINDS.find((known) => known === parts.at(-1));
  if (kind !== undefined) parts.pop();
  if (kind === 'counter' && variable.aggregation !== 'sum') {
    throw new InvalidArgumentError(`${name} is no amount, so it cannot be a running total.`);
  }
  const unit = parts.join(':');
  // An unknown unit is left as it is: the refusal names those of the variable.
  const known = unitsOf(variable).includes(unit) ? unit : (unitNamed(unit) ?? unit);
  return [
    ...columns,
    { field, variable: name, ...(unit !== '' && { unit: known }), ...(kind !== undefined && { kind }) },
  ];
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
  throw new InvalidArgumentError(`It must be 0 to ${SECONDS_OF_DAY} whole seconds.`);
}

function checkDate(text: string): string {
  if (isDateAlone(text) && parseLocalTime(text) !== undefined) return text;
  throw new InvalidArgumentError(`${JSON.stringify(text)} ${timeFault(text)}.`);
}

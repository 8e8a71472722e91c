import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { AuditTrail } from '../../../application/accounts/audit-trail.js';
import { RecordObservations } from '../../../application/observations/ingest/record-observations.js';
import { WriteEvents } from '../../../application/observations/ingest/write-events.js';
import { ListStations } from '../../../application/stations/list-stations.js';
import { PutStations } from '../../../application/stations/put-stations.js';
import { COMMAND_LINE } from '../../../domain/accounts/audit-event.js';
import { DomainError } from '../../../domain/domain-error.js';
import type { Station, StationDraft } from '../../../domain/weather/station.js';
import { variableNamed } from '../../../domain/weather/variables.js';
import type { CommandContext, WithContext } from '../command-context.js';
import type { Terminal } from '../terminal.js';
import { makeBar } from './file-progress.js';
import { ImportJournal } from './import-journal.js';
import type { ImportOptions } from './import-options.js';
import { type ImportPlan, METAR_PRESET, planImport, STATION_PRESET } from './import-plan.js';
import { addUndoOption, assertUndoAlone, undoImport } from './import-undo.js';
import { ImportProgress } from './import-progress.js';
import { type ImportCounts, Importer } from './importer.js';
import { PRESETS } from '../../formats/files/presets.js';
import { checkReport, RejectionReport } from './rejection-report.js';
import type { FileColumn, RejectedRow } from '../../formats/files/file-row.js';
import { fileFault, openFile, sizeOf, STANDARD_INPUT } from './source-file.js';
import { AMBIGUOUS } from '../../formats/files/time-order.js';

/** `weatherd import`. */
export function addImportCommand(program: Command, terminal: Terminal, withContext: WithContext): void {
  const presets = Object.entries(PRESETS).map(([name, { description }]) => `  ${name}: ${description}`);
  const command = program
    .command('import [file]')
    .description(
      'write the observations of a file: CSV, also packed with gzip, or METAR text; - is standard input',
    )
    .option('--preset <name>', 'a kind of file that is known; see below')
    .option('--station <id>', 'the station of all rows')
    .option('--station-column <name>', 'the column with the station id')
    .option(
      '--map <column=variable:unit>',
      'what a column is, once for each; the unit may be left out. Without it, columns named as variables are these',
      addColumn,
    )
    .option('--time-column <name>', 'the column with the time', 'time')
    .option('--time-format <format>', 'iso, unix, unix-ms or a pattern: YYYY-MM-DD HH:mm:ss', 'iso')
    .option('--time-zone <zone>', 'the time zone of times without one', 'UTC')
    .addOption(
      new Option('--ambiguous <which>', 'the time that is meant by a local time that comes twice; see below')
        .choices(AMBIGUOUS)
        .default('order'),
    )
    .option('--delimiter <text>', 'what stands between fields', ',')
    .option('--missing <text>', 'what stands for no value, once for each', addText)
    .option('--issued <time>', 'a time before which the METARs were issued; now when left out')
    .option('--restart', 'begin anew, also where an attempt before was broken off')
    .option('--rejections <file>', 'write every rejected line there, with its reason')
    .addHelpText(
      'after',
      `\nPresets:\n${presets.join('\n')}\n  ${METAR_PRESET}: METAR text, a report a line; stations by ICAO code\n` +
        `  ${STATION_PRESET}: Meteostat's station list, a JSON object a line\n\n` +
        'Local times that do not exist, because clocks were set forward, are rejected. Those that come twice, because\n' +
        'clocks were set back, are taken as --ambiguous says:\n' +
        '  order: the earlier time, and the later one once the rows of the station go back; the other way round in a file\n' +
        '    with the newest row first; rejected where the order does not tell. Each time must have one row.\n' +
        '  earlier, later: always this one\n' +
        '  reject: neither\n\n' +
        'An import that was broken off goes on where it was; doing it again changes nothing.',
    )
    .action(
      async (file: string | undefined, { undo, ...given }: Partial<ImportOptions> & { undo?: number }) => {
        if (undo !== undefined) {
          assertUndoAlone(command, file);
          return withContext((context) => undoImport(undo, context, terminal));
        }
        if (file === undefined) return command.error("error: missing required argument 'file'");
        return withContext(async (context) => {
          // Not as defaults of the options: the help would show them.
          const options = { map: [], missing: [], ...given } as ImportOptions;
          if (options.preset !== STATION_PRESET) return importFile(file, options, context, terminal);
          const { importStations } = await import('./import-stations.js');
          return importStations(file, options.rejections, context, terminal);
        });
      },
    );
  addUndoOption(command);
}

/**
 * Writes the observations of a file and says what became of them.
 *
 * @throws DomainError REQUEST_INVALID when file or options make no sense, or none of the rows could be taken
 */
export async function importFile(
  file: string,
  options: ImportOptions,
  context: CommandContext,
  terminal: Terminal,
): Promise<void> {
  await terminal.interruptibly((signal) => importUntil(signal, file, options, context, terminal));
}

async function importUntil(
  signal: AbortSignal,
  file: string,
  options: ImportOptions,
  context: CommandContext,
  terminal: Terminal,
): Promise<void> {
  const { rejections: reportFile, restart, ...meaning } = options;
  const size = sizeOf(file);
  if (existsSync(context.formerImportFolder)) {
    terminal.printError(`${context.formerImportFolder} is not used any more and can be removed.`);
  }
  const bar = await makeBar(size, terminal);
  const source = () => openFile(file, terminal.input, { progress: (bytes) => bar.increment(bytes), signal });
  const plan = await planImport(source, options, context).catch((error: unknown) => {
    throw fileFault(error, file, 0);
  });
  const { dataPaths } = context;
  checkReport(reportFile, { source: file, dataPaths });
  const made = await makeMissing(plan.stations, context);
  if (made.length > 0)
    terminal.print(`Made ${made.length} stations in ${context.location}: ${made.join(', ')}.`);
  const stations = await context.useCase(ListStations).execute();
  // It is unknown whether standard input has the same content again.
  const progress =
    file === STANDARD_INPUT
      ? undefined
      : new ImportProgress(context.importLog, file, meaning, stationsOf(options, plan, stations));
  if (restart === true) await progress?.remove();
  const after = (await progress?.read()) ?? 0;
  if (after > 0) terminal.print(`Going on after line ${after}, where the last attempt was broken off.`);
  const report = new RejectionReport(reportFile, { source: file, dataPaths }, terminal, after > 0);
  let written = after;
  const journal = new ImportJournal(context.useCase, file, progress?.key);
  const events = new WriteEvents(context.useCase(AuditTrail), COMMAND_LINE);
  const reactions = {
    reported: (row: RejectedRow) => report.add(row),
    written: async (line: number) => {
      written = line;
      // First, because a continued import does not read these lines again.
      report.flush();
      await progress?.write(line);
    },
  };
  const record = context.useCase(RecordObservations);
  const importer = new Importer(record, events, plan.columns, reactions, journal);
  bar.start(size, 0);
  try {
    await importer.run(plan.rows, after);
  } catch (error) {
    bar.stop();
    if (written > after) {
      terminal.print(summaryOf(importer.counts));
      const next =
        progress === undefined
          ? 'giving the whole again changes none of them'
          : 'the same command goes on behind it';
      terminal.print(`The rows up to line ${written} are in the data in ${context.location}; ${next}.`);
      await journal.printNumber(terminal);
    }
    throw fileFault(error, file, importer.line);
  } finally {
    bar.stop();
    report.close();
  }
  await progress?.remove();
  const { rows, rejected } = importer.counts;
  terminal.print(summaryOf(importer.counts));
  await journal.end(terminal);
  if (rows > 0 && rejected === rows && after === 0) {
    throw new DomainError('REQUEST_INVALID', 'No row could be taken.');
  }
}

/** A summary of the outcomes of the rows, for people. */
function summaryOf({ rows, inserted, updated, unchanged, repeated, rejected }: ImportCounts): string {
  const repetitions = repeated === 0 ? '' : `${repeated} repeated, `;
  return `${rows} rows: ${inserted} inserted, ${updated} updated, ${unchanged} unchanged, ${repetitions}${rejected} rejected.`;
}

/** The stations of the rows, with what the file calls them: those that the preset or an option names, otherwise any station. */
function stationsOf(
  { station: id }: ImportOptions,
  { stations: drafts, nameOf = (station) => station.id }: ImportPlan,
  known: readonly Station[],
): [name: string, number: number][] {
  const named = new Set([...drafts.map((draft) => draft.id), ...(id === undefined ? [] : [id])]);
  const chosen = named.size === 0 ? known : known.filter((station) => named.has(station.id));
  return chosen.map((station) => [nameOf(station), station.number]);
}

/** Makes the stations of a preset that are not there yet. @returns their ids */
async function makeMissing(drafts: readonly StationDraft[], context: CommandContext): Promise<string[]> {
  if (drafts.length === 0) return [];
  const known = new Set((await context.useCase(ListStations).execute()).map(({ id }) => id));
  const missing = drafts.filter(({ id }) => !known.has(id));
  if (missing.length > 0) await context.useCase(PutStations).execute(missing, COMMAND_LINE);
  return missing.map(({ id }) => id);
}

function addColumn(text: string, columns: readonly FileColumn[] = []): FileColumn[] {
  const match = /^(.+)=([a-z0-9_]+)(?::(.+))?$/.exec(text);
  const variable = variableNamed(match?.[2] ?? '');
  if (match === null || variable === undefined) {
    throw new InvalidArgumentError('It must be COLUMN=VARIABLE:UNIT, with a variable of the catalogue.');
  }
  const other = columns.find((column) => column.variable === variable.name);
  if (other !== undefined) {
    throw new InvalidArgumentError(`The column ${JSON.stringify(other.field)} is ${variable.name} already.`);
  }
  return [...columns, { field: match[1] ?? '', variable: variable.name, unit: match[3] ?? variable.unit }];
}

function addText(text: string, texts: readonly string[] = []): string[] {
  return [...texts, text];
}

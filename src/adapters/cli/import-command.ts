import { type Command, InvalidArgumentError } from 'commander';
import type { ChangeStations } from '../../application/change-stations.js';
import type { ListStations } from '../../application/list-stations.js';
import type { Calendar } from '../../application/ports/calendar.js';
import type { PutStations } from '../../application/put-stations.js';
import type { RecordObservations } from '../../application/record-observations.js';
import { COMMAND_LINE } from '../../domain/audit-event.js';
import { DomainError } from '../../domain/domain-error.js';
import type { StationDraft } from '../../domain/station.js';
import { variableNamed } from '../../domain/variables.js';
import { makeBar, sizeOf } from './import/file-progress.js';
import { Importer } from './import/importer.js';
import { ImportProgress } from './import/import-progress.js';
import { PRESETS } from './import/presets.js';
import { RejectionReport } from './import/rejection-report.js';
import type { PlanColumn, SentRow } from './import/sent-row.js';
import { timeParser } from './import/time-format.js';
import { say } from './say.js';

export interface ImportUseCases {
  readonly recordObservations: RecordObservations;
  readonly putStations: PutStations;
  readonly changeStations: ChangeStations;
  readonly listStations: ListStations;
  readonly calendar: Calendar;
  /** A folder for what an import that was broken off has done. */
  readonly importFolder: string;
}

export type WithImport = (work: (useCases: ImportUseCases) => Promise<void>) => Promise<void>;

export interface ImportOptions {
  readonly preset?: string;
  readonly station?: string;
  readonly stationColumn?: string;
  readonly map: readonly PlanColumn[];
  readonly timeColumn: string;
  readonly timeFormat: string;
  readonly timeZone: string;
  readonly delimiter: string;
  readonly missing: readonly string[];
  readonly issued?: string;
  readonly restart?: boolean;
  readonly rejections?: string;
}

const STATION_PRESET = 'meteostat-stations';
const METAR_PRESET = 'metar';

/** `weatherd import`. */
export function addImportCommand(program: Command, withImport: WithImport): void {
  const presets = Object.entries(PRESETS).map(([name, { description }]) => `  ${name}: ${description}`);
  program
    .command('import <file>')
    .description('write the observations of a file: CSV, also packed with gzip, or METAR text')
    .option('--preset <name>', 'a kind of file that is known; see below')
    .option('--station <id>', 'the station of all rows')
    .option('--station-column <name>', 'the column with the station id')
    .option(
      '--map <column=variable:unit>',
      'what a column is, once for each; the unit may be left out',
      addColumn,
      [],
    )
    .option('--time-column <name>', 'the column with the time', 'time')
    .option('--time-format <format>', 'iso, unix, unix-ms or a pattern: YYYY-MM-DD HH:mm:ss', 'iso')
    .option('--time-zone <zone>', 'the time zone of times without one', 'UTC')
    .option('--delimiter <text>', 'what stands between fields', ',')
    .option('--missing <text>', 'what stands for no value, once for each', addText, [])
    .option('--issued <time>', 'a time before which the METARs were issued; now when left out')
    .option('--restart', 'begin anew, also where an attempt before was broken off')
    .option('--rejections <file>', 'write every rejected line there, with its reason')
    .addHelpText(
      'after',
      `\nPresets:\n${presets.join('\n')}\n  ${METAR_PRESET}: METAR text, a report a line; stations by ICAO code\n` +
        `  ${STATION_PRESET}: Meteostat's station list, a JSON object a line\n\n` +
        'An import that was broken off goes on where it was; doing it again changes nothing.',
    )
    .action((file: string, options: ImportOptions) =>
      withImport(async (useCases) => {
        if (options.preset !== STATION_PRESET) return importFile(file, options, useCases);
        const { importStations } = await import('./import/import-stations.js');
        return importStations(file, useCases.changeStations, options.rejections);
      }),
    );
}

/** Writes the observations of a file and says what became of them. */
export async function importFile(
  file: string,
  options: ImportOptions,
  useCases: ImportUseCases,
): Promise<void> {
  const { rejections: reportFile, restart, ...meaning } = options;
  const size = sizeOf(file);
  const progress = new ImportProgress(useCases.importFolder, file, meaning);
  if (restart === true) progress.remove();
  const after = progress.read();
  if (after > 0) say(`Going on after line ${after}, where the last attempt was broken off.`);
  const bar = await makeBar(size);
  const { columns, rows, stations } = await planOf(file, options, useCases, (bytes) => bar.increment(bytes));
  await makeMissing(stations, useCases);
  const report = await RejectionReport.open(reportFile);
  const importer = new Importer(useCases.recordObservations, columns, {
    rejected: (row) => report.add(row),
    written: (line) => progress.write(line),
  });
  bar.start(size, 0);
  try {
    await importer.run(rows, after);
  } finally {
    bar.stop();
    await report.close();
  }
  progress.remove();
  const { rows: all, inserted, updated, unchanged, rejected } = importer.counts;
  say(`${all} rows: ${inserted} inserted, ${updated} updated, ${unchanged} unchanged, ${rejected} rejected.`);
}

interface Plan {
  readonly columns: readonly PlanColumn[];
  readonly rows: AsyncIterable<SentRow>;
  readonly stations: readonly StationDraft[];
}

async function planOf(
  file: string,
  options: ImportOptions,
  { calendar, listStations }: ImportUseCases,
  progress: (bytes: number) => void,
): Promise<Plan> {
  // Parsers are loaded for this alone: a service at rest should not pay for them.
  const { csvRows, openFile } = await import('./import/csv-rows.js');
  const source = () => openFile(file, progress);
  if (options.preset === METAR_PRESET) {
    const { METAR_COLUMNS, metarRows } = await import('./import/metar-rows.js');
    const before = options.issued === undefined ? Date.now() : Date.parse(options.issued);
    if (Number.isNaN(before)) throw new DomainError('REQUEST_INVALID', '--issued is no time.');
    const byIcao = new Map(
      (await listStations.execute()).map(({ id, identifiers }) => [identifiers['icao'] ?? id, id]),
    );
    const rows = metarRows(source(), before, (icao) => byIcao.get(icao) ?? icao);
    return { columns: METAR_COLUMNS, rows, stations: [] };
  }
  if (options.preset !== undefined) {
    const preset = PRESETS[options.preset];
    if (preset === undefined) {
      throw new DomainError('REQUEST_INVALID', `There is no preset ${JSON.stringify(options.preset)}.`);
    }
    const { stationColumn: column, rename, timeFormat, columns, stations } = preset;
    const station = { column, ...(rename && { rename }) };
    const plan = { ...preset, station, parseTime: timeParser(timeFormat, 'UTC', calendar) };
    return { columns, rows: csvRows(source(), plan), stations };
  }
  const { station: id, stationColumn, map: columns, timeZone } = options;
  if ((id === undefined) === (stationColumn === undefined)) {
    throw new DomainError('REQUEST_INVALID', 'Give --station, --station-column or --preset.');
  }
  if (columns.length === 0) throw new DomainError('REQUEST_INVALID', 'Say with --map what the columns are.');
  if (!calendar.hasZone(timeZone)) {
    throw new DomainError('REQUEST_INVALID', `There is no time zone ${JSON.stringify(timeZone)}.`);
  }
  const station = id === undefined ? { column: stationColumn ?? '' } : { id };
  const parseTime = timeParser(options.timeFormat, timeZone, calendar);
  return { columns, rows: csvRows(source(), { ...options, station, columns, parseTime }), stations: [] };
}

/** The stations of a preset that are not there yet. */
async function makeMissing(drafts: readonly StationDraft[], useCases: ImportUseCases): Promise<void> {
  if (drafts.length === 0) return;
  const known = new Set((await useCases.listStations.execute()).map(({ id }) => id));
  const missing = drafts.filter(({ id }) => !known.has(id));
  if (missing.length === 0) return;
  await useCases.putStations.execute(missing, COMMAND_LINE);
  say(`Made ${missing.length} stations: ${missing.map(({ id }) => id).join(', ')}.`);
}

function addColumn(text: string, columns: readonly PlanColumn[]): PlanColumn[] {
  const match = /^(.+)=([a-z0-9_]+)(?::(.+))?$/.exec(text);
  const variable = variableNamed(match?.[2] ?? '');
  if (match === null || variable === undefined) {
    throw new InvalidArgumentError('It must be COLUMN=VARIABLE:UNIT, with a variable of the catalogue.');
  }
  return [...columns, { field: match[1] ?? '', variable: variable.name, unit: match[3] ?? variable.unit }];
}

function addText(text: string, texts: readonly string[]): string[] {
  return [...texts, text];
}

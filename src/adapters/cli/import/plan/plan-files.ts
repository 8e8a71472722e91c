import { PreviewRows } from '#application/observations/ingest/preview-rows.js';
import { rowTimeRule } from '#application/observations/ingest/rejection.js';
import { ListStations } from '#application/stations/list-stations.js';
import { PutStations } from '#application/stations/put-stations.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import type { Station, StationDraft } from '#domain/weather/station.js';
import type { ReadChunk } from '#adapters/formats/tables/read-notes.js';
import type { ReadContext } from '#adapters/formats/tables/row-times.js';
import { TableReader } from '#adapters/formats/tables/table-reader.js';
import { askSecret } from '../../accounts/ask.js';
import type { CommandContext } from '../../command-context.js';
import { makeBar } from '../../progress-bar.js';
import type { Terminal } from '../../terminal.js';
import { fileSource } from '../files/file-source.js';
import { type InputFile, inputFiles, peek, type PeekedFile } from '../files/input-file.js';
import { fileFault, sourceSize } from '../files/source-file.js';
import type { TemporaryFolder } from '../files/temporary-folder.js';
import { answersOf, type ImportOptions } from './import-options.js';
import { type ImportPlan, planImport } from './import-plan.js';
import { describePlan, describeQuestions, describeRows, pressuresText } from './plan-report.js';
import { type RowStations, rowStations } from './row-stations.js';

/** First rows that are shown. */
const SHOWN = 3;

/** A file whose reading is planned. */
export interface PlannedFile {
  readonly input: InputFile;
  readonly peeked: PeekedFile;
  readonly plan: ImportPlan;
  readonly stations: RowStations;
}

/** Files of an archive from which on their planning shows its progress. */
const MANY = 20;

/**
 * The files behind a path, with their plans. Members of an archive that are of no make are passed over if others are.
 *
 * @param folder for databases that are packed
 * @throws DomainError REQUEST_INVALID when the file or the options make no sense, or something is not sure
 */
export async function planFiles(
  file: string,
  options: ImportOptions,
  context: CommandContext,
  terminal: Terminal,
  folder: TemporaryFolder,
  signal: AbortSignal,
): Promise<PlannedFile[]> {
  sourceSize(file);
  const inputs = await inputFiles(file, terminal.input, folder, signal);
  if (inputs.length === 0) throw invalid(`${file} has no file in it.`);
  const found: Omit<PlannedFile, 'stations'>[] = [];
  const passedOver: string[] = [];
  const bar = inputs.length > MANY ? await makeBar(inputs.length, terminal) : undefined;
  bar?.start(inputs.length, 0);
  for (const input of inputs) {
    bar?.increment();
    try {
      const peeked = await peek(input, options.encoding, signal, folder, context.foreignFiles.tables);
      found.push({ input, peeked, plan: await planWith(input, peeked, options, context, terminal) });
    } catch (error) {
      if (inputs.length === 1 || !(error instanceof DomainError)) {
        bar?.stop();
        throw withLabel(fileFault(error, file, 0), input);
      }
      passedOver.push(`${input.label}: ${error.message}`);
    }
  }
  bar?.stop();
  const made = found.filter(({ plan }) => plan.make !== undefined);
  const taken = made.length > 0 ? made : found;
  for (const one of found)
    if (!taken.includes(one)) passedOver.push(`${one.input.label}: of no make that is known`);
  if (taken.length === 0) throw invalid(`No file of ${file} can be read. ${passedOver.join('; ')}`);
  for (const text of passedOver) terminal.printError(`Passed over ${text}`);
  const known = await context.useCase(ListStations).execute();
  return taken.map((one) => ({
    ...one,
    stations: rowStations(options, one.plan, withDrafts(known, one.plan)),
  }));
}

/** An error of the user, which begins with the file. The formats do not know its name. */
function withLabel(error: unknown, { file, label }: InputFile): unknown {
  if (!(error instanceof DomainError) || error.code !== 'REQUEST_INVALID') return error;
  // A fault of an option begins with the option.
  const beginnings = ['--', ...[file, label].flatMap((name) => [`${name} `, `${name}:`])];
  const isNamed = beginnings.some((beginning) => error.message.startsWith(beginning));
  return isNamed ? error : invalid(`${label}: ${error.message}`);
}

/** The plan of a file; a person at a terminal is asked what it leaves open. @throws DomainError with the options to give */
async function planWith(
  { label }: InputFile,
  { head }: PeekedFile,
  options: ImportOptions,
  { calendar }: CommandContext,
  terminal: Terminal,
): Promise<ImportPlan> {
  const answers = new Map(answersOf(options));
  for (;;) {
    const plan = planImport(head, options, answers, calendar);
    const [question] = plan.questions ?? [];
    if (question === undefined) return plan;
    if (!terminal.isInteractive || options.yes === true) {
      throw invalid(
        `${label} does not tell everything. ${describeQuestions(plan.questions ?? [])} Or say with --map what the columns are.`,
      );
    }
    const { key, text, choices } = question;
    const answer = (await askSecret(`${label}: ${text} [${choices.join('/')}] `, terminal))
      .trim()
      .toLowerCase();
    const choice = choices.find((known) => known.toLowerCase() === answer);
    if (choice !== undefined) answers.set(key, choice);
    else terminal.printError(`Answer one of: ${choices.join(', ')}.`);
  }
}

/** The known stations, and those that a plan brings along and that are not made yet. Their number is 0. */
function withDrafts(known: readonly Station[], { stations = [] }: ImportPlan): readonly Station[] {
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...stations.filter(({ id }) => !ids.has(id)).map((draft) => ({ ...draft, number: 0 }))];
}

/** Makes the stations that a plan brings along. @returns the file with them */
export async function withStations(
  file: PlannedFile,
  options: ImportOptions,
  context: CommandContext,
  terminal: Terminal,
): Promise<PlannedFile> {
  const list = context.useCase(ListStations);
  const known = await list.execute();
  const ids = new Set(known.map(({ id }) => id));
  const missing: StationDraft[] = (file.plan.stations ?? []).filter(({ id }) => !ids.has(id));
  if (missing.length === 0) return file;
  await context.useCase(PutStations).execute(missing, COMMAND_LINE);
  const names = missing.map(({ id }) => id).join(', ');
  terminal.print(`Made ${missing.length} stations in ${context.location}: ${names}.`);
  return { ...file, stations: rowStations(options, file.plan, await list.execute()) };
}

/** What a file is understood as, without its name. */
export function planOf({ peeked, plan, stations }: PlannedFile, { station }: ImportOptions): string {
  const name = station ?? `as ${JSON.stringify(plan.station?.heading ?? '')} says`;
  return describePlan(
    peeked.head.kind === 'text' ? peeked.head.encoding : 'utf-8',
    plan,
    name,
    station === undefined ? undefined : stations.zoneOf(station),
  );
}

/** As `planOf`, and the first rows as they will be stored. */
export async function describeFile(
  file: PlannedFile,
  options: ImportOptions,
  context: CommandContext,
): Promise<{ readonly plan: string; readonly rows: string }> {
  const { input, peeked, plan, stations } = file;
  const text = planOf(file, options);
  // Standard input cannot be read twice: its first bytes are.
  const { bytes, isWhole } = peeked.head;
  const first = isWhole ? bytes : bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
  const once = {
    ...peeked,
    bytes: async function* () {
      yield first;
    },
  };
  const isOnce = input.isStream && peeked.path === undefined;
  const source = fileSource(input, isOnce ? once : peeked, context, { progress: () => undefined });
  const reader = new TableReader(plan, readContext(stations, options.ambiguous, context));
  const [chunk] = await firstOf(reader.chunks(source));
  if (chunk !== undefined) {
    const { parts, faults } = chunk;
    if (reader.line === 0 && faults.length === 0) return { plan: text, rows: '\n  it has no rows' };
    const sent = parts.map(({ lines, rows }) => ({
      lines,
      rows: stations.single === undefined ? rows : { ...rows, stations: stations.single },
    }));
    const { uncalibrated } = reader.notes;
    const left = uncalibrated === 0 ? '' : `\n  ${pressuresText(uncalibrated)}`;
    const shown = await describeRows(sent, SHOWN, context.useCase(PreviewRows), plan.stations !== undefined);
    return { plan: text, rows: `${left}\n${shown}` };
  }
  return { plan: text, rows: '' };
}

/** The first chunk; none where a file cannot be read so far, which reading it will tell. */
async function firstOf(chunks: AsyncIterable<ReadChunk>): Promise<ReadChunk[]> {
  try {
    for await (const chunk of chunks) return [chunk];
  } catch (error) {
    if (error instanceof DomainError) throw error;
  }
  return [];
}

export function readContext(
  { stationOf, zoneOf, elevationOf }: RowStations,
  ambiguous: ImportOptions['ambiguous'],
  { calendar }: Pick<CommandContext, 'calendar'>,
): ReadContext {
  return { stationOf, zoneOf, elevationOf, calendar, ambiguous, timeFault: rowTimeRule(Date.now()) };
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}

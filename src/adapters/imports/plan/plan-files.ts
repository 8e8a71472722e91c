import type { Readable } from 'node:stream';
import type { Question } from '#adapters/formats/files/questions.js';
import type { DescribedPlan, SampleRows } from '#application/ports/file-importer.js';
import { PreviewRows } from '#application/observations/ingest/preview-rows.js';
import { rowTimeRule } from '#application/observations/ingest/rejection.js';
import { ListStations } from '#application/stations/list-stations.js';
import { PutStations } from '#application/stations/put-stations.js';
import { DomainError } from '#domain/domain-error.js';
import type { Station, StationDraft } from '#domain/weather/station.js';
import { FileRefusal, type Reader } from '#adapters/formats/files/sentences.js';
import type { ReadChunk } from '#adapters/formats/tables/read-notes.js';
import type { ReadContext } from '#adapters/formats/tables/row-times.js';
import { TableReader } from '#adapters/formats/tables/table-reader.js';
import type { ImportContext } from '../import-context.js';
import { fileSource } from '../files/file-source.js';
import { type InputFile, inputFiles, peek, type PeekedFile } from '../files/input-file.js';
import { type UnpackLimits, withinLimit } from '../files/unpack-limits.js';
import { fileFault, sourceSize } from '../files/source-file.js';
import type { TemporaryFolder } from '../files/temporary-folder.js';
import { answersOf, type ImportOptions } from './import-options.js';
import { type ImportPlan, planImport } from './import-plan.js';
import { describePlan } from './describe-plan.js';
import { sampleRows } from './sample-rows.js';
import { type RowStations, rowStations } from './row-stations.js';

/** Number of rows from the start of a file that are shown. */
const SHOWN = 3;

/** A bar or a number that shows the progress of work. */
export interface Progress {
  /** @param amount bytes or files since the last call */
  increment(amount?: number): void;
  stop(): void;
}

/** The person or the page that wants to import files. */
export interface Planner {
  /** Standard input, for a file with the name `-`. */
  readonly input: Readable;
  /**
   * Answers the first of the questions about a file.
   *
   * @returns one of its choices; undefined leaves all questions open
   */
  answer(label: string, questions: readonly Question[]): Promise<string | undefined>;
  /** Called for each file of an archive that is skipped. */
  skipped(file: string, reason: string): void;
  /** Who reads the reasons. */
  readonly reader: Reader;
  /** Shows the progress of planning many files. */
  progress(files: number): Promise<Progress>;
  /** Limits for files from an untrusted sender; undefined for files of the person at the terminal. */
  readonly limits?: UnpackLimits;
}

/** A file with its plan. */
export interface PlannedFile {
  readonly input: InputFile;
  readonly peeked: PeekedFile;
  readonly plan: ImportPlan;
  readonly stations: RowStations;
}

/** Number of files in an archive above which the planning displays its progress. */
const MANY = 20;

/**
 * Returns the file of a path, or the members of an archive. Each has a plan, which describes how the file is read. If some
 * members of an archive have an import format, the members without an import format are skipped.
 *
 * @param folder keeps decompressed databases
 * @throws DomainError REQUEST_INVALID if the file or an option is invalid, or if the file lacks a necessary fact, such as a unit,
 *   that neither an option nor a person gives
 */
export async function planFiles(
  file: string,
  options: ImportOptions,
  context: ImportContext,
  planner: Planner,
  folder: TemporaryFolder,
  signal: AbortSignal,
): Promise<PlannedFile[]> {
  sourceSize(file);
  const { limits } = planner;
  const found = await inputFiles(file, planner.input, folder, signal, limits?.members);
  const inputs = limits === undefined ? found : withinLimit(found, limits.bytes);
  if (inputs.length === 0) throw invalid(`${file} is an archive without files.`);
  const readable: Omit<PlannedFile, 'stations'>[] = [];
  const skipped: { readonly label: string; readonly reason: string }[] = [];
  const bar = inputs.length > MANY ? await planner.progress(inputs.length) : undefined;
  for (const input of inputs) {
    bar?.increment();
    try {
      const peeked = await peek(input, options.encoding, signal, folder, context.foreignFiles.tables);
      readable.push({ input, peeked, plan: await planWith(input, peeked, options, context, planner) });
    } catch (error) {
      if (inputs.length === 1 || !(error instanceof DomainError) || error.code === 'DISK_FULL') {
        bar?.stop();
        throw withLabel(fileFault(error, file, 0), input);
      }
      const reason = error instanceof FileRefusal ? error.textFor(planner.reader) : error.message;
      skipped.push({ label: input.label, reason });
    }
  }
  bar?.stop();
  const recognized = readable.filter(({ plan }) => plan.format !== undefined);
  const chosen = recognized.length > 0 ? recognized : readable;
  for (const one of readable)
    if (!chosen.includes(one))
      skipped.push({ label: one.input.label, reason: 'it has no known import format' });
  if (chosen.length === 0) {
    const reasons = skipped.map(({ label, reason }) => `${label}: ${reason}`);
    throw invalid(`No file of ${file} can be read. ${reasons.join('; ')}`);
  }
  for (const { label, reason } of skipped) planner.skipped(label, reason);
  const known = await context.useCase(ListStations).execute();
  return chosen.map((one) => ({
    ...one,
    stations: rowStations(options, one.plan, withDrafts(known, one.plan)),
  }));
}

/** Adds the name of the file to the message of an error about the file. The import formats do not know the name. */
export function withLabel(error: unknown, { file, label }: InputFile): unknown {
  if (!(error instanceof DomainError) || error.code !== 'REQUEST_INVALID') return error;
  if (error instanceof FileRefusal) return error.about(label);
  // Some messages already begin with the file.
  const beginnings = [file, label].flatMap((name) => [`${name} `, `${name}:`]);
  const isNamed = beginnings.some((beginning) => error.message.startsWith(beginning));
  return isNamed ? error : invalid(`${label}: ${error.message}`);
}

/**
 * Makes the plan of a file, which describes how the file is read. If the file lacks a necessary fact, such as the unit of
 * temperatures, a question about the fact arises. An option answers it, or the planner.
 */
async function planWith(
  { label }: InputFile,
  { head }: PeekedFile,
  options: ImportOptions,
  context: ImportContext,
  planner: Planner,
): Promise<ImportPlan> {
  const answers = new Map(answersOf(options));
  for (;;) {
    const plan = planImport(head, options, answers, context);
    const { questions = [] } = plan;
    const [question] = questions;
    if (question === undefined) return plan;
    const answer = await planner.answer(label, questions);
    if (answer === undefined) return plan;
    answers.set(question.key, answer);
  }
}

/**
 * The known stations, and the stations that the import will create. A station gets its number when it is created, so that the
 * stations that do not exist yet have the number 0 here.
 */
function withDrafts(known: readonly Station[], { stations = [] }: ImportPlan): readonly Station[] {
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...stations.filter(({ id }) => !ids.has(id)).map((draft) => ({ ...draft, number: 0 }))];
}

/**
 * Creates the stations that belong to a file and do not exist yet (`FilePlan.stations`).
 *
 * @returns the file with these stations, and the ids of the created stations
 */
export async function withStations(
  file: PlannedFile,
  options: ImportOptions,
  { useCase, caller }: ImportContext,
): Promise<{ readonly ready: PlannedFile; readonly created: readonly string[] }> {
  const list = useCase(ListStations);
  const known = await list.execute();
  const ids = new Set(known.map(({ id }) => id));
  const missing: StationDraft[] = (file.plan.stations ?? []).filter(({ id }) => !ids.has(id));
  if (missing.length === 0) return { ready: file, created: [] };
  await useCase(PutStations).execute(missing, caller);
  return {
    ready: { ...file, stations: rowStations(options, file.plan, await list.execute()) },
    created: missing.map(({ id }) => id),
  };
}

/** Describes how a file will be read (its plan). */
export function planOf(
  { input, peeked, plan, stations }: PlannedFile,
  { station }: ImportOptions,
  reader: Reader,
): DescribedPlan {
  const { head } = peeked;
  return describePlan(
    input.label,
    head.kind === 'text' ? head.encoding : 'utf-8',
    plan,
    station ?? `named by ${JSON.stringify(plan.station?.heading ?? '')}`,
    station === undefined ? undefined : stations.zoneOf(station),
    reader,
  );
}

/**
 * Reads the first rows of a file, as they will be stored.
 *
 * @returns undefined if reading the first rows fails, for example because the file is cut off. This failure is not reported here,
 *   because the import itself will report it
 * @throws DomainError if the content is refused, for example because amounts look like a running total
 */
export async function samplesOf(
  file: PlannedFile,
  options: ImportOptions,
  context: ImportContext,
): Promise<SampleRows | undefined> {
  const { input, peeked, plan, stations } = file;
  // Only the first bytes of standard input are used, because it cannot be read twice.
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
  if (chunk === undefined) return undefined;
  const { parts, faults } = chunk;
  const { uncalibrated } = reader.notes;
  if (reader.line === 0 && faults.length === 0)
    return { times: [], columns: [], rowsSeen: 0, problem: NO_ROWS, uncalibrated };
  const sent = parts.map(({ lines, rows }) => ({
    lines,
    rows: stations.single === undefined ? rows : { ...rows, stations: stations.single },
  }));
  const samples = await sampleRows(sent, SHOWN, context.useCase(PreviewRows), plan.stations !== undefined);
  return { ...samples, uncalibrated };
}

/** `SampleRows.problem` of a file without rows. */
export const NO_ROWS = 'the file has no rows';

/**
 * Returns a list with the first chunk (up to 8,192 rows) of a file. The list is empty if the file has no rows, or if reading the
 * first chunk fails, for example because the file is cut off. This failure is not reported here, because the import itself will
 * report it.
 *
 * @throws DomainError if the content is refused, for example because amounts look like a running total
 */
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
  { calendar }: Pick<ImportContext, 'calendar'>,
): ReadContext {
  return { stationOf, zoneOf, elevationOf, calendar, ambiguous, timeFault: rowTimeRule(Date.now()) };
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}

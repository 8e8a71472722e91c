import { AuditTrail } from '#application/accounts/audit-trail.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { WriteEvents } from '#application/observations/ingest/write-events.js';
import { KeepSourceFlags } from '#application/observations/source-flags/keep-source-flags.js';
import type { ImportedRows } from '#application/ports/file-importer.js';
import { DomainError } from '#domain/domain-error.js';
import type { FileFault, ReadNotes } from '#adapters/formats/tables/read-notes.js';
import type { Counters } from '#adapters/formats/tables/running-totals.js';
import { TableReader } from '#adapters/formats/tables/table-reader.js';
import { fileSource } from './files/file-source.js';
import type { InputFile } from './files/input-file.js';
import { fileFault, sourceSize, STANDARD_INPUT } from './files/source-file.js';
import type { ImportContext } from './import-context.js';
import { historyText, ImportedTimes, setUnknownIntervals } from './import-intervals.js';
import { type SetTimes, setUnknownObservationTimes } from './import-observation-times.js';
import { type EndedJournal, ImportJournals } from './import-journals.js';
import { ImportProgress } from './import-progress.js';
import { Importer } from './importer.js';
import type { ImportOptions } from './plan/import-options.js';
import { type PlannedFile, type Progress, readContext, withStations } from './plan/plan-files.js';

/** Gets the rejected rows and cells of one file. */
export interface Rejections {
  add(fault: FileFault): void;
  /** Keeps the rejections so far, before the progress is stored: a continued import does not report them again. */
  flush(): void | Promise<void>;
  close(): void;
}

/** The result of the import of one file, or of the part before a failure. */
export interface WrittenFile {
  readonly input: InputFile;
  readonly counts: ImportedRows;
  readonly notes: ReadNotes;
}

/** Follows an import. */
export interface ImportObserver {
  /** The files are read in another order, because they have running totals. */
  reordered(files: readonly string[]): void;
  /** These stations were created. */
  created(ids: readonly string[]): void;
  /**
   * The import of a file begins.
   *
   * @param after the last stored line, if an interrupted import continues; otherwise 0
   * @param isFirst whether this is the first file
   */
  begins(input: InputFile, after: number, isFirst: boolean): Rejections;
  /** The reading of a file begins. @param size bytes of the file */
  progress(input: InputFile, size: number): Promise<Progress>;
  /** The import has this number. Called before the first rows are written, possibly more than once. */
  numbered(number: number): void;
  /** All rows of a file up to a line are stored. */
  written(line: number, result: WrittenFile): void;
  /** The import of a file has failed after some rows were stored. @param number of the import */
  stopped(line: number, result: WrittenFile, canContinue: boolean, number: number | undefined): void;
  /** All rows of a file are stored. */
  completed(result: WrittenFile): void;
  /** An import has ended: the import of a file, or of all members of an archive. */
  ended(journal: EndedJournal): void;
  /** The reporting interval of these stations was unknown and is now known. */
  intervalsSet(ids: readonly string[], seconds: number): void;
  /** The times of observation of the file were set in the histories of stations that had none. */
  observationTimesSet(times: SetTimes): void;
  /** The history of a station has a longer reporting interval for imported rows. @param text a sentence for people */
  historyExtended(text: string): void;
  /** The file has no rows. */
  empty(input: InputFile): void;
}

/**
 * Writes the rows of files.
 *
 * @param nameOf the name of a file, as shown to people
 * @throws DomainError REQUEST_INVALID if no row could be imported; the error of the source; the reason of `signal`
 */
export async function writeFiles(
  planned: readonly PlannedFile[],
  options: ImportOptions,
  context: ImportContext,
  observer: ImportObserver,
  signal: AbortSignal,
  nameOf: (file: string) => string = (file) => (file === STANDARD_INPUT ? 'standard input' : file),
): Promise<void> {
  const counters: Counters = new Map();
  const ordered = await inOrderOfTime(planned, options, context, observer);
  const journals = new ImportJournals(ordered.map(({ input }) => input.file));
  const rowTimes = new ImportedTimes();
  let empty = 0;
  for (const [index, file] of ordered.entries()) {
    const { ready, created } = await withStations(file, options, context);
    if (created.length > 0) observer.created(created);
    const run = { options, context, observer, signal, counters, journals, rowTimes, index, nameOf };
    if (!(await importOne(ready, run))) empty += 1;
  }
  if (empty === ordered.length) throw invalid('No row was imported: the files have no rows.');
  if (options.interval === 0) return;
  for (const added of await rowTimes.setLongerIntervals(context))
    observer.historyExtended(historyText(added, context));
}

/**
 * Sorts files with running totals by time, because each total continues from the previous file. The time of a file is the
 * earliest time in its first rows. Files without running totals keep their order.
 *
 * If one of the files is standard input, all files keep their order, because standard input can be read only once.
 */
async function inOrderOfTime(
  planned: readonly PlannedFile[],
  options: ImportOptions,
  context: ImportContext,
  observer: ImportObserver,
): Promise<readonly PlannedFile[]> {
  const counts = planned.some(({ plan }) => plan.columns.some(({ kind }) => kind === 'counter'));
  const canRepeat = planned.every(({ input }) => !input.isStream);
  if (planned.length < 2 || !counts || !canRepeat) return planned;
  const timed: { readonly file: PlannedFile; readonly time: number }[] = [];
  for (const file of planned) timed.push({ file, time: await firstTime(file, options, context) });
  const ordered = timed.toSorted((a, b) => a.time - b.time).map(({ file }) => file);
  if (ordered.some((file, index) => file !== planned[index]))
    observer.reordered(ordered.map(({ input }) => input.label));
  return ordered;
}

/** The earliest time in the first rows of a file; Infinity if no time can be read. */
async function firstTime(
  { input, peeked, plan, stations }: PlannedFile,
  options: ImportOptions,
  context: ImportContext,
): Promise<number> {
  const reader = new TableReader(plan, readContext(stations, options.ambiguous, context), new Map());
  const source = fileSource(input, peeked, context, { progress: () => undefined });
  for await (const { parts } of reader.chunks(source)) {
    return parts.flatMap(({ rows }) => [...rows.times]).reduce((min, time) => Math.min(min, time), Infinity);
  }
  return Infinity;
}

/** Data for the import of one file: the data that all files of the import share, and the index of the file. */
interface ImportRun {
  readonly options: ImportOptions;
  readonly context: ImportContext;
  readonly observer: ImportObserver;
  readonly signal: AbortSignal;
  readonly counters: Counters;
  readonly journals: ImportJournals;
  readonly rowTimes: ImportedTimes;
  readonly index: number;
  readonly nameOf: (file: string) => string;
}

/** Imports one file. @returns whether the file has rows */
async function importOne(
  { input, peeked, plan, stations }: PlannedFile,
  { options, context, observer, signal, counters, journals, rowTimes, index, nameOf }: ImportRun,
): Promise<boolean> {
  const { restart, ...meaning } = options;
  const { file, member, label } = input;
  const size = sourceSize(file);
  // The progress of standard input is not stored, because its content may differ the next time.
  const progressOf = (part: object) =>
    file === STANDARD_INPUT
      ? undefined
      : new ImportProgress(context.importLog, file, { ...meaning, ...part }, stations.named);
  const progress = progressOf({ member });
  if (restart === true) await progress?.remove();
  const after = (await progress?.read()) ?? 0;
  const report = observer.begins(input, after, index === 0);
  let written = after;
  const events = new WriteEvents(context.useCase(AuditTrail), context.caller);
  // All members of an archive are one import with one number, so that they are undone together (`ImportJournals`). The key that
  // identifies this import is therefore computed without the name of the member.
  const journal = journals.of(
    file,
    nameOf(file),
    context.useCase,
    () => progressOf({ member: undefined })?.key,
  );
  const numbered = {
    number: async () => {
      const number = await journal.number();
      observer.numbered(number);
      return number;
    },
  };
  const reactions = {
    reported: (fault: FileFault) => report.add(fault),
    failed: (values: number) => {
      reader.notes.failed += values;
    },
    written: async (line: number) => {
      written = line;
      // The report contains the rejected rows up to `line`. It is written to its file before the progress is stored, because a
      // continued import starts after `line` and does not report these rejected rows again.
      await report.flush();
      await progress?.write(line);
      observer.written(line, result);
    },
  };
  const importer = new Importer(
    context.useCase(RecordObservations),
    context.useCase(KeepSourceFlags),
    events,
    reactions,
    numbered,
    context.caller,
    plan.station?.heading,
  );
  const reader = new TableReader(plan, readContext(stations, options.ambiguous, context), counters);
  const result: WrittenFile = { input, counts: importer.counts, notes: reader.notes };
  const bar = await observer.progress(input, size);
  const source = fileSource(input, peeked, context, { progress: (bytes) => bar.increment(bytes), signal });
  try {
    const chunks = rowTimes.of(reader.chunks(source), stations.single, plan.routineInterval);
    await importer.run(chunks, after, stations.single);
  } catch (error) {
    bar.stop();
    if (written > after)
      observer.stopped(written, result, progress !== undefined, await journal.startedNumber());
    throw fileFault(error, member === undefined ? file : label, reader.line);
  } finally {
    bar.stop();
    report.close();
  }
  await progress?.remove();
  observer.completed(result);
  const ended = await journals.end(file);
  if (ended !== undefined) observer.ended(ended);
  const { rows, inserted, updated, unchanged } = importer.counts;
  const read = rows + [...reader.notes.passedOver('command').values()].reduce((sum, count) => sum + count, 0);
  if (read > 0 && inserted + updated + unchanged === 0 && after === 0) throw invalid('No row was imported.');
  const { routineInterval } = plan;
  const known = await setUnknownIntervals(importer.stations, routineInterval, context);
  if (known.length > 0) observer.intervalsSet(known, routineInterval ?? 0);
  const times = await setUnknownObservationTimes(reader.observationTimes.stations(), context);
  if (times.changed.length + times.refused.length > 0) observer.observationTimesSet(times);
  if (read === 0 && after === 0) observer.empty(input);
  return read > 0 || after > 0;
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}

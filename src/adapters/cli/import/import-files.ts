import { existsSync } from 'node:fs';
import { AuditTrail } from '#application/accounts/audit-trail.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { WriteEvents } from '#application/observations/ingest/write-events.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import type { Counters } from '#adapters/formats/tables/running-totals.js';
import { TableReader } from '#adapters/formats/tables/table-reader.js';
import type { CommandContext } from '../command-context.js';
import type { Terminal } from '../terminal.js';
import type { FileFault } from '#adapters/formats/tables/read-notes.js';
import { makeBar } from '../progress-bar.js';
import { fileSource } from './files/file-source.js';
import { fileFault, sourceSize, STANDARD_INPUT } from './files/source-file.js';
import { TemporaryFolder } from './files/temporary-folder.js';
import { setUnknownIntervals } from './import-intervals.js';
import { ImportJournals } from './import-journals.js';
import { ImportProgress } from './import-progress.js';
import { summaryOf } from './import-summary.js';
import { Importer } from './importer.js';
import type { ImportOptions } from './plan/import-options.js';
import { confirmPlans } from './plan/confirm-plans.js';
import { planFiles, type PlannedFile, readContext, withStations } from './plan/plan-files.js';
import { checkReport, RejectionReport } from './rejection-report.js';

/**
 * Imports files and prints a summary of each.
 *
 * @param isShown whether to show how the files are read, and to ask for confirmation
 * @throws DomainError REQUEST_INVALID if a file or an option is invalid, if it is not certain how a file must be read, or if no
 *   row could be imported
 */
export async function importFiles(
  files: readonly string[],
  options: ImportOptions,
  context: CommandContext,
  terminal: Terminal,
  isShown = true,
): Promise<void> {
  await terminal.interruptibly(async (signal) => {
    const folder = new TemporaryFolder();
    try {
      const planned: PlannedFile[] = [];
      for (const file of files) {
        planned.push(...(await planFiles(file, options, context, terminal, folder, signal)));
      }
      checkReport(options.rejections, { source: files[0] ?? '', dataPaths: context.dataPaths });
      if (isShown && !(await confirmPlans(planned, options, context, terminal))) return;
      await writeAll(planned, options, context, terminal, signal);
    } finally {
      await folder.remove();
    }
  });
}

async function writeAll(
  planned: readonly PlannedFile[],
  options: ImportOptions,
  context: CommandContext,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  if (existsSync(context.formerImportFolder)) {
    terminal.printError(`${context.formerImportFolder} is not used any more. It can be removed.`);
  }
  const counters: Counters = new Map();
  const ordered = await inOrderOfTime(planned, options, context, terminal);
  const journals = new ImportJournals(ordered.map(({ input }) => input.file));
  let empty = 0;
  for (const [index, file] of ordered.entries()) {
    const ready = await withStations(file, options, context, terminal);
    const run = { options, context, terminal, signal, counters, journals, index, files: planned.length };
    if (!(await importOne(ready, run))) empty += 1;
  }
  if (empty === ordered.length) throw invalid('No row was imported: the files have no rows.');
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
  context: CommandContext,
  terminal: Terminal,
): Promise<readonly PlannedFile[]> {
  const counts = planned.some(({ plan }) => plan.columns.some(({ kind }) => kind === 'counter'));
  const canRepeat = planned.every(({ input }) => !input.isStream);
  if (planned.length < 2 || !counts || !canRepeat) return planned;
  const timed: { readonly file: PlannedFile; readonly time: number }[] = [];
  for (const file of planned) timed.push({ file, time: await firstTime(file, options, context) });
  const ordered = timed.toSorted((a, b) => a.time - b.time).map(({ file }) => file);
  if (ordered.some((file, index) => file !== planned[index])) {
    const labels = ordered.map(({ input }) => input.label).join(', ');
    terminal.printError(
      `The files have running totals, so that they are read in the order of time: ${labels}.`,
    );
  }
  return ordered;
}

/** The earliest time in the first rows of a file; Infinity if no time can be read. */
async function firstTime(
  { input, peeked, plan, stations }: PlannedFile,
  options: ImportOptions,
  context: CommandContext,
): Promise<number> {
  const reader = new TableReader(plan, readContext(stations, options.ambiguous, context), new Map());
  const source = fileSource(input, peeked, context, { progress: () => undefined });
  for await (const { parts } of reader.chunks(source)) {
    return parts.flatMap(({ rows }) => [...rows.times]).reduce((min, time) => Math.min(min, time), Infinity);
  }
  return Infinity;
}

/** Data for the import of one file: the data that all files of the command share, and the index of the file. */
interface ImportRun {
  readonly options: ImportOptions;
  readonly context: CommandContext;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly counters: Counters;
  readonly journals: ImportJournals;
  readonly index: number;
  /** Number of files. */
  readonly files: number;
}

/** Imports one file, and prints its summary. @returns whether the file has rows */
async function importOne(
  { input, peeked, plan, stations }: PlannedFile,
  { options, context, terminal, signal, counters, journals, index, files }: ImportRun,
): Promise<boolean> {
  const { rejections: reportFile, restart, yes: _yes, dryRun: _dryRun, ...meaning } = options;
  const { file, member, label } = input;
  const size = sourceSize(file);
  const bar = await makeBar(size, terminal);
  // The progress of standard input is not stored, because its content may differ the next time.
  const progressOf = (part: object) =>
    file === STANDARD_INPUT
      ? undefined
      : new ImportProgress(context.importLog, file, { ...meaning, ...part }, stations.named);
  const progress = progressOf({ member });
  if (restart === true) await progress?.remove();
  const after = (await progress?.read()) ?? 0;
  if (after > 0) terminal.print(`Continuing after line ${after}, where the last import was interrupted.`);
  const rules = { source: file, dataPaths: context.dataPaths };
  const report = new RejectionReport(reportFile, rules, terminal, {
    continues: after > 0 || index > 0,
    prefix: files > 1 ? `${label}, ` : '',
  });
  let written = after;
  const events = new WriteEvents(context.useCase(AuditTrail), COMMAND_LINE);
  // All members of an archive are one import with one number, so that they are undone together (`ImportJournals`). The key that
  // identifies this import is therefore computed without the name of the member.
  const journal = journals.of(file, context.useCase, () => progressOf({ member: undefined })?.key);
  const reactions = {
    reported: (fault: FileFault) => report.add(fault),
    written: async (line: number) => {
      written = line;
      // The report contains the rejected rows up to `line`. It is written to its file before the progress is stored, because a
      // continued import starts after `line` and does not report these rejected rows again.
      report.flush();
      await progress?.write(line);
    },
  };
  const importer = new Importer(
    context.useCase(RecordObservations),
    events,
    reactions,
    journal,
    plan.station?.heading,
  );
  const reader = new TableReader(plan, readContext(stations, options.ambiguous, context), counters);
  const source = fileSource(input, peeked, context, { progress: (bytes) => bar.increment(bytes), signal });
  bar.start(size, 0);
  try {
    await importer.run(reader.chunks(source), after, stations.single);
  } catch (error) {
    bar.stop();
    if (written > after) {
      terminal.print(summaryOf(importer.counts, reader.notes));
      const next =
        progress === undefined
          ? 'importing the whole file again changes none of them'
          : 'the same command continues after them';
      terminal.print(`The rows up to line ${written} are stored in ${context.location}; ${next}.`);
      await journal.printNumber(terminal);
    }
    throw fileFault(error, member === undefined ? file : label, reader.line);
  } finally {
    bar.stop();
    report.close();
  }
  await progress?.remove();
  const { rows } = importer.counts;
  if (files > 1) terminal.print(`${label}:`);
  terminal.print(summaryOf(importer.counts, reader.notes));
  await journals.end(file, terminal);
  const stored = importer.counts.inserted + importer.counts.updated + importer.counts.unchanged;
  const read = rows + [...reader.notes.passedOver.values()].reduce((sum, count) => sum + count, 0);
  if (read > 0 && stored === 0 && after === 0) {
    throw invalid('No row was imported.');
  }
  await setUnknownIntervals(importer.stations, plan.routineInterval, context, terminal);
  if (read === 0 && after === 0) terminal.printError(`${label}: the file has no rows.`);
  return read > 0 || after > 0;
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}

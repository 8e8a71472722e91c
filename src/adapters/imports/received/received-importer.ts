import { setImmediate } from 'node:timers/promises';
import { Readable } from 'node:stream';
import type {
  DescribedPlan,
  FileImporter,
  ImportedRows,
  ImportFollower,
  ImportQuestion,
  ImportSettings,
  PlannedImport,
  ReceivedFile,
  SampleRows,
} from '#application/ports/file-importer.js';
import { ImportRefusal } from '#application/observations/imports/import-refusal.js';
import { failedText } from '#adapters/formats/tables/read-notes.js';
import { FileRefusal, NEEDS, rejectionText, textOf } from '#adapters/formats/files/sentences.js';
import { COMMAND_LINE, type Caller } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import { TemporaryFolder } from '../files/temporary-folder.js';
import type { UnpackLimits } from '../files/unpack-limits.js';
import type { ImportContext } from '../import-context.js';
import type { ImportOptions } from '../plan/import-options.js';
import { type PlannedFile, planFiles, planOf, samplesOf, withLabel } from '../plan/plan-files.js';
import { type ImportObserver, writeFiles } from '../write-files.js';
import type { FileImportFolder } from './file-import-folder.js';

/** Largest number of plans that are described. The members of an archive are usually read alike. */
const MAX_PLANS = 20;
/** Largest number of columns that a refusal names. */
const MAX_HEADINGS = 500;
/** Largest number of skipped members that are described. */
const MAX_SKIPPED = 100;

/** Plans and writes files that clients sent. */
export class ReceivedImporter implements FileImporter {
  readonly #folder: FileImportFolder;
  readonly #context: Omit<ImportContext, 'caller'>;
  readonly #limits: UnpackLimits;

  constructor(folder: FileImportFolder, context: Omit<ImportContext, 'caller'>, limits: UnpackLimits) {
    this.#folder = folder;
    this.#context = context;
    this.#limits = limits;
  }

  async plan(file: ReceivedFile, settings: ImportSettings, signal: AbortSignal): Promise<PlannedImport> {
    // Nothing is written, so the caller does not matter.
    const context = { ...this.#context, caller: COMMAND_LINE };
    return this.#withFiles(file, settings, context, signal, async (planned, options, skipped) => {
      const plans: { plan: DescribedPlan; samples: SampleRows | null }[] = [];
      const path = this.#folder.pathOf(file.id, file.name);
      const known = new Set<string>();
      const questions = new Map<string, ImportQuestion>();
      let problem: DomainError | null = null;
      for (const one of planned) {
        for (const { key, sentence, choices } of one.plan.questions ?? [])
          questions.set(key, { key, choices, text: textOf(sentence, 'request'), ...sentence });
        const plan = planOf(one, options, 'request');
        const { file: _file, ...reading } = plan;
        const key = JSON.stringify(reading);
        if (known.has(key) || plans.length >= MAX_PLANS) continue;
        known.add(key);
        await setImmediate();
        signal.throwIfAborted();
        const isAsking = (one.plan.questions ?? []).length > 0;
        try {
          const samples = isAsking ? undefined : await samplesOf(one, options, context);
          plans.push({ plan, samples: samples ?? null });
        } catch (error) {
          if (!(error instanceof DomainError)) throw error;
          problem ??= forCaller(withLabel(error, one.input), path, file.name) as DomainError;
          plans.push({ plan, samples: null });
        }
      }
      return { plans, files: planned.length, skipped, questions: [...questions.values()], problem };
    });
  }

  async write(
    file: ReceivedFile,
    settings: ImportSettings,
    caller: Caller,
    follower: ImportFollower,
    signal: AbortSignal,
  ): Promise<void> {
    const context = { ...this.#context, caller };
    await this.#withFiles(file, settings, context, signal, async (planned, options) => {
      const [question] = planned.flatMap(({ plan }) => plan.questions ?? []);
      if (question !== undefined) {
        const text = textOf(question.sentence, 'request');
        throw new DomainError('REQUEST_INVALID', `A question has no answer: ${text}`);
      }
      await writeFiles(planned, options, context, observerOf(follower), signal, () => file.name);
    });
  }

  async #withFiles<T>(
    file: ReceivedFile,
    settings: ImportSettings,
    context: ImportContext,
    signal: AbortSignal,
    work: (
      planned: readonly PlannedFile[],
      options: ImportOptions,
      skipped: PlannedImport['skipped'],
    ) => Promise<T>,
  ): Promise<T> {
    const path = this.#folder.pathOf(file.id, file.name);
    const temporary = new TemporaryFolder(this.#limits.bytes, this.#folder.placeOf(file.id));
    // `encoding` is one of the known names, because the endpoint accepts no other.
    const options = { ...settings, station: file.station } as ImportOptions;
    const skipped: { file: string; reason: string }[] = [];
    const planner = {
      input: Readable.from([]),
      reader: 'request' as const,
      answer: () => Promise.resolve(undefined),
      skipped: (name: string, reason: string) => {
        if (skipped.length < MAX_SKIPPED)
          skipped.push({ file: name, reason: reason.replaceAll(path, file.name) });
      },
      progress: () => Promise.resolve({ increment: () => undefined, stop: () => undefined }),
      limits: this.#limits,
    };
    try {
      return await work(
        await planFiles(path, options, context, planner, temporary, signal),
        options,
        skipped,
      );
    } catch (error) {
      signal.throwIfAborted();
      throw forCaller(error, path, file.name);
    } finally {
      await temporary.remove();
    }
  }
}

/** The error as senders of requests may read it: without a path of the machine, and with fields in place of options. */
function forCaller(error: unknown, path: string, name: string): unknown {
  if (!(error instanceof DomainError)) return error;
  const text = error instanceof FileRefusal ? error.textFor('request') : error.message;
  const message = text.replaceAll(path, name);
  if (error instanceof FileRefusal && error.code === 'REQUEST_INVALID')
    return new ImportRefusal(
      message,
      error.needs.filter(({ code }) => Object.hasOwn(NEEDS, code)),
      error.headings.slice(0, MAX_HEADINGS),
    );
  return message === error.message ? error : new DomainError(error.code, message, { cause: error });
}

const NO_ROWS: ImportedRows = {
  rows: 0,
  inserted: 0,
  updated: 0,
  unchanged: 0,
  repeated: 0,
  rejected: 0,
  cells: 0,
};

function observerOf(follower: ImportFollower): ImportObserver {
  /** The counts of the files that are complete. */
  let before = NO_ROWS;
  let [read, last] = [0, 0];
  return {
    reordered: (files) => follower.noted(`The files are read in the order of time: ${files.join(', ')}.`),
    created: (ids) => follower.noted(`Created ${ids.length} stations: ${ids.slice(0, 100).join(', ')}.`),
    begins: ({ member = null }, after) => {
      follower.begins(member, after);
      return {
        add: ({ line, column = null, reasons }) =>
          follower.rejected({
            file: member,
            line,
            column,
            problem: rejectionText(reasons, 'request'),
            reasons,
          }),
        flush: () => follower.flush(),
        close: () => undefined,
      };
    },
    progress: () =>
      Promise.resolve({
        increment: (bytes = 0) => follower.progressed(Math.round((read += bytes))),
        stop: () => undefined,
      }),
    numbered: (number) => follower.numbered(number),
    written: (line, { counts }) => follower.written((last = line), sumOf(before, counts)),
    stopped: () => undefined,
    completed: ({ input, counts, notes }) => {
      before = sumOf(before, counts);
      follower.written(last, before);
      const name = input.member === undefined ? '' : `${input.member}: `;
      for (const [reason, count] of notes.passedOver('request'))
        follower.noted(`${name}${count} rows skipped: ${reason}.`);
      if (notes.failed > 0) follower.noted(name + failedText(notes.failed));
      if (notes.outOfOrder > 0)
        follower.noted(`${name}${notes.outOfOrder} rows are earlier than the row above them.`);
      if (notes.ambiguous > 0)
        follower.noted(`${name}${notes.ambiguous} local times occur twice, because clocks were set back.`);
    },
    ended: () => undefined,
    intervalsSet: (ids, seconds) =>
      follower.noted(
        `The reporting interval of ${ids.slice(0, 100).join(', ')} was unknown and is now ${seconds} seconds.`,
      ),
    observationTimesSet: ({ changed, refused }) => {
      const listed = (ids: readonly string[]) => ids.slice(0, 100).join(', ');
      if (changed.length > 0)
        follower.noted(`The history of ${listed(changed)} has the times of observation of daily values now.`);
      if (refused.length > 0)
        follower.noted(`The times of observation of ${listed(refused)} change too often for a history.`);
    },
    historyExtended: (text) => follower.noted(text),
    empty: ({ label }) => follower.noted(`${label}: the file has no rows.`),
  };
}

function sumOf(a: ImportedRows, b: ImportedRows): ImportedRows {
  return {
    rows: a.rows + b.rows,
    inserted: a.inserted + b.inserted,
    updated: a.updated + b.updated,
    unchanged: a.unchanged + b.unchanged,
    repeated: a.repeated + b.repeated,
    rejected: a.rejected + b.rejected,
    cells: a.cells + b.cells,
  };
}

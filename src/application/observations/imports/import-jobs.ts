import type { Caller } from '#domain/accounts/audit-event.js';
import { DomainError, isDomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { unknownStation } from '#domain/weather/station-edit.js';
import type { UndoCounts } from '#domain/weather/undo/undo-counts.js';
import type { Clock } from '../../ports/clock.js';
import type {
  FileImporter,
  ImportedRows,
  ImportFollower,
  ImportRejection,
  ImportSettings,
  PlannedImport,
  ReceivedFile,
} from '../../ports/file-importer.js';
import type { IdSource } from '../../ports/id-source.js';
import type { ImportFolder } from '../../ports/import-folder.js';
import type { ImportRecord } from '../../ports/import-log.js';
import type {
  ImportAnswers,
  ImportJob,
  ImportProblem,
  ImportService,
  ImportState,
  ListedJob,
} from '../../ports/import-service.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import { lastPart } from './import-file-name.js';
import { ImportRefusal } from './import-refusal.js';
import type { ListedImport, ListImports } from './list-imports.js';
import type { UndoImport } from './undo-import.js';

export interface ImportJobsDependencies {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly folder: ImportFolder;
  readonly importer: FileImporter;
  readonly directory: StationDirectory;
  readonly imports: ListImports;
  readonly undo: UndoImport;
}

/** Milliseconds after which a file is removed, from the end of the import or from the last answer of a person. */
const KEPT = MILLISECONDS.hour;
/** Milliseconds without a byte after which a file that arrives is given up, if its process did not report the end. */
const SILENT = 2 * MILLISECONDS.minute;
/** Milliseconds between two writes of the record of an import whose rows are written. */
const SAVE_INTERVAL = 5000;
/** Largest number of rejections that are kept. */
const MAX_REJECTIONS = 1000;
/** Largest number of notes that are kept. */
const MAX_NOTES = 100;
/** The form of the ids of imports. The number of an import is another name for it. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Number of imports of the log in a list. */
const LISTED = 100;

/** The states in which an import occupies the only place. */
const OPEN: ReadonlySet<ImportState> = new Set(['receiving', 'planning', 'asking', 'ready', 'writing']);

/** The part of an import that survives a restart. */
interface SavedJob extends ReceivedFile {
  state: ImportState;
  readonly bytes: number;
  readonly startedAt: number;
  /** Time of the last action of a person, or of the end. */
  touchedAt: number;
  readonly caller: Caller;
  /** Who undoes the import. */
  undoer: Caller | null;
  settings: ImportSettings;
  answers: Readonly<Record<string, string>>;
  /** The choices of each question that a plan has asked, by the key of the question; null before the first plan. */
  asked: Readonly<Record<string, readonly string[]>> | null;
  line: number;
  counts: ImportedRows | null;
  continuedAfter: number | null;
  number: number | null;
  rejections: ImportRejection[];
  notes: string[];
  undone: UndoCounts | null;
  problem: ImportProblem | null;
  revision: number;
}

interface Job extends SavedJob {
  bytes: number;
  /** Whether the folder has the file of this import. */
  isKept: boolean;
  /** Whether the changes can no longer be undone, because what was recorded for this was deleted. */
  isForgotten: boolean;
  read: number;
  plan: PlannedImport | null;
  work: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;
  /** Whether the import is being removed. No new work begins. */
  isClosing: boolean;
  savedAt: number;
}

const NO_REASONS = { reasons: [], headings: [] };

const NO_SETTINGS: ImportSettings = {
  map: [],
  where: [],
  leaveOut: [],
  ambiguous: 'order',
  missing: [],
  trace: [],
  unit: [],
  counter: [],
  amount: [],
};

/**
 * Imports files that clients send: one at a time, in steps that a person directs. An import belongs to the service and not to a
 * request. It continues after a restart.
 */
export class ImportJobs implements ImportService {
  readonly #with: ImportJobsDependencies;
  readonly #isShared: boolean;
  readonly #jobs = new Map<string, Job>();
  /** Reports errors that no caller waits for. */
  #onFailure: (error: unknown) => void = () => undefined;
  #isStopped = false;

  /** @param isShared whether other instances may use the same data. Each has the files that it has received */
  constructor(dependencies: ImportJobsDependencies, isShared: boolean) {
    this.#with = dependencies;
    this.#isShared = isShared;
  }

  /** Continues the imports of an earlier run of the service. @param onFailure called with each unexpected error */
  async start(onFailure: (error: unknown) => void): Promise<void> {
    this.#onFailure = onFailure;
    for (const record of await this.#with.folder.load()) {
      const saved = record as SavedJob;
      // A record of an earlier version may lack settings that came later.
      const settings = { ...NO_SETTINGS, ...saved.settings };
      const job: Job = { ...blank(0), ...saved, settings, isKept: true };
      this.#jobs.set(job.id, job);
      if (job.state === 'writing') this.#begin(job, (signal) => this.#write(job, signal));
      else if (job.state === 'undoing') this.#begin(job, (signal) => this.#undo(job, signal));
      else if (OPEN.has(job.state)) this.#begin(job, (signal) => this.#plan(job, false, signal));
    }
  }

  /** Stops all work between two transactions. It continues after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const working = [...this.#jobs.values()].flatMap(({ work }) => work ?? []);
    for (const { abort } of working) abort.abort(new Error('The service stops.'));
    await Promise.all(working.map(({ done }) => done));
  }

  /** Removes the imports whose time is over. */
  async cleanUp(): Promise<void> {
    const now = this.#with.clock.now();
    for (const job of this.#jobs.values()) {
      const isIdle = job.work === undefined && job.state !== 'receiving';
      if (isIdle && job.touchedAt + KEPT <= now) await this.#remove(job);
    }
    await this.#abandonSilent();
  }

  async begin(station: string, file: string, caller: Caller): Promise<string> {
    const { clock, ids, directory } = this.#with;
    const { byId } = await directory.current();
    if (!byId.has(station)) throw unknownStation(station);
    await this.#abandonSilent();
    this.#assertRunning();
    const open = [...this.#jobs.values()].find(({ state }) => OPEN.has(state));
    if (open !== undefined) {
      throw new DomainError(
        'IMPORT_RUNNING',
        `The import ${open.id} is open. Finish it or give it up: the service imports one file at a time.`,
      );
    }
    const now = clock.now();
    const job: Job = {
      id: ids.next(),
      name: file,
      station,
      state: 'receiving',
      bytes: 0,
      startedAt: now,
      caller,
      settings: NO_SETTINGS,
      ...blank(now),
    };
    this.#jobs.set(job.id, job);
    return job.id;
  }

  async received(id: string, bytes: number): Promise<ImportJob> {
    const job = this.#jobs.get(id);
    if (job?.state !== 'receiving') {
      await this.#with.folder.remove(id);
      throw this.#unknown(id);
    }
    job.bytes = bytes;
    job.isKept = true;
    job.state = 'planning';
    job.touchedAt = this.#with.clock.now();
    this.#begin(job, (signal) => this.#plan(job, false, signal));
    await this.#save(job);
    return viewOf(job);
  }

  async abandon(id: string): Promise<void> {
    const job = this.#jobs.get(id);
    if (job?.state === 'receiving') await this.#remove(job);
  }

  async list(): Promise<readonly ListedJob[]> {
    const jobs = [...this.#jobs.values()];
    const numbers = new Set(jobs.map(({ number }) => number));
    const logged = await this.#with.imports.execute(LISTED);
    const recordOf = new Map(logged.map((record) => [record.number, record]));
    const others = logged.filter(({ number }) => !numbers.has(number)).map((record) => jobOf(record, 0));
    const listed = [...jobs, ...others].map((job) => {
      const { id, state, file, stations, startedAt, number, canUndo } = viewOf(job);
      const counted = job.counts === null ? 0 : job.counts.inserted + job.counts.updated;
      const { rows = counted, checked = null } = recordOf.get(number ?? 0) ?? {};
      return { id, state, file, stations, startedAt, number, canUndo, rows, checked };
    });
    return listed.toSorted((a, b) => b.startedAt - a.startedAt).slice(0, LISTED);
  }

  async find(id: string): Promise<ImportJob> {
    const job = this.#jobs.get(id) ?? (await this.#loggedJob(id));
    const { state, number } = job;
    if (state !== 'done' || number === null) return viewOf(job);
    return viewOf(job, (await this.#with.imports.find(number))?.checked);
  }

  async answer(id: string, { answers, settings, isConfirmed }: ImportAnswers): Promise<ImportJob> {
    const job = this.#openJob(id);
    const assertOpen = () => {
      // While this request waits, another one may confirm the import or remove it.
      if (job.isClosing) throw this.#unknown(id);
      if (!job.isKept || (job.state !== 'failed' && (job.state === 'writing' || !OPEN.has(job.state))))
        throw wrongState(job, 'cannot be changed');
    };
    assertOpen();
    assertChoices(job, answers);
    const isSame = settings === undefined && Object.keys(answers).length === 0;
    const isFree = () => job.work === undefined || (isSame && job.state === 'ready');
    while (!isFree()) {
      await stopWork(job);
      assertOpen();
    }
    const { state } = job;
    if (state === 'failed' && [...this.#jobs.values()].some((other) => OPEN.has(other.state)))
      throw new DomainError('IMPORT_RUNNING', 'Another import is open.');
    job.touchedAt = this.#with.clock.now();
    job.answers = { ...job.answers, ...answers };
    job.settings = settings ?? job.settings;
    // Read in another way, the file is imported again from its first line.
    if (!isSame) job.rejections = [];
    if (isSame && isConfirmed && state === 'ready') this.#begin(job, (signal) => this.#write(job, signal));
    else {
      job.state = 'planning';
      this.#begin(job, (signal) => this.#plan(job, isConfirmed, signal));
    }
    await this.#save(job);
    return viewOf(job);
  }

  async undo(id: string, caller: Caller): Promise<ImportJob> {
    const known = this.#jobs.get(id);
    const job = known ?? (await this.#loggedJob(id));
    if (job.state === 'undoing' && job.work !== undefined) return viewOf(job);
    const isStarted = job.state === 'writing' || job.state === 'done' || job.state === 'failed';
    if (!isStarted && job.state !== 'undoing') throw wrongState(job, 'has no changes that could be undone');
    await stopWork(job);
    // While this request waited, another one may have begun other work, or removed the import.
    if (job.isClosing) throw this.#unknown(id);
    if (job.work !== undefined) return await this.undo(id, caller);
    job.touchedAt = this.#with.clock.now();
    job.undoer = caller;
    job.problem = null;
    if (job.number === null) {
      job.state = 'undone';
      await this.#save(job);
      return viewOf(job);
    }
    // The caller may name an import by its number although its file is still kept.
    const kept = [...this.#jobs.values()].find((other) => other !== job && other.number === job.number);
    if (known === undefined && kept !== undefined) return await this.undo(kept.id, caller);
    this.#jobs.set(job.id, job);
    job.state = 'undoing';
    this.#begin(job, (signal) => this.#undo(job, signal));
    await this.#save(job);
    return viewOf(job);
  }

  async discard(id: string): Promise<void> {
    const job = this.#openJob(id);
    if (job.state === 'writing' || job.state === 'undoing') throw wrongState(job, 'cannot be given up');
    await this.#remove(job);
  }

  async #plan(job: Job, isConfirmed: boolean, signal: AbortSignal): Promise<void> {
    job.state = 'planning';
    job.plan = null;
    job.problem = null;
    try {
      job.plan = await this.#with.importer.plan(job, withAnswers(job), signal);
      signal.throwIfAborted();
      const { questions, problem } = job.plan;
      job.asked = withQuestions(job.asked ?? {}, questions);
      job.state = questions.length > 0 || problem !== null ? 'asking' : 'ready';
      job.problem = problem && this.#problemOf(problem);
    } catch (error) {
      signal.throwIfAborted();
      // A person may be able to correct the settings, so the import has not failed.
      job.state = 'asking';
      job.problem = this.#problemOf(error);
    }
    if (job.state === 'ready' && isConfirmed) await this.#write(job, signal);
    else await this.#save(job);
  }

  async #write(job: Job, signal: AbortSignal): Promise<void> {
    Object.assign(job, {
      state: 'writing',
      problem: null,
      read: 0,
      line: 0,
      counts: null,
      continuedAfter: null,
      notes: [],
    });
    await this.#save(job);
    try {
      await this.#with.importer.write(job, withAnswers(job), job.caller, this.#follower(job), signal);
      job.state = 'done';
    } catch (error) {
      signal.throwIfAborted();
      job.state = 'failed';
      job.problem = this.#problemOf(error);
    }
    job.touchedAt = this.#with.clock.now();
    await this.#save(job);
  }

  #follower(job: Job): ImportFollower {
    let isUnsaved = false;
    return {
      begins: (file, after) => {
        if (after > 0) job.continuedAfter = after;
        job.rejections = job.rejections.filter((known) => known.file !== file || known.line <= after);
      },
      progressed: (read) => (job.read = read),
      written: (line, counts) => {
        job.line = line;
        job.counts = counts;
        if (job.savedAt + SAVE_INTERVAL > this.#with.clock.now()) return;
        void this.#save(job);
      },
      numbered: (number) => {
        if (job.number === number) return;
        job.number = number;
        void this.#save(job);
      },
      rejected: (rejection) => {
        if (job.rejections.length >= MAX_REJECTIONS) return;
        job.rejections.push(rejection);
        isUnsaved = true;
      },
      flush: async () => {
        if (isUnsaved) await this.#save(job);
        isUnsaved = false;
      },
      noted: (text) => {
        if (job.notes.length < MAX_NOTES) job.notes.push(text);
      },
    };
  }

  async #undo(job: Job, signal: AbortSignal): Promise<void> {
    try {
      const { counts } = await this.#with.undo.execute(job.number ?? 0, job.undoer ?? job.caller, signal);
      job.undone = counts;
      job.state = 'undone';
    } catch (error) {
      signal.throwIfAborted();
      job.state = 'failed';
      job.problem = this.#problemOf(error);
    }
    job.touchedAt = this.#with.clock.now();
    await this.#save(job);
  }

  /** @throws DomainError SERVICE_UNAVAILABLE if the service stops, because `stop` waits for no later work */
  #begin(job: Job, work: (signal: AbortSignal) => Promise<void>): void {
    this.#assertRunning();
    const abort = new AbortController();
    const done = work(abort.signal)
      .catch((error: unknown) => {
        if (!abort.signal.aborted) this.#onFailure(error);
      })
      .finally(() => {
        if (job.work?.abort === abort) job.work = undefined;
      });
    job.work = { abort, done };
  }

  /** The problem that callers see. An unexpected error is only logged. */
  #problemOf(error: unknown): ImportProblem {
    if (isDomainError(error)) {
      const { reasons, headings } = error instanceof ImportRefusal ? error : NO_REASONS;
      return { code: error.code, message: error.message, reasons, headings };
    }
    this.#onFailure(error);
    const message = 'An error occurred in the service. Its log has the reason.';
    return { code: 'INTERNAL_ERROR', message, ...NO_REASONS };
  }

  /** Stores the record of an import. An error is only reported: the import itself goes on. */
  async #save(job: Job): Promise<void> {
    job.revision += 1;
    if (!job.isKept) return;
    const {
      isKept: _isKept,
      isForgotten: _isForgotten,
      read: _read,
      plan: _plan,
      work: _work,
      isClosing: _isClosing,
      savedAt: _savedAt,
      ...saved
    } = job;
    job.savedAt = this.#with.clock.now();
    await this.#with.folder.save(job.id, saved satisfies SavedJob).catch(this.#onFailure);
  }

  async #remove(job: Job): Promise<void> {
    job.isClosing = true;
    while (job.work !== undefined) await stopWork(job);
    this.#jobs.delete(job.id);
    job.isKept = false;
    await this.#with.folder.remove(job.id);
  }

  /** @throws DomainError IMPORT_UNKNOWN */
  #openJob(id: string): Job {
    const job = this.#jobs.get(id);
    if (job === undefined || job.isClosing) throw this.#unknown(id);
    return job;
  }

  /** Gives up files that have stopped to arrive. Usually the process that receives a file reports this itself. */
  async #abandonSilent(): Promise<void> {
    const { clock, folder } = this.#with;
    for (const job of this.#jobs.values()) {
      if (job.state !== 'receiving') continue;
      const last = (await folder.lastByteAt(job.id, job.name)) ?? job.startedAt;
      if (Math.max(last, job.startedAt) + SILENT <= clock.now()) await this.abandon(job.id);
    }
  }

  /** An import of the log, by its number. @throws DomainError IMPORT_UNKNOWN */
  async #loggedJob(id: string): Promise<Job> {
    const record = /^[1-9]\d{0,8}$/.test(id) ? await this.#with.imports.find(Number(id)) : undefined;
    if (record === undefined) throw this.#unknown(id);
    return jobOf(record, this.#with.clock.now());
  }

  /** The error for an import that this instance does not have. */
  #unknown(id: string): DomainError {
    if (!this.#isShared || !UUID.test(id)) return unknownImport(id);
    return new DomainError(
      'IMPORT_ELSEWHERE',
      `This instance has no import ${JSON.stringify(id)}: another instance has received its file, or the file was removed. Every instance finds an import by its number.`,
    );
  }

  #assertRunning(): void {
    if (this.#isStopped) throw new DomainError('SERVICE_UNAVAILABLE', 'The service is shutting down.');
  }
}

function blank(now: number) {
  return {
    touchedAt: now,
    undoer: null,
    answers: {},
    asked: null,
    line: 0,
    counts: null,
    continuedAfter: null,
    number: null,
    rejections: [],
    notes: [],
    undone: null,
    problem: null,
    revision: 0,
    isKept: false,
    isForgotten: false,
    read: 0,
    plan: null,
    work: undefined,
    isClosing: false,
    savedAt: 0,
  };
}

/** An import of the log whose file is not kept. */
function jobOf(record: ListedImport, now: number): Job {
  const { number, file, startedAt, stations, undo, isForgotten } = record;
  return {
    ...blank(now),
    id: String(number),
    name: lastPart(file),
    station: stations.join(', '),
    state: stateOf(record),
    bytes: 0,
    startedAt,
    caller: { actor: null, address: null, network: null, requestId: null },
    settings: NO_SETTINGS,
    number,
    undone: undo?.counts ?? null,
    isForgotten,
  };
}

function stateOf({ endedAt, undo }: Pick<ImportRecord, 'endedAt' | 'undo'>): ImportState {
  if (undo !== null) return undo.endedAt === null ? 'undoing' : 'undone';
  return endedAt === null ? 'failed' : 'done';
}

function viewOf(job: Job, checked: number | null = null): ImportJob {
  const { id, name, station, state, bytes, startedAt, settings, answers, line, counts, continuedAfter } = job;
  const { number, rejections, notes, undone, problem, revision, read, plan } = job;
  const hasEnded = state === 'done' || state === 'failed' || state === 'undoing';
  return {
    id,
    state,
    file: name,
    stations: station === '' ? [] : station.split(', '),
    startedAt,
    number,
    checked,
    canUndo: !job.isForgotten && (state === 'writing' || (hasEnded && number !== null)),
    bytes,
    read,
    line,
    plan,
    settings,
    answers,
    counts: counts === null ? null : { ...counts },
    continuedAfter,
    rejections: [...rejections],
    notes: [...notes],
    undone,
    problem,
    revision,
  };
}

/** @throws DomainError REQUEST_INVALID if an answer belongs to no question, or is none of its choices */
function assertChoices({ asked, answers: known }: Job, answers: ImportAnswers['answers']): void {
  // Before the first plan, the questions are not known.
  if (asked === null) return;
  for (const [key, answer] of Object.entries(answers)) {
    if (Object.hasOwn(known, key) && known[key] === answer) continue;
    const choices = Object.hasOwn(asked, key) ? asked[key] : undefined;
    if (choices === undefined)
      throw new DomainError('REQUEST_INVALID', `The import has not asked ${JSON.stringify(key)}.`);
    if (!choices.includes(answer))
      throw new DomainError(
        'REQUEST_INVALID',
        `The answer to ${JSON.stringify(key)} must be one of these: ${choices.join(', ')}.`,
      );
  }
}

/** Adds questions to the choices of earlier questions. Files of an archive may have different choices for the same question. */
function withQuestions(
  asked: Readonly<Record<string, readonly string[]>>,
  questions: PlannedImport['questions'],
): Record<string, readonly string[]> {
  const added = questions.map(({ key, choices }): [string, readonly string[]] => [
    key,
    [...new Set([...(Object.hasOwn(asked, key) ? (asked[key] ?? []) : []), ...choices])],
  ]);
  return Object.fromEntries([...Object.entries(asked), ...added]);
}

/** The settings together with the answers to questions. */
function withAnswers({ settings, answers }: Pick<SavedJob, 'settings' | 'answers'>): ImportSettings {
  const given = Object.entries(answers);
  /** The names in keys with this topic, such as `wind` in `unit:wind`, with their answers. */
  const named = (topic: string) =>
    given.flatMap(([key, answer]) =>
      key.startsWith(`${topic}:`) ? [{ name: key.slice(topic.length + 1), answer }] : [],
    );
  const kinds = (kind: string) =>
    named('kind').flatMap(({ name, answer }) => (answer === kind ? [name] : []));
  const { 'date-order': order, 'day-stamp': stamp } = answers;
  return {
    ...settings,
    unit: [...settings.unit, ...named('unit').map(({ name, answer }) => `${name}=${answer}`)],
    counter: [...settings.counter, ...kinds('counter')],
    amount: [...settings.amount, ...kinds('amount')],
    ...((order === 'DMY' || order === 'MDY') && { dateOrder: order }),
    ...(stamp !== undefined && { stampInterval: stamp === 'begin' ? MILLISECONDS.day / 1000 : 0 }),
  };
}

async function stopWork(job: Job): Promise<void> {
  job.work?.abort.abort(new Error('The import was stopped.'));
  await job.work?.done;
}

function unknownImport(id: string): DomainError {
  return new DomainError('IMPORT_UNKNOWN', `There is no import ${JSON.stringify(id)}.`);
}

function wrongState({ id, state }: Job, reason: string): DomainError {
  return new DomainError('IMPORT_STATE', `The import ${id} is ${state} and ${reason}.`);
}

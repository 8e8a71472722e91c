import type { Caller } from '#domain/accounts/audit-event.js';
import type { UndoCounts } from '#domain/weather/undo/undo-counts.js';
import type {
  ImportedRows,
  ImportReason,
  ImportRejection,
  ImportSettings,
  PlannedImport,
} from './file-importer.js';

/**
 * - `receiving`: the file arrives.
 * - `planning`: the service finds out how the file is read.
 * - `asking`: a person must answer a question or correct a setting.
 * - `ready`: a person must confirm the plan.
 * - `writing`: the rows are written.
 * - `done`, `failed`: the writing has ended. A failed import may have written rows.
 * - `undoing`, `undone`: the changes of the import are taken back.
 */
export type ImportState =
  | 'receiving'
  | 'planning'
  | 'asking'
  | 'ready'
  | 'writing'
  | 'done'
  | 'failed'
  | 'undoing'
  | 'undone';

/** An import in a list. Times are in milliseconds since 1970-01-01T00:00:00Z. */
export interface ListedJob {
  /** The id of an import whose file is kept; for others the number as text. */
  readonly id: string;
  readonly state: ImportState;
  readonly file: string;
  readonly stations: readonly string[];
  readonly startedAt: number;
  /** Number of the import, as `weatherd imports` lists it; null before its first row. */
  readonly number: number | null;
  /** Number of inserted or changed rows. */
  readonly rows: number;
  /** Share of the rows whose values have their final quality flags, as in `ListImports`. */
  readonly checked: number | null;
  readonly canUndo: boolean;
}

/** Everything about an import. */
export interface ImportJob extends Omit<ListedJob, 'rows'> {
  /** Size of the file; 0 if it is not kept. */
  readonly bytes: number;
  /** Bytes of the file that were read while the rows are written. */
  readonly read: number;
  /** The last line whose rows are stored. */
  readonly line: number;
  readonly plan: PlannedImport | null;
  readonly settings: ImportSettings;
  readonly answers: Readonly<Record<string, string>>;
  readonly counts: ImportedRows | null;
  /** The line after which an interrupted import continued. `counts` has only the rows after it. Null if it was not interrupted. */
  readonly continuedAfter: number | null;
  /** The first rejections, at most 1,000. */
  readonly rejections: readonly ImportRejection[];
  readonly notes: readonly string[];
  readonly undone: UndoCounts | null;
  /** Why the import waits in the state `asking`, or has failed. */
  readonly problem: ImportProblem | null;
  /** Changes whenever more than the progress has changed. */
  readonly revision: number;
}

export interface ImportProblem {
  readonly code: string;
  readonly message: string;
  /** The sentences of `message`, if they have codes. */
  readonly reasons: readonly ImportReason[];
  /** The columns of which at least one must be named, so that the file can be read. */
  readonly headings: readonly string[];
}

/** What a person says about an import. */
export interface ImportAnswers {
  /** Answers to questions, by their key. They are added to earlier answers. */
  readonly answers: Readonly<Record<string, string>>;
  /** The settings that replace all earlier settings; undefined leaves them unchanged. */
  readonly settings: ImportSettings | undefined;
  /** Whether the rows are written if no question is open. */
  readonly isConfirmed: boolean;
}

/**
 * The imports over HTTP. One process of the service does the work; the others pass their calls to it. All parameters and results
 * can be cloned. Every method may reject with STORE_UNAVAILABLE.
 */
export interface ImportService {
  /**
   * Opens an import whose file will be received.
   *
   * @param file the name of the file, as `importFileName` returns it
   * @returns the id of the import
   * @throws DomainError STATION_UNKNOWN; IMPORT_RUNNING if another import is open; SERVICE_UNAVAILABLE
   */
  begin(station: string, file: string, caller: Caller): Promise<string>;
  /** The file has arrived. The planning begins. @param bytes size of the file */
  received(id: string, bytes: number): Promise<ImportJob>;
  /** Forgets an import whose file could not be received. */
  abandon(id: string): Promise<void>;
  /** The open and kept imports, and the imports in the log, newest first. */
  list(): Promise<readonly ListedJob[]>;
  /** @throws DomainError IMPORT_UNKNOWN, IMPORT_ELSEWHERE */
  find(id: string): Promise<ImportJob>;
  /** @throws DomainError IMPORT_UNKNOWN, IMPORT_ELSEWHERE; IMPORT_STATE if rows are being written or were written */
  answer(id: string, answers: ImportAnswers): Promise<ImportJob>;
  /** Begins to undo an import. A running import is stopped first. @throws DomainError IMPORT_UNKNOWN, IMPORT_ELSEWHERE; IMPORT_STATE */
  undo(id: string, caller: Caller): Promise<ImportJob>;
  /** Removes the file of an import that is not being written. @throws DomainError IMPORT_UNKNOWN, IMPORT_ELSEWHERE; IMPORT_STATE */
  discard(id: string): Promise<void>;
}

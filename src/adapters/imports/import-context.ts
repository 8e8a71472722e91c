import type { Calendar } from '#application/ports/calendar.js';
import type { ImportLog } from '#application/ports/import-log.js';
import type { UseCaseOf } from '#application/use-cases.js';
import type { Caller } from '#domain/accounts/audit-event.js';
import type { DatabaseTable, DatabaseTableQuery } from '#adapters/formats/files/file-plan.js';
import type { ImportFormat } from '#adapters/formats/import-formats/import-format.js';

/** Reads SQLite files that other programs wrote. */
export interface ForeignFiles {
  readonly tables: (path: string) => Promise<readonly DatabaseTable[]>;
  /** The rows of a table, in batches. All cells are texts. */
  readonly rows: (path: string, query: DatabaseTableQuery) => AsyncIterable<readonly (readonly string[])[]>;
}

/** The dependencies of an import of files. */
export interface ImportContext {
  readonly useCase: UseCaseOf;
  readonly calendar: Calendar;
  readonly importLog: ImportLog;
  readonly foreignFiles: ForeignFiles;
  /** The import formats in the order in which they are tried: those of the project, then those of packages. */
  readonly formats: readonly ImportFormat[];
  /** Who imports, for the audit trail. */
  readonly caller: Caller;
}

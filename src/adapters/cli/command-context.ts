import type { Calendar } from '#application/ports/calendar.js';
import type { ImportLog } from '#application/ports/import-log.js';
import type { UploadReach } from '#application/uploads/setup/upload-addresses.js';
import type { UseCaseOf } from '#application/use-cases.js';
import type { DatabaseTable, DatabaseTableQuery } from '#adapters/formats/files/file-plan.js';

/** The dependencies of a command that works on data. */
export interface CommandContext {
  readonly useCase: UseCaseOf;
  readonly calendar: Calendar;
  readonly importLog: ImportLog;
  /** Reads SQLite files that other programs wrote. */
  readonly foreignFiles: {
    readonly tables: (path: string) => Promise<readonly DatabaseTable[]>;
    /** The rows of a table, in batches. All cells are texts. */
    readonly rows: (path: string, query: DatabaseTableQuery) => AsyncIterable<readonly (readonly string[])[]>;
  };
  /** The location of the data as a text for people. It does not contain the password of a database. */
  readonly location: string;
  /** The folder in which version 1.0.0 stored the progress of imports. */
  readonly formerImportFolder: string;
  /** Files and folders with the data of the service. Commands must not write output into them. */
  readonly dataPaths: readonly string[];
  readonly uploads: {
    /** How weather stations that send uploads can reach the service, according to the settings of this command. */
    readonly reach: UploadReach;
    /** The addresses of this machine in its networks, without loopback addresses. */
    readonly machine: readonly string[];
  };
}

/** Opens the data, runs `work` and closes the data. */
export type WithContext = (work: (context: CommandContext) => Promise<void>) => Promise<void>;

import type { Calendar } from '../../application/ports/calendar.js';
import type { ImportLog } from '../../application/ports/import-log.js';
import type { UseCaseOf } from '../../application/use-cases.js';

/** The context of a command that works on data. */
export interface CommandContext {
  readonly useCase: UseCaseOf;
  readonly calendar: Calendar;
  readonly importLog: ImportLog;
  /** Where the data are, for people; without the password of a database. */
  readonly location: string;
  /** Where version 1.0.0 kept the progress of imports. */
  readonly formerImportFolder: string;
  /** Files and folders with the data of the service, in which nothing is written. */
  readonly dataPaths: readonly string[];
}

/** Opens the data, runs `work` and closes them. */
export type WithContext = (work: (context: CommandContext) => Promise<void>) => Promise<void>;

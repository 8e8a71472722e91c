import type { Caller } from '#domain/accounts/audit-event.js';
import type { DomainError } from '#domain/domain-error.js';

/** A column of a file and its variable, as a person names them. */
export interface ImportColumn {
  /**
   * How the person names the column: by its heading, or by its number from 1 in a file without headings. In a file of the long
   * form, in which each row has one value and the name of its quantity, this is the name of a quantity.
   */
  readonly field: string;
  readonly variable: string;
  /** Undefined means the unit in the heading, or else the stored unit of the variable. */
  readonly unit?: string;
  /** Whether the values are amounts of intervals or a running total. Undefined means that this is concluded from the values. */
  readonly kind?: 'amount' | 'counter';
  /** Factor from the number in the file to the value in `unit`: 0.1 for tenths. */
  readonly factor?: number;
}

/** What a person says about the reading of a file. Everything that is undefined is concluded from the file. */
export interface ImportSettings {
  /** Name of the import format. */
  readonly preset?: string;
  /** The code of the station whose rows are imported, as it is written in the file. */
  readonly only?: string;
  readonly map: readonly ImportColumn[];
  /** Headings of the columns that are left out. */
  readonly leaveOut: readonly string[];
  readonly timeColumn?: readonly string[];
  readonly timeFormat?: readonly string[];
  /** The date of all rows, if the file has only times of day: `2024-07-01`. */
  readonly date?: string;
  readonly timeZone?: string;
  /** Length in seconds of the interval that begins at a timestamp. 0 means that timestamps are at the end of an interval. */
  readonly stampInterval?: number;
  /** Seconds between routine observations, for stations whose reporting interval is unknown. */
  readonly interval?: number;
  /** Which instant a local time means that occurs twice. */
  readonly ambiguous: 'order' | 'earlier' | 'later' | 'reject';
  readonly delimiter?: string;
  readonly skipLines?: number;
  readonly header?: boolean;
  readonly decimal?: '.' | ',';
  readonly encoding?: string;
  readonly missing: readonly string[];
  readonly trace: readonly string[];
  /** The rows that are imported, as `COLUMN=TEXT`. Several texts of one column are alternatives. */
  readonly where: readonly string[];
  readonly variableColumn?: string;
  readonly valueColumn?: string;
  readonly dateOrder?: 'DMY' | 'MDY';
  /** Units of quantities: `temperature=°F`. */
  readonly unit: readonly string[];
  /** Headings of columns whose values are running totals (`counter`) or amounts of intervals (`amount`). */
  readonly counter: readonly string[];
  readonly amount: readonly string[];
  readonly issued?: string;
}

/** A column that is read. Columns of the file with the same heading and the same variable are one column here. */
export interface DescribedColumn {
  readonly heading: string;
  readonly variable: string;
  /** The unit in the file. It is the first one if each row names its own unit. */
  readonly unit: string;
  /** The unit with everything else that matters, for people: `in, times 0.01, differences of a running total`. */
  readonly reading: string;
  readonly kind: 'value' | 'counter';
}

/** How a file is read, as data for a page or a terminal. */
export interface DescribedPlan {
  /** The name of the file, or of the archive and its member. */
  readonly file: string;
  readonly title: string;
  /** Name of the import format; null for a table of no import format. */
  readonly format: string | null;
  readonly encoding: string;
  readonly decimal: '.' | ',';
  /** The station of all rows, or how the file names the stations. */
  readonly station: string;
  readonly time: {
    readonly headings: readonly string[];
    /** For people: `ISO 8601`. */
    readonly formats: readonly string[];
    /** For people: `local time of Europe/Oslo`. */
    readonly zone: string;
    /** Seconds by which rows are moved from the start of their interval to its end; 0 for none. */
    readonly interval: number;
    /** Whether a date means the whole day, whose row is stored at the following midnight. */
    readonly wholeDays: boolean;
  };
  /** Seconds between routine reports, for stations whose reporting interval is unknown; null if the file does not say it. */
  readonly routineInterval: number | null;
  readonly columns: readonly DescribedColumn[];
  /** The columns that are left out, by the reason. */
  readonly leftOut: readonly { readonly reason: string; readonly headings: readonly string[] }[];
  /** The reasons for which rows are skipped. */
  readonly skipped: readonly string[];
  readonly notes: readonly string[];
  /** Why columns may be read wrongly; null if the plan is certain. */
  readonly doubt: string | null;
}

/** The first rows of a file as they will be stored. */
export interface SampleRows {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly times: readonly number[];
  /** A value is null if it is absent. */
  readonly columns: readonly {
    readonly variable: string;
    readonly unit: string;
    readonly values: readonly (number | null)[];
  }[];
  /** Number of rows in the first part of the file, which was read for these samples. */
  readonly rowsSeen: number;
  /** Why there are no sample rows; null if there are some. */
  readonly problem: string | null;
  /** Number of pressures at mean sea level that are left out, because the console is not calibrated. */
  readonly uncalibrated: number;
}

/** A sentence as a stable code with its values, for readers who write it in another language. */
export interface ImportReason {
  readonly code: string;
  readonly values: Readonly<Record<string, string>>;
}

/** A question that only a person can answer. */
export interface ImportQuestion extends ImportReason {
  readonly key: string;
  /** A whole sentence that ends with a question mark. */
  readonly text: string;
  /** The possible answers, the most likely first. */
  readonly choices: readonly string[];
}

/** Counts of the rows of an import. */
export interface ImportedRows {
  readonly rows: number;
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Number of rows with the same station and time as an earlier row of the same chunk. */
  readonly repeated: number;
  readonly rejected: number;
  /** Number of cells that could not be read, in imported rows. */
  readonly cells: number;
}

/** A row or cell of a file that was not imported, or was imported with a change. */
export interface ImportRejection {
  /** The sentences of `problem`. */
  readonly reasons: readonly ImportReason[];
  /** The member of an archive; null for a file. */
  readonly file: string | null;
  readonly line: number;
  /** Heading of the column; null if the fault is not in a single cell. */
  readonly column: string | null;
  readonly problem: string;
}

/** A file that was received, for the rows of one station. */
export interface ReceivedFile {
  readonly id: string;
  /** The name of the file, as `importFileName` returns it. */
  readonly name: string;
  readonly station: string;
}

/** How a received file is read: the file itself, or the members of an archive. */
export interface PlannedImport {
  /** The first files that are read in different ways, with their first rows; null if the first rows cannot be read. */
  readonly plans: readonly { readonly plan: DescribedPlan; readonly samples: SampleRows | null }[];
  /** Number of files that will be imported. */
  readonly files: number;
  /** Members of the archive that are not imported. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  /** The questions without an answer. The import needs all answers. */
  readonly questions: readonly ImportQuestion[];
  /** Why the first rows were refused, for example because amounts look like a running total; null if they were not. */
  readonly problem: DomainError | null;
}

/** Follows the writing of a file. */
export interface ImportFollower {
  /**
   * The import of a file begins. Rejections of lines behind `after` are reported again.
   *
   * @param file as `ImportRejection.file`
   * @param after the last stored line, if an interrupted import continues; otherwise 0
   */
  begins(file: string | null, after: number): void;
  /** @param read bytes of the file that were read */
  progressed(read: number): void;
  /**
   * The rows up to a line of a file are stored.
   *
   * @param counts the counts of all files of this attempt
   */
  written(line: number, counts: ImportedRows): void;
  /** The import has this number. Called before the first rows are written. */
  numbered(number: number): void;
  rejected(rejection: ImportRejection): void;
  /** Keeps the rejections so far. An import that continues behind their lines does not report them again. */
  flush(): Promise<void>;
  /** A whole sentence about what the import has done. */
  noted(text: string): void;
}

/** Plans and writes received files, like `weatherd import`. */
export interface FileImporter {
  /**
   * Decides how a file is read.
   *
   * @throws DomainError REQUEST_INVALID if the file or a setting is invalid; the reason of `signal`
   */
  plan(file: ReceivedFile, settings: ImportSettings, signal: AbortSignal): Promise<PlannedImport>;
  /**
   * Writes the rows of a file. An interrupted write of the same file with the same settings continues after the last stored row,
   * and keeps its number.
   *
   * @throws DomainError REQUEST_INVALID if the file or a setting is invalid, or if no row could be imported; the reason of `signal`
   */
  write(
    file: ReceivedFile,
    settings: ImportSettings,
    caller: Caller,
    follower: ImportFollower,
    signal: AbortSignal,
  ): Promise<void>;
}

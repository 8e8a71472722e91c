import type { StationDraft } from '#domain/weather/station.js';
import type { TextLine } from '../text/line-reader.js';
import type { Question } from './questions.js';
import type { Sentence } from './sentences.js';

/**
 * How a file is read. An import format makes a plan from the head of a file; the options of a command can also make a plan.
 *
 * A plan is only a description. `table-reader.ts` reads every file by its plan, so that cells, times, counters and faults are
 * handled alike in all import formats.
 *
 * Positions (`at`) are the indexes of fields in a record, from 0. Lines count from 1, including the preamble and the headings.
 */
export interface FilePlan {
  /** A title of the file for people: `Ecowitt console, memory card`. */
  readonly title: string;
  readonly layout: Layout;
  /** The decimal sign of numbers; undefined means a point. With a decimal comma, a number with a point is rejected. */
  readonly decimal?: '.' | ',';
  readonly time: TimePlan;
  /** The field that names the station. Undefined means that all rows belong to the station that the user names. */
  readonly station?: StationPlan;
  /** All columns of the file in their order. Columns that are left out are included, because people are shown the reason. */
  readonly columns: readonly ColumnPlan[];
  /**
   * Only for a file of the long form, in which each row has one value and the name of its quantity. `name` is the position of the
   * field with the name of the quantity, and `value` is the position of the field with the value.
   *
   * For such a file, `columns` has quantities instead of the fields of a row. The heading of a column is the name of its
   * quantity, and the condition `when` of the column selects the rows with this name. The option `--map` may add further names.
   * Rows without a value, or with any other name, are skipped.
   */
  readonly long?: { readonly name: number; readonly value: number };
  /** Texts for an absent value. An empty text is always absent. Texts are compared after they are trimmed. */
  readonly missing?: readonly string[];
  /** Rules for rows that are skipped. Skipped rows are counted by reason, and are not rejections. */
  readonly rows?: readonly RowRule[];
  /** Texts that a row must have. A row with another text is rejected. */
  readonly required?: readonly RequiredText[];
  /** Where the rows of daily values say at what time of day the values were read. */
  readonly observationTime?: ObservationTimePlan;
  /** Seconds between routine reports, from the description of the file or from its reports. Reports in between do not count. */
  readonly routineInterval?: number;
  /**
   * Whether the file comes from a console in which a person sets the pressure at mean sea level. If this pressure equals the
   * pressure at the station, and the station is well above sea level, nobody has set the pressure at mean sea level. The value is
   * then left out.
   */
  readonly isConsole?: boolean;
  /** Questions without an answer, which only a person can give. A plan with questions is displayed, but not carried out. */
  readonly questions?: readonly Question[];
  /** Sentences that tell people how the file is read: `Times are read as standard time all year.` */
  readonly notes?: readonly (Sentence | string)[];
  /** Stations that the import creates if they do not exist. */
  readonly stations?: readonly StationDraft[];
}

/**
 * How the bytes become records of fields. `first` is the number of the line with the first row; the lines before it are skipped.
 */
export type Layout =
  | {
      readonly kind: 'delimited';
      readonly delimiter: string;
      readonly first: number;
      /** A line that ends the rows, for example `end data` in BADC-CSV. */
      readonly end?: string;
      /** Number of fields. Rows with another number are rejected. Undefined means that the number is not checked. */
      readonly width?: number;
    }
  /** Fields that are separated by one or more blanks. */
  | { readonly kind: 'blanks'; readonly first: number; readonly width?: number }
  /** Fields of fixed numbers of characters, without a delimiter. */
  | { readonly kind: 'widths'; readonly first: number; readonly widths: readonly number[] }
  /** Any other layout, for example JSON or a database. The import format itself reads the records. */
  | { readonly kind: 'own'; readonly records: (source: FileSource) => AsyncIterable<readonly FileRecord[]> };

/** A record of a file. It may be rejected as a whole. */
export interface FileRecord {
  /**
   * Number of the line, from 1. A record of several lines has the number of its last line. In a file without lines this is the
   * number of the record.
   */
  readonly line: number;
  readonly fields: readonly string[];
  /** Why the record cannot be read: `the CSV is broken: …`. */
  readonly fault?: string;
  /** The line of a record with delimiters and without quotes. */
  readonly unquoted?: TextLine;
}

/** A file for import formats with their own layout. */
export interface FileSource {
  /**
   * The decompressed text as UTF-8, whatever the encoding of the file.
   *
   * @param isFirstPass whether the text will be read again. Its bytes then do not count as progress.
   */
  text(isFirstPass?: boolean): AsyncIterable<Uint8Array>;
  /** Whether `text` may be called again; false for standard input. */
  readonly canRepeat: boolean;
  /** Path of a decompressed database or Parquet file; undefined for other files. */
  readonly path: string | undefined;
  /**
   * Reads rows of a table of an SQLite file, which is opened read-only. The line of a record is its number from 1 in the order
   * of the query.
   *
   * @throws DomainError REQUEST_INVALID if there is no path, or if the database is damaged
   */
  sqlite(query: DatabaseTableQuery): AsyncIterable<readonly FileRecord[]>;
}

/** A table in an SQLite file. Its columns are in their order in the table. */
export interface DatabaseTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** A query for columns of a table. The rows are sorted by one of the columns. */
export interface DatabaseTableQuery {
  readonly table: string;
  readonly columns: readonly string[];
  readonly orderBy: string;
}

export interface TimePlan {
  /** Positions of the fields of a time. Their texts are joined with a blank. */
  readonly at: readonly number[];
  /** The date of all rows, if the fields contain only a time of day. The date is written before the text of the fields. */
  readonly date?: string;
  /** Headings of the fields, for messages. */
  readonly headings: readonly string[];
  /** `iso`, `unix`, `unix-ms` or patterns (`time-pattern.ts`). The first format that fits a text is used. */
  readonly formats: readonly string[];
  /** The time zone of texts without a zone. */
  readonly zone: ZonePlan;
  /** The zone that all sampled texts name: `utc` (`Z`) or `offset`. Undefined if a sampled text has no zone. It is only shown. */
  readonly ownZone?: 'utc' | 'offset' | undefined;
  /**
   * Which end of an interval the timestamps are at:
   *
   * - Above 0: at the start of an interval. The number is the length of the interval in seconds. Rows are moved by this length to
   *   the end of the interval, which the service uses everywhere.
   * - 0: at the end of an interval.
   * - Undefined: as the settings of the station say.
   */
  readonly interval?: number;
  /**
   * Which rows describe a whole day. They are stored at midnight at the end of the day. Undefined means that no row describes a
   * whole day.
   *
   * - `all` means all rows. Their timestamps are dates.
   * - A condition means that only the rows that meet it describe a whole day. All timestamps then have the form
   *   `YYYY-MM-DDTHH:mm:ss`, or `YYYY-MM-DD HH:mm`. The time of day in the selected rows is ignored.
   */
  readonly days?: RowCondition | 'all';
}

/**
 * The time zone of local times: `utc`; `station` for the time of the station with daylight saving time; `station-standard` for
 * its standard time all year; an IANA name; or a fixed offset in minutes east of UTC.
 */
export type ZonePlan =
  | 'utc'
  | 'station'
  | 'station-standard'
  | { readonly name: string }
  | { readonly offset: number };

/** The time of observation of a row, as hours and minutes in local time: `0700`; `2400` for midnight. */
export interface ObservationTimePlan {
  /** Positions of fields. The first field with a time counts. */
  readonly at: readonly number[];
  /** Index of the part with the time, if the fields contain parts with commas between them. */
  readonly part?: number;
}

export interface StationPlan {
  readonly at: number;
  readonly heading: string;
  /** The system of the codes, as stations name it in `identifiers`: `wmo`, `icao`, `dwd`. Undefined if it is unknown. */
  readonly identifier?: string;
  /** Converts the text in the file to the id of a station. */
  readonly rename?: (text: string) => string;
}

export type ColumnPlan = PlannedColumn | CounterColumn | LeftOutColumn;

interface PlacedColumn {
  readonly at: number;
  /** The heading in the file, for people. Several columns may have the same heading. */
  readonly heading: string;
}

interface ReadColumn extends PlacedColumn {
  /** Name of a variable of the catalogue. */
  readonly variable: string;
  /** A unit that the catalogue accepts for the variable (`unit-names.ts` knows other spellings). */
  readonly unit: string;
  /** Factor from the cell to the value: 0.1 for tenths. */
  readonly factor?: number;
  /** How values are read if the catalogue does not have `unit`. Only `withFileUnits` adds it. */
  readonly readAs?: ReadAs;
  /** Further texts for an absent value, in this column only. */
  readonly missing?: readonly string[];
  /**
   * Texts that have a value although they are not numbers, each with its value. NaN means that the value is absent, for example
   * for the direction `VRB`. The cells with each of these texts are counted (`ReadNotes.annotations`).
   */
  readonly words?: Readonly<Record<string, number>>;
  /** For amounts: texts for a trace, an amount too small to be measured. The value is 0, and the variable of traces (`traceOf`) is 1. */
  readonly traces?: readonly string[];
  /** For amounts: the rows whose value is a trace according to another field. */
  readonly traceWhen?: RowCondition;
  /** Texts that may follow a number: `s` in `0.06s`, or ` °F` in a cell with a unit. A blank may separate them from the number. */
  readonly endings?: readonly string[];
  /** The condition on another field under which the cell is read. In rows that do not meet it the cell is absent. */
  readonly when?: RowCondition;
  /**
   * Positions of the fields with the flags that the source gives this value. Their trimmed texts are joined with `,` and are kept
   * as they are, for example `,,7` or `T,,0`. If all of them are empty, nothing is kept.
   */
  readonly flags?: readonly number[];
  /** The rows whose value failed a check of the source. */
  readonly failed?: FailedCheck;
}

/**
 * The rows whose value failed a check of the source. The value is stored, and a quality override marks it as bad.
 *
 * `reason` is the reason of the override. It names the source and the check, for example
 * `failed a check of NOAA: spatial consistency (flag S)`. A record has the reason for each text of the field `when.at`; if
 * `when.matches` has a group, for each text of the first group. So a field such as `,S,7` can contain the flag of the check.
 */
export interface FailedCheck {
  readonly when: RowCondition;
  readonly reason: Readonly<Record<string, string>> | string;
}

/** How values in a unit of a file become values in a unit of the catalogue. */
export interface ReadAs {
  readonly unit: string;
  readonly factor?: number;
  /** The values for the whole numbers of a scale, from 0. Any other number is reported. */
  readonly scale?: readonly number[];
}

export type RowCondition =
  | { readonly at: number; readonly texts: readonly string[] }
  | { readonly at: number; readonly not: readonly string[] }
  /** `text` describes the condition for people: `unless it failed a check`. */
  | { readonly at: number; readonly matches: RegExp; readonly text: string };

/**
 * A column of values. If a cell cannot be read, it is reported and left out, and the other values of the row are stored.
 *
 * In a column of directions, compass points such as `NNE` are always read, and the numbers 999 and 990 always mean an absent
 * direction. The plan does not mention them.
 *
 * Several columns may have the same variable if at most one of them is read in each row. For example, if each row names its own
 * unit, there is one column for each unit, and its condition `when` selects the rows with this unit.
 */
export interface PlannedColumn extends ReadColumn {
  readonly kind: 'value';
  /**
   * True if it is unknown whether the values are amounts or a running total. Reading stops if the values look like a running
   * total, or if they may be either of the two kinds.
   */
  readonly isUnsure?: boolean;
}

/** A running total. The differences between neighbors in time are stored, never the total itself. */
export interface CounterColumn extends ReadColumn {
  readonly kind: 'counter';
  /** When the total returns to zero by itself. */
  readonly resets: CounterReset;
}

/**
 * The period after which a counter returns to zero, by the local date. `day` includes counters whose day begins at another hour.
 * `never` means that only people reset the counter.
 */
export type CounterReset = 'day' | 'week' | 'month' | 'year' | 'never';

export interface LeftOutColumn extends PlacedColumn {
  readonly kind: 'left out';
  /** The reason for people, which is written behind the heading: `indoor`, `a rolling sum of the last 60 minutes`. */
  readonly reason: Sentence | string;
}

export interface RequiredText {
  readonly at: number;
  readonly heading: string;
  readonly texts: readonly string[];
  /** The fault of any other text, such as `is not a system of units`. In the error message it comes after that text. */
  readonly problem: string;
}

export interface RowRule {
  readonly at: number;
  /** Texts of the field in rows that are kept. Rows with another text are skipped. */
  readonly keep?: readonly string[];
  /** Texts of the field in rows that are skipped. */
  readonly drop?: readonly string[];
  /** The reason for people, in the plural: `daily summaries (SOD)`. */
  readonly reason: string;
}

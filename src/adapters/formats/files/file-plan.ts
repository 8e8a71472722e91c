import type { StationDraft } from '#domain/weather/station.js';
import type { TextLine } from '../text/line-reader.js';
import type { Question } from './questions.js';

/**
 * How a file is read: what a make makes of the head of a file, or what the options of a command say. A plan only describes.
 * `table-reader.ts` reads by it, so that cells, times, counters and faults are treated alike for every make.
 *
 * Places (`at`) count the fields of a record from 0. Lines count from 1, with the preamble and the headings.
 */
export interface FilePlan {
  /** What the file is, for people: `Ecowitt console, memory card`. */
  readonly title: string;
  readonly layout: Layout;
  /** The decimal sign of numbers; a point when left out. With a comma, a point is refused, not dropped. */
  readonly decimal?: '.' | ',';
  readonly time: TimePlan;
  /** The field that names the station. When left out, all rows are of the one station that the user names. */
  readonly station?: StationPlan;
  /** Every column of the file, in its order: those that are left out too, because people are shown them with the reason. */
  readonly columns: readonly ColumnPlan[];
  /**
   * The long form: each row has one value, in the field `value`, of what the field `name` says. `columns` then have the texts of
   * that field as headings, with a `when` for it; `--map` may add others. Rows of other names, and without a value, are passed over.
   */
  readonly long?: { readonly name: number; readonly value: number };
  /** Texts that mean: no value. The empty one always does. Compared as they are, after spaces are trimmed. */
  readonly missing?: readonly string[];
  /** Rows that are passed over. They are counted by their reason, and are no rejections. */
  readonly rows?: readonly RowRule[];
  /** Texts that a row must have. A row with another text is rejected. */
  readonly required?: readonly RequiredText[];
  /** Seconds between routine reports, where the description of the file or its reports tell it. Reports between them do not count. */
  readonly routineInterval?: number;
  /** Whether a person sets the pressure at mean sea level in the console: equal to that at the station, it is not calibrated. */
  readonly isConsole?: boolean;
  /** What only a person knows and nobody has answered yet. A plan with questions is shown, and not carried out. */
  readonly questions?: readonly Question[];
  /** Sentences for people about how the file is understood: `Times are taken as standard time all year.` */
  readonly notes?: readonly string[];
  /** Stations that are made when they are not there. */
  readonly stations?: readonly StationDraft[];
}

/** How the bytes become records of fields. `first` is the first line that is a row; the lines before it are passed over. */
export type Layout =
  | {
      readonly kind: 'delimited';
      readonly delimiter: string;
      readonly first: number;
      /** A line that ends the rows, as `end data` of BADC-CSV. */
      readonly end?: string;
      /** Number of fields. Rows with another number are rejected. Any number is taken when left out. */
      readonly width?: number;
    }
  /** Fields apart by one or more blanks. */
  | { readonly kind: 'blanks'; readonly first: number; readonly width?: number }
  /** Fields of these numbers of characters, one behind the other. */
  | { readonly kind: 'widths'; readonly first: number; readonly widths: readonly number[] }
  /** Anything else, JSON and databases among them: the make itself reads the records. */
  | { readonly kind: 'own'; readonly records: (source: FileSource) => AsyncIterable<readonly FileRecord[]> };

/** A record of a file. It may be rejected as a whole. */
export interface FileRecord {
  /** From 1; where a record spans lines, its last. Where there are no lines, its number. */
  readonly line: number;
  readonly fields: readonly string[];
  /** Why the record cannot be read: `the CSV is broken: …`. */
  readonly fault?: string;
  /** The line of a record with delimiters and without quotes. */
  readonly unquoted?: TextLine;
}

/** A file for makes with a layout of their own. */
export interface FileSource {
  /** The text as UTF-8, unpacked, whatever the encoding of the file. */
  text(): AsyncIterable<Uint8Array>;
  /** Whether `text` may be called again; not for standard input. */
  readonly canRepeat: boolean;
  /** Path of a database or a Parquet file, unpacked; undefined for other files. */
  readonly path: string | undefined;
  /**
   * Reads rows of a table of an SQLite file, without a chance to change the file. The line of a record is its number from 1 in
   * the order of the query.
   *
   * @throws DomainError REQUEST_INVALID where there is no path, or the database is damaged
   */
  sqlite(query: DatabaseTableQuery): AsyncIterable<readonly FileRecord[]>;
}

/** A table in an SQLite file, and its columns in their order. */
export interface DatabaseTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Columns of a table, in the order of one of them. */
export interface DatabaseTableQuery {
  readonly table: string;
  readonly columns: readonly string[];
  readonly orderBy: string;
}

export interface TimePlan {
  /** Places of its fields. Their texts are put together with one blank between them. */
  readonly at: readonly number[];
  /** The date of fields that have a time of day alone; it is put before them. */
  readonly date?: string;
  /** Headings of its fields, for messages. */
  readonly headings: readonly string[];
  /** `iso`, `unix`, `unix-ms` or patterns (`time-format.ts`). The first that fits a text is taken. */
  readonly formats: readonly string[];
  /** The zone of texts that have none. */
  readonly zone: ZonePlan;
  /**
   * For stamps at the beginning of an interval: its seconds. Rows are moved by it to the end, as everywhere in the service.
   * 0: the stamps are the end. Undefined: the station says what they are.
   */
  readonly interval?: number;
  /**
   * Rows that describe the whole day of their stamp. They are stored at the end of that day, at midnight. `all`: all rows, whose
   * stamps are dates alone. Otherwise stamps have the form `YYYY-MM-DDTHH:mm:ss`, and their time of day does not matter.
   */
  readonly days?: RowCondition | 'all';
}

/**
 * `utc`; `station`: the local time of the station, with daylight saving; `station-standard`: its standard time all year; or
 * an IANA name; or a fixed number of minutes east of UTC.
 */
export type ZonePlan =
  'utc' | 'station' | 'station-standard' | { readonly name: string } | { readonly offset: number };

export interface StationPlan {
  readonly at: number;
  readonly heading: string;
  /** The system of the codes where it is known, as stations name it in `identifiers`: `wmo`, `icao`, `dwd`. */
  readonly identifier?: string;
  /** The id of a station from its text in the file. */
  readonly rename?: (text: string) => string;
}

export type ColumnPlan = PlannedColumn | CounterColumn | LeftOutColumn;

interface PlacedColumn {
  readonly at: number;
  /** As the file has it, for people. Columns need not differ in it. */
  readonly heading: string;
}

interface ReadColumn extends PlacedColumn {
  /** A variable of the catalogue by its name. */
  readonly variable: string;
  /** A unit that the catalogue accepts for it (`unit-names.ts` knows other spellings). */
  readonly unit: string;
  /** The cell times this is the value: 0.1 for tenths. */
  readonly factor?: number;
  /** Further texts that mean: no value, in this column alone. */
  readonly missing?: readonly string[];
  /** Texts with a value of their own. NaN is absent without a word, as `VRB` for a direction. */
  readonly words?: Readonly<Record<string, number>>;
  /** Of amounts: texts that mean too little to be measured. The value is 0, and the variable of traces (`traceOf`) is 1 beside it. */
  readonly traces?: readonly string[];
  /** Of amounts: the rows whose value is a trace by another field. */
  readonly traceWhen?: RowCondition;
  /** Texts that may stand behind a number: `s` of `0.06s`, ` °F` of a cell with its unit. Number and ending may have a blank between. */
  readonly endings?: readonly string[];
  /** The cell counts only in rows where another field has one of these texts, or none of them; it is absent in the others. */
  readonly when?: RowCondition;
}

export type RowCondition =
  | { readonly at: number; readonly texts: readonly string[] }
  | { readonly at: number; readonly not: readonly string[] }
  /** `text` is for people: `unless it failed a check`. */
  | { readonly at: number; readonly matches: RegExp; readonly text: string };

/**
 * A quantity. A cell that cannot be read is told and left out; the other values of its row are stored. Compass letters
 * (`NNE`) are read in the column of any direction without being mentioned here; 999 and 990 are no value there.
 *
 * A variable may have several columns if their `when` exclude each other: rows that have units of their own have one column
 * for each unit.
 */
export interface PlannedColumn extends ReadColumn {
  readonly kind: 'value';
  /** For amounts of which nobody has said that they are no running total: reading stops where they look like one, or may be one. */
  readonly isUnsure?: boolean;
}

/** An amount that is only counted on. Differences between neighbors in time are stored, never the count itself. */
export interface CounterColumn extends ReadColumn {
  readonly kind: 'counter';
  /** When it falls to zero by itself. */
  readonly resets: CounterReset;
}

/** By the local date: `day` also where the day begins at another hour. `never` where only people reset it. */
export type CounterReset = 'day' | 'week' | 'month' | 'year' | 'never';

export interface LeftOutColumn extends PlacedColumn {
  readonly kind: 'left out';
  /** For people, behind the heading: `indoor`, `a rolling sum of the last 60 minutes`. */
  readonly reason: string;
}

export interface RequiredText {
  readonly at: number;
  readonly heading: string;
  readonly texts: readonly string[];
  /** Written behind another text: `is no system of units`. */
  readonly problem: string;
}

export interface RowRule {
  readonly at: number;
  /** Rows with another text here are passed over … */
  readonly keep?: readonly string[];
  /** … or rows with one of these. */
  readonly drop?: readonly string[];
  /** For people, in the plural: `daily summaries (SOD)`. */
  readonly reason: string;
}

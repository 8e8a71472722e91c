/** The inputs of an index by hours. Amounts are sums of the hour, other values are its means. */
export const HOURLY_INPUTS = [
  'temperature',
  'dewPoint',
  'humidity',
  'pressure',
  'seaLevelPressure',
  'windSpeed',
  'precipitation',
  'radiation',
  'pm2p5',
  'pm10',
] as const;
export type HourlyInput = (typeof HOURLY_INPUTS)[number];

/** The inputs of an index by days. `evapotranspiration` is the reference evapotranspiration in mm. */
export const DAILY_INPUTS = ['maximum', 'minimum', 'mean', 'precipitation', 'evapotranspiration'] as const;
export type DailyInput = (typeof DAILY_INPUTS)[number];

/** The place and the sensors of a station at an hour. */
export interface IndexSite {
  /** Degrees north. */
  readonly latitude: number;
  /** Degrees east. */
  readonly longitude: number;
  /** Meters above mean sea level; NaN if unknown. */
  readonly elevation: number;
  /** Height of the anemometer, m above the ground, at least 1. */
  readonly windHeight: number;
}

/** Consecutive hours of a station. NaN for unknown values; units are those of the stored variables. */
export interface IndexHours {
  readonly siteAt: (hour: number) => IndexSite;
  /** Standard time of the station, in milliseconds east of UTC. */
  readonly standardOffset: number;
  /** Begin of each hour, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly starts: Float64Array;
  /** Local date at the begin of each hour, in days since 1970-01-01. */
  readonly dates: Int32Array;
  /** @throws Error for an input that was not read */
  readonly of: (input: HourlyInput) => Float64Array;
}

/** Consecutive local days of a station. NaN for unknown values. */
export interface IndexDays {
  /** Days since 1970-01-01. */
  readonly dates: Int32Array;
  /** @throws Error for an input that was not read */
  readonly of: (input: DailyInput) => Float64Array;
}

/** A column of a result. */
export interface IndexColumn {
  readonly name: string;
  /** Unit of the values. `1` for a number without a unit. */
  readonly unit: string;
  /** Whether the values are differences of temperatures, which are converted without the offset of the unit. */
  readonly isDifference?: true;
  /** Text behind the unit: ` d` in `°C d`. */
  readonly suffix?: string;
  readonly decimals: number;
  /** What the column is, in one sentence for the documents. */
  readonly description: string;
  /** Words of a class. The values of the column are places in this list. */
  readonly classes?: readonly string[];
}

/** One row for each hour or each day of the input. */
export interface IndexRows {
  /** In the order of the columns of the index. NaN where a value is not known. */
  readonly columns: readonly Float64Array[];
  /** Number of hours, or of days, that were missing for the value. */
  readonly missing: Int32Array;
  /** 1 where the value follows the rule of the index. */
  readonly valid: Uint8Array;
}

/** What all indices have: the text of the documents and replies. */
export interface IndexDescription {
  /** Last part of the path of its route. */
  readonly name: string;
  readonly title: string;
  /** Publication of the formulas. */
  readonly source: string;
  /** When a row is valid. */
  readonly rule: string;
  readonly columns: readonly IndexColumn[];
  /** Days before the requested range that are read too, because values depend on them. */
  readonly leadDays: number;
  /** Hours after the requested range that are read too. Undefined means none. */
  readonly followingHours?: number;
  /** Whether the index is a sum from a date of the year. Then it is read from this date. */
  readonly hasStart: boolean;
}

/** An index that is computed from hours. */
export interface IndexOfHours<Options> extends IndexDescription {
  readonly reads: 'hours';
  /** Whether a row is an hour of the input, or one of its local days (`localDays`). */
  readonly gives: 'hours' | 'days';
  readonly inputs: readonly HourlyInput[];
  readonly compute: (hours: IndexHours, options: Options) => IndexRows;
}

/** An index that is computed from days. A row is a day of the input. */
export interface IndexOfDays<Options> extends IndexDescription {
  readonly reads: 'days';
  readonly gives: 'days';
  readonly inputs: readonly DailyInput[];
  readonly compute: (days: IndexDays, options: Options) => IndexRows;
}

export type StationIndex<Options> = IndexOfHours<Options> | IndexOfDays<Options>;

/** Month and day at which sums begin, each from 1. */
export interface YearStart {
  readonly month: number;
  readonly day: number;
}

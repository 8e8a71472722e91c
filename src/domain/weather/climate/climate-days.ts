import { MILLISECONDS } from '../../time.js';

/** Quantities that are computed from other quantities. */
const COMPUTED = {
  midrange: ['maximum', 'minimum'],
  peakWind: ['highestWind', 'gust'],
} as const;

/**
 * The variable and the statistic from which a value of a day comes. For example, the maximum of a day is the statistic `max` of
 * the variable `air_temperature`.
 */
export interface Source {
  readonly variable: string;
  readonly statistic: 'min' | 'max' | 'mean' | 'sum';
}

/** The values of a day that climate statistics use. */
export const QUANTITIES_OF_DAY = {
  maximum: { variable: 'air_temperature', statistic: 'max' },
  minimum: { variable: 'air_temperature', statistic: 'min' },
  mean: { variable: 'air_temperature', statistic: 'mean' },
  precipitation: { variable: 'precipitation_amount', statistic: 'sum' },
  sunshine: { variable: 'duration_of_sunshine', statistic: 'sum' },
  humidity: { variable: 'relative_humidity', statistic: 'mean' },
  pressure: { variable: 'air_pressure_at_mean_sea_level', statistic: 'mean' },
  highestPressure: { variable: 'air_pressure_at_mean_sea_level', statistic: 'max' },
  lowestPressure: { variable: 'air_pressure_at_mean_sea_level', statistic: 'min' },
  wind: { variable: 'wind_speed', statistic: 'mean' },
  highestWind: { variable: 'wind_speed', statistic: 'max' },
  windDirection: { variable: 'wind_from_direction', statistic: 'mean' },
  gust: { variable: 'wind_speed_of_gust', statistic: 'max' },
  newSnow: { variable: 'thickness_of_snowfall_amount', statistic: 'sum' },
  snowDepth: { variable: 'surface_snow_thickness', statistic: 'max' },
} as const satisfies Readonly<Record<string, Source>>;
export type DayQuantity = keyof typeof QUANTITIES_OF_DAY;

/**
 * A quantity of a day. It is read, or computed from other quantities: `midrange` is (maximum + minimum) / 2 of the temperature,
 * and `peakWind` is the larger of the highest gust and the highest wind speed. The wind speed is needed, because many stations
 * report a gust only in strong wind.
 */
export type ClimateQuantity = DayQuantity | keyof typeof COMPUTED;

/** A quantity of each day of a table. */
export interface DayColumn {
  /** NaN for a day without a value. */
  readonly values: Float64Array;
  /** Times of the extremes, in milliseconds since 1970-01-01T00:00:00Z; NaN if unknown. */
  readonly times: Float64Array;
  /** 1 if the day is complete: enough of the day was observed, so that the value represents the day. Otherwise 0. */
  readonly complete: Uint8Array;
}

/**
 * A table of all days of whole years, in the calendar of a station. A date has no row if the time zone of the station skipped
 * this date.
 */
export class ClimateDays {
  /** Days from 1970-01-01 to each date. */
  readonly dates: Int32Array;
  readonly columns: ReadonlyMap<DayQuantity, DayColumn>;
  readonly #known = new Map<ClimateQuantity, Float64Array>();

  constructor(dates: Int32Array, columns: ReadonlyMap<DayQuantity, DayColumn>) {
    this.dates = dates;
    this.columns = columns;
  }

  /** @throws Error for a quantity that was not read */
  column(quantity: DayQuantity): DayColumn {
    const column = this.columns.get(quantity);
    if (column === undefined) throw new Error(`the days have no ${quantity}`);
    return column;
  }

  /**
   * Whether any day has a value of the quantity, or of a quantity from which it is computed. Values of incomplete days count too.
   */
  isObserved(quantity: ClimateQuantity): boolean {
    return sourcesOf([quantity]).some((source) => !this.column(source).values.every(Number.isNaN));
  }

  /**
   * The first and the last date with a value of any quantity, for example `2013-07-18`. Values of incomplete days count too.
   * Undefined if there is no value.
   */
  get observed(): { readonly first: string; readonly last: string } | undefined {
    const columns = [...this.columns.values()];
    const hasValue = (_: number, row: number) => columns.some(({ values }) => !Number.isNaN(values[row]));
    const [first, last] = [this.dates.find(hasValue), this.dates.findLast(hasValue)];
    return first === undefined || last === undefined
      ? undefined
      : { first: dateText(first), last: dateText(last) };
  }

  /** The values of complete days; NaN for a day that is missing or not complete. */
  known(quantity: ClimateQuantity): Float64Array {
    const known = this.#known.get(quantity) ?? this.#computeKnown(quantity);
    this.#known.set(quantity, known);
    return known;
  }

  #computeKnown(quantity: ClimateQuantity): Float64Array {
    if (quantity === 'midrange') {
      const minima = this.known('minimum');
      return this.known('maximum').map((maximum, row) => (maximum + (minima[row] as number)) / 2);
    }
    if (quantity === 'peakWind') {
      // One complete value, of the wind speed or of the gust, is enough: then the result is the larger of the two values, even if
      // the larger value is incomplete. If both are incomplete, the result is NaN.
      const [speeds, gusts] = [this.column('highestWind'), this.column('gust')];
      return speeds.values.map((speed, row) =>
        speeds.complete[row] === 1 || gusts.complete[row] === 1
          ? higher(speed, gusts.values[row] as number)
          : Number.NaN,
      );
    }
    const { values, complete } = this.column(quantity);
    return values.map((value, row) => (complete[row] === 1 ? value : Number.NaN));
  }
}

/** The quantities that must be read to compute `quantities`. */
export function sourcesOf(quantities: readonly ClimateQuantity[]): readonly DayQuantity[] {
  const sources = quantities.flatMap((one): readonly DayQuantity[] =>
    one === 'midrange' || one === 'peakWind' ? COMPUTED[one] : [one],
  );
  return [...new Set(sources)];
}

/** The larger of two values. If one value is NaN, the result is the other value. */
function higher(one: number, other: number): number {
  return Number.isNaN(one) || other > one ? other : one;
}

/**
 * Returns the table `days` with the quantities of `other` added. The dates of `days` stay unchanged.
 *
 * @param other a table of days. The added quantities have NaN as the times of their extremes: `other` has times, but they are not
 * the times at which the extremes occurred.
 */
export function withColumns(days: ClimateDays, other: ClimateDays): ClimateDays {
  const rows = new Map(Array.from(other.dates, (date, row) => [date, row]));
  const otherRows = Array.from(days.dates, (date) => rows.get(date) ?? -1);
  const columns = [...other.columns].map(([quantity, { values, complete }]) => {
    const column: DayColumn = {
      values: Float64Array.from(otherRows, (row) => values[row] ?? Number.NaN),
      times: new Float64Array(otherRows.length).fill(Number.NaN),
      complete: Uint8Array.from(otherRows, (row) => complete[row] ?? 0),
    };
    return [quantity, column] as const;
  });
  return new ClimateDays(days.dates, new Map([...days.columns, ...columns]));
}

/** The number of a date: days from 1970-01-01. @param text a date, or a time that begins with its date */
export function dateNumber(text: string): number {
  return Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / MILLISECONDS.day;
}

/** The text of a date: `2013-07-18`. @param date days from 1970-01-01 */
export function dateText(date: number): string {
  return new Date(date * MILLISECONDS.day).toISOString().slice(0, 10);
}

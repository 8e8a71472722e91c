import { MILLISECONDS } from '../../time.js';
import { FROM_OBSERVATIONS, ORIGIN, type Provenance, sourceNamed } from './provenance.js';
import type { AmountsOfDays } from './several-days.js';

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
  /** Where the value of each day comes from (`ORIGIN`). Undefined if all values come from observations. */
  readonly origins?: Uint8Array;
  /** Published amounts of several days. Their days have no value because of them. */
  readonly amounts?: AmountsOfDays;
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
  readonly #provenance = new Map<ClimateQuantity, Provenance>();

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
   * Whether any day has a value of the quantity, or of a quantity from which it is computed. Values of incomplete days and amounts of
   * several days count too.
   */
  isObserved(quantity: ClimateQuantity): boolean {
    return sourcesOf([quantity]).some((one) => {
      const { values, amounts } = this.column(one);
      return amounts !== undefined || !values.every(Number.isNaN);
    });
  }

  /** The published amounts of several days of a quantity. */
  amounts(quantity: ClimateQuantity): AmountsOfDays | undefined {
    return quantity === 'midrange' || quantity === 'peakWind' ? undefined : this.column(quantity).amounts;
  }

  /** Where the values of a quantity come from. */
  provenance(quantity: ClimateQuantity): Provenance {
    const provenance = this.#provenance.get(quantity) ?? this.#findProvenance(quantity);
    this.#provenance.set(quantity, provenance);
    return provenance;
  }

  #findProvenance(quantity: ClimateQuantity): Provenance {
    const columns = sourcesOf([quantity]).map((one) => this.column(one));
    if (columns.every(({ origins }) => origins === undefined)) return FROM_OBSERVATIONS;
    const origins = new Uint8Array(this.dates.length);
    let all = this.amounts(quantity) === undefined ? 0 : ORIGIN.daily;
    for (let row = 0; row < origins.length; row += 1) {
      const originIn = (column: DayColumn | undefined) =>
        column === undefined || Number.isNaN(column.values[row])
          ? 0
          : (column.origins?.[row] ?? ORIGIN.observations);
      // The peak wind is the value of one column, and not computed from both.
      const isOther = quantity === 'peakWind' && this.#isGust(row);
      const used = quantity === 'peakWind' ? [columns[isOther ? 1 : 0]] : columns;
      origins[row] = used.reduce((bits, column) => bits | originIn(column), 0);
      all |= origins[row] as number;
    }
    const source = sourceNamed(all);
    return { source, origins: source === 'both' ? origins : undefined };
  }

  /** Whether the peak wind of a day is its gust, and not its wind speed. */
  #isGust(row: number): boolean {
    const [speeds, gusts] = [this.column('highestWind').values, this.column('gust').values];
    return isHigher(gusts[row] as number, speeds[row] as number);
  }

  /**
   * The first and the last date with a value of any quantity, for example `2013-07-18`. Values of incomplete days and amounts of
   * several days count too. Undefined if there is no value.
   */
  get observed(): { readonly first: string; readonly last: string } | undefined {
    const columns = [...this.columns.values()];
    const hasValue = (_: number, row: number) =>
      columns.some(({ values, amounts }) => !Number.isNaN(values[row]) || amounts?.covers(row) === true);
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
  return isHigher(other, one) ? other : one;
}

/** Whether the first of two values is larger, or the second is NaN. */
function isHigher(one: number, other: number): boolean {
  return Number.isNaN(other) || one > other;
}

/**
 * Returns the table `days` with the values of `published` in place of its own. The dates of `days` stay unchanged. A day without a
 * published value keeps its own value, if the table has the quantity.
 *
 * @param published a table of published values of days. Their extremes have NaN as their times: `published` has times, but they are
 *   not the times at which the extremes occurred
 */
export function withPublished(days: ClimateDays, published: ClimateDays): ClimateDays {
  const rows = new Map(Array.from(published.dates, (date, row) => [date, row]));
  const rowsOf = Array.from(days.dates, (date) => rows.get(date) ?? -1);
  const columns = [...published.columns].map(([quantity, { values, complete }]) => {
    const own = days.columns.get(quantity);
    const isPublished = rowsOf.map((row) => !Number.isNaN(values[row] ?? Number.NaN));
    const column: DayColumn = {
      values: Float64Array.from(rowsOf, (row, at) =>
        isPublished[at] ? (values[row] as number) : (own?.values[at] ?? Number.NaN),
      ),
      times: Float64Array.from(rowsOf, (_, at) =>
        isPublished[at] ? Number.NaN : (own?.times[at] ?? Number.NaN),
      ),
      complete: Uint8Array.from(
        rowsOf,
        (row, at) => (isPublished[at] ? complete[row] : own?.complete[at]) ?? 0,
      ),
      origins: Uint8Array.from(isPublished, (is) =>
        is || own === undefined ? ORIGIN.daily : ORIGIN.observations,
      ),
    };
    return [quantity, column] as const;
  });
  return new ClimateDays(days.dates, new Map([...days.columns, ...columns]));
}

/** Returns the table `days` with the amounts of several days of some quantities. A quantity without a column gets one without values. */
export function withAmounts(
  days: ClimateDays,
  amounts: ReadonlyMap<DayQuantity, AmountsOfDays>,
): ClimateDays {
  const { length } = days.dates;
  const empty = {
    values: new Float64Array(length).fill(Number.NaN),
    times: new Float64Array(length).fill(Number.NaN),
    complete: new Uint8Array(length),
  };
  const columns = [...amounts].map(
    ([quantity, ofQuantity]) =>
      [
        quantity,
        {
          origins: new Uint8Array(length).fill(ORIGIN.observations),
          ...(days.columns.get(quantity) ?? empty),
          amounts: ofQuantity,
        },
      ] as const,
  );
  return new ClimateDays(days.dates, new Map([...days.columns, ...columns]));
}

/** The number of a date: days from 1970-01-01. @param text a date, or a time that begins with its date */
export function dateNumber(text: string): number {
  return Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / MILLISECONDS.day;
}

/** The text of a date: `2013-07-18`; before the year 0 with a sign and six digits of the year. @param date days from 1970-01-01 */
export function dateText(date: number): string {
  return new Date(date * MILLISECONDS.day).toISOString().slice(0, -'T00:00:00.000Z'.length);
}

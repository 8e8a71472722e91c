import { converter, unitIn } from '../../units.js';
import { type Variable, variableNamed } from '../../variables.js';
import { ClimateDays, QUANTITIES_OF_DAY, dateText, type DayQuantity } from '../climate-days.js';
import type { AmountOfDays } from '../several-days.js';
import type { ColumnSources } from './published-days.js';
import { DEFAULT_BASES } from '../../summaries/of-days.js';
import { degreesBeyond } from '../degree-days.js';

/** The quantities in the lines of a report. */
export const REPORTED = [
  'mean',
  'maximum',
  'minimum',
  'precipitation',
  'wind',
  'highestWind',
  'gust',
  'windDirection',
] as const satisfies readonly DayQuantity[];

export type NoaaUnits = 'imperial' | 'metric';

/** The climate values of a day, a month or a year, in the units of the report. NaN for a missing value. */
export interface NoaaLine {
  readonly mean: number;
  readonly high: MonthExtreme;
  readonly low: MonthExtreme;
  readonly heating: number;
  readonly cooling: number;
  readonly rain: number;
  readonly wind: number;
  readonly highWind: MonthExtreme;
  /** Direction from which the wind blows, in degrees. */
  readonly direction: number;
  /** Mean of the daily maxima, and mean of the daily minima. */
  readonly meanHigh: number;
  readonly meanLow: number;
  /** Numbers of days with: maximum >= `hot`, maximum <= `cold`, minimum <= `cold`, minimum <= `veryCold`. */
  readonly temperatureDays: readonly number[];
  readonly wettest: MonthExtreme;
  /** For each amount of `NoaaThresholds.rain`, the number of days with at least this amount. */
  readonly rainDays: readonly number[];
}

export interface MonthExtreme {
  readonly value: number;
  /** The day of the extreme, as days from 1970-01-01; NaN without a value. */
  readonly date: number;
  /** Time of the extreme, in milliseconds since 1970-01-01T00:00:00Z; NaN if unknown. */
  readonly time: number;
}

/** Thresholds for the numbers of days, as in WeeWX's reports: temperatures in °F or °C, rain in inches or mm. */
export interface NoaaThresholds {
  readonly hot: number;
  readonly cold: number;
  readonly veryCold: number;
  readonly rain: readonly number[];
}

export const NOAA_THRESHOLDS: Readonly<Record<NoaaUnits, NoaaThresholds>> = {
  imperial: { hot: 90, cold: 32, veryCold: 0, rain: [0.01, 0.1, 1] },
  metric: { hot: 30, cold: 0, veryCold: -20, rain: [0.3, 3, 30] },
};

/** The kinds of values of a report with their quantities. */
const KINDS = {
  temperature: ['mean', 'maximum', 'minimum'],
  rain: ['precipitation'],
  wind: ['wind', 'highestWind', 'gust', 'windDirection'],
} as const satisfies Readonly<Record<string, readonly [DayQuantity, ...DayQuantity[]]>>;

/** An amount of rain of several days. It is in the total of a period if all of its days are in the period, and on no day. */
export interface NoaaAmount extends AmountOfDays {
  readonly isInTotal: boolean;
}

/** One kind of value of a report, with the days on which this value is missing or incomplete. */
export interface NoaaGap {
  /** `temperature`, `rain` or `wind`. */
  readonly what: string;
  /** Whether any day of the report has a value of this kind. Values of incomplete days count too. */
  readonly isObserved: boolean;
  /** Dates, in order. */
  readonly dates: readonly string[];
}

/** Converts the quantities of a report to the units of the report. */
export function inReportUnits(days: ClimateDays, units: NoaaUnits): ClimateDays {
  const columns = REPORTED.map((quantity) => {
    const column = days.column(quantity);
    const convert = converterFor(QUANTITIES_OF_DAY[quantity].variable, units);
    const { amounts } = column;
    const converted = { ...column, values: column.values.map(convert) };
    return [
      quantity,
      amounts === undefined ? converted : { ...converted, amounts: amounts.convert(convert) },
    ] as const;
  });
  return new ClimateDays(days.dates, new Map(columns));
}

function converterFor(name: string, units: NoaaUnits): (value: number) => number {
  const variable = variableNamed(name) as Variable;
  return converter(variable, unitIn(units, variable), 'unit');
}

/** Computes the lines of a report from days in the units of the report. */
export class NoaaLines {
  readonly #days: ClimateDays;
  readonly #thresholds: NoaaThresholds;
  /** Base of degree days (65 °F), in the unit of the report. */
  readonly #base: number;

  constructor(days: ClimateDays, units: NoaaUnits) {
    this.#days = days;
    this.#thresholds = NOAA_THRESHOLDS[units];
    this.#base = converterFor('air_temperature', units)(DEFAULT_BASES.heating);
  }

  /** The line of a day; undefined if the day has no value. */
  day(row: number): NoaaLine | undefined {
    const isMissing = REPORTED.every((quantity) =>
      Number.isNaN(this.#days.column(quantity).values[row] as number),
    );
    return isMissing ? undefined : this.total(this.#days, row, row, row + 1);
  }

  /**
   * The totals of the days from row `from` to `to` (not included).
   *
   * @param periods a table with one row for each period. The row `period` has the means over all observations of these days, and
   *   the direction of their resultant wind.
   */
  total(periods: ClimateDays, period: number, from: number, to: number): NoaaLine {
    const ofPeriod = (quantity: DayQuantity) => periods.column(quantity).values[period] ?? Number.NaN;
    const [means, maxima, minima, rains] = [
      this.#values('mean', from, to),
      this.#values('maximum', from, to),
      this.#values('minimum', from, to),
      this.#values('precipitation', from, to),
    ];
    const { hot, cold, veryCold, rain } = this.#thresholds;
    const daysWith = (values: readonly number[], meets: (value: number) => boolean) =>
      values.filter(meets).length;
    const degrees = (sign: 1 | -1) => sumOf(means.map((mean) => degreesBeyond(mean, this.#base, sign)));
    return {
      mean: ofPeriod('mean'),
      high: this.#extreme('maximum', from, to, 1),
      low: this.#extreme('minimum', from, to, -1),
      heating: degrees(-1),
      cooling: degrees(1),
      rain: sumOf(this.#amounts(from, to)),
      wind: ofPeriod('wind'),
      highWind: higher(this.#extreme('gust', from, to, 1), this.#extreme('highestWind', from, to, 1)),
      direction: ofPeriod('windDirection'),
      meanHigh: sumOf(maxima) / maxima.length,
      meanLow: sumOf(minima) / minima.length,
      temperatureDays: [
        daysWith(maxima, (value) => value >= hot),
        daysWith(maxima, (value) => value <= cold),
        daysWith(minima, (value) => value <= cold),
        daysWith(minima, (value) => value <= veryCold),
      ],
      wettest: this.#extreme('precipitation', from, to, 1),
      rainDays: rain.map((least) => daysWith(rains, (value) => value >= least)),
    };
  }

  /**
   * The incomplete days from row `from` to `to` (not included), for each kind of value. They are judged by the first quantity of the
   * kind that was observed.
   */
  gaps(from: number, to: number): readonly NoaaGap[] {
    return Object.entries(KINDS).map(([what, quantities]) => {
      const observed = quantities.find((one) => this.#values(one, from, to).length > 0);
      const { complete, amounts } = this.#days.column(observed ?? quantities[0]);
      const isMissing = (row: number) =>
        complete[row] !== 1 && amounts?.shareOf(row, { from, to }) === undefined;
      const rows = Array.from({ length: to - from }, (_, index) => from + index);
      const dates = rows.filter(isMissing).map((row) => dateText(this.#days.dates[row] as number));
      return { what, isObserved: observed !== undefined || dates.length < rows.length, dates };
    });
  }

  /** The amounts of rain of several days that have a day from row `from` to `to` (not included). */
  rainOfDays(from: number, to: number): readonly NoaaAmount[] {
    const { amounts } = this.#days.column('precipitation');
    const [first = Infinity, last = -Infinity] = [this.#days.dates[from], this.#days.dates[to - 1]];
    return (amounts?.all ?? [])
      .filter((one) => one.last >= first && one.first <= last)
      .map((one) => ({ ...one, isInTotal: one.first >= first && one.last <= last }));
  }

  /** The amounts of days, and the amounts of several days in place of the amounts of their days. */
  #amounts(from: number, to: number): number[] {
    const { values, amounts } = this.#days.column('precipitation');
    return Array.from(
      values.subarray(from, to),
      (value, index) => amounts?.shareOf(from + index, { from, to }) ?? value,
    ).filter((value) => !Number.isNaN(value));
  }

  #values(quantity: DayQuantity, from: number, to: number): number[] {
    return [...this.#days.column(quantity).values.subarray(from, to)].filter((value) => !Number.isNaN(value));
  }

  /** The largest value (`sign` 1) or the smallest value (`sign` -1). If this value occurs several times, the first day counts. */
  #extreme(quantity: DayQuantity, from: number, to: number, sign: 1 | -1): MonthExtreme {
    const { values, times } = this.#days.column(quantity);
    let best = -1;
    for (let row = from; row < to; row += 1) {
      const value = values[row] as number;
      if (!Number.isNaN(value) && (best < 0 || sign * (value - (values[best] as number)) > 0)) best = row;
    }
    const at = (column: ArrayLike<number>) => column[best] ?? Number.NaN;
    return { value: at(values), date: at(this.#days.dates), time: at(times) };
  }
}

/** The sum of `values`; NaN without values. */
function sumOf(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0);
}

/** The larger of the highest gust and the highest wind speed. Many stations report no gusts in calm weather. */
function higher(gust: MonthExtreme, wind: MonthExtreme): MonthExtreme {
  return Number.isNaN(gust.value) || wind.value > gust.value ? wind : gust;
}

/** The report of a month or a year. */
export interface NoaaReport {
  readonly units: NoaaUnits;
  readonly year: number;
  /** 1 to 12; undefined for the report of a year. */
  readonly month: number | undefined;
  /** One line for each day of a month, or for each month of a year. `number` is the number of the day or of the month. */
  readonly lines: readonly { readonly number: number; readonly line: NoaaLine | undefined }[];
  /** Undefined if the period has no value. */
  readonly total: NoaaLine | undefined;
  readonly gaps: readonly NoaaGap[];
  /** Where the values come from; undefined if all of them are computed from observations. */
  readonly sources?: readonly ColumnSources[];
  /** With published values: the times of day at which they were read; null for an unknown time. */
  readonly observationTimes?: readonly (string | null)[];
  /** The amounts of rain of several days. */
  readonly rainOfDays?: readonly NoaaAmount[];
}

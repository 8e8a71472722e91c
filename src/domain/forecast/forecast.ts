/** A forecast as a provider has issued it. Columns are as long as `times`. Values are NaN if absent. */
export interface Forecast {
  /**
   * Milliseconds since 1970-01-01T00:00:00Z: the time at which the service received the forecast, because not every provider names the
   * run of its model.
   */
  readonly issued: number;
  /** The hours that the forecast is for, in ascending order, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly times: Float64Array;
  /** Columns by number of the variable of forecasts. */
  readonly values: ReadonlyMap<number, Float64Array>;
}

/** The columns that the service has made from a forecast and the past of the station. */
export interface Correction {
  /** The corrected values, whether they are published or not. */
  readonly corrected: ReadonlyMap<number, Float64Array>;
  /** The values that 10 % and 90 % of the outcomes stay below. */
  readonly low: ReadonlyMap<number, Float64Array>;
  readonly high: ReadonlyMap<number, Float64Array>;
  /** For each variable and each class of lead times, whether the corrected values are published instead of the forecast. */
  readonly published: ReadonlyMap<number, readonly boolean[]>;
}

/** A forecast as it is kept. */
export interface IssuedForecast extends Forecast, Correction {
  /**
   * Whether the forecast was imported later. It was not shown, and its corrections say what would have been shown. They are made again
   * when the past is learned again.
   */
  readonly isImported: boolean;
}

/** A forecast without corrections, as an import has it. */
/**
 * A stored forecast with the hours and values that another one of the same time of issue has besides. The stored values stay. The result has
 * no corrections.
 *
 * @returns undefined if the other one has no others
 */
export function mergedForecast(stored: Forecast, other: Forecast): Forecast | undefined {
  const times = [...new Set([...stored.times, ...other.times])].toSorted((a, b) => a - b);
  const rowsOf = (forecast: Forecast) => new Map([...forecast.times].map((time, row) => [time, row]));
  const [ownRows, otherRows] = [rowsOf(stored), rowsOf(other)];
  const names = new Set([...stored.values.keys(), ...other.values.keys()]);
  let hasOthers = false;
  const values = new Map<number, Float64Array>();
  for (const number of names) {
    const [own, others] = [stored.values.get(number), other.values.get(number)];
    const column = times.map((time) => {
      const known = own?.[ownRows.get(time) ?? -1] ?? Number.NaN;
      if (!Number.isNaN(known)) return known;
      const value = others?.[otherRows.get(time) ?? -1] ?? Number.NaN;
      hasOthers ||= !Number.isNaN(value);
      return value;
    });
    values.set(number, Float64Array.from(column));
  }
  return hasOthers ? { issued: stored.issued, times: Float64Array.from(times), values } : undefined;
}

export function uncorrected(forecast: Forecast): IssuedForecast {
  return {
    ...forecast,
    isImported: true,
    corrected: new Map(),
    low: new Map(),
    high: new Map(),
    published: new Map(),
  };
}

import { MILLISECONDS } from '#domain/time.js';
import { DERIVED } from '#domain/weather/derived/quantities.js';
import type {
  QuantityInputs,
  DerivedQuantity,
  QuantityDescription,
} from '#domain/weather/derived/quantity.js';
import { anemometerHeight } from '#domain/weather/derived/wind-profile.js';
import { lowerBound, type Series, sliceSeries } from '#domain/weather/series.js';
import { periodsOf } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import { V, variableNumbered } from '#domain/weather/variables.js';
import { quantitiesNamed } from './derived-names.js';
import type { StationSnapshot } from '../describe-station.js';
import { type Permit, UNLIMITED } from '../gate/permit.js';
import type { ObservationPage, ReadInput, ReadObservations } from '../read-observations.js';

export interface DerivedPage extends Pick<ObservationPage, 'station' | 'from' | 'to' | 'next'> {
  readonly quantities: readonly QuantityDescription[];
  /** The rows in consecutive pieces. The key of a column is the index of its quantity in `quantities`. */
  readonly parts: readonly Series[];
  /** For each quantity, the number of rows with a stored value; undefined for a quantity that is never stored. */
  readonly stored: readonly (number | undefined)[];
}

export type DeriveInput = Omit<ReadInput, 'variables'> & {
  readonly variables: readonly string[];
  /** The quantity `feels_like`. Without it, this name is not known. */
  readonly feelsLike?: DerivedQuantity;
};

/**
 * Some quantities of a row, such as the pressure at sea level by the US practice, also need the temperature of twelve hours
 * earlier. This is the time between both, in ms.
 */
const EARLIER = 12 * MILLISECONDS.hour;
/** Maximum deviation from `EARLIER`, in ms. */
const TOLERANCE = 30 * MILLISECONDS.minute;
/** Maximum number of rows that are read from the time before a page: twelve and a half hours with one row per second. */
const EARLIER_ROWS = 45_000;

/** Number of rows that are computed without a pause. The slowest formula takes 20 ms for this number of rows. */
const SLICE = 1000;

/** Computes derived quantities, such as the heat index, from observations. */
export class Derive {
  readonly #read: ReadObservations;

  constructor(read: ReadObservations) {
    this.#read = read;
  }

  /**
   * Reads one page of observations and computes the quantities of each row.
   *
   * @param input.variables names of derived quantities
   * @throws DomainError as `ReadObservations`
   */
  async execute(
    described: StationSnapshot,
    input: DeriveInput,
    permit: Permit = UNLIMITED,
  ): Promise<DerivedPage> {
    const quantities = quantitiesNamed(
      input.feelsLike === undefined ? DERIVED : [...DERIVED, input.feelsLike],
      input.variables,
    );
    const inputs = [...new Set(quantities.flatMap((quantity) => quantity.inputs))];
    const variables = inputs.map((number) => variableNumbered(number).name);
    const page = await this.#read.execute(described, { ...input, variables }, permit);
    const { station, from, to, next } = page;
    const needsEarlier = quantities.some(({ needsEarlier: needs }) => needs === true);
    const earlier = needsEarlier ? await this.#earlier(described, input, page.parts) : [];
    const temperatures = new EarlierTemperatures([...earlier, ...(needsEarlier ? page.parts : [])]);
    const slices = page.parts.flatMap(slicesOf);
    const parts: Series[] = [];
    for (const series of slices) {
      if (parts.length > 0) await permit.turn();
      permit.signal?.throwIfAborted();
      parts.push(compute(quantities, series, station, temperatures));
    }
    const stored = quantities.map(({ stored: variable }, index) =>
      variable === undefined ? undefined : storedRows(slices, parts, variable, index),
    );
    return { station, from, to, next, quantities, parts, stored };
  }

  /** Reads the temperatures of the twelve and a half hours before the first row of a page. */
  async #earlier(
    described: StationSnapshot,
    { quality }: DeriveInput,
    parts: readonly Series[],
  ): Promise<readonly Series[]> {
    const first = parts.find(({ times }) => times.length > 0)?.times[0];
    if (first === undefined) return [];
    const input = {
      from: first - EARLIER - TOLERANCE,
      to: first,
      variables: [variableNumbered(V.temperature).name],
      quality,
      limit: EARLIER_ROWS,
      cursor: undefined,
    };
    // These rows are read without the permit of the request (see `Permit`), because they are few compared with the rows of the
    // page.
    const { short: _short, ...withoutRows } = described;
    const earlier = await this.#read.execute(withoutRows, input);
    return earlier.parts;
  }
}

function slicesOf(series: Series): Series[] {
  const count = Math.ceil(series.times.length / SLICE);
  return Array.from({ length: count }, (_, slice) =>
    sliceSeries(series, slice * SLICE, Math.min(series.times.length, (slice + 1) * SLICE)),
  );
}

/** Finds the temperature of twelve hours before a time. */
class EarlierTemperatures {
  readonly #parts: readonly Pick<Series, 'times' | 'values'>[];

  constructor(parts: readonly Pick<Series, 'times' | 'values'>[]) {
    this.#parts = parts;
  }

  /** The temperature nearest to twelve hours before `time`; NaN if there is none within half an hour. */
  before(time: number): number {
    const earlierTime = time - EARLIER;
    let nearest = Number.NaN;
    let distance = TOLERANCE;
    for (const { times, values } of this.#parts) {
      const column = values.get(V.temperature);
      const [first = Infinity, last = -Infinity] = [times[0], times.at(-1)];
      if (column === undefined || first > earlierTime + TOLERANCE || last < earlierTime - TOLERANCE) continue;
      for (let row = lowerBound(times, earlierTime - TOLERANCE); row < times.length; row += 1) {
        const away = Math.abs((times[row] as number) - earlierTime);
        if ((times[row] as number) > earlierTime && away > distance) break;
        if (Number.isNaN(column[row]) || away > distance) continue;
        nearest = column[row] as number;
        distance = away;
      }
    }
    return nearest;
  }
}

/**
 * Computes quantities from columns that may have been observed or forecast.
 *
 * @param series times in ascending order, and columns by number of the variable
 * @returns the columns, with the index of the quantity as key
 */
export function deriveColumns(
  quantities: readonly DerivedQuantity[],
  series: Pick<Series, 'times' | 'values'>,
  station: Station,
): Series['values'] {
  return compute(quantities, series, station, new EarlierTemperatures([series])).values;
}

function compute(
  quantities: readonly DerivedQuantity[],
  { times, values }: Pick<Series, 'times' | 'values'>,
  station: Station,
  temperatures: EarlierTemperatures,
): Series {
  const at = (variable: number, row: number) => values.get(variable)?.[row] ?? Number.NaN;
  const locationAt = locationsOf(station);
  const columns = quantities.map(() => new Float64Array(times.length));
  for (const [row, time] of times.entries()) {
    const conditions: QuantityInputs = {
      time,
      temperature: at(V.temperature, row),
      temperatureBefore: temperatures.before(time),
      dewPoint: at(V.dewPoint, row),
      humidity: at(V.humidity, row),
      pressure: at(V.pressure, row),
      seaLevelPressure: at(V.seaLevelPressure, row),
      windSpeed: at(V.windSpeed, row),
      radiation: at(V.radiation, row),
      pm2p5: at(V.pm2p5, row),
      pm10: at(V.pm10, row),
      ...locationAt(time),
    };
    for (const [index, quantity] of quantities.entries()) {
      (columns[index] as Float64Array)[row] = quantity.compute(conditions);
    }
  }
  return { times, values: new Map(columns.entries()), flags: new Map() };
}

/**
 * Returns a function that gives the position of the station and the height of its anemometer at a time. The times of successive
 * calls must rise.
 */
function locationsOf(
  station: Station,
): (time: number) => Pick<QuantityInputs, 'elevation' | 'latitude' | 'longitude' | 'windHeight'> {
  const locations = periodsOf(station).map(({ until, elevation, latitude, longitude, sensorHeights }) => ({
    until: until ?? Infinity,
    location: {
      elevation: elevation ?? Number.NaN,
      latitude,
      longitude,
      windHeight: anemometerHeight(sensorHeights),
    },
  }));
  let at = 0;
  return (time) => {
    while (time >= (locations[at]?.until ?? Infinity)) at += 1;
    return (locations[at] as (typeof locations)[number]).location;
  };
}

/** Number of rows that have both a stored value of the variable and a result. */
function storedRows(
  rows: readonly Series[],
  results: readonly Series[],
  variable: number,
  index: number,
): number {
  let count = 0;
  for (const [part, { values }] of rows.entries()) {
    const column = values.get(variable);
    const computed = results[part]?.values.get(index);
    column?.forEach((value, row) => {
      if (!Number.isNaN(value) && !Number.isNaN(computed?.[row])) count += 1;
    });
  }
  return count;
}

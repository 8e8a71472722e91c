import { saturationTemperature, saturationVaporPressure } from '#domain/weather/derived/vapor.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import type { StationDraft } from '#domain/weather/station.js';
import { converter, unitIn } from '#domain/weather/units.js';
import { variableNumbered } from '#domain/weather/variables.js';

/** Milliseconds between two rows of synthetic observations, which have twelve variables at the resolution of sensors. */
export const STEP = 600_000;
export const START = Date.UTC(2024, 0, 1);
/** Number of steps of a day. */
const DAY_STEPS = 144;

const VARIABLES: readonly (readonly [number: number, middle: number, swing: number, digits: number])[] = [
  [1, 11, 9, 1],
  [2, 5, 4, 1],
  [3, 70, 20, 0],
  [4, 1002, 12, 1],
  [5, 1013, 12, 1],
  [6, 6, 4, 1],
  [7, 180, 170, 0],
  [8, 14, 4, 1],
  [9, 0.4, 0.4, 1],
  [11, 400, 400, 0],
  [14, 20_000, 9000, -2],
  [15, 50, 50, 0],
];

export function makeStations(count: number): StationDraft[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `station-${String(index + 1).padStart(5, '0')}`,
    name: `Station ${index + 1}`,
    latitude: 47 + (index % 90) / 10,
    longitude: 6 + (index % 80) / 10,
    elevation: index % 2000,
    timeZone: 'Europe/Berlin',
    identifiers: {},
    reportingInterval: 600,
    limits: {},
  }));
}

/** Makes the rows `[from, to)` of the stations with these numbers. The rows are sorted by time, or by station. */
export function makeBatch(
  stations: readonly number[],
  from: number,
  to: number,
  order: 'time' | 'station',
): ObservationBatch {
  const rows = stations.length * (to - from);
  const numbers = new Uint32Array(rows);
  const times = new Float64Array(rows);
  const values = new Map(VARIABLES.map(([variable]) => [variable, new Float64Array(rows)]));
  const put = (row: number, station: number, step: number) => {
    numbers[row] = station;
    times[row] = START + step * STEP;
    for (const [variable, middle, swing, digits] of VARIABLES) {
      const column = values.get(variable) as Float64Array;
      column[row] = valueAt(station * 7 + variable, step, middle, swing, digits);
    }
    setDewPoint(values, row);
  };
  let row = 0;
  if (order === 'time') {
    for (let step = from; step < to; step += 1) for (const station of stations) put(row++, station, step);
  } else {
    for (const station of stations) for (let step = from; step < to; step += 1) put(row++, station, step);
  }
  return { stations: numbers, times, values, flags: new Map() };
}

/** The values of a day by variable. */
let day: ReadonlyMap<number, Float64Array> | undefined;

/**
 * Makes rows with the values of `makeBatch`, but faster, for measurements that include the creation of the rows.
 *
 * @param place the station and time of a row, by its index
 */
export function makeRows(
  rows: number,
  place: (row: number) => readonly [station: number, time: number],
): ObservationBatch {
  day ??= makeBatch([1], 0, DAY_STEPS, 'station').values;
  const batch = {
    stations: new Uint32Array(rows),
    times: new Float64Array(rows),
    values: new Map([...day.keys()].map((variable) => [variable, new Float64Array(rows)])),
    flags: new Map<number, Uint8Array>(),
  };
  const phases = new Uint8Array(rows);
  for (let row = 0; row < rows; row += 1) {
    const [station, time] = place(row);
    batch.stations[row] = station;
    batch.times[row] = time;
    const phase = (station * 7 + (time - START) / STEP) % DAY_STEPS;
    phases[row] = phase < 0 ? phase + DAY_STEPS : phase;
  }
  for (const [variable, column] of batch.values) {
    const values = day.get(variable) as Float64Array;
    for (let row = 0; row < rows; row += 1) column[row] = values[phases[row] as number] as number;
  }
  return batch;
}

/** Sets the dew point that follows from temperature and humidity, rounded like on a console. Other dew points would be flagged. */
export function setDewPoint(values: ReadonlyMap<number, Float64Array>, row: number): void {
  const column = values.get(2) as Float64Array;
  const temperature = values.get(1)?.[row] as number;
  const vapor = (saturationVaporPressure(temperature) * (values.get(3)?.[row] as number)) / 100;
  column[row] = Math.round(10 * saturationTemperature(vapor)) / 10;
}

/** Number of decimals that consoles display in imperial units, by variable. */
const IMPERIAL_DECIMALS: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  4: 2,
  5: 2,
  6: 1,
  8: 1,
  9: 2,
  14: 1,
};

/** The same rows as if they had been sent in °F, inHg, mph, in and mi, and converted when they were stored. */
export function sentInImperial(batch: ObservationBatch): ObservationBatch {
  const values = new Map<number, Float64Array>();
  for (const [number, column] of batch.values) {
    const variable = variableNumbered(number);
    const unit = unitIn('imperial', variable);
    const toUnit = converter(variable, unit, 'unit');
    const toStored = converter(variable, unit, 'stored');
    const power = 10 ** (IMPERIAL_DECIMALS[number] ?? 0);
    values.set(
      number,
      column.map((value) => toStored(Math.round(toUnit(value) * power) / power)),
    );
  }
  return { ...batch, values };
}

/** A daily cycle with a little noise, rounded like a sensor. */
function valueAt(seed: number, step: number, middle: number, swing: number, digits: number): number {
  const noise = (((seed * 2654435761 + step * 40503) >>> 0) % 1000) / 1000 - 0.5;
  const value = middle + swing * (0.95 * SINES[(step + seed) % 144]! + 0.05 * noise);
  const power = 10 ** digits;
  return Math.round(value * power) / power;
}

const SINES = Array.from({ length: 144 }, (_, index) => Math.sin((index / 144) * 2 * Math.PI));

import { MILLISECONDS } from '#domain/time.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import type { StationEdit } from '#domain/weather/station-edit.js';
import type { StationDraft } from '#domain/weather/station.js';
import { variableNumbered } from '#domain/weather/variables.js';

/** Number of stations. A store groups 64 stations in a block, so these stations belong to two blocks. */
export const STATIONS = 70;
export const START = Date.UTC(2024, 0, 1);
export const STEP = 16 * MILLISECONDS.day;
/** Number of steps between the first value and the second value of a row. */
export const SECOND_VALUE_DELAY = 7;
/** Number of stations whose limits change in each step. */
const CHANGED_AT_ONCE = 10;
/**
 * Time in ms since 1970. After a change of a station, the rows of the stations around it are checked again from this time on. The
 * value 0 means all rows.
 */
export const RECHECK_FROM = 0;
export const ZONE = 'Europe/Lisbon';

export const timeOf = (step: number) => START + step * STEP;
export const valueOf = (station: number, step: number) => ((station * 7 + step) % 31) / 2;

export const DRAFTS: readonly StationDraft[] = Array.from({ length: STATIONS }, (_, index) => ({
  id: `s${index}`,
  name: 'Station',
  latitude: 0,
  longitude: 0,
  elevation: null,
  timeZone: ZONE,
  identifiers: {},
  reportingInterval: null,
  limits: {},
}));

/** The rows that a step writes. */
export function rowsOf(step: number): ObservationBatch {
  const numbers = Array.from({ length: STATIONS }, (_, index) => index + 1);
  const rows = [
    ...(step < SECOND_VALUE_DELAY
      ? []
      : numbers.map((station) => [station, step - SECOND_VALUE_DELAY, Number.NaN, step % 90] as const)),
    ...numbers.map((station) => [station, step, valueOf(station, step), Number.NaN] as const),
  ];
  return {
    stations: Uint32Array.from(rows, ([station]) => station),
    times: Float64Array.from(rows, ([, one]) => timeOf(one)),
    values: new Map([
      [1, Float64Array.from(rows, ([, , value]) => value)],
      [4, Float64Array.from(rows, ([, , , value]) => value)],
    ]),
    flags: new Map(),
  };
}

/** Changes the limits of the second variable, so that the values of this variable, 0 to 89, alternately fail and pass. */
export function editsOf(step: number): StationEdit[] {
  const hasPassed = Math.floor((step * CHANGED_AT_ONCE) / STATIONS) % 2 === 1;
  const limits = { [variableNumbered(4).name]: { min: -1, max: hasPassed ? 0.5 : 89.5 } };
  return Array.from({ length: CHANGED_AT_ONCE }, (_, count) => {
    return { id: `s${(step * CHANGED_AT_ONCE + count) % STATIONS}`, change: { limits } };
  });
}

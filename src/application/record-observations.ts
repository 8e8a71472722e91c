import { DomainError } from '../domain/domain-error.js';
import type { WriteCounts } from '../domain/merge-series.js';
import type { StationRules } from '../domain/quality-control.js';
import type { Station } from '../domain/station.js';
import { converter } from '../domain/units.js';
import { type Variable, variableNamed } from '../domain/variables.js';
import { findStation } from './find-station.js';
import type { Clock } from './ports/clock.js';
import type { ObservationStore } from './ports/observation-store.js';
import type { StationStore } from './ports/station-store.js';

/** Milliseconds that a time may lie ahead of the clock. */
export const MAX_AHEAD = 600_000;
/** The first time that there can be observations of. */
const EARLIEST = Date.UTC(1600, 0, 1);

export interface Rejection {
  /** Row of the batch, from 0. */
  readonly index: number;
  /** Name of a variable, `time`, or `row` for all of it. */
  readonly field: string;
  readonly reason: string;
}

/** Rows as they were sent, in columns. */
export interface SentObservations {
  /** Milliseconds since 1970-01-01T00:00:00Z; NaN where none could be read. */
  readonly times: Float64Array;
  /** By name of variable; NaN for absent. */
  readonly values: ReadonlyMap<string, Float64Array>;
  /** By name of variable, where it is not the stored unit. */
  readonly units: Readonly<Record<string, string>>;
  /** What could not even be read. */
  readonly rejections: readonly Rejection[];
}

export interface Receipt extends WriteCounts {
  readonly rejected: number;
  readonly rejections: readonly Rejection[];
}

/** Writes observations of a station. Rows that cannot be taken are refused one by one; the others are kept. */
export class RecordObservations {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #observations: ObservationStore;

  constructor(clock: Clock, stations: StationStore, observations: ObservationStore) {
    this.#clock = clock;
    this.#stations = stations;
    this.#observations = observations;
  }

  /** @throws DomainError STATION_UNKNOWN; REQUEST_INVALID for an unknown variable, unit, or columns of unequal length */
  async execute(id: string, sent: SentObservations): Promise<Receipt> {
    const station = await findStation(this.#stations, id);
    const columns = [...sent.values].map(([name, column]) => convert(name, column, sent));
    const rejections = [...sent.rejections, ...this.#refuse(sent.times, columns)];
    const refused = new Set(rejections.map(({ index }) => index));
    const rows = Uint32Array.from(sent.times.keys()).filter((row) => !refused.has(row));
    const counts = { rejected: refused.size, rejections };
    if (rows.length === 0) return { inserted: 0, updated: 0, unchanged: 0, ...counts };
    const pick = (column: Float64Array) => Float64Array.from(rows, (row) => column[row] as number);
    const batch = {
      stations: new Uint32Array(rows.length).fill(station.number),
      times: pick(sent.times.map(Math.round)),
      values: new Map(columns.map(([variable, column]) => [variable.number, pick(column)])),
      flags: new Map(),
    };
    return { ...(await this.#observations.write(batch, rulesOf(station))), ...counts };
  }

  #refuse(times: Float64Array, columns: readonly (readonly [Variable, Float64Array])[]): Rejection[] {
    const latest = this.#clock.now() + MAX_AHEAD;
    const refused: Rejection[] = [];
    for (const [index, time] of times.entries()) {
      const refuse = (field: string, reason: string) => refused.push({ index, field, reason });
      if (Number.isNaN(time)) continue; // Refused where it was read.
      if (time > latest) refuse('time', 'lies in the future');
      else if (time < EARLIEST) refuse('time', 'lies before 1600');
      else if (columns.every(([, column]) => Number.isNaN(column[index]))) refuse('row', 'has no value');
      for (const [{ name }, column] of columns) {
        if (Math.abs(column[index] as number) === Infinity) refuse(name, 'is not finite');
      }
    }
    return refused;
  }
}

function convert(
  name: string,
  column: Float64Array,
  { times, units }: SentObservations,
): [Variable, Float64Array] {
  const variable = variableNamed(name);
  if (variable === undefined) {
    throw new DomainError('REQUEST_INVALID', `There is no variable ${JSON.stringify(name)}.`);
  }
  if (column.length !== times.length) {
    throw new DomainError('REQUEST_INVALID', `${name} has ${column.length} values and time ${times.length}.`);
  }
  const unit = units[name] ?? variable.unit;
  if (unit === variable.unit) return [variable, column];
  const toStored = converter(variable, unit, 'stored');
  return [variable, column.map((value) => (Number.isNaN(value) ? value : toStored(value)))];
}

/** What of a station the store has to know to judge its values. */
export function rulesOf({ number, limits, reportingInterval }: Station): ReadonlyMap<number, StationRules> {
  const own = Object.entries(limits).flatMap(([name, range]) => {
    const variable = variableNamed(name);
    return variable === undefined ? [] : [[variable.number, range] as const];
  });
  return new Map([[number, { limits: new Map(own), reportingInterval }]]);
}

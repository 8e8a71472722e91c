import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { COMPUTATION_RULES } from '#domain/weather/computation/computation-rules.js';
import type { Series } from '#domain/weather/series.js';
import { type Audience, stationFor } from '#domain/weather/stations/audience.js';
import type { Station } from '#domain/weather/station.js';
import { assertReadable } from '#domain/weather/stations/stored-station.js';
import { type Variable, variableNamed } from '#domain/weather/variables.js';
import type { Clock } from '../../ports/clock.js';
import type { Inventory, ObservationStore, ShortRange } from '../../ports/observation-store.js';
import { unknownStation } from '../../stations/find-station.js';

/** Maximum range for which the rows are read together with the station: length in milliseconds, and number of rows. */
const SHORT_RANGE = { length: 32 * MILLISECONDS.day, rows: 4096 } as const;

/**
 * A station with its inventory (times of its first and last row, number of rows, and variables) and, for a short range, its rows.
 * All parts are from the same snapshot of the store.
 */
export interface StationSnapshot {
  readonly station: Station;
  readonly inventory: Inventory;
  /** A text that differs after every change of the station, of its observations, or of the rules by which numbers are computed. */
  readonly version: string;
  /** Time of the snapshot, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly asOf: number;
  /** The range of a request with all its rows; absent if the range is not short, or if the store has left out the rows. */
  readonly short?: { readonly range: ShortRange; readonly rows: Series };
}

/** The requested range and variables. A date is resolved later, because it needs the time zone of the station. */
export interface RowsRequest {
  readonly from: number | string | undefined;
  readonly to: number | string | undefined;
  readonly cursor: number | undefined;
  readonly variables: readonly string[] | undefined;
}

/** Options of `DescribeStation`. */
export interface DescribeOptions {
  /** Whose view of the station is returned: that of everybody (the default) or that of signed-in users. */
  readonly audience?: Audience;
  /** Whether a damaged station is returned and not refused. Used by callers that only show or remove the station. */
  readonly allowsDamage?: boolean;
}

/** Describes a station before its data are read. The same call of the store also reads the rows of a short range. */
export class DescribeStation {
  readonly #clock: Clock;
  readonly #observations: ObservationStore;

  constructor(clock: Clock, observations: ObservationStore) {
    this.#clock = clock;
    this.#observations = observations;
  }

  /**
   * @param asked the rows that the request needs; they are read in the same call if the range is short
   * @throws DomainError STATION_UNKNOWN, also if the audience does not see the station; DATA_DAMAGED for a station with a field
   *   that cannot be read, or whose inventory is unknown
   */
  async execute(
    id: string,
    asked?: RowsRequest,
    { audience = 'everybody', allowsDamage = false }: DescribeOptions = {},
  ): Promise<StationSnapshot> {
    const range = asked && shortRange(asked);
    const found = await this.#observations.describe(id, range);
    const station = found && stationFor(audience, found.station);
    if (found === undefined || station === undefined) throw unknownStation(id);
    const { inventory, revision, rows } = found;
    if (!allowsDamage) {
      assertReadable(station);
      assertKnown(station, inventory);
    }
    const asOf = this.#clock.now();
    return {
      station,
      inventory,
      version: snapshotVersion(station, revision),
      asOf,
      ...(range && rows && { short: { range, rows } }),
    };
  }
}

/**
 * Throws if the inventory of a station (its first and last time and its variables) is unknown, because the stored inventory is
 * damaged. An unknown inventory has no times and no variables, so a read that uses it would find no rows. Call this function
 * before the inventory decides which rows are read.
 *
 * @throws DomainError DATA_DAMAGED
 */
export function assertKnown({ id }: Station, { isUnknown = false }: Inventory): void {
  if (!isUnknown) return;
  throw new DomainError(
    'DATA_DAMAGED',
    `The inventory of the station ${JSON.stringify(id)} is damaged. "weatherd check --discard" computes it again.`,
  );
}

/**
 * A text that differs after every change of the station, of its observations, or of the rules by which numbers are computed.
 *
 * @param revision revision of the observations of the station
 */
export function snapshotVersion(station: Station, revision: string): string {
  return `${JSON.stringify(station)} ${revision} ${COMPUTATION_RULES}`;
}

/**
 * The range of a request. Undefined if the range is empty or too long, if a bound is missing or a date, or if a variable is
 * unknown.
 */
function shortRange({ from: begin, to, cursor, variables }: RowsRequest): ShortRange | undefined {
  if (typeof begin !== 'number' || typeof to !== 'number') return undefined;
  const from = Math.max(begin, cursor ?? -Infinity);
  if (from >= to || to - from > SHORT_RANGE.length) return undefined;
  const named = variables?.map(variableNamed);
  if (named?.includes(undefined) === true) return undefined;
  const numbers = (named as readonly Variable[] | undefined)?.map(({ number }) => number);
  return { from, to, variables: numbers && [...new Set(numbers)], maxRows: SHORT_RANGE.rows };
}

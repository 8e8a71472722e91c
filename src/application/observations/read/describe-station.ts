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

/** Limits up to which the rows are read together with the station: `length` in milliseconds, and number of rows. */
const SHORT = { length: 32 * MILLISECONDS.day, rows: 4096 } as const;

/** A station with its inventory and, for a short range, its rows. All of it is from the same snapshot of the store. */
export interface StationSnapshot {
  readonly station: Station;
  readonly inventory: Inventory;
  /** Differs after every change of the station, of its observations, or of the rules by which numbers are computed. */
  readonly version: string;
  /** The time of the description, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly asOf: number;
  /** All rows of a short range. */
  readonly short?: { readonly range: ShortRange; readonly rows: Series };
}

/** The range and the variables of a read, as the request gives them. Dates need the time zone of the station. */
export interface AskedRows {
  readonly from: number | string | undefined;
  readonly to: number | string | undefined;
  readonly cursor: number | undefined;
  readonly variables: readonly string[] | undefined;
}

/** How a station is described. */
export interface Describing {
  /** Default: everybody. The description has the view of this audience. */
  readonly audience?: Audience;
  /** For callers that show or remove the station, and compute nothing for it. */
  readonly allowsDamage?: boolean;
}

/** Describes a station before its data are read. One call of the store also reads the rows of a short range. */
export class DescribeStation {
  readonly #clock: Clock;
  readonly #observations: ObservationStore;

  constructor(clock: Clock, observations: ObservationStore) {
    this.#clock = clock;
    this.#observations = observations;
  }

  /**
   * @param asked the rows that the request needs; they are read in the same call if the range is short
   * @throws DomainError STATION_UNKNOWN, also if the audience does not see the station; DATA_DAMAGED for a station with a field that
   *   cannot be read, or whose inventory is unknown
   */
  async execute(
    id: string,
    asked?: AskedRows,
    { audience = 'everybody', allowsDamage = false }: Describing = {},
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
 * Must be called before the inventory of a station says which of its rows are read: its times and its variables are empty if they are
 * unknown, and so would be the reply.
 *
 * @throws DomainError DATA_DAMAGED
 */
export function assertKnown({ id }: Station, { isUnknown = false }: Inventory): void {
  if (!isUnknown) return;
  throw new DomainError(
    'DATA_DAMAGED',
    `What is kept of the observations of station ${JSON.stringify(id)} is damaged: "weatherd check --discard" computes it again.`,
  );
}

/** @param revision of its observations */
export function snapshotVersion(station: Station, revision: string): string {
  return `${JSON.stringify(station)} ${revision} ${COMPUTATION_RULES}`;
}

/** Undefined if the range is too long, if a bound is missing or a date, or if a variable is unknown. */
function shortRange({ from: begin, to, cursor, variables }: AskedRows): ShortRange | undefined {
  if (typeof begin !== 'number' || typeof to !== 'number') return undefined;
  const from = Math.max(begin, cursor ?? -Infinity);
  if (from >= to || to - from > SHORT.length) return undefined;
  const named = variables?.map(variableNamed);
  if (named?.includes(undefined) === true) return undefined;
  const numbers = (named as readonly Variable[] | undefined)?.map(({ number }) => number);
  return { from, to, variables: numbers && [...new Set(numbers)], maxRows: SHORT.rows };
}

import { MILLISECONDS } from '../../../domain/time.js';
import type { Series } from '../../../domain/weather/series.js';
import type { Station } from '../../../domain/weather/station.js';
import { type Variable, variableNamed } from '../../../domain/weather/variables.js';
import type { Clock } from '../../ports/clock.js';
import type { Inventory, ObservationStore, ShortRange } from '../../ports/observation-store.js';
import { unknownStation } from '../../stations/find-station.js';

/** Limits up to which the rows are read together with the station: `length` in milliseconds, and number of rows. */
const SHORT = { length: 32 * MILLISECONDS.day, rows: 4096 } as const;

/** A station with its inventory and, for a short range, its rows. All of it is from the same snapshot of the store. */
export interface DescribedStation {
  readonly station: Station;
  readonly inventory: Inventory;
  /** Differs after every change of the station or of its observations. */
  readonly version: string;
  /** Seconds until the next report of the station is due; 0 where that time is unknown or has passed. */
  readonly freshFor: number;
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
   * @throws DomainError STATION_UNKNOWN
   */
  async execute(id: string, asked?: AskedRows): Promise<DescribedStation> {
    const range = asked && shortRange(asked);
    const found = await this.#observations.describe(id, range);
    if (found === undefined) throw unknownStation(id);
    const { station, inventory, revision, lastSeen, rows } = found;
    return {
      station,
      inventory,
      version: `${JSON.stringify(station)} ${revision}`,
      freshFor: freshFor(station, lastSeen, this.#clock.now()),
      ...(range && rows && { short: { range, rows } }),
    };
  }
}

/** Undefined if the range is too long, if a bound is missing or a date, or if a variable is unknown. */
function shortRange({ from: begin, to, cursor, variables }: AskedRows): ShortRange | undefined {
  if (typeof begin !== 'number' || typeof to !== 'number') return undefined;
  const from = Math.max(begin, cursor ?? -Infinity);
  if (from >= to || to - from > SHORT.length) return undefined;
  const named = variables?.map(variableNamed);
  if (named?.includes(undefined) === true) return undefined;
  const numbers = (named as readonly Variable[] | undefined)?.map(({ number }) => number);
  return { from, to, variables: numbers && [...new Set(numbers)], most: SHORT.rows };
}

function freshFor({ reportingInterval }: Station, lastSeen: number | null, now: number): number {
  if (reportingInterval === null || lastSeen === null) return 0;
  return Math.max(0, Math.floor((lastSeen - now) / 1000 + reportingInterval));
}

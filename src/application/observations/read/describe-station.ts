import { MILLISECONDS } from '../../../domain/time.js';
import type { Series } from '../../../domain/weather/series.js';
import type { Station } from '../../../domain/weather/station.js';
import { type Variable, variableNamed } from '../../../domain/weather/variables.js';
import type { Clock } from '../../ports/clock.js';
import type { Inventory, ObservationStore, ShortRange } from '../../ports/observation-store.js';
import { unknownStation } from '../../stations/find-station.js';

/** The longest range, in milliseconds, and the largest number of rows that are read together with the station. */
const SHORT = { length: 32 * MILLISECONDS.day, rows: 4096 } as const;

/** A station and what is stored of it; everything is of the same moment. */
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

/** The range of a read, as far as it is known before the station is. */
export interface AskedRows {
  readonly from: number | string | undefined;
  readonly to: number | string | undefined;
  readonly cursor: number | undefined;
  readonly variables: readonly string[] | undefined;
}

/** Describes a station, for a read of its data: one call of the store, which reads the rows of a short range too. */
export class DescribeStation {
  readonly #clock: Clock;
  readonly #observations: ObservationStore;

  constructor(clock: Clock, observations: ObservationStore) {
    this.#clock = clock;
    this.#observations = observations;
  }

  /**
   * @param asked the rows that will be read
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

/** Undefined for a range that is long, whose ends depend on the station, or whose variables are unknown. */
function shortRange({ from: begin, to, cursor, variables }: AskedRows): ShortRange | undefined {
  if (typeof begin !== 'number' || typeof to !== 'number') return undefined;
  const from = Math.max(begin, cursor ?? -Infinity);
  if (from >= to || to - from > SHORT.length) return undefined;
  const known = variables?.map(variableNamed);
  if (known?.includes(undefined) === true) return undefined;
  const numbers = (known as readonly Variable[] | undefined)?.map(({ number }) => number);
  return { from, to, variables: numbers && [...new Set(numbers)], most: SHORT.rows };
}

function freshFor({ reportingInterval }: Station, lastSeen: number | null, now: number): number {
  if (reportingInterval === null || lastSeen === null) return 0;
  return Math.max(0, Math.floor((lastSeen - now) / 1000 + reportingInterval));
}

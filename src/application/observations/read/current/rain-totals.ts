import { isDomainError } from '#domain/domain-error.js';
import type { ObservationChanges } from '#domain/weather/changed-rows.js';
import type { Today } from '#domain/weather/current/today.js';
import type { Station } from '#domain/weather/station.js';
import type { Permit } from '../gate/permit.js';
import type { RainSums, SumRain } from './sum-rain.js';

/** Maximum number of stations whose sums are kept. */
const MAX_KEPT = 5000;

/**
 * The sums of precipitation of the local month and year at each change of a station. The sums of the days before today are kept,
 * so that a change of today needs no reading.
 */
export class RainTotals {
  readonly #sum: SumRain;
  /** The sums until a midnight by number of the station, the oldest entry first. A changed station is a new object. */
  readonly #kept = new Map<
    number,
    { readonly station: Station; readonly midnight: number; readonly before: RainSums }
  >();
  /** Number of calls that forget sums. A reading that has begun before such a call may lack the change. */
  #forgotten = 0;

  constructor(sum: SumRain) {
    this.#sum = sum;
  }

  /**
   * @param today the totals of the current day
   * @returns undefined if rows of the year are damaged
   */
  async execute(station: Station, today: Today, permit: Permit): Promise<RainSums | undefined> {
    try {
      const { month, year } = await this.#before(station, today.from, permit);
      return { month: added(month, today.rain), year: added(year, today.rain) };
    } catch (error) {
      if (isDomainError(error, 'DATA_DAMAGED') || isDomainError(error, 'STATION_UNKNOWN')) return undefined;
      throw error;
    }
  }

  /** Forgets the sums of stations with changes before today. An amount at midnight belongs to the day before. */
  forget({ stations, from }: ObservationChanges): void {
    this.#forgotten += 1;
    for (const [index, number] of stations.entries()) {
      const kept = this.#kept.get(number);
      if (kept !== undefined && (from[index] as number) <= kept.midnight) this.#kept.delete(number);
    }
  }

  /** Forgets all sums, because changes may have been missed. */
  clear(): void {
    this.#forgotten += 1;
    this.#kept.clear();
  }

  async #before(station: Station, midnight: number, permit: Permit): Promise<RainSums> {
    const kept = this.#kept.get(station.number);
    if (kept?.station === station && kept.midnight === midnight) return kept.before;
    const forgotten = this.#forgotten;
    const before = await this.#sum.before(station.id, midnight, permit);
    this.#kept.delete(station.number);
    if (forgotten === this.#forgotten) this.#kept.set(station.number, { station, midnight, before });
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > MAX_KEPT) this.#kept.delete(oldest);
    return before;
  }
}

function added(before: number | null, today: number | null): number | null {
  return before === null || today === null ? (before ?? today) : before + today;
}

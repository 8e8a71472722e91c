import type { Query } from './query.js';

/** `weatherd.make_partition` counts years from here. */
const YEAR_ZERO = 1970;

/**
 * The partitions of the table of observations, a UTC year each. They are made in a transaction of their own, before the one
 * that writes: whoever makes one then holds no other lock, so no two can wait for each other.
 */
export class Partitions {
  /** Years that are known to have one. */
  readonly #years = new Set<number>();

  /**
   * Makes those that rows at these times need. Years without rows get none.
   *
   * @param query not within a transaction
   * @param times milliseconds since 1970-01-01T00:00:00Z, in any order
   */
  async make(query: Query, times: Iterable<Float64Array>): Promise<void> {
    const years = yearsOf(times).filter((year) => !this.#years.has(year));
    if (years.length === 0) return;
    await query('SELECT weatherd.make_partition(year) FROM unnest($1::integer[]) AS year', [
      years.map((year) => year - YEAR_ZERO),
    ]);
    for (const year of years) this.#years.add(year);
  }

  /** Looks for them again at the next write: somebody may have dropped one. */
  forget(): void {
    this.#years.clear();
  }
}

function yearsOf(columns: Iterable<Float64Array>): number[] {
  const years = new Set<number>();
  let [from, to] = [Infinity, -Infinity];
  for (const times of columns) {
    for (const time of times) {
      // Most rows are of the same year as the row before; a Date for each would cost ten times as much.
      if (time >= from && time < to) continue;
      const year = new Date(time).getUTCFullYear();
      years.add(year);
      [from, to] = [Date.UTC(year, 0), Date.UTC(year + 1, 0)];
    }
  }
  return [...years];
}

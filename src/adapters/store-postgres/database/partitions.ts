import type { Query } from './query.js';

/** The year from which `weatherd.make_partition` counts. */
const YEAR_ZERO = 1970;

/**
 * The partitions of the table of observations, one for each UTC year. They are created in a separate transaction before
 * the one that writes. That transaction holds no other lock, so two of them cannot deadlock.
 */
export class Partitions {
  /** Years whose partition exists. */
  readonly #years = new Set<number>();

  /**
   * Creates the missing partitions for rows at these times. Years without rows get none.
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

  /** Forgets the partitions. The next write checks them again, because somebody may have dropped one. */
  forget(): void {
    this.#years.clear();
  }
}

function yearsOf(columns: Iterable<Float64Array>): number[] {
  const years = new Set<number>();
  let [from, to] = [Infinity, -Infinity];
  for (const times of columns) {
    for (const time of times) {
      // Most rows are in the same year as the row before. Creating a Date for each row would cost ten times as much.
      if (time >= from && time < to) continue;
      const year = new Date(time).getUTCFullYear();
      years.add(year);
      [from, to] = [Date.UTC(year, 0), Date.UTC(year + 1, 0)];
    }
  }
  return [...years];
}

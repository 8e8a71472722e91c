import type { ObservationWrite } from '#application/ports/observation-store.js';
import { withoutExpiredRows } from '#domain/weather/expired-months.js';
import type { Rules } from '../run-commit.js';

/**
 * Removes the rows of expired months from writes. A month has expired if its stored rows were removed because of their age. The
 * rows that this class removes from a write count as unchanged.
 */
export class UnexpiredWrites {
  readonly writes: readonly ObservationWrite[];
  /** Number of rows of each write that were removed. */
  readonly #removed: number[];

  constructor(sent: readonly ObservationWrite[], rules: Rules) {
    this.writes = sent.map((write) => ({ ...write, batch: withoutExpiredRows(write.batch, rules) }));
    this.#removed = sent.map(
      ({ batch }, index) => batch.times.length - (this.writes[index]?.batch.times.length ?? 0),
    );
  }

  /**
   * For each write, adds the number of its removed rows to the number of unchanged rows that is reported for the write. A second
   * call adds nothing.
   */
  count(outcomes: readonly { unchanged: number }[]): void {
    for (const [index, outcome] of outcomes.entries()) {
      outcome.unchanged += this.#removed[index] ?? 0;
      this.#removed[index] = 0;
    }
  }
}

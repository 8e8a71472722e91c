import type { ObservationWrite } from '#application/ports/observation-store.js';
import { withoutExpiredRows } from '#domain/weather/expired-months.js';
import type { Rules } from '../run-commit.js';

/** Writes without the rows of months whose rows were removed because of their age. They count as unchanged. */
export class KeptWrites {
  readonly writes: readonly ObservationWrite[];
  /** Number of rows of each write that were left out. */
  readonly #removed: number[];

  constructor(sent: readonly ObservationWrite[], rules: Rules) {
    this.writes = sent.map((write) => ({ ...write, batch: withoutExpiredRows(write.batch, rules) }));
    this.#removed = sent.map(
      ({ batch }, index) => batch.times.length - (this.writes[index]?.batch.times.length ?? 0),
    );
  }

  /** Counts the rows that were left out, once. */
  count(outcomes: readonly { unchanged: number }[]): void {
    for (const [index, outcome] of outcomes.entries()) {
      outcome.unchanged += this.#removed[index] ?? 0;
      this.#removed[index] = 0;
    }
  }
}

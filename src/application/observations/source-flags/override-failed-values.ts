import { MILLISECONDS } from '#domain/time.js';
import { overrideOf } from '#domain/weather/quality/override.js';
import type { FailedRange } from '#domain/weather/source-flags.js';
import type { Clock } from '../../ports/clock.js';
import type { OverrideStore } from '../../ports/override-store.js';
import { joined } from '../recheck/time-range.js';

/** Ranges with a shorter distance are rechecked together, because a recheck also reads the rows of some days around its range. */
const JOINED = 30 * MILLISECONDS.day;

/** Keeps the overrides of the values that failed a check of their source. They follow from the layers of flags alone. */
export class OverrideFailedValues {
  readonly #clock: Clock;
  readonly #overrides: OverrideStore;

  constructor(clock: Clock, overrides: OverrideStore) {
    this.#clock = clock;
    this.#overrides = overrides;
  }

  /**
   * Changes the overrides of a station after its layers have changed. An override that a person has removed does not come back
   * until the flags of its values change.
   *
   * @param before the ranges of failed values of some variables before the change
   * @param after the same variables after the change
   */
  async execute(
    station: number,
    before: readonly FailedRange[],
    after: readonly FailedRange[],
  ): Promise<void> {
    const [old, current] = [before, after].map(
      (ranges) => new Map(ranges.map((range) => [JSON.stringify(range), range])),
    ) as [Map<string, FailedRange>, Map<string, FailedRange>];
    const removed = [...old].flatMap(([key, range]) => (current.has(key) ? [] : [range]));
    const added = [...current].flatMap(([key, range]) => (old.has(key) ? [] : [range]));
    if (removed.length + added.length === 0) return;
    const ranges = joined([...removed, ...added].map(({ from, to }) => ({ from, to: to + JOINED })));
    const now = this.#clock.now();
    await this.#overrides.replace({
      station,
      removed: removed.map((range) => overrideOf(station, range, now).id),
      added: added.map((range) => overrideOf(station, range, now)),
      ranges: ranges.map(({ from, to }) => ({ from, to: to - JOINED })),
    });
  }
}

import { isDomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { NEIGHBORHOOD } from '#domain/weather/quality/neighborhood.js';
import type { QualityOverride } from '#domain/weather/quality/override.js';
import { CHECK_REACH } from '#domain/weather/quality/recheck-range.js';
import type { Station } from '#domain/weather/station.js';
import { isCheckable } from '#domain/weather/stations/stored-station.js';
import type { Announcer } from '../../ports/announcer.js';
import type { RecheckStore } from '../../ports/recheck-store.js';
import type { Inventory, ObservationStore } from '../../ports/observation-store.js';
import type { OverrideStore } from '../../ports/override-store.js';
import type { PartChecker } from '../../ports/part-checker.js';
import { readableSpan, totalsOf } from '../read/observation-query.js';
import { bytesOfRow, type NeighborReads, readParts } from './neighbor-reads.js';
import type { TimeRange } from './time-range.js';

export interface CheckStationDependencies {
  readonly observations: ObservationStore;
  readonly recheck: RecheckStore;
  readonly overrides: OverrideStore;
  readonly checker: PartChecker;
  readonly announcer: Announcer;
}

/**
 * Bytes of the rows that are checked together, including the rows of neighbors and of `CHECK_REACH` on both sides. The check
 * needs some times this memory, and reading them too.
 */
const PART_BYTES = 8 * 2 ** 20;
/**
 * Minimum length in ms of a part. A part reads the rows of `CHECK_REACH` before and after it, so a part of `MIN_LENGTH` reads
 * twice the rows that it checks, and a shorter one even more. If a part of `MIN_LENGTH` has more than `MAX_BYTES`, a part has
 * the length `SHORTEST`, and reads three times the rows that it checks. So the memory exceeds `MAX_BYTES` only if the rows of
 * `CHECK_REACH` before and after a part need most of it.
 */
const MIN_LENGTH = 2 * CHECK_REACH;
const SHORTEST = CHECK_REACH;
/** The rows of 10 days with a report of 12 variables each second. */
const MAX_BYTES = 128 * 2 ** 20;
/** Maximum number of stations whose rows are read for a part: the checked station and its neighbors. */
const MAX_STATIONS = 1 + NEIGHBORHOOD.maximum;
/** Maximum length in ms of a part that is skipped because of damaged rows. A longer part is divided first. */
const MIN_PART = MILLISECONDS.day;
/** Minimum length in ms of a part that is divided because rows of the station are written again and again during its check. */
const MIN_CHANGING = MILLISECONDS.hour;
/** Maximum number of attempts to check a part while rows of the station are being written, before the part is divided. */
const ATTEMPTS = 2;

/**
 * Checks the stored values of a station again, and stores the quality flags (the results of the checks) that have changed. The
 * flags depend only on the stored values, the settings of the stations, and the overrides (decisions of administrators that
 * values are good or bad). So a range may be checked any number of times.
 */
export class CheckStation {
  readonly #with: CheckStationDependencies;

  constructor(dependencies: CheckStationDependencies) {
    this.#with = dependencies;
  }

  /**
   * @param pause called after each part of the range
   * @returns false if a part could not be checked, because its rows changed during every attempt or cannot be reached or are locked now.
   *   Damaged rows are skipped, and so are all rows of a station that does not exist or has damaged settings.
   */
  async execute(
    id: string,
    range: TimeRange,
    neighbors: NeighborReads,
    pause: () => Promise<void>,
  ): Promise<boolean> {
    try {
      const described = await this.#with.observations.describe(id);
      if (described === undefined) return true;
      const { station, inventory } = described;
      // A station with damaged settings is skipped. The repair of its settings requests a recheck of all its rows.
      if (!isCheckable(station)) return true;
      const overrides = await this.#with.overrides.list(station.number);
      const rate = await this.#bytesPerMillisecond(station, inventory, range, neighbors);
      const work = { id, overrides, neighbors };
      for (const part of partsOf(range, inventory, rate)) {
        if (!(await this.#checkDivided(part, work))) return false;
        await pause();
      }
      return true;
    } catch (error) {
      if (isDomainError(error) && (error.partOnly || error.locked)) return false;
      throw error;
    }
  }

  /**
   * Checks a range. The check also needs the rows up to `CHECK_REACH` before and after the range. The range is divided into halves,
   * and so on, if:
   *
   * - some of all these rows are damaged. A part with damaged rows that is not longer than `MIN_PART` is skipped;
   * - there are more rows than expected;
   * - rows of the station were written during each check. The check of a shorter part ends before the next write.
   */
  async #checkDivided(range: TimeRange, work: StationWork): Promise<boolean> {
    const length = range.to - range.from;
    try {
      const outcome = await this.#checkPart(range, work);
      if (outcome === 'checked') return true;
      if (outcome === 'changed' && length <= MIN_CHANGING) return false;
    } catch (error) {
      if (!isDomainError(error, 'DATA_DAMAGED')) throw error;
      if (length <= MIN_PART) return true;
    }
    const middle = Math.floor((range.from + range.to) / 2);
    const first = await this.#checkDivided({ from: range.from, to: middle }, work);
    return first && (await this.#checkDivided({ from: middle, to: range.to }, work));
  }

  async #checkPart(range: TimeRange, { id, overrides, neighbors }: StationWork): Promise<Outcome> {
    const { observations, recheck, checker, announcer } = this.#with;
    const length = range.to - range.from;
    const maxBytes = length > MIN_LENGTH ? 2 * PART_BYTES : length > SHORTEST ? 2 * MAX_BYTES : Infinity;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const described = await observations.describe(id);
      if (described === undefined) return 'checked';
      const { station, revision } = described;
      // The revision of the station is read first, and its rows are read afterwards. The revision changes whenever observations
      // of the station change. So if a row is written after the revision was read, the store has a newer revision and refuses the
      // flags.
      const stored = await readParts(observations, station.number, range, maxBytes);
      if (stored === undefined) return 'too large';
      const nearby = stored.length === 0 ? [] : await neighbors.of(station, range);
      // A station may have thousands of overrides, and the checker may run in another thread.
      const applied = overrides.filter(
        ({ from, to }) => from < range.to + CHECK_REACH && to > range.from - CHECK_REACH,
      );
      const changed = await checker.check({
        station,
        range,
        stored,
        neighbors: nearby,
        overrides: applied,
      });
      if (changed === undefined) return 'checked';
      const changes = await recheck.recheck(station.number, revision, changed);
      if (changes === undefined) continue;
      announcer.announce({ kind: 'observations', changes });
      return 'checked';
    }
    return 'changed';
  }

  /** Estimates the bytes of the rows of the station and of its neighbors for each millisecond of the range. */
  async #bytesPerMillisecond(
    station: Station,
    inventory: Inventory,
    range: TimeRange,
    neighbors: NeighborReads,
  ): Promise<number> {
    const own = rateOf(inventory);
    const { first, last } = readableSpan(inventory);
    const length = Math.min(range.to, last ?? 0) - Math.max(range.from, first ?? 0);
    // The neighbors of a short range are not counted, because even the largest number of neighbors makes no difference.
    if (own * MAX_STATIONS * (length + 2 * CHECK_REACH) <= PART_BYTES) return own;
    const near = await neighbors.inventories(station);
    return near.reduce((sum, one) => sum + rateOf(one), own);
  }
}

/** The part was checked; rows of the station were written during every attempt; the part has too many rows. */
type Outcome = 'checked' | 'changed' | 'too large';

interface StationWork {
  readonly id: string;
  readonly overrides: readonly QualityOverride[];
  readonly neighbors: NeighborReads;
}

/** Bytes of the rows for each millisecond. */
function rateOf(inventory: Inventory): number {
  const bytes = bytesOfRow(inventory.variables.length);
  const rates = totalsOf(inventory).map(({ first, last, count }) =>
    first === null || last === null ? 0 : (count * bytes) / (last + 1 - first),
  );
  return rates.reduce((sum, rate) => sum + rate, 0);
}

/** The parts of a range in which the station has rows. @param rate bytes of the rows for each millisecond */
function* partsOf({ from, to }: TimeRange, inventory: Inventory, rate: number): Generator<TimeRange> {
  const { first, last } = readableSpan(inventory);
  if (first === null || last === null) return;
  const end = Math.min(to, last + 1);
  const lengthOf = (bytes: number) => Math.floor(bytes / rate) - 2 * CHECK_REACH;
  const length = Math.max(lengthOf(PART_BYTES), Math.min(MIN_LENGTH, lengthOf(MAX_BYTES)), SHORTEST);
  for (let begin = Math.max(from, first); begin < end; begin += length)
    yield { from: begin, to: Math.min(end, begin + length) };
}

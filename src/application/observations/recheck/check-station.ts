import { isDomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { changedFlags } from '#domain/weather/quality/changed-flags.js';
import { recheckRange } from '#domain/weather/quality/recheck-range.js';
import { applyOverrides, type QualityOverride } from '#domain/weather/quality/override.js';
import { rulesOf } from '#domain/weather/quality/station-rules.js';
import { lowerBound, type Series } from '#domain/weather/series.js';
import { configuredParts } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import { isCheckable } from '#domain/weather/stations/stored-station.js';
import type { Announcer } from '../../ports/announcer.js';
import type { RecheckStore } from '../../ports/recheck-store.js';
import type { Inventory, ObservationStore } from '../../ports/observation-store.js';
import type { OverrideStore } from '../../ports/override-store.js';
import { type NeighborReads, readSeries } from './neighbor-reads.js';

export interface CheckStationDependencies {
  readonly observations: ObservationStore;
  readonly recheck: RecheckStore;
  readonly overrides: OverrideStore;
  readonly announcer: Announcer;
}

/** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Approximate number of rows that are checked at once. The number limits memory and the time for which other work waits. */
const ROWS = 8192;
const MAX_PART = 15 * MILLISECONDS.day;
/** Maximum length in ms of a part that is skipped because of damaged rows. A longer part is divided first. */
const MIN_PART = MILLISECONDS.day;
/** Maximum number of attempts to check a range while rows of the station are being written. */
const ATTEMPTS = 5;

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
   * @returns false if a part could not be checked, because its rows changed during every attempt or cannot be reached now.
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
      for (const part of partsOf(range, inventory)) {
        if (!(await this.#checkReadable(id, part, overrides, neighbors))) return false;
        await pause();
      }
      return true;
    } catch (error) {
      if (isDomainError(error) && error.partOnly) return false;
      throw error;
    }
  }

  /**
   * Checks a range. The check also needs the rows up to `CHECK_REACH` before and after the range. If some of all these rows are
   * damaged, the range is divided into halves, and so on down to `MIN_PART`. A part with damaged rows that is not longer than
   * `MIN_PART` is skipped.
   */
  async #checkReadable(
    id: string,
    range: TimeRange,
    overrides: readonly QualityOverride[],
    neighbors: NeighborReads,
  ): Promise<boolean> {
    try {
      return await this.#checkPart(id, range, overrides, neighbors);
    } catch (error) {
      if (!isDomainError(error, 'DATA_DAMAGED')) throw error;
    }
    const { from, to } = range;
    if (to - from <= MIN_PART) return true;
    const middle = Math.floor((from + to) / 2);
    for (const half of [
      { from, to: middle },
      { from: middle, to },
    ])
      if (!(await this.#checkReadable(id, half, overrides, neighbors))) return false;
    return true;
  }

  async #checkPart(
    id: string,
    range: TimeRange,
    overrides: readonly QualityOverride[],
    neighbors: NeighborReads,
  ): Promise<boolean> {
    const { observations, recheck, announcer } = this.#with;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const described = await observations.describe(id);
      if (described === undefined) return true;
      const { station, revision } = described;
      // The revision of the station is read first, and its rows are read afterwards. The revision changes whenever observations
      // of the station change. So if a row is written after the revision was read, the store has a newer revision and refuses the
      // flags.
      const stored = await readSeries(observations, station.number, range);
      const flags = await checked(station, stored, range, neighbors);
      applyOverrides(stored, flags, overrides);
      const changed = changedFlags(stored, flags, range);
      if (changed === undefined) return true;
      const changes = await recheck.recheck(station.number, revision, changed);
      if (changes === undefined) continue;
      announcer.announce({ kind: 'observations', changes });
      return true;
    }
    return false;
  }
}

/** Computes the flags of the rows in a range. Each row is checked with the settings that the station had at the time of the row. */
async function checked(
  station: Station,
  stored: Series,
  range: TimeRange,
  neighbors: NeighborReads,
): Promise<Map<number, Uint8Array>> {
  const flags = new Map<number, Uint8Array>();
  const neighborsAt = stored.times.length === 0 ? [] : await neighbors.of(station, range);
  for (const [from, to, then] of configuredParts(station, range.from, range.to)) {
    const hasMoved = then.latitude !== station.latitude || then.longitude !== station.longitude;
    const others = hasMoved ? [] : neighborsAt.flatMap((neighborAt) => neighborAt(then, from));
    const found = recheckRange(stored, { from, to }, rulesOf(then), others);
    const [first, end] = [lowerBound(stored.times, from), lowerBound(stored.times, to)];
    for (const [variable, bytes] of found) {
      const all = flags.get(variable) ?? new Uint8Array(stored.times.length);
      flags.set(variable, all);
      all.set(bytes.subarray(first, end), first);
    }
  }
  return flags;
}

/** The parts of a range in which the station has rows. Each part has about `ROWS` rows. */
function* partsOf({ from, to }: TimeRange, { first, last, count }: Inventory): Generator<TimeRange> {
  if (first === null || last === null) return;
  const end = Math.min(to, last + 1);
  const expectedLength = ((last - first) / count) * ROWS;
  const length = Math.min(MAX_PART, Math.max(MILLISECONDS.hour, Math.round(expectedLength)));
  for (let begin = Math.max(from, first); begin < end; begin += length)
    yield { from: begin, to: Math.min(end, begin + length) };
}

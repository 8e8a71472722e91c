import { isDomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { concatenate } from '#domain/weather/merge-series.js';
import { CHECK_REACH, type Neighbor } from '#domain/weather/quality/recheck-range.js';
import { rulesOf } from '#domain/weather/quality/station-rules.js';
import { EMPTY_SERIES, type Series } from '#domain/weather/series.js';
import { stationAt } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import { isCheckable } from '#domain/weather/stations/stored-station.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { Directory } from '../../stations/station-directory.js';
import type { NearStation, Neighbors } from './neighbors.js';

/** Maximum number of neighbor values in the cache: 32 MB. */
const MAX_CACHED_VALUES = 2 ** 22;

/**
 * A function that belongs to one neighbor of a station. It describes the neighbor as the station `seenFrom` sees it, with the settings that
 * the neighbor had at `time`.
 *
 * @returns a list that contains only the neighbor; an empty list if the neighbor had another position at `time` than now
 */
type NeighborAt = (seenFrom: Station, time: number) => readonly Neighbor[];

/** Reads rows of neighbors and caches them, because nearby stations share neighbors. */
export class NeighborReads {
  readonly #observations: ObservationStore;
  readonly #directory: Directory;
  readonly #neighbors: Neighbors;
  readonly #kept = new Map<string, Series>();
  #values = 0;

  constructor(observations: ObservationStore, directory: Directory, neighbors: Neighbors) {
    this.#observations = observations;
    this.#directory = directory;
    this.#neighbors = neighbors;
  }

  /** Returns one function (`NeighborAt`) for each neighbor of the station that has rows in the range. */
  async of(
    station: Station,
    range: { readonly from: number; readonly to: number },
  ): Promise<readonly NeighborAt[]> {
    const found: NeighborAt[] = [];
    for (const nearStation of await this.#neighbors.of(station)) {
      const neighbor = this.#directory.byNumber.get(nearStation.number);
      if (neighbor === undefined || !isCheckable(neighbor)) continue;
      const series = await this.#read(nearStation.number, range);
      if (series.times.length > 0)
        found.push((seenFrom, from) => neighborAt(neighbor, nearStation, series, seenFrom, from));
    }
    return found;
  }

  async #read(number: number, { from, to }: { readonly from: number; readonly to: number }): Promise<Series> {
    // The range is extended to whole hours, so that the ranges of different stations are often the same.
    const range = {
      from: Math.floor(from / MILLISECONDS.hour) * MILLISECONDS.hour,
      to: Math.ceil(to / MILLISECONDS.hour) * MILLISECONDS.hour,
    };
    const key = `${number} ${range.from} ${range.to}`;
    let series = this.#kept.get(key);
    if (series !== undefined) return series;
    try {
      series = await readSeries(this.#observations, number, range);
    } catch (error) {
      if (!isDomainError(error, 'DATA_DAMAGED')) throw error;
      series = EMPTY_SERIES;
    }
    this.#values += series.times.length * (series.values.size + 1);
    if (this.#values > MAX_CACHED_VALUES) {
      this.#kept.clear();
      this.#values = 0;
    }
    this.#kept.set(key, series);
    return series;
  }
}

function neighborAt(
  station: Station,
  { distance }: NearStation,
  series: Series,
  seenFrom: Station,
  time: number,
): readonly Neighbor[] {
  const then = stationAt(station, time);
  if (then.latitude !== station.latitude || then.longitude !== station.longitude) return [];
  const isKnown = then.elevation !== null && seenFrom.elevation !== null;
  const higher = isKnown ? (then.elevation ?? 0) - (seenFrom.elevation ?? 0) : null;
  return [{ distance, higher, series, rules: rulesOf(then) }];
}

/**
 * Reads the rows of a station in a range, and the rows up to `CHECK_REACH` before and after it, which the check of the range
 * needs.
 */
export async function readSeries(
  observations: ObservationStore,
  station: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Series> {
  const parts: Series[] = [];
  const reach = { from: from - CHECK_REACH, to: to + CHECK_REACH };
  for await (const part of observations.read({ stations: [station], ...reach })) parts.push(part);
  return concatenate(parts);
}

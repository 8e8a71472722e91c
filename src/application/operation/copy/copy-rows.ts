import { readableSpan, totalRows } from '../../observations/read/observation-query.js';
import type { ObservationStore } from '../../ports/observation-store.js';
import type { Stores } from '../../ports/stores.js';
import { SeriesDigest, type SeriesSum } from '#domain/weather/series-digest.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { orderRows } from '#domain/weather/row-order.js';
import type { CopiedStation } from './copied-stations.js';

/** Reports the progress of a copy of rows, and can stop it. */
export interface CopyWatch {
  /** Called with the number of rows that were copied or compared since the last call. */
  readonly onRows: (rows: number) => void;
  /** Stops the copy between two batches. */
  readonly signal: AbortSignal;
}

/**
 * Copies the rows of some stations. Rows are added in order of time, so an incomplete copy of a station continues behind its
 * newest row.
 *
 * @throws Error if a row cannot be added
 */
export async function copyRows(
  source: Stores,
  target: Stores,
  stations: readonly CopiedStation[],
  watch: CopyWatch,
): Promise<void> {
  const begun = await target.observations.inventory(stations.map(({ number }) => number));
  const fresh = stations.filter((_station, index) => begun[index]?.count === 0);
  await copyFrom(-Infinity, fresh);
  for (const [index, station] of stations.entries()) {
    const inventory = begun[index];
    // Reports and daily values of the same time were added together, so the copy continues behind the newest of both.
    const last = inventory === undefined ? null : readableSpan(inventory).last;
    if (inventory === undefined || last === null) continue;
    watch.onRows(Math.min(totalRows(inventory), station.rows));
    await copyFrom(last + 1, [station]);
  }

  async function copyFrom(from: number, group: readonly CopiedStation[]): Promise<void> {
    const numbers = group.filter(({ rows }) => rows > 0).map(({ number }) => number);
    if (numbers.length === 0) return;
    for await (const batch of source.observations.read({ stations: numbers, from, to: Infinity })) {
      watch.signal.throwIfAborted();
      const rows = batch.times.length;
      if (!(await target.observations.append(batch)))
        throw new Error('The rows of a station are not newer than the rows that the target already has.');
      watch.onRows(rows);
    }
  }
}

/** Returns the number of rows and the checksum of each station of a group, by number of the station. */
export async function sumRows(
  observations: ObservationStore,
  stations: readonly CopiedStation[],
  watch: CopyWatch,
): Promise<ReadonlyMap<number, SeriesSum>> {
  const digests = new Map(stations.map(({ number }) => [number, new SeriesDigest()]));
  const numbers = [...digests.keys()];
  for await (const batch of observations.read({ stations: numbers, from: -Infinity, to: Infinity })) {
    watch.signal.throwIfAborted();
    addBatch(digests, batch);
    watch.onRows(batch.times.length);
  }
  return new Map([...digests].map(([number, digest]) => [number, digest.sum]));
}

function addBatch(digests: ReadonlyMap<number, SeriesDigest>, batch: ObservationBatch): void {
  for (const { station, from, to } of orderRows(batch).groups) digests.get(station)?.add(batch, from, to);
}

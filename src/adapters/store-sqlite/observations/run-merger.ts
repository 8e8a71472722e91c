import type { Database } from 'better-sqlite3';
import { MILLISECONDS } from '../../../domain/time.js';
import { mergeAll } from '../../../domain/weather/merge-series.js';
import { lowerBound, type Series, sliceSeries } from '../../../domain/weather/series.js';
import { discardedColumns } from '../../formats/garbage.js';
import { dayOf } from '../../formats/packed/chunk-key.js';
import type { Run } from '../../formats/packed/run-codec.js';
import type { Quarantine } from '../damage/damage.js';
import type { ChunkWriter } from './chunk-writer.js';
import type { ObservationReader, Snapshot } from './observation-reader.js';
import { gathered, windowsOf } from './run-rows.js';
import type { StationStates } from './station-states.js';

/** The progress of merging. It has advanced if `run` is higher, or if `stations` is higher and `run` is the same. */
export interface MergePlace {
  /** The oldest run that is not merged. */
  readonly run: number;
  /** Number of merged stations in the current merge. */
  readonly stations: number;
}

/**
 * Average number of rows of a station above which they are merged a part of the time at a time, which takes less memory. An
 * import leaves a hundred thousand rows of one station.
 */
const MANY = 16_384;

interface Progress {
  /** The last run of this merge. Later runs wait for the next merge. */
  readonly last: number;
  readonly stations: readonly number[];
  /** Whether the stations have more than `MANY` rows. */
  readonly areLong: boolean;
  /** Index of the next station. */
  next: number;
}

/**
 * Merges runs into chunks, some stations at a time, so that other operations do not wait long. An example:
 *
 *                 run 7   run 8   run 9 | run 10, written after the first call
 *     station 1     x               x   |   x
 *     station 2             x       x   |
 *     station 3             x           |
 *
 * 1. The first call determines the last run (9) and the stations of all runs up to it.
 * 2. Each call merges the rows of these runs into the chunks, one station after the other, until its time is over.
 * 3. When all stations are done, the runs up to 9 are deleted.
 *
 * The caller provides the transaction. If merging is interrupted, it starts again at 1. Merging a station a second time
 * does not change its chunks.
 */
export class RunMerger {
  readonly #reader: ObservationReader;
  readonly #states: StationStates;
  readonly #quarantine: Quarantine;
  readonly #chunks: ChunkWriter;
  readonly #deleteRuns;
  #progress: Progress | undefined;

  constructor(
    database: Database,
    reader: ObservationReader,
    states: StationStates,
    quarantine: Quarantine,
    chunks: ChunkWriter,
  ) {
    this.#reader = reader;
    this.#states = states;
    this.#quarantine = quarantine;
    this.#chunks = chunks;
    this.#deleteRuns = database.prepare('DELETE FROM run WHERE id <= ?');
  }

  /**
   * Starts or continues a merge. Merges at least one station if there are runs.
   *
   * @param duration milliseconds after which it returns before it is finished
   * @returns the progress; undefined if nothing is left
   */
  merge(duration: number): MergePlace | undefined {
    const until = performance.now() + duration;
    const runs = this.#reader.snapshot();
    for (const damage of runs.damage) if (damage.kind === 'run') this.#quarantine.add(damage);
    const progress = (this.#progress ??= begin(runs.all));
    if (progress === undefined) return undefined;
    const merged = runs.all.filter(({ id }) => id <= progress.last);
    const { stations, areLong } = progress;
    while (progress.next < stations.length) {
      this.#mergeStation(stations[progress.next++] as number, runs, merged, areLong);
      if (performance.now() > until) break;
    }
    if (progress.next < stations.length) return { run: merged[0]?.id ?? 0, stations: progress.next };
    this.#deleteRuns.run(progress.last);
    this.#progress = undefined;
    return undefined;
  }

  /** Makes the next call start again, because the transaction was rolled back. */
  forget(): void {
    this.#progress = undefined;
  }

  #mergeStation(station: number, runs: Snapshot, merged: readonly Run[], isLong: boolean): void {
    const cached = this.#states.of(station, runs);
    const windows = isLong ? windowsOf(merged, station) : [[-Infinity, Infinity] as const];
    for (const [from, to] of windows) {
      const all = gathered(merged, station, from, to);
      for (const [day, series] of byDay(all)) this.#mergeDay(station, day, series);
      discardedColumns(all);
    }
    this.#states.save(station, cached);
  }

  #mergeDay(station: number, day: number, added: Series): void {
    const base = this.#reader.readChunk(station, day);
    this.#chunks.put(station, day, base === undefined ? added : mergeAll([base, added]));
  }
}

function begin(runs: readonly Run[]): Progress | undefined {
  const last = runs.at(-1);
  if (last === undefined) return undefined;
  const stations = [...new Set(runs.flatMap((run) => [...run.stations]))];
  const rows = runs.reduce((sum, run) => sum + run.rows, 0);
  return { last: last.id, stations, areLong: rows > MANY * stations.length, next: 0 };
}

function* byDay(series: Series): Generator<[day: number, series: Series]> {
  let from = 0;
  while (from < series.times.length) {
    const day = dayOf(series.times[from] as number);
    const to = lowerBound(series.times, (day + 1) * MILLISECONDS.day);
    yield [day, sliceSeries(series, from, to)];
    from = to;
  }
}

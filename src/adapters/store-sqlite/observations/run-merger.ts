import type { Database } from 'better-sqlite3';
import { mergeAll } from '../../../domain/weather/merge-series.js';
import type { Series } from '../../../domain/weather/series.js';
import type { Run } from '../../formats/packed/run-codec.js';
import type { MergePlace } from '../../packed-store/merge-schedule.js';
import { byDay } from '../../packed-store/by-day.js';
import { gathered } from '../../packed-store/run-rows.js';
import type { StationStates } from '../../packed-store/station-states.js';
import type { Quarantine } from '../damage/damage.js';
import type { ChunkWriter } from './chunk-writer.js';
import type { ObservationReader, Snapshot } from './observation-reader.js';

interface Progress {
  /** The last run of this merge. Later runs wait for the next merge. */
  readonly last: number;
  readonly stations: readonly number[];
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
    const { stations } = progress;
    while (progress.next < stations.length) {
      this.#mergeStation(stations[progress.next++] as number, runs, merged);
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

  #mergeStation(station: number, runs: Snapshot, merged: readonly Run[]): void {
    const cached = this.#states.of(station, runs);
    for (const [day, series] of byDay(gathered(merged, station))) this.#mergeDay(station, day, series);
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
  return { last: last.id, stations: [...new Set(runs.flatMap((run) => [...run.stations]))], next: 0 };
}

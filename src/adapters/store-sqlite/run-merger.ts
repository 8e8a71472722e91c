import type { Database } from 'better-sqlite3';
import { layered } from '../../domain/merge-series.js';
import { DAY, lowerBound, type Series, sliceSeries } from '../../domain/observations.js';
import { encodeChunk, hasValue } from './chunk-codec.js';
import { chunkKey, dayOf } from './chunk-key.js';
import type { ObservationReader } from './observation-reader.js';
import { gathered, type Run } from './run-codec.js';

interface Progress {
  /** The last run that is being merged; what comes after it waits for the next time. */
  readonly last: number;
  readonly stations: readonly number[];
  next: number;
}

/**
 * Makes chunks of the runs that there are, within somebody's transaction and a few stations at a time, so that nobody waits
 * for long. Merging a station again changes nothing: the runs go when all of them are done.
 */
export class RunMerger {
  readonly #reader: ObservationReader;
  readonly #deleteRuns;
  readonly #putChunk;
  readonly #putNewest;
  #progress: Progress | undefined;

  constructor(database: Database, reader: ObservationReader) {
    this.#reader = reader;
    this.#deleteRuns = database.prepare('DELETE FROM run WHERE id <= ?');
    this.#putChunk = database.prepare(
      'INSERT INTO chunk (key, rows, variables, data) VALUES (?, ?, ?, ?) ' +
        'ON CONFLICT DO UPDATE SET rows = excluded.rows, variables = excluded.variables, data = excluded.data',
    );
    this.#putNewest = database.prepare(
      'INSERT INTO newest (station, revision, data) VALUES (?, ?, ?) ' +
        'ON CONFLICT DO UPDATE SET revision = excluded.revision, data = excluded.data',
    );
  }

  /**
   * Goes on with what there is to merge.
   *
   * @param patience milliseconds after which it stops and is to be called again
   * @returns `more` when there is; else the last run that is in chunks now, or undefined where there was none
   */
  merge(patience: number): { readonly more: boolean; readonly last: number | undefined } {
    const until = performance.now() + patience;
    const runs = this.#reader.runs();
    const progress = (this.#progress ??= begin(runs));
    if (progress === undefined) return { more: false, last: undefined };
    const merged = runs.filter(({ id }) => id <= progress.last);
    while (progress.next < progress.stations.length) {
      if (performance.now() > until) return { more: true, last: undefined };
      this.#mergeStation(progress.stations[progress.next++] as number, runs, merged);
    }
    this.#deleteRuns.run(progress.last);
    this.#progress = undefined;
    return { more: false, last: progress.last };
  }

  /** Begins anew: what was merged may have been rolled back. */
  forget(): void {
    this.#progress = undefined;
  }

  #mergeStation(station: number, runs: Run[], merged: readonly Run[]): void {
    const known = this.#reader.state(station, runs);
    this.#putNewest.run(station, known.revision, Buffer.from(known.state.data.buffer));
    for (const [day, series] of byDay(gathered(merged, station))) this.#mergeDay(station, day, series);
    known.chunksEnd = known.state.lastSeen;
  }

  #mergeDay(station: number, day: number, added: Series): void {
    const base = this.#reader.readChunk(station, day);
    const series = base === undefined ? added : layered([base, added]);
    let variables = 0;
    for (const [variable, column] of series.values) if (hasValue(column)) variables += 2 ** variable;
    this.#putChunk.run(chunkKey(station, day), series.times.length, variables, encodeChunk(day, series));
  }
}

function begin(runs: readonly Run[]): Progress | undefined {
  const last = runs.at(-1);
  if (last === undefined) return undefined;
  return { last: last.id, stations: [...new Set(runs.flatMap((run) => [...run.stations]))], next: 0 };
}

function* byDay(series: Series): Generator<[day: number, series: Series]> {
  let from = 0;
  while (from < series.times.length) {
    const day = dayOf(series.times[from] as number);
    const to = lowerBound(series.times, (day + 1) * DAY);
    yield [day, sliceSeries(series, from, to)];
    from = to;
  }
}

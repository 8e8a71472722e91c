import type { Database } from 'better-sqlite3';
import { MILLISECONDS } from '../../../domain/time.js';
import { mergeAll } from '../../../domain/weather/merge-series.js';
import { lowerBound, type Series, sliceSeries } from '../../../domain/weather/series.js';
import { encodeChunk, hasValue } from '../../formats/packed/chunk-codec.js';
import { chunkKey, dayOf } from '../../formats/packed/chunk-key.js';
import type { Run } from '../../formats/packed/run-codec.js';
import type { Quarantine } from '../damage/damage.js';
import type { ObservationReader, Snapshot } from './observation-reader.js';
import { gathered } from './run-rows.js';
import type { StationStates } from './station-states.js';

/** The progress of merging: it has advanced when `run` rises, or `stations` within the same run. */
export interface MergePlace {
  /** The oldest run that is not merged. */
  readonly run: number;
  /** Number of stations that are done, of this run and of the later runs that are merged with it. */
  readonly stations: number;
}

interface Progress {
  /** The last run of this merge. Later runs wait for the next merge. */
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
  readonly #states: StationStates;
  readonly #quarantine: Quarantine;
  readonly #deleteRuns;
  readonly #putChunk;
  #progress: Progress | undefined;

  constructor(database: Database, reader: ObservationReader, states: StationStates, quarantine: Quarantine) {
    this.#reader = reader;
    this.#states = states;
    this.#quarantine = quarantine;
    this.#deleteRuns = database.prepare('DELETE FROM run WHERE id <= ?');
    this.#putChunk = database.prepare(
      'INSERT INTO chunk (key, rows, variables, data) VALUES (?, ?, ?, ?) ' +
        'ON CONFLICT DO UPDATE SET rows = excluded.rows, variables = excluded.variables, data = excluded.data',
    );
  }

  /**
   * Goes on with what there is to merge, by one station at least.
   *
   * @param patience milliseconds after which it stops and is to be called again
   * @returns how far it has come; undefined when there is no more to do
   */
  merge(patience: number): MergePlace | undefined {
    const until = performance.now() + patience;
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

  /** Starts again from the beginning, because the merge may have been rolled back. */
  forget(): void {
    this.#progress = undefined;
  }

  #mergeStation(station: number, runs: Snapshot, merged: readonly Run[]): void {
    const known = this.#states.of(station, runs);
    for (const [day, series] of byDay(gathered(merged, station))) this.#mergeDay(station, day, series);
    this.#states.save(station, known);
  }

  #mergeDay(station: number, day: number, added: Series): void {
    const base = this.#reader.readChunk(station, day);
    const series = base === undefined ? added : mergeAll([base, added]);
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
    const to = lowerBound(series.times, (day + 1) * MILLISECONDS.day);
    yield [day, sliceSeries(series, from, to)];
    from = to;
  }
}

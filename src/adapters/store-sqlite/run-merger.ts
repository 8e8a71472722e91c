import type { Database } from 'better-sqlite3';
import { layered } from '../../domain/merge-series.js';
import { DAY, lowerBound, type Series, sliceSeries } from '../../domain/observations.js';
import { encodeChunk, hasValue } from './chunk-codec.js';
import { chunkKey, dayOf } from './chunk-key.js';
import type { ObservationReader } from './observation-reader.js';
import { gathered } from './run-codec.js';

/** Makes chunks of the runs that there are. It runs within somebody's transaction. */
export class RunMerger {
  readonly #reader: ObservationReader;
  readonly #deleteRuns;
  readonly #putChunk;
  readonly #putNewest;

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

  /** @returns the last run that is in chunks now; undefined where there was none */
  merge(): number | undefined {
    const runs = this.#reader.runs();
    const last = runs.at(-1);
    if (last === undefined) return undefined;
    for (const station of new Set(runs.flatMap((run) => [...run.stations]))) {
      const known = this.#reader.state(station, runs);
      const { state, revision } = known;
      this.#putNewest.run(station, revision, Buffer.from(state.data.buffer));
      for (const [day, series] of byDay(gathered(runs, station))) this.#mergeDay(station, day, series);
      known.chunksEnd = state.lastSeen;
    }
    this.#deleteRuns.run(last.id);
    return last.id;
  }

  #mergeDay(station: number, day: number, added: Series): void {
    const base = this.#reader.readChunk(station, day);
    const series = base === undefined ? added : layered([base, added]);
    let variables = 0;
    for (const [variable, column] of series.values) if (hasValue(column)) variables += 2 ** variable;
    this.#putChunk.run(chunkKey(station, day), series.times.length, variables, encodeChunk(day, series));
  }
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

import type { Database } from 'better-sqlite3';
import type { UndoStep } from '../../../application/ports/observation-store.js';
import { MILLISECONDS } from '../../../domain/time.js';
import {
  type CellChanges,
  cellClusters,
  revertCells,
  type Reverted,
} from '../../../domain/weather/undo/cell-changes.js';
import { ChangedRows } from '../../../domain/weather/changed-rows.js';
import { concatenate } from '../../../domain/weather/merge-series.js';
import { STEP_REACH, type StationRules } from '../../../domain/weather/quality-control.js';
import { lowerBound, sliceSeries } from '../../../domain/weather/series.js';
import { UndoTotal } from '../../../domain/weather/undo/undo-counts.js';
import { DamagedBlobError } from '../../formats/packed/blob.js';
import { dayOf } from '../../formats/packed/chunk-key.js';
import { decodeJournal } from '../../formats/packed/journal-codec.js';
import type { StationStates } from '../../packed-store/station-states.js';
import type { ChunkWriter } from '../observations/chunk-writer.js';
import { expireStates } from '../observations/newest-table.js';
import type { ObservationReader } from '../observations/observation-reader.js';
import { StateRebuilder } from '../observations/state-rebuilder.js';
import type { ImportJournal } from './import-journal.js';

type Rules = ReadonlyMap<number, StationRules>;
type Span = readonly [from: number, to: number];

/** What an undo has changed of a station. */
interface StationUndo {
  removed: number;
  readonly spans: Span[];
}

/**
 * Takes back what an import has changed, newest entry of its journal first. A run cannot remove a value, so all runs
 * must have been merged, and the chunks are rewritten:
 *
 * 1. The rows of the days around the changed cells are read, the values before are put back, and the rows are judged.
 * 2. Each day with a changed row is written again, or its chunk is deleted.
 * 3. The state of each station is computed from its newest chunks, and all cached states expire.
 */
export class ImportUndo {
  readonly #database: Database;
  readonly #journal: ImportJournal;
  readonly #reader: ObservationReader;
  readonly #states: StationStates;
  readonly #chunks: ChunkWriter;
  readonly #rebuilder: StateRebuilder;

  constructor(
    database: Database,
    journal: ImportJournal,
    reader: ObservationReader,
    states: StationStates,
    chunks: ChunkWriter,
  ) {
    this.#database = database;
    this.#journal = journal;
    this.#reader = reader;
    this.#states = states;
    this.#chunks = chunks;
    this.#rebuilder = new StateRebuilder(database, reader);
  }

  /**
   * Takes back some entries within the transaction of the caller, in which no runs exist.
   *
   * @param rules those of all stations that exist
   * @param until the time, as `performance.now` returns it, after which no further entry is begun
   */
  run(number: number, rules: Rules, until: number): UndoStep {
    const total = new UndoTotal(this.#journal.counts(number));
    const stations = new Map<number, StationUndo>();
    let bytes = 0;
    let entry = this.#journal.newest(number);
    while (entry !== undefined) {
      try {
        for (const { station, cells } of decodeJournal(entry.data)) {
          const own = rules.get(station);
          if (own === undefined) total.addWithoutStation(cells);
          else
            for (const cluster of cellClusters(cells, 2 * STEP_REACH))
              note(stations, station, this.#revert(station, cluster, own, total));
        }
      } catch (error) {
        if (!(error instanceof DamagedBlobError)) throw error;
        total.addUnreadable(entry.rows);
      }
      bytes += entry.data.length;
      this.#journal.remove(entry);
      entry = this.#journal.newest(number);
      if (performance.now() > until) break;
    }
    this.#journal.setCounts(number, total.counts, bytes);
    return { isDone: entry === undefined, changes: this.#finish(stations) };
  }

  #revert(station: number, cells: CellChanges, rules: StationRules, total: UndoTotal): Reverted {
    const { times } = cells;
    const [first, last] = [times[0] as number, times.at(-1) as number];
    const days = Array.from(
      { length: dayOf(last + STEP_REACH) - dayOf(first - STEP_REACH) + 1 },
      (_, index) => dayOf(first - STEP_REACH) + index,
    );
    const stored = days.map((day) => this.#reader.readChunk(station, day));
    const reverted = revertCells(concatenate(stored.filter((series) => series !== undefined)), cells, rules);
    total.addReverted(reverted);
    if (reverted.span === undefined) return reverted;
    const { series, touched, removed } = reverted;
    for (const day of days) {
      const [midnight, end] = [day * MILLISECONDS.day, (day + 1) * MILLISECONDS.day];
      const [from, to] = [lowerBound(series.times, midnight), lowerBound(series.times, end)];
      const hasRemoved = lowerBound(removed, midnight) < lowerBound(removed, end);
      if (hasRemoved || touched.subarray(from, to).includes(1))
        this.#chunks.put(station, day, sliceSeries(series, from, to));
    }
    return reverted;
  }

  /** Writes the states of the changed stations. */
  #finish(stations: ReadonlyMap<number, StationUndo>): UndoStep['changes'] {
    const changed = new ChangedRows();
    if (stations.size === 0) return changed.changes;
    const runs = this.#reader.snapshot();
    const revision = expireStates(this.#database);
    for (const [station, { removed, spans }] of stations) {
      const before = this.#states.of(station, runs);
      this.#states.save(station, this.#rebuilder.rebuild(station, before, removed, revision));
      for (const [from, to] of spans) changed.add(station, from, to, revision);
    }
    return changed.changes;
  }
}

function note(stations: Map<number, StationUndo>, station: number, { span, removed }: Reverted): void {
  if (span === undefined) return;
  const undo = stations.get(station) ?? { removed: 0, spans: [] };
  stations.set(station, undo);
  undo.removed += removed.length;
  undo.spans.push(span);
}

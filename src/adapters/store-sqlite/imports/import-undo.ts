import type { Database } from 'better-sqlite3';
import type { UndoStep } from '#application/ports/observation-store.js';
import {
  type CellChanges,
  cellClusters,
  revertCells,
  type Reverted,
} from '#domain/weather/undo/cell-changes.js';
import { ChangedRows } from '#domain/weather/changed-rows.js';
import { STEP_REACH } from '#domain/weather/quality-control.js';
import type { StationRules } from '#domain/weather/quality/station-rules.js';
import { UndoTotal } from '#domain/weather/undo/undo-counts.js';
import { DamagedBlobError } from '#adapters/formats/packed/blob.js';
import { decodeJournal } from '#adapters/formats/packed/journal-codec.js';
import { replaceDays, type StationChunks } from '#adapters/packed-store/chunks/station-chunks.js';
import type { StationStates } from '#adapters/packed-store/station-states.js';
import { changedDays, daysAround, UndoneStations } from '#adapters/packed-store/undo-days.js';
import type { DayTables } from '../day-tables/day-table-operations.js';
import { expireStates } from '../observations/newest-table.js';
import type { ObservationReader } from '../observations/observation-reader.js';
import { StateRebuilder } from '../observations/state-rebuilder.js';
import type { ImportJournal } from './import-journal.js';

type Rules = ReadonlyMap<number, StationRules>;

/**
 * Takes back what an import has changed, newest entry of its journal first. A run cannot remove a value, so all runs
 * must have been merged, and the chunks are rewritten:
 *
 * 1. The rows of the days around the changed cells are read, the values before are put back, and the rows are judged.
 * 2. Each chunk with a changed row is written again, or deleted.
 * 3. The state of each station is computed from its newest chunks, and all cached states expire.
 */
export class ImportUndo {
  readonly #database: Database;
  readonly #journal: ImportJournal;
  readonly #reader: ObservationReader;
  readonly #states: StationStates;
  readonly #chunks: StationChunks;
  readonly #dayTables: DayTables;
  readonly #rebuilder: StateRebuilder;

  constructor(
    database: Database,
    journal: ImportJournal,
    reader: ObservationReader,
    states: StationStates,
    chunks: StationChunks,
    dayTables: DayTables,
  ) {
    this.#database = database;
    this.#journal = journal;
    this.#reader = reader;
    this.#states = states;
    this.#chunks = chunks;
    this.#dayTables = dayTables;
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
    const stations = new UndoneStations();
    let bytes = 0;
    let entry = this.#journal.newest(number);
    while (entry !== undefined) {
      try {
        for (const { station, cells } of decodeJournal(number, entry.data)) {
          const own = rules.get(station);
          if (own === undefined) total.addWithoutStation(cells);
          else
            for (const cluster of cellClusters(cells, 2 * STEP_REACH))
              stations.note(station, this.#revert(station, cluster, own, total));
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
    const reverted = revertCells(this.#reader.readDays(station, ...daysAround(cells)), cells, rules);
    total.addReverted(reverted);
    replaceDays(this.#chunks, station, changedDays(reverted));
    return reverted;
  }

  /** Writes the states of the changed stations. */
  #finish(stations: UndoneStations): UndoStep['changes'] {
    const changed = new ChangedRows();
    if (stations.size === 0) return changed.changes;
    const runs = this.#reader.snapshot();
    const revision = expireStates(this.#database);
    for (const [station, undo] of stations) {
      const before = this.#states.of(station, runs);
      this.#states.save(station, this.#rebuilder.rebuild(station, before, undo, revision));
      for (const [from, to] of undo.spans) {
        this.#dayTables.drop(station, from, to);
        changed.add(station, from, to, revision);
      }
    }
    return changed.changes;
  }
}

import type {
  Inventory,
  ObservationQuery,
  ObservationStore,
  ObservationWrite,
  WriteOutcome,
  WriteResult,
} from '#application/ports/observation-store.js';
import { ChangedRows } from '#domain/weather/changed-rows.js';
import { addWritten, writeSeries } from '#domain/weather/merge-series.js';
import { rulesOf, type StationRules } from '#domain/weather/quality/station-rules.js';
import {
  EMPTY_SERIES,
  lowerBound,
  type ObservationBatch,
  type Series,
  sliceSeries,
} from '#domain/weather/series.js';
import { type Newest, StationState } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';
import { changedCells, revertCells, type StationCells } from '#domain/weather/undo/cell-changes.js';
import { type UndoCounts, UndoTotal } from '#domain/weather/undo/undo-counts.js';
import { partsByStation } from './station-parts.js';

const NO_ROWS = { series: EMPTY_SERIES, revision: 0 };

/**
 * A reference implementation of an observation store, with which tests compare the real stores. All rows of a station are one
 * series in memory. The real stores divide the rows into packed pieces (runs and chunks) and merge them later; this store does
 * not.
 */
export class PlainRows implements Pick<ObservationStore, 'write' | 'read' | 'newest' | 'inventory'> {
  readonly #rules: ReadonlyMap<number, StationRules>;
  readonly #rows = new Map<number, { readonly series: Series; readonly revision: number }>();
  /** For each import, by its number: the cells that each of its writes changed. A cell is the value of a variable at one time. */
  readonly #journals = new Map<number, StationCells[][]>();

  constructor(stations: readonly Station[]) {
    this.#rules = new Map(stations.map((station) => [station.number, rulesOf(station)]));
  }

  seriesOf(station: number): Series {
    return this.#of(station).series;
  }

  async write(writes: readonly ObservationWrite[]): Promise<WriteResult> {
    const changed = new ChangedRows();
    const outcomes = writes.map((write) => this.#write(write, changed));
    return { outcomes, changes: changed.changes };
  }

  /** Undoes all writes of an import. */
  undo(importNumber: number): UndoCounts {
    const total = new UndoTotal();
    for (const entry of this.#journals.get(importNumber)?.reverse() ?? [])
      for (const { station, cells } of entry) {
        const { series, revision } = this.#of(station);
        const reverted = revertCells(series, cells, this.#rules.get(station) as StationRules);
        total.addReverted(reverted);
        if (reverted.span !== undefined)
          this.#rows.set(station, { series: reverted.series, revision: revision + 1 });
      }
    this.#journals.delete(importNumber);
    return total.counts;
  }

  async *read({ stations, from, to }: ObservationQuery): AsyncGenerator<ObservationBatch> {
    for (const station of [...(stations ?? this.#rows.keys())].sort((a, b) => a - b)) {
      const series = this.seriesOf(station);
      const rows = sliceSeries(series, lowerBound(series.times, from), lowerBound(series.times, to));
      yield { stations: new Uint32Array(rows.times.length).fill(station), ...rows };
    }
  }

  async newest(stations: readonly number[]): Promise<readonly Newest[]> {
    return stations.map((station) => {
      const { series, revision } = this.#of(station);
      const state = new StationState();
      state.advance(series);
      return state.describe(station, revision);
    });
  }

  async inventory(stations: readonly number[]): Promise<readonly Inventory[]> {
    return stations.map((station) => {
      const { times, values } = this.seriesOf(station);
      const present = [...values].filter(([, column]) => column.some((value) => !Number.isNaN(value)));
      return {
        first: times[0] ?? null,
        last: times.at(-1) ?? null,
        count: times.length,
        variables: present.map(([variable]) => variable).sort((a, b) => a - b),
      };
    });
  }

  #of(station: number) {
    return this.#rows.get(station) ?? NO_ROWS;
  }

  #write({ batch, importNumber }: ObservationWrite, changed: ChangedRows): WriteOutcome {
    const total = { inserted: 0, updated: 0, unchanged: 0 };
    const unknown: number[] = [];
    const entry: StationCells[] = [];
    for (const [station, part] of partsByStation(batch)) {
      const rules = this.#rules.get(station);
      if (rules === undefined) {
        unknown.push(station);
        continue;
      }
      const before = this.#of(station);
      const { series, touched, ...counts } = writeSeries(before.series, part, rules);
      addWritten(total, counts);
      const revision = before.revision + (counts.inserted + counts.updated > 0 ? 1 : 0);
      this.#rows.set(station, { series, revision });
      const times = series.times.filter((_time, row) => touched[row] === 1);
      changed.addAll(station, times, revision);
      const cells = changedCells(before.series, part.series);
      if (cells.times.length > 0) entry.push({ station, cells });
    }
    if (importNumber !== undefined && entry.length > 0)
      this.#journals.set(importNumber, [...(this.#journals.get(importNumber) ?? []), entry]);
    return { ...total, unknown };
  }
}

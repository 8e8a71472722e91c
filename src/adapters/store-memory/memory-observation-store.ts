import type {
  Inventory,
  ObservationQuery,
  ObservationStore,
  ObservationWrite,
  StationDescription,
  WriteOutcome,
  WriteResult,
} from '../../application/ports/observation-store.js';
import { ChangedRows } from '../../domain/weather/changed-rows.js';
import {
  addWritten,
  copyRows,
  emptySeries,
  pickRows,
  writeSeries,
} from '../../domain/weather/merge-series.js';
import { rulesOf, type StationRules } from '../../domain/weather/quality-control.js';
import { partsByStation } from '../../domain/weather/row-order.js';
import { EMPTY_SERIES, lowerBound, type ObservationBatch } from '../../domain/weather/series.js';
import { type Newest, StationState } from '../../domain/weather/station-state.js';
import type { MemoryDatabase } from './memory-database.js';

const NO_ROWS = { series: EMPTY_SERIES, revision: 0 };

/** Observations in memory. */
export class MemoryObservationStore implements ObservationStore {
  readonly #database: MemoryDatabase;

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  async write(writes: readonly ObservationWrite[]): Promise<WriteResult> {
    const rules = new Map(
      [...this.#database.stations.values()].map((station) => [station.number, rulesOf(station)]),
    );
    const changed = new ChangedRows();
    const outcomes = writes.map((write) => this.#write(write, rules, changed));
    return { outcomes, changes: changed.changes };
  }

  async *read({ stations, from, to, variables }: ObservationQuery): AsyncGenerator<ObservationBatch> {
    const numbers = stations ?? [...this.#database.observations.keys()];
    for (const station of [...numbers].sort((a, b) => a - b)) {
      const { times, values, flags } = this.#database.observations.get(station)?.series ?? EMPTY_SERIES;
      const wanted = ([variable]: readonly [number, unknown]) => variables?.includes(variable) ?? true;
      const chosen = {
        times,
        values: new Map([...values].filter(wanted)),
        flags: new Map([...flags].filter(wanted)),
      };
      const [first, end] = [lowerBound(times, from), lowerBound(times, to)];
      const series = emptySeries(Math.max(0, end - first));
      copyRows(chosen, first, end, series, 0);
      const columns = [...series.values.values()];
      const filled = Uint8Array.from(series.times, (_time, row) =>
        columns.some((column) => !Number.isNaN(column[row])) ? 1 : 0,
      );
      const rows = pickRows(series, filled);
      if (rows.times.length > 0) {
        yield { stations: new Uint32Array(rows.times.length).fill(station), ...rows };
      }
    }
  }

  async describe(id: string): Promise<StationDescription | undefined> {
    const station = this.#database.stations.get(id);
    if (station === undefined) return undefined;
    const [newest] = await this.newest([station.number]);
    const [inventory] = await this.inventory([station.number]);
    const { lastSeen, revision } = newest as Newest;
    return { station, lastSeen, revision, inventory: inventory as Inventory, rows: undefined };
  }

  async newest(stations: readonly number[]): Promise<readonly Newest[]> {
    return stations.map((station) => {
      const { series, revision } = this.#database.observations.get(station) ?? NO_ROWS;
      const state = new StationState();
      state.advance(series);
      return state.describe(station, revision);
    });
  }

  async inventory(stations: readonly number[]): Promise<readonly Inventory[]> {
    return stations.map((station) => {
      const { times, values } = this.#database.observations.get(station)?.series ?? EMPTY_SERIES;
      const present = [...values].filter(([, column]) => column.some((value) => !Number.isNaN(value)));
      return {
        first: times[0] ?? null,
        last: times.at(-1) ?? null,
        count: times.length,
        variables: present.map(([variable]) => variable).sort((a, b) => a - b),
      };
    });
  }

  #write(
    { batch, records = [] }: ObservationWrite,
    rules: ReadonlyMap<number, StationRules>,
    changed: ChangedRows,
  ): WriteOutcome {
    const total = { inserted: 0, updated: 0, unchanged: 0 };
    if (records.some((record) => this.#database.isOutdated(record)))
      return { ...total, unknown: [], isOutdated: true };
    for (const record of records) this.#database.putRecord(record);
    const unknown: number[] = [];
    for (const [station, part] of partsByStation(batch)) {
      const own = rules.get(station);
      if (own === undefined) {
        unknown.push(station);
        continue;
      }
      const before = this.#database.observations.get(station) ?? NO_ROWS;
      const written = writeSeries(before.series, part, own);
      addWritten(total, written);
      const revision = before.revision + (written.inserted + written.updated > 0 ? 1 : 0);
      this.#database.observations.set(station, { series: written.series, revision });
      const times = written.series.times.filter((_time, row) => written.touched[row] === 1);
      changed.addAll(station, times, revision);
    }
    return { ...total, unknown };
  }
}

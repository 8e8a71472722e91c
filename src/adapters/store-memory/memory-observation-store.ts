import type {
  EraseRange,
  EraseStep,
  Inventory,
  ObservationQuery,
  ObservationStore,
  ObservationWrite,
  StationDescription,
  UndoStep,
  WriteOutcome,
  WriteResult,
} from '#application/ports/observation-store.js';
import { type CellChanges, changedCells, revertCells } from '#domain/weather/undo/cell-changes.js';
import { ChangedRows } from '#domain/weather/changed-rows.js';
import {
  addWritten,
  concatenate,
  copyRows,
  emptySeries,
  pickRows,
  writeSeries,
} from '#domain/weather/merge-series.js';
import { rulesOf, type StationRules } from '#domain/weather/quality/station-rules.js';
import { withoutRemoved } from '#domain/weather/removed-months.js';
import { orderRows, partsByStation } from '#domain/weather/row-order.js';
import { EMPTY_SERIES, lowerBound, type ObservationBatch, sliceSeries } from '#domain/weather/series.js';
import { type Newest, StationState } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';
import { markDamage } from '#domain/weather/stations/stored-station.js';
import { eraseValues } from '#domain/weather/undo/erase-values.js';
import { closedImport, UndoTotal } from '#domain/weather/undo/undo-counts.js';
import {
  decodeJournal,
  encodeJournal,
  type JournalPart,
  journalPart,
} from '#adapters/formats/packed/journal-codec.js';
import type { MemoryDatabase, StoredImport } from './memory-database.js';

const NO_ROWS = { series: EMPTY_SERIES, revision: 0 };

/** Observations in memory. */
export class MemoryObservationStore implements ObservationStore {
  readonly #database: MemoryDatabase;

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  async write(writes: readonly ObservationWrite[]): Promise<WriteResult> {
    const rules = this.#rules();
    const changed = new ChangedRows();
    const isOfImport = writes.some(({ importNumber }) => importNumber !== undefined);
    const before = isOfImport ? new Map(this.#database.observations) : undefined;
    try {
      const outcomes = writes.map((write) => this.#write(write, rules, changed));
      return { outcomes, changes: changed.changes };
    } catch (error) {
      // Only a closed import is refused.
      if (before !== undefined) this.#database.observations = before;
      throw error;
    }
  }

  async undo(importNumber: number): Promise<UndoStep> {
    const known = this.#database.imports.get(importNumber);
    const changed = new ChangedRows();
    const entry = known?.journal.pop();
    if (known === undefined || entry === undefined) return { isDone: true, changes: changed.changes };
    const rules = this.#rules();
    const total = new UndoTotal(known.record.undo?.counts);
    for (const { station, cells } of decodeJournal(importNumber, entry)) {
      const own = rules.get(station);
      if (own === undefined) total.addWithoutStation(cells);
      else this.#revert(station, cells, own, total, changed);
    }
    const { record } = known;
    const undo = record.undo && { ...record.undo, counts: total.counts };
    known.record = { ...record, bytes: record.bytes - entry.length, undo };
    return { isDone: known.journal.length === 0, changes: changed.changes };
  }

  async append(batch: ObservationBatch): Promise<boolean> {
    const rules = this.#rules();
    const groups = orderRows(batch).groups.map(({ station, from, to }) => {
      const before = this.#database.observations.get(station) ?? NO_ROWS;
      return { station, before, series: sliceSeries(batch, from, to) };
    });
    const fits = groups.every(
      ({ station, before, series }) =>
        rules.has(station) && (series.times[0] as number) > (before.series.times.at(-1) ?? -Infinity),
    );
    if (!fits) return false;
    for (const { station, before, series } of groups) {
      this.#database.store(station, concatenate([before.series, series]), before.revision + 1, series.times);
    }
    return true;
  }

  async erase(ranges: readonly EraseRange[]): Promise<EraseStep> {
    const rules = this.#rules();
    const changed = new ChangedRows();
    const erased = ranges.flatMap(({ station, ...range }) => {
      const [own, before] = [rules.get(station), this.#database.observations.get(station)];
      if (own === undefined || before === undefined) return [];
      if (range.isExpiry === true) this.#database.expire(station, range.to);
      const { series, span, takenBack } = eraseValues(before.series, range, own);
      if (span === undefined) return [];
      const revision = before.revision + 1;
      this.#database.store(station, series, revision, span);
      changed.add(station, ...span, revision);
      return [{ station, ...takenBack }];
    });
    return { rest: [], erased, changes: changed.changes };
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
    const station = this.#database.visible(id);
    if (station === undefined) return undefined;
    const [{ lastSeen, revision }] = (await this.newest([station.number])) as [Newest];
    const [inventory] = (await this.inventory([station.number])) as [Inventory];
    return { station, lastSeen, revision, inventory, rows: undefined };
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

  #rules(): Map<number, StationRules> {
    const until = ({ number }: Station) => this.#database.removedUntil.get(number);
    const rules = (one: Station) => ({ ...rulesOf(markDamage(one)), removedUntil: until(one) });
    return new Map([...this.#database.stations.values()].map((one) => [one.number, rules(one)]));
  }

  /** @throws DomainError REQUEST_INVALID if the import is not open */
  #openImport(number: number): StoredImport {
    const known = this.#database.imports.get(number);
    if (known === undefined || known.record.endedAt !== null || known.record.undo !== null)
      throw closedImport();
    return known;
  }

  #note(number: number, parts: readonly JournalPart[]): void {
    if (parts.length === 0) return;
    const known = this.#openImport(number);
    const { record } = known;
    const rows = record.rows + parts.reduce((sum, { to }) => sum + to, 0);
    const stations = [...new Set([...record.stations, ...parts.map(({ station }) => station)])];
    known.record = { ...record, rows, stations: stations.sort((a, b) => a - b) };
    if (record.isForgotten) return;
    const entry = encodeJournal(number, parts);
    known.journal.push(entry);
    known.record = { ...known.record, bytes: record.bytes + entry.length };
  }

  #revert(
    station: number,
    cells: CellChanges,
    rules: StationRules,
    total: UndoTotal,
    changed: ChangedRows,
  ): void {
    const before = this.#database.observations.get(station) ?? NO_ROWS;
    const reverted = revertCells(before.series, cells, rules);
    total.addReverted(reverted);
    if (reverted.span === undefined) return;
    const revision = before.revision + 1;
    this.#database.store(station, reverted.series, revision, reverted.span);
    changed.add(station, ...reverted.span, revision);
  }

  #write(
    { batch, records = [], importNumber }: ObservationWrite,
    rules: ReadonlyMap<number, StationRules>,
    changed: ChangedRows,
  ): WriteOutcome {
    const total = { inserted: 0, updated: 0, unchanged: 0 };
    if (records.some((record) => this.#database.isOutdated(record)))
      return { ...total, unknown: [], isOutdated: true };
    for (const record of records) this.#database.putRecord(record);
    const unknown: number[] = [];
    const journal: JournalPart[] = [];
    const kept = withoutRemoved(batch, rules);
    total.unchanged = batch.times.length - kept.times.length;
    for (const [station, part] of partsByStation(kept)) {
      const own = rules.get(station);
      if (own === undefined) {
        unknown.push(station);
        continue;
      }
      const before = this.#database.observations.get(station) ?? NO_ROWS;
      const written = writeSeries(before.series, part, own);
      addWritten(total, written);
      const revision = before.revision + (written.inserted + written.updated > 0 ? 1 : 0);
      const times = written.series.times.filter((_time, row) => written.touched[row] === 1);
      this.#database.store(station, written.series, revision, times);
      changed.addAll(station, times, revision);
      if (importNumber !== undefined) {
        const cells = changedCells(before.series, part.series);
        if (cells.times.length > 0) journal.push(journalPart(station, cells));
      }
    }
    if (importNumber !== undefined) this.#note(importNumber, journal);
    return { ...total, unknown };
  }
}

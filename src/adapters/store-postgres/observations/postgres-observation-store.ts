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
} from '../../../application/ports/observation-store.js';
import { changedCells } from '../../../domain/weather/undo/cell-changes.js';
import { ChangedRows } from '../../../domain/weather/changed-rows.js';
import {
  addWritten,
  concatenate,
  pickRows,
  writeSeries,
  type WriteTotal,
} from '../../../domain/weather/merge-series.js';
import { judge, STEP_REACH } from '../../../domain/weather/quality-control.js';
import { clusters, partsByStation, type StationPart } from '../../../domain/weather/row-order.js';
import type { ObservationBatch, Series } from '../../../domain/weather/series.js';
import { type Newest, StationState } from '../../../domain/weather/station-state.js';
import { type JournalPart, journalPart } from '../../formats/packed/journal-codec.js';
import { Partitions } from '../database/partitions.js';
import { isStorable, type PostgresDatabase } from '../database/postgres-database.js';
import type { Query } from '../database/query.js';
import { addToJournal, lockOpenImports } from '../imports/import-journal.js';
import { undoNewestEntry } from '../imports/import-undo.js';
import { appendRows } from './append-rows.js';
import { eraseSome } from './erased-values.js';
import { readNeighbourhoods } from './neighbourhoods.js';
import { lockRecords, writeRecords } from '../uploads/upload-records.js';
import { insertRows, readRows } from './observation-rows.js';
import {
  describeStation,
  type StoredState,
  lockStates,
  type LockedState,
  putStates,
  type ReadState,
  readStates,
} from './station-states.js';

/** Number of rows in a batch. */
const PAGE = 8192;

const OUTDATED: WriteOutcome = { inserted: 0, updated: 0, unchanged: 0, unknown: [], isOutdated: true };

/**
 * Observations in PostgreSQL: one table row for each observation, in partitions by year, or in a hypertable of
 * TimescaleDB.
 */
export class PostgresObservationStore implements ObservationStore {
  readonly #database: PostgresDatabase;
  readonly #partitions = new Partitions();

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async write(writes: readonly ObservationWrite[]): Promise<WriteResult> {
    const sent = writes.map(({ batch, importNumber }) => ({ parts: partsByStation(batch), importNumber }));
    const times = writes.map(({ batch }) => batch.times);
    try {
      await this.#partitions.make(this.#database.query, times);
      return await this.#database.transaction(async (query) => {
        const numbers = sent.flatMap(({ importNumber }) => importNumber ?? []);
        const imports = await lockOpenImports(query, new Set(numbers));
        const states = await lockStates(query, new Set(sent.flatMap(({ parts }) => [...parts.keys()])));
        const isOutdated = await lockRecords(
          query,
          writes.map(({ records = [] }) => records),
        );
        const outcomes: WriteOutcome[] = [];
        const changed = new Map<number, StoredState>();
        const written: (readonly [station: number, times: Float64Array])[] = [];
        for (const [index, { parts, importNumber }] of sent.entries()) {
          if (isOutdated[index] === true) {
            outcomes.push(OUTDATED);
            continue;
          }
          const journal: JournalPart[] | undefined = importNumber === undefined ? undefined : [];
          outcomes.push(await writeParts(query, parts, states, changed, written, journal));
          if (importNumber !== undefined && journal !== undefined)
            await addToJournal(query, importNumber, journal, imports.get(importNumber));
        }
        const revisions = await putStates(query, changed);
        await writeRecords(
          query,
          writes.flatMap(({ records = [] }, index) => (isOutdated[index] === true ? [] : records)),
        );
        const rows = new ChangedRows();
        for (const [station, changedTimes] of written)
          rows.addAll(station, changedTimes, revisions.get(station) ?? 0);
        return { outcomes, changes: rows.changes };
      });
    } catch (error) {
      this.#partitions.forget();
      throw error;
    }
  }

  undo(importNumber: number): Promise<UndoStep> {
    return this.#database.transaction((query) => undoNewestEntry(query, importNumber));
  }

  append(batch: ObservationBatch): Promise<boolean> {
    return appendRows(this.#database, this.#partitions, batch);
  }

  erase(ranges: readonly EraseRange[]): Promise<EraseStep> {
    return this.#database.transaction((query) => eraseSome(query, ranges));
  }

  /**
   * Reads page by page, each page after the last row of the previous one. An open cursor would hold one of the few
   * connections for as long as a slow client reads.
   */
  async *read({ stations, from, to, variables }: ObservationQuery): AsyncGenerator<ObservationBatch> {
    if (from >= to) return;
    let after: readonly [station: number, time: number] | undefined;
    for (;;) {
      const rows = await readRows(this.#database.query, {
        stations,
        from,
        to,
        variables,
        after,
        limit: PAGE,
      });
      if (rows.times.length > 0) yield rows;
      if (rows.times.length < PAGE) return;
      after = [rows.stations.at(-1) as number, rows.times.at(-1) as number];
    }
  }

  async describe(id: string): Promise<StationDescription | undefined> {
    if (!isStorable(id)) return undefined;
    const found = await describeStation(this.#database.query, id);
    if (found === undefined) return undefined;
    const { station, stored } = found;
    const { lastSeen, revision } = newestOf(station.number, stored);
    return { station, lastSeen, revision, inventory: inventoryOf(stored), rows: undefined };
  }

  async newest(stations: readonly number[]): Promise<readonly Newest[]> {
    const known = await readStates(this.#database.query, stations);
    return stations.map((station) => newestOf(station, known.get(station)));
  }

  async inventory(stations: readonly number[]): Promise<readonly Inventory[]> {
    const known = await readStates(this.#database.query, stations);
    return stations.map((station) => inventoryOf(known.get(station)));
  }
}

function newestOf(station: number, stored: ReadState | undefined): Newest {
  const { state, revision } = stored ?? { state: new StationState(), revision: 0 };
  return state.describe(station, revision);
}

function inventoryOf(stored: ReadState | undefined): Inventory {
  if (stored === undefined) return { first: null, last: null, count: 0, variables: [] };
  const { state, first, count } = stored;
  const last = state.lastSeen === -Infinity ? null : state.lastSeen;
  return { first, last, count, variables: state.variables() };
}

/**
 * @param changed receives the states of the changed stations
 * @param rows receives the times of the changed rows
 * @param journal receives the changed values, if they are kept
 */
async function writeParts(
  query: Query,
  parts: ReadonlyMap<number, StationPart>,
  states: ReadonlyMap<number, LockedState>,
  changed: Map<number, StoredState>,
  rows: (readonly [station: number, times: Float64Array])[],
  journal: JournalPart[] | undefined,
): Promise<WriteOutcome> {
  const outcome = { inserted: 0, updated: 0, unchanged: 0, unknown: [] as number[] };
  const written = new Map<number, Series>();
  const late = new Map<number, StationPart>();
  const addChange = (station: number, stored: StoredState, series: Series, inserted: number) => {
    if (series.times.length === 0) return;
    stored.state.advance(series);
    stored.first = Math.min(stored.first ?? Infinity, series.times[0] as number);
    stored.count += inserted;
    written.set(station, series);
    changed.set(station, stored);
    rows.push([station, series.times]);
  };
  for (const [station, part] of parts) {
    const stored = states.get(station);
    if (stored === undefined) {
      outcome.unknown.push(station);
      continue;
    }
    outcome.unchanged += part.folded;
    const { times } = part.series;
    if ((times[0] as number) > stored.state.lastSeen) {
      outcome.inserted += times.length;
      journal?.push({ station, after: part.series, before: undefined, from: 0, to: times.length });
      addChange(station, stored, judge(part.series, stored.rules, stored.state.tail), times.length);
    } else late.set(station, part);
  }
  for (const [station, merged] of await mergeLate(query, late, states, journal)) {
    addWritten(outcome, merged);
    addChange(station, states.get(station) as StoredState, merged.series, merged.inserted);
  }
  if (written.size > 0) await insertRows(query, written);
  return outcome;
}

/**
 * Merges late rows, which are not newer than all stored rows, with the stored rows around them. Rows that are more than
 * STEP_REACH apart do not influence each other.
 *
 * @returns for each station the inserted and updated rows, judged
 */
async function mergeLate(
  query: Query,
  late: ReadonlyMap<number, StationPart>,
  states: ReadonlyMap<number, LockedState>,
  journal: JournalPart[] | undefined,
) {
  const all = [...late].flatMap(([station, { series }]) =>
    [...clusters(series, STEP_REACH)].map((cluster) => ({ station, series: cluster.series })),
  );
  const found = new Map<number, WriteTotal & { readonly pieces: Series[] }>();
  for await (const [{ station, series: added }, stored] of readNeighbourhoods(query, all)) {
    const { rules } = states.get(station) as LockedState;
    const merged = writeSeries(stored, { series: added, folded: 0 }, rules);
    const cells = journal && changedCells(stored, added);
    if (cells !== undefined && cells.times.length > 0) journal?.push(journalPart(station, cells));
    const total = found.get(station) ?? { inserted: 0, updated: 0, unchanged: 0, pieces: [] };
    found.set(station, total);
    addWritten(total, merged);
    total.pieces.push(pickRows(merged.series, merged.touched));
  }
  return [...found].map(([station, { pieces, ...counts }]) => {
    return [station, { ...counts, series: concatenate(pieces) }] as const;
  });
}

import type { UndoStep } from '../../../application/ports/observation-store.js';
import {
  type CellChanges,
  cellClusters,
  revertCells,
  type StationCells,
} from '../../../domain/weather/undo/cell-changes.js';
import { ChangedRows } from '../../../domain/weather/changed-rows.js';
import { concatenate, pickRows } from '../../../domain/weather/merge-series.js';
import { STEP_REACH } from '../../../domain/weather/quality-control.js';
import type { Series } from '../../../domain/weather/series.js';
import { UndoTotal } from '../../../domain/weather/undo/undo-counts.js';
import { DamagedBlobError } from '../../formats/packed/blob.js';
import { decodeJournal } from '../../formats/packed/journal-codec.js';
import type { Query } from '../database/query.js';
import { readSpans } from '../observations/neighbourhoods.js';
import { deleteRows, insertRows } from '../observations/observation-rows.js';
import { rebuildStates } from '../observations/rebuilt-states.js';
import { lockStates, type LockedState, putStates } from '../observations/station-states.js';
import { lockJournal, removeEntry } from './import-journal.js';

type Span = readonly [from: number, to: number];

/** What an undo changes of a station. */
interface StationUndo {
  /** Rows with changed values or flags. */
  readonly kept: Series[];
  readonly removed: Float64Array[];
  readonly spans: Span[];
}

/** Takes back the newest entry of the journal of an import, within the transaction of the caller. */
export async function undoNewestEntry(query: Query, number: number): Promise<UndoStep> {
  const changed = new ChangedRows();
  const { counts, entry } = await lockJournal(query, number);
  if (entry === undefined) return { isDone: true, changes: changed.changes };
  const total = new UndoTotal(counts ?? undefined);
  const cells = cellsOf(entry, total);
  const states = await lockStates(query, new Set(cells.map(({ station }) => station)));
  const undone = await revert(query, cells, states, total);
  if (undone.size > 0) {
    await deleteRows(
      query,
      mapOf(undone, ({ removed }) => joinTimes(removed)),
    );
    const kept = mapOf(undone, ({ kept: series }) => concatenate(series));
    if ([...kept.values()].some(({ times }) => times.length > 0)) await insertRows(query, kept, 'removes');
    const stored = mapOf(undone, ({ removed, spans }, station) => {
      const state = states.get(station) as LockedState;
      return { ...state, count: state.count - joinTimes(removed).length, spans };
    });
    const revisions = await putStates(query, await rebuildStates(query, stored));
    for (const [station, { spans }] of undone)
      for (const [from, to] of spans) changed.add(station, from, to, revisions.get(station) ?? 0);
  }
  await removeEntry(query, number, entry, total.counts);
  return { isDone: false, changes: changed.changes };
}

function cellsOf({ data, rows }: { data: Buffer; rows: number }, total: UndoTotal): readonly StationCells[] {
  try {
    return decodeJournal(data);
  } catch (error) {
    if (!(error instanceof DamagedBlobError)) throw error;
    total.addUnreadable(rows);
    return [];
  }
}

/** @param total counts what is taken back and what is left */
async function revert(
  query: Query,
  cells: readonly StationCells[],
  states: ReadonlyMap<number, LockedState>,
  total: UndoTotal,
): Promise<Map<number, StationUndo>> {
  const clusters: { station: number; cells: CellChanges; rules: LockedState['rules'] }[] = [];
  for (const one of cells) {
    const rules = states.get(one.station)?.rules;
    if (rules === undefined) total.addWithoutStation(one.cells);
    else
      for (const cluster of cellClusters(one.cells, 2 * STEP_REACH))
        clusters.push({ station: one.station, cells: cluster, rules });
  }
  const spans = clusters.map(({ station, cells: { times } }) => ({
    station,
    first: (times[0] as number) - STEP_REACH,
    last: (times.at(-1) as number) + STEP_REACH,
  }));
  const stored = await readSpans(query, spans);
  const undone = new Map<number, StationUndo>();
  for (const [index, { station, cells: cluster, rules }] of clusters.entries()) {
    const reverted = revertCells(stored[index] as Series, cluster, rules);
    total.addReverted(reverted);
    if (reverted.span === undefined) continue;
    const undo = undone.get(station) ?? { kept: [], removed: [], spans: [] };
    undone.set(station, undo);
    undo.kept.push(pickRows(reverted.series, reverted.touched));
    undo.removed.push(reverted.removed);
    undo.spans.push(reverted.span);
  }
  return undone;
}

function mapOf<T, R>(map: ReadonlyMap<number, T>, make: (value: T, key: number) => R): Map<number, R> {
  return new Map([...map].map(([key, value]) => [key, make(value, key)]));
}

function joinTimes(parts: readonly Float64Array[]): Float64Array {
  return Float64Array.from(parts.flatMap((part) => [...part]));
}

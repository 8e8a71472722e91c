import type { UndoStep } from '#application/ports/observation-store.js';
import { ChangedRows } from '#domain/weather/changed-rows.js';
import type { StationRules } from '#domain/weather/quality/station-rules.js';
import { STEP_REACH } from '#domain/weather/quality-control.js';
import {
  type CellChanges,
  cellClusters,
  revertCells,
  type StationCells,
} from '#domain/weather/undo/cell-changes.js';
import { UndoTotal } from '#domain/weather/undo/undo-counts.js';
import { DamagedBlobError } from '#adapters/formats/packed/blob.js';
import { decodeJournal } from '#adapters/formats/packed/journal-codec.js';
import type { Rules } from '#adapters/packed-store/run-commit.js';
import { replaceDays } from '#adapters/packed-store/chunks/station-chunks.js';
import { changedDays, daysAround, UndoneStations } from '#adapters/packed-store/undo-days.js';
import { FetchedChunks } from '../chunks/fetched-chunks.js';
import { commitTogether } from '../database/distribution.js';
import type { Query } from '../database/query.js';
import { TableDrops } from '../day-tables/dropped-tables.js';
import { mergeBlock } from '../observations/block-merger.js';
import { blockOf, blocksOf, lockForChanging, useUpRun } from '../observations/blocks.js';
import { putAside } from '../damage/damaged-blobs.js';
import { rebuildStates } from '../observations/rebuilt-states.js';
import { RunCache } from '../observations/run-cache.js';
import { StationRulesCache } from '../observations/station-rules.js';
import { lockJournal, removeEntry } from './import-journal.js';

/** Number of days whose rows are read at once. It limits memory. */
const MAX_DAYS = 512;

/**
 * Takes back the newest entry of the journal of an import, within the transaction of the caller. A run cannot remove a
 * value, so the runs of the blocks are merged first, and the chunks are rewritten.
 */
export async function undoNewestEntry(query: Query, number: number): Promise<UndoStep> {
  const changed = new ChangedRows();
  const { counts, entry } = await lockJournal(query, number);
  if (entry === undefined) return { isDone: true, changes: changed.changes };
  await commitTogether(query);
  const total = new UndoTotal(counts ?? undefined);
  const cells = cellsOf(number, entry, total);
  const blocks = blocksOf(cells.map(({ station }) => station));
  await lockForChanging(query, blocks);
  const rules = await new StationRulesCache().read(query);
  const cache = new RunCache();
  for (const block of blocks) await mergeBlock(query, block, cache, undefined, Infinity);
  const undone = await revert(query, clustersOf(cells, rules, total), total);
  const revisions = new Map<number, number>();
  for (const block of blocksOf(undone.keys())) revisions.set(block, await useUpRun(query, block));
  const revisionOf = (station: number) => revisions.get(blockOf(station)) as number;
  await rebuildStates(query, undone, revisionOf);
  const dayTables = new TableDrops();
  for (const [station, { spans }] of undone) {
    for (const [from, to] of spans) {
      dayTables.drop(station, from, to);
      changed.add(station, from, to, revisionOf(station));
    }
  }
  await dayTables.write(query);
  await removeEntry(query, number, entry, total.counts);
  return { isDone: false, changes: changed.changes };
}

function cellsOf(
  number: number,
  { data, rows }: { data: Buffer; rows: number },
  total: UndoTotal,
): readonly StationCells[] {
  try {
    return decodeJournal(number, data);
  } catch (error) {
    if (!(error instanceof DamagedBlobError)) throw error;
    total.addUnreadable(rows);
    return [];
  }
}

interface Cluster {
  readonly station: number;
  readonly cells: CellChanges;
  readonly rules: StationRules;
  /** The first and the last day whose rows are needed. */
  readonly days: readonly [first: number, last: number];
}

function clustersOf(cells: readonly StationCells[], rules: Rules, total: UndoTotal): Cluster[] {
  return cells.flatMap(({ station, cells: all }) => {
    const own = rules.get(station);
    if (own !== undefined)
      return [...cellClusters(all, 2 * STEP_REACH)].map((cluster) => {
        return { station, cells: cluster, rules: own, days: daysAround(cluster) };
      });
    total.addWithoutStation(all);
    return [];
  });
}

/** Takes cells back in the chunks. @param total counts what is taken back and what is left */
async function revert(query: Query, clusters: readonly Cluster[], total: UndoTotal): Promise<UndoneStations> {
  const undone = new UndoneStations();
  for (const group of groups(clusters)) {
    const chunks = new FetchedChunks();
    await chunks.fetch(
      query,
      group.map(({ station, days: [first, last] }) => ({ station, first, last })),
    );
    for (const { station, cells, rules, days } of group) {
      const reverted = revertCells(chunks.rowsOfDays(station, ...days), cells, rules);
      total.addReverted(reverted);
      undone.note(station, reverted);
      replaceDays(chunks, station, changedDays(reverted));
    }
    for (const damage of chunks.damage)
      await putAside(query, blockOf(damage.stations?.[0] as number), damage);
    await chunks.write(query);
  }
  return undone;
}

/** Splits clusters into groups of about `MAX_DAYS` days. */
function* groups(clusters: readonly Cluster[]): Generator<Cluster[]> {
  let group: Cluster[] = [];
  let days = 0;
  for (const cluster of clusters) {
    group.push(cluster);
    days += cluster.days[1] - cluster.days[0] + 1;
    if (days < MAX_DAYS) continue;
    yield group;
    [group, days] = [[], 0];
  }
  if (group.length > 0) yield group;
}

import { sliceSeries } from '#domain/weather/series.js';
import type { Run } from '#adapters/formats/packed/run-codec.js';
import { chunkDaysOf } from '#adapters/packed-store/chunks/chunk-days.js';
import { groupsOf } from '#adapters/packed-store/groups.js';
import { joinRuns } from '#adapters/packed-store/join-runs.js';
import { countRows } from '#adapters/packed-store/run-rows.js';
import { StationStates } from '#adapters/packed-store/station-states.js';
import { mergeRows, type StationSeries } from '../chunks/merged-rows.js';
import { type Query, together } from '../database/query.js';
import { type OpenBlock, openBlocks } from './blocks.js';
import { putAside } from '../damage/damaged-blobs.js';
import { FetchedNewest, readNewest } from './newest-rows.js';
import type { RunCache } from './run-cache.js';

/** Maximum number of rows that are decoded together, unless one station has more of them: 3 MiB with 12 variables. */
const MAX_ROWS = 32_768;
/**
 * Maximum number of days whose rows are merged in one step; see `mergeBlock`. It limits memory, and the time for which other callbacks
 * of the process wait.
 */
const MAX_DAYS = 160;

/** The progress of `mergeBlock` in one block. */
export interface BlockProgress {
  /**
   * Id of the last run (packed rows of one commit) that this merge includes. Runs that are written later wait for the next merge.
   */
  readonly last: number;
  readonly stations: readonly number[];
  /** Index in `stations` of the next station to be merged. */
  next: number;
}

/**
 * Merges the runs of a block into chunks. A run contains the packed rows of one commit for a block, which is a group of 64
 * stations. A chunk contains the packed rows of 1, 8 or 64 days of one station.
 *
 * The merge runs within the transaction of the caller, which has locked the block for merging. Writers continue during the merge,
 * because runs never change and only merges change chunks. If the merge stops before all stations are merged, no run is deleted,
 * and a later call continues. It does no harm to merge a station a second time.
 *
 * @param progress of an earlier call that did not finish
 * @param until time of `performance.now` after which the merge stops
 * @returns the progress; undefined if all runs are merged
 */
export async function mergeBlock(
  query: Query,
  block: number,
  cache: RunCache,
  progress: BlockProgress | undefined,
  until: number,
): Promise<BlockProgress | undefined> {
  const open = (await openBlocks(query, [block], cache)).get(block) as OpenBlock;
  for (const damage of open.newDamage) await putAside(query, block, damage);
  const current = progress !== undefined && progress.last > open.merged ? { ...progress } : begin(open);
  if (current === undefined) return undefined;
  const all = open.all.filter(({ id }) => id <= current.last);
  const merged = { ...open, all, last: current.last };
  const { stations } = current;
  while (current.next < stations.length) {
    const { rows, end } = nextRows(current, all);
    for (const group of groupsOf(rows, MAX_DAYS, ({ series }) => chunkDaysOf(series).length)) {
      await mergeStations(query, group, merged);
      current.next = stations.indexOf(group.at(-1)?.station as number) + 1;
      if (performance.now() > until && current.next < stations.length) return current;
    }
    current.next = end;
  }
  await together([
    query('DELETE FROM weatherd.run WHERE block = $1 AND id <= $2', [block, current.last]),
    query('UPDATE weatherd.block SET merged_through = $2 WHERE block = $1', [block, current.last]),
  ]);
  // The runs (packed rows of one commit each) were deleted from the table, so they are removed from the cache too. If the
  // transaction fails afterwards, the runs still exist in the table, and the next read puts them into the cache again.
  for (const { id } of all) cache.delete(block, id);
  return undefined;
}

function begin({ all, merged, last }: OpenBlock): BlockProgress | undefined {
  if (last === merged) return undefined;
  const stations = [...new Set(all.flatMap((run) => [...run.stations]))].sort((a, b) => a - b);
  return { last, stations, next: 0 };
}

/**
 * Decodes the rows of the next stations to be merged from all runs (packed rows of one commit each). Takes stations until they have
 * `MAX_ROWS` rows.
 *
 * @returns `rows`, the rows of each station, and `end`, the index behind the last of these stations
 */
function nextRows(
  { stations, next }: BlockProgress,
  runs: readonly Run[],
): { readonly rows: readonly StationSeries[]; readonly end: number } {
  let end = next;
  for (let count = 0; end < stations.length && count < MAX_ROWS; end += 1)
    count += countRows(runs, stations[end] as number);
  const { places, columns } = joinRuns(runs, stations[next] as number, (stations[end - 1] as number) + 1);
  const rows = places.map(({ station, from }, index) => {
    const to = places[index + 1]?.from ?? columns.times.length;
    return { station, series: sliceSeries(columns, from, to) };
  });
  return { rows, end };
}

async function mergeStations(query: Query, group: readonly StationSeries[], runs: OpenBlock): Promise<void> {
  await together([storeStates(query, group, runs), mergeRows(query, group)]);
}

/**
 * Stores the states of stations (newest values and totals), computed from the stored states and from the runs (packed rows of one
 * commit each) that are being merged. The cached states of the writer cannot be used, because they may include rows that are not
 * committed.
 */
async function storeStates(query: Query, group: readonly StationSeries[], runs: OpenBlock): Promise<void> {
  const newest = new FetchedNewest();
  const stations = group.map(({ station }) => station);
  newest.set(stations, await readNewest(query, stations));
  const states = new StationStates(newest);
  for (const { station, series } of group) states.save(station, states.ofDecoded(station, runs, series));
  await newest.write(query);
}

import { orderRows, type StationRows } from '#domain/weather/row-order.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { encodeRun, Run } from '#adapters/formats/packed/run-codec.js';
import { divideBatch } from '#adapters/packed-store/days/divided-rows.js';
import { assemble } from '#adapters/packed-store/run-assembly.js';
import type { NewRun } from '#adapters/store/observations/tables.js';
import type { KnownRules } from '#adapters/store/stations/known-rules.js';
import { type Query, together } from '../database/query.js';
import { runOver } from '../database/statements.js';
import type { BlockStates } from './block-states.js';
import { blockOf, blocksOf, lockForWriting, type OpenBlock, openBlocks } from './blocks.js';
import { insertRuns } from './inserted-runs.js';
import type { RunCache } from './run-cache.js';

/**
 * Adds rows within the transaction of the caller. Quality control has already checked the rows. The rows of each block (group of
 * 64 stations) are packed and stored as one run.
 *
 * @param appended sorted by (station, time)
 * @returns the runs; undefined, and nothing is added, if a station does not exist or a row is not newer than all stored rows of
 *   its station
 */
export async function appendRuns(
  query: Query,
  appended: ObservationBatch,
  rulesOf: KnownRules,
  states: BlockStates,
  cache: RunCache,
): Promise<{ readonly runs: readonly NewRun[]; readonly open: ReadonlyMap<number, OpenBlock> } | undefined> {
  const { batch } = divideBatch(appended);
  const { groups } = orderRows(batch);
  const stations = groups.map(({ station }) => station);
  const blocks = blocksOf(stations);
  const [, rules, open] = await together([
    lockForWriting(query, blocks),
    runOver(query, rulesOf.read()),
    openBlocks(query, blocks, cache),
  ]);
  await states.fetch(query, stations, open);
  const runs: NewRun[] = [];
  for (const { station, from } of groups) {
    const { lastSeen } = states.of(station, open.get(blockOf(station)) as OpenBlock).state;
    if (!rules.has(station) || (batch.times[from] as number) <= lastSeen) return undefined;
  }
  for (const block of blocks) {
    const one = open.get(block) as OpenBlock;
    const own = groups.filter(({ station }) => blockOf(station) === block);
    const written = runOf(block, own, batch, one.last + 1);
    runs.push(written);
    one.all.push(written.run);
    one.last = written.run.id;
  }
  await insertRuns(query, runs);
  return { runs, open };
}

function runOf(block: number, groups: readonly StationRows[], batch: ObservationBatch, id: number): NewRun {
  const { places, columns } = assemble(
    groups.map((group) => ({ ...group, columns: batch, inserted: group.to - group.from })),
  );
  const data = encodeRun([block, id], places, columns);
  let [first, last] = [Infinity, -Infinity];
  for (const time of columns.times) {
    first = Math.min(first, time);
    last = Math.max(last, time);
  }
  return { block, run: new Run(id, [block, id], data, true), first, last, data };
}

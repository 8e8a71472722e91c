import { addRequests } from '#adapters/store/judging/judging-requests.js';
import type { JudgingRequest } from '#application/ports/judging-store.js';
import { StationStates, takeUnjudged } from '#adapters/packed-store/station-states.js';
import { commitTogether } from '../database/distribution.js';
import type { Query } from '../database/query.js';
import { runOver } from '../database/statements.js';
import { type OpenBlock, openBlocks, tryLockForMerging } from '../observations/blocks.js';
import { FetchedNewest, readNewest } from '../observations/newest-rows.js';
import type { RunCache } from '../observations/run-cache.js';

/**
 * Makes requests of the ranges in which rows of a block were written since the last call, within the transaction of the
 * caller. Nothing is done while a merger works in the block: the next call will do it.
 */
export async function requestsOfBlock(query: Query, block: number, cache: RunCache): Promise<void> {
  if (!(await tryLockForMerging(query, block))) return;
  const open = (await openBlocks(query, [block], cache)).get(block) as OpenBlock;
  const { rows: written } = await query<{ station: number }>(
    'SELECT station FROM weatherd.newest WHERE block = $1 AND unjudged_from IS NOT NULL',
    [block],
  );
  const stations = new Set(written.map(({ station }) => station));
  for (const run of open.all) for (const station of run.stations) stations.add(station);
  const newest = new FetchedNewest();
  newest.set([...stations], await readNewest(query, [...stations]));
  const states = new StationStates(newest);
  const requests: JudgingRequest[] = [];
  for (const station of stations) {
    const cached = states.of(station, open);
    const range = takeUnjudged(cached);
    if (range === undefined) continue;
    requests.push({ station, ...range, spreads: true });
    states.save(station, cached);
  }
  await commitTogether(query);
  await runOver(query, addRequests(requests));
  await newest.write(query);
  await query('UPDATE weatherd.block SET requested = $2 WHERE block = $1', [block, open.last]);
}

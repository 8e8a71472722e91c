import type { JudgingRequest } from '#application/ports/judging-store.js';
import { StationStates, takeUnjudged } from '#adapters/packed-store/station-states.js';
import { commitTogether } from '../database/distribution.js';
import type { Query } from '../database/query.js';
import { type OpenBlock, openBlocks, tryLockForMerging } from '../observations/blocks.js';
import { FetchedNewest, readNewest } from '../observations/newest-rows.js';
import type { RunCache } from '../observations/run-cache.js';

/** Adds requests for judging. */
export async function addRequests(query: Query, requests: readonly JudgingRequest[]): Promise<void> {
  if (requests.length === 0) return;
  await query(
    `INSERT INTO weatherd.judging_request (station, latitude, longitude, from_time, to_time, spreads)
     SELECT * FROM unnest($1::integer[], $2::double precision[], $3::double precision[], $4::bigint[], $5::bigint[],
       $6::boolean[])`,
    [
      requests.map(({ station }) => station),
      requests.map(({ near }) => near?.latitude ?? null),
      requests.map(({ near }) => near?.longitude ?? null),
      requests.map(({ from }) => from),
      requests.map(({ to }) => to),
      requests.map(({ spreads }) => spreads),
    ],
  );
}

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
  await addRequests(query, requests);
  await newest.write(query);
  await query('UPDATE weatherd.block SET requested = $2 WHERE block = $1', [block, open.last]);
}

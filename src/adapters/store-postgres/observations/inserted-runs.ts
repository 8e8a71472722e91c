import type { NewRun } from '#adapters/store/observations/tables.js';
import { type Parameter, type Query, together } from '../database/query.js';
import { tuples } from './tuples.js';

/**
 * Inserts runs, which contain the packed rows of one commit for a block (group of 64 stations). The transaction has locked the
 * blocks, so no other transaction uses the same ids, and the ids of the runs of a block have no gaps.
 */
export async function insertRuns(query: Query, runs: readonly NewRun[]): Promise<void> {
  await together(sendRuns(query, runs));
}

/** Sends the statements that insert runs, without waiting for the answers; see `insertRuns`. */
export function sendRuns(query: Query, runs: readonly NewRun[]): Promise<unknown>[] {
  const rows = runs.map(({ block, run, first, last, data }) => [block, run.id, run.rows, first, last, data]);
  const newest = new Map<number, Parameter[]>();
  for (const { block, run } of runs) newest.set(block, [block, 0, run.id]);
  return [
    ...[...tuples(rows)].map(([values, parameters]) =>
      query(`INSERT INTO weatherd.run (block, id, rows, first, last, data) VALUES ${values}`, parameters),
    ),
    ...[...tuples([...newest.values()])].map(([values, parameters]) =>
      query(
        `INSERT INTO weatherd.block (block, merged_through, last) VALUES ${values}
         ON CONFLICT (block) DO UPDATE SET last = excluded.last`,
        parameters,
      ),
    ),
  ];
}

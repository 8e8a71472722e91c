import type { EraseRange, EraseStep } from '../../../application/ports/observation-store.js';
import { ChangedRows } from '../../../domain/weather/changed-rows.js';
import { pickRows } from '../../../domain/weather/merge-series.js';
import { STEP_REACH } from '../../../domain/weather/quality-control.js';
import type { Series } from '../../../domain/weather/series.js';
import { eraseValues } from '../../../domain/weather/undo/erase-values.js';
import type { Query } from '../database/query.js';
import { readSpans } from './neighbourhoods.js';
import { deleteRows, insertRows } from './observation-rows.js';
import { rebuildStates } from './rebuilt-states.js';
import { lockStates, putStates } from './station-states.js';

/** Largest number of rows of which one transaction erases values. */
const MOST_ROWS = 4096;

/** Erases the oldest values of the first range, within the transaction of the caller. */
export async function eraseSome(query: Query, ranges: readonly EraseRange[]): Promise<EraseStep> {
  const changed = new ChangedRows();
  const [range, ...others] = ranges;
  if (range === undefined) return { rest: [], erased: [], changes: changed.changes };
  const { station, from, to } = range;
  const nothing = { rest: others, erased: [], changes: changed.changes };
  const state = (await lockStates(query, [station])).get(station);
  if (state === undefined) return nothing;
  const { rows } = await query<{ first: number | null; last: number | null; count: number }>(
    `SELECT min(time) AS first, max(time) AS last, count(*) AS count FROM (
       SELECT time FROM weatherd.observation WHERE station = $1 AND time >= $2 AND time < $3
       ORDER BY time LIMIT ${MOST_ROWS}) AS oldest`,
    [station, clampTime(from), clampTime(to)],
  );
  const { first = null, last = null, count = 0 } = rows[0] ?? {};
  if (first === null || last === null) return nothing;
  const rest = count < MOST_ROWS ? others : [{ ...range, from: last + 1 }, ...others];
  const around = { station, first: first - STEP_REACH, last: last + STEP_REACH };
  const [stored] = await readSpans(query, [around]);
  const part = { ...range, to: Math.min(to, last + 1) };
  const { series, touched, removed, takenBack, span } = eraseValues(stored as Series, part, state.rules);
  if (span === undefined) return { ...nothing, rest };
  await deleteRows(query, new Map([[station, removed]]));
  const kept = pickRows(series, touched);
  if (kept.times.length > 0) await insertRows(query, new Map([[station, kept]]), 'removes');
  const outdated = { ...state, count: state.count - removed.length, spans: [span] };
  const revisions = await putStates(query, await rebuildStates(query, new Map([[station, outdated]])));
  changed.add(station, ...span, revisions.get(station) ?? 0);
  return {
    rest,
    erased: [{ station, ...takenBack }],
    changes: changed.changes,
  };
}

/** Limits a time to the range of a bigint column. */
function clampTime(time: number): number {
  return Math.trunc(Math.min(Math.max(time, -8.64e15), 8.64e15));
}

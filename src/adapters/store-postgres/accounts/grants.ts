import { isStorable } from '#adapters/store/columns.js';
import type { GrantChange } from '#application/ports/credential-store.js';
import { DomainError } from '#domain/domain-error.js';

import type { Query } from '../database/query.js';

/** The column with a user's granted stations, for a query with the table of users as `u`. */
export const GRANT_COLUMN = `CASE WHEN u.all_stations THEN '"*"'::jsonb ELSE coalesce((
    SELECT jsonb_agg(s.id ORDER BY s.id COLLATE "C") FROM weatherd.station_grant g
    JOIN weatherd.any_station s ON s.number = g.station WHERE g.user_id = u.id), '[]'::jsonb) END AS stations`;

/** Changes grants within the transaction of the caller. Rejects with STATION_UNKNOWN. */
export async function changeGrant(query: Query, user: string, change: GrantChange): Promise<void> {
  const { how, stations } = change;
  const numbers = stations === '*' ? [] : await numbersOf(query, stations);
  if (stations === '*' || how === 'replace') {
    await query('DELETE FROM weatherd.station_grant WHERE user_id = $1', [user]);
    const all = stations === '*' && how !== 'withdraw';
    await query('UPDATE weatherd.user SET all_stations = $2 WHERE id = $1', [user, all]);
  }
  if (how === 'withdraw') {
    await query('DELETE FROM weatherd.station_grant WHERE user_id = $1 AND station = ANY($2)', [
      user,
      numbers,
    ]);
  } else {
    await query(
      `INSERT INTO weatherd.station_grant (user_id, station)
       SELECT id, unnest($2::integer[]) FROM weatherd.user WHERE id = $1 AND NOT all_stations
       ON CONFLICT DO NOTHING`,
      [user, numbers],
    );
  }
}

async function numbersOf(query: Query, ids: readonly string[]): Promise<number[]> {
  const { rows } = await query<{ id: string; number: number }>(
    'SELECT id, number FROM weatherd.any_station WHERE id = ANY($1)',
    [ids.filter(isStorable)],
  );
  const numbers = new Map(rows.map(({ id, number }) => [id, number]));
  const unknown = ids.find((id) => !numbers.has(id));
  if (unknown !== undefined) {
    throw new DomainError('STATION_UNKNOWN', `There is no station ${JSON.stringify(unknown)}.`);
  }
  return [...numbers.values()];
}

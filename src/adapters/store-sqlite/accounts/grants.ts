import type { Database } from 'better-sqlite3';
import type { GrantChange } from '#application/ports/credential-store.js';
import type { StationGrant } from '#domain/accounts/user.js';

/** Columns with the granted stations of a user, for a query that includes the table `user`. */
export const GRANT_COLUMNS = `all_stations, (SELECT json_group_array(id) FROM (
    SELECT any_station.id FROM station_grant JOIN any_station ON any_station.number = station
    WHERE station_grant.user_id = user.id ORDER BY any_station.id)) AS granted`;

export interface GrantRow {
  readonly all_stations: number;
  /** JSON. */
  readonly granted: string;
}

export function toGrant(row: GrantRow): StationGrant {
  return row.all_stations === 1 ? '*' : (JSON.parse(row.granted) as string[]);
}

/** Changes grants within the transaction of the caller. */
export function grantChanges(database: Database) {
  const numberOf = database.prepare<[string], number>('SELECT number FROM any_station WHERE id = ?').pluck();
  const setAll = database.prepare('UPDATE user SET all_stations = ? WHERE id = ?');
  const hasAll = database.prepare<[string], number>('SELECT all_stations FROM user WHERE id = ?').pluck();
  const clear = database.prepare('DELETE FROM station_grant WHERE user_id = ?');
  const add = database.prepare('INSERT OR IGNORE INTO station_grant (user_id, station) VALUES (?, ?)');
  const remove = database.prepare('DELETE FROM station_grant WHERE user_id = ? AND station = ?');
  return {
    /** The first id that no station has; undefined if all exist. */
    unknownStation: ({ stations }: GrantChange): string | undefined =>
      stations === '*' ? undefined : stations.find((id) => numberOf.get(id) === undefined),
    changeGrant: (user: string, { how, stations }: GrantChange): void => {
      if (stations === '*' || how === 'replace') {
        clear.run(user);
        setAll.run(stations === '*' && how !== 'withdraw' ? 1 : 0, user);
      }
      if (stations === '*' || hasAll.get(user) === 1) return;
      for (const id of stations) (how === 'withdraw' ? remove : add).run(user, numberOf.get(id));
    },
  };
}

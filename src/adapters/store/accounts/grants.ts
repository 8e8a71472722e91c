import type { GrantChange } from '#application/ports/credential-store.js';
import type { StationGrant } from '#domain/accounts/user.js';
import { unknownStation } from '#domain/weather/station-edit.js';
import { fromJson, isStorable, isTrue } from '../columns.js';
import { type Operation, rowsFrom, send } from '../run-operation.js';
import { CODE_POINTS, JSON_ARRAY, sql, sqlValues } from '../sql.js';

const IDS = sqlValues('id', 'text');
const STATIONS = sqlValues('station', 'integer');

/** Columns with the granted stations of a user, for a query that includes the table of users as `owner`. */
export const GRANT_COLUMNS = sql`all_stations AS "allStations", (
  SELECT ${JSON_ARRAY}(granted.id ORDER BY granted.id ${CODE_POINTS})
  FROM weatherd.station_grant JOIN weatherd.any_station AS granted ON granted.number = station_grant.station
  WHERE station_grant.user_id = owner.id) AS granted`;

export interface GrantRow {
  readonly allStations: unknown;
  /** The granted stations as JSON; null if no station is granted. */
  readonly granted: unknown;
}

export function toGrant({ allStations, granted }: GrantRow): StationGrant {
  return isTrue(allStations) ? '*' : ((fromJson(granted) ?? []) as string[]);
}

/**
 * Changes the grants of a user, which say for which stations the user may write observations. Runs within the transaction of the
 * caller.
 *
 * @throws DomainError STATION_UNKNOWN
 */
export function* changeGrant(user: string, { how, stations }: GrantChange): Operation<void> {
  const numbers = stations === '*' ? [] : yield* numbersOf(stations);
  if (stations === '*' || how === 'replace') {
    const all = stations === '*' && how !== 'withdraw';
    yield* send(sql`DELETE FROM weatherd.station_grant WHERE user_id = ${user}`);
    yield* send(sql`UPDATE weatherd.user SET all_stations = ${all} WHERE id = ${user}`);
  }
  if (numbers.length === 0) return;
  yield* send(
    how === 'withdraw'
      ? sql`DELETE FROM weatherd.station_grant
            WHERE user_id = ${user} AND station IN (SELECT station FROM ${STATIONS(numbers)})`
      : sql`INSERT INTO weatherd.station_grant (user_id, station)
            SELECT owner.id, given.station FROM weatherd.user AS owner CROSS JOIN ${STATIONS(numbers)}
            WHERE owner.id = ${user} AND NOT owner.all_stations ON CONFLICT DO NOTHING`,
  );
}

function* numbersOf(ids: readonly string[]): Operation<readonly number[]> {
  const found = yield* rowsFrom<{ id: string; number: number }>(
    sql`SELECT id, number FROM weatherd.any_station WHERE id IN (SELECT id FROM ${IDS(ids.filter(isStorable))})`,
  );
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown === undefined) return found.map(({ number }) => number);
  throw unknownStation(unknown);
}

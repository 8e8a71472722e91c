import type { PendingRange, RecheckStore, StoredRequest } from '#application/ports/recheck-store.js';
import { isTrue } from '../columns.js';
import { type Operation, rowFrom, rowsFrom, send } from '../run-operation.js';
import { rowsOf, sql, sqlValues } from '../sql.js';
import { type OperationsOf, present, transaction } from '../store-operations.js';
import { addRequests } from './recheck-requests.js';

const STATIONS = sqlValues('station', 'integer');
/** Maximum number of ranges that are returned together. */
const MAX_PENDING = 10_000;
const DONE = rowsOf({ id: 'bigint', rest: 'bigint' });
/**
 * Requests that can be finished now. A request of a hidden station waits until the station is restored, perhaps for ever, so it must not
 * count as work that is left.
 */
const IS_CHECKABLE = sql`(station IS NULL OR station IN (SELECT number FROM weatherd.station))`;

interface RequestRow extends Omit<StoredRequest, 'near'> {
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/**
 * Operations on recheck requests: stored rows are to be checked by quality control once more. The operations that read and write
 * these rows are in `adapters/store/observations/recheck-rows.ts`.
 */
export const RECHECK_OPERATIONS = {
  request: transaction(addRequests),

  waiting: present(function* () {
    const row = yield* rowFrom<{ count: number }>(
      sql`SELECT count(*) AS count FROM weatherd.judging_request WHERE ${IS_CHECKABLE}`,
    );
    return row?.count ?? 0;
  }),

  pending: present(function* (stations) {
    const ofStations =
      stations === undefined ? sql`` : sql`AND station IN (SELECT given.station FROM ${STATIONS(stations)})`;
    return yield* rowsFrom<PendingRange>(
      sql`SELECT station, from_time AS "from", to_time AS "to" FROM weatherd.judging_request
          WHERE station IS NOT NULL AND ${IS_CHECKABLE} ${ofStations} ORDER BY id LIMIT ${MAX_PENDING}`,
    );
  }),

  finish: transaction(function* (finished) {
    const done = finished.map(({ id, from }) => ({ id, rest: from }));
    yield* send(
      sql`INSERT INTO weatherd.judging_request (station, latitude, longitude, from_time, to_time, spreads)
          SELECT station, latitude, longitude, given.rest, to_time, spreads
          FROM weatherd.judging_request JOIN ${DONE(done)} ON judging_request.id = given.id
          WHERE given.rest IS NOT NULL ORDER BY judging_request.id`,
    );
    yield* send(sql`DELETE FROM weatherd.judging_request WHERE id IN (SELECT given.id FROM ${DONE(done)})`);
  }),
} satisfies Partial<OperationsOf<RecheckStore>>;

/** The oldest requests to check stored rows by quality control once more; see `RecheckStore.requests`. */
export function* oldestRequests(limit: number, after: number): Operation<readonly StoredRequest[]> {
  const rows = yield* rowsFrom<RequestRow>(
    sql`SELECT id, station, latitude, longitude, from_time AS "from", to_time AS "to", spreads
        FROM weatherd.judging_request
        WHERE id > ${after} AND ${IS_CHECKABLE}
        ORDER BY id LIMIT ${limit}`,
  );
  return rows.map(({ latitude, longitude, spreads, ...row }) => {
    const near = latitude === null || longitude === null ? undefined : { latitude, longitude };
    return { ...row, ...(near && { near }), spreads: isTrue(spreads) };
  });
}

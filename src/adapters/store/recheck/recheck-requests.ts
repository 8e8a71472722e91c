import type { RecheckRequest } from '#application/ports/recheck-store.js';
import { type Operation, send } from '../run-operation.js';
import { rowsOf, sql } from '../sql.js';

const REQUESTS = rowsOf({
  station: 'integer',
  latitude: 'double precision',
  longitude: 'double precision',
  from_time: 'bigint',
  to_time: 'bigint',
  spreads: 'boolean',
});

/** Adds requests to check stored rows by quality control once more, within the transaction of the caller. */
export function* addRequests(requests: readonly RecheckRequest[]): Operation<void> {
  if (requests.length === 0) return;
  const given = requests.map(({ station, near, from, to, spreads }) => ({
    station,
    latitude: near?.latitude,
    longitude: near?.longitude,
    from_time: from,
    to_time: to,
    spreads,
  }));
  yield* send(
    sql`INSERT INTO weatherd.judging_request (station, latitude, longitude, from_time, to_time, spreads)
        SELECT station, latitude, longitude, from_time, to_time, spreads FROM ${REQUESTS(given)}`,
  );
}

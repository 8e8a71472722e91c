import type { StationChangeOptions, StationChange, StationStore } from '#application/ports/station-store.js';
import { recheckRequestsOf, type StationTransition } from '#application/stations/recheck-of-changes.js';
import {
  applyEdit,
  replacementEdit,
  type SimilarStation,
  type StationEdit,
} from '#domain/weather/station-edit.js';
import type { Station } from '#domain/weather/station.js';
import { readStation, type StoredStation } from '#domain/weather/stations/stored-station.js';
import { appendEvents } from '../accounts/audit.js';
import { DAILY_SERIES } from '#adapters/packed-store/days/daily-series.js';
import { fromJson, isStorable, isTrue } from '../columns.js';
import { addRequests } from '../recheck/recheck-requests.js';
import { type Operation, rowFrom, rowsFrom, send } from '../run-operation.js';
import { bigint, CODE_POINTS, type Fragment, sql, text } from '../sql.js';
import { type OperationsOf, present, read, transaction } from '../store-operations.js';
import { lockVersion, raiseVersion, versionOf } from '../versions.js';
import { DRAFT_COLUMNS, draftValues, STATION_COLUMNS, STATION_FIELDS } from './station-columns.js';

/** Allows an insert to set the number, which the database normally assigns. */
const WITH_NUMBER: Fragment = { sqlite: '', postgres: 'OVERRIDING SYSTEM VALUE' };

/**
 * Functions that check the stations for damage each time they are read. They return the stations, and may mark some of them as
 * damaged. The code for a database may supply these functions.
 */
export interface StationCheck {
  /**
   * Checks the station that was found by its id.
   *
   * @param station undefined if no station was found
   * @throws Error if the station was not found because of damage
   */
  readonly one: (id: string, station: Station | undefined) => Operation<Station | undefined>;
  /** Checks the list of all stations. @throws Error if a station is missing or is listed twice */
  readonly all: (stations: readonly Station[]) => Operation<readonly Station[]>;
}

const UNCHECKED: StationCheck = {
  // oxlint-disable-next-line eslint/require-yield
  *one(_id, station) {
    return station;
  },
  // oxlint-disable-next-line eslint/require-yield
  *all(stations) {
    return stations;
  },
};

const toStation = (row: StoredStation): Station => readStation(row, fromJson);

/**
 * Operations on stations that are the same for SQLite and PostgreSQL. Operations that also change observations are different, and
 * are in `store-sqlite` and `store-postgres`.
 */
export function stationOperations(check = UNCHECKED) {
  function* find(id: string): Operation<Station | undefined> {
    if (!isStorable(id)) return undefined;
    const row = yield* rowFrom<StoredStation>(
      sql`SELECT ${STATION_FIELDS} FROM weatherd.station WHERE id = ${id}`,
    );
    return yield* check.one(id, row && toStation(row));
  }

  function* apply(edit: StationEdit): Operation<StationChange> {
    const known = yield* find(edit.id);
    const draft = applyEdit(edit, known, known === undefined ? yield* similarTo(edit.id) : undefined);
    // The station is searched first, and inserted only if it does not exist. An upsert would use up a number each time, even if
    // the station exists.
    const row = yield* rowFrom<StoredStation>(
      known === undefined
        ? sql`INSERT INTO weatherd.station (${DRAFT_COLUMNS}) VALUES (${draftValues(draft)}) RETURNING ${STATION_FIELDS}`
        : sql`UPDATE weatherd.station SET (${DRAFT_COLUMNS}) = (${draftValues(draft)}) WHERE id = ${draft.id}
              RETURNING ${STATION_FIELDS}`,
    );
    const station = (yield* check.one(draft.id, toStation(row as StoredStation))) as Station;
    return { station, isNew: known === undefined, ...(known && { before: known }) };
  }

  function* change(
    edits: readonly StationEdit[],
    options?: StationChangeOptions,
  ): Operation<StationChange[]> {
    yield* raiseVersion('stations');
    const changes: StationChange[] = [];
    for (const edit of edits) changes.push(yield* apply(edit));
    const transitions = changes.map(({ station: after, before }) => ({ before, after }));
    yield* addRelated(transitions, options);
    return changes;
  }

  return {
    find: read(find),

    list: read(function* () {
      const rows = yield* rowsFrom<StoredStation>(
        sql`SELECT ${STATION_FIELDS} FROM weatherd.station ORDER BY id ${CODE_POINTS}`,
      );
      return yield* check.all(rows.map(toStation));
    }),

    change: transaction(change),
    put: transaction((drafts) => change(drafts.map(replacementEdit))),

    hide: transaction(function* (id, time, options) {
      if (!isStorable(id)) return false;
      yield* lockVersion('stations');
      const before = yield* find(id);
      const hidden = yield* send(
        sql`INSERT INTO weatherd.removed_station (${STATION_COLUMNS}, removed_at)
            SELECT ${STATION_COLUMNS}, ${bigint(time)} FROM weatherd.station WHERE id = ${id}`,
      );
      if (hidden === 0) return false;
      yield* send(sql`DELETE FROM weatherd.station WHERE id = ${id}`);
      yield* raiseVersion('stations');
      yield* addRelated([{ before }], options);
      return true;
    }),

    restore: transaction(function* (id, options) {
      if (!isStorable(id)) return false;
      yield* lockVersion('stations');
      const restored = yield* send(
        sql`INSERT INTO weatherd.station (${STATION_COLUMNS}) ${WITH_NUMBER}
            SELECT ${STATION_COLUMNS} FROM weatherd.removed_station WHERE id = ${id}`,
      );
      if (restored === 0) return false;
      yield* send(sql`DELETE FROM weatherd.removed_station WHERE id = ${id}`);
      yield* raiseVersion('stations');
      yield* addRelated([{ after: yield* find(id) }], options);
      return true;
    }),

    hidden: present(function* () {
      const rows = yield* rowsFrom<StoredStation & { readonly removedAt: number }>(
        sql`SELECT ${STATION_FIELDS}, removed_at AS "removedAt" FROM weatherd.removed_station ORDER BY id ${CODE_POINTS}`,
      );
      return rows.map(({ removedAt, ...row }) => ({ station: toStation(row), removedAt }));
    }),

    erased: present(function* () {
      const rows = yield* rowsFrom<{ number: number }>(
        sql`SELECT number FROM weatherd.erased_station WHERE number < ${DAILY_SERIES} ORDER BY number`,
      );
      return rows.map(({ number }) => number);
    }),

    periods: present(function* () {
      const rows = yield* rowsFrom<{ station: number; period: number | null }>(
        sql`SELECT station, period FROM weatherd.retention ORDER BY station`,
      );
      return new Map(rows.map(({ station, period }) => [station, period]));
    }),

    setPeriod: transaction(function* (station, period, expected) {
      // No other transaction can change the period meanwhile.
      yield* lockVersion('stations');
      if (expected !== undefined) {
        const row = yield* rowFrom<{ period: number | null }>(
          sql`SELECT period FROM weatherd.retention WHERE station = ${station}`,
        );
        if (row?.period !== expected.period) return false;
      }
      yield* send(
        period === undefined
          ? sql`DELETE FROM weatherd.retention WHERE station = ${station}`
          : sql`INSERT INTO weatherd.retention (station, period) VALUES (${station}, ${period})
                ON CONFLICT (station) DO UPDATE SET period = excluded.period`,
      );
      return true;
    }),

    expiredUntil: read(function* () {
      const rows = yield* rowsFrom<{ station: number; until: number }>(
        sql`SELECT station, max(month_end) AS until FROM weatherd.removed_month GROUP BY station`,
      );
      return new Map(rows.map(({ station, until }) => [station, until]));
    }),

    hasLiveDemo: present(function* () {
      const rows = yield* rowsFrom(sql`SELECT 1 FROM weatherd.station WHERE demo = 'live' LIMIT 1`);
      return rows.length > 0;
    }),

    version: read(() => versionOf('stations')),
  } satisfies Partial<OperationsOf<StationStore>>;
}

export const STATIONS = stationOperations();

/** The methods that `store-sqlite` and `store-postgres` each implement in their own way. */
export type OwnStationStore = Omit<StationStore, keyof typeof STATIONS>;

/**
 * Finds a station whose id differs from `id` only in upper and lower case. While such a station exists, no station with `id` may
 * be added. If there are several such stations, a hidden station is preferred. A hidden station was removed, but can be
 * restored.
 */
function* similarTo(id: string): Operation<SimilarStation | undefined> {
  const folded = sql`lower(${text(id)} ${CODE_POINTS})`;
  const found = yield* rowFrom<{ readonly id: string; readonly removed: unknown }>(
    sql`SELECT id, removed FROM (
          SELECT id, true AS removed FROM weatherd.removed_station WHERE lower(id ${CODE_POINTS}) = ${folded}
          UNION ALL SELECT id, false FROM weatherd.station WHERE lower(id ${CODE_POINTS}) = ${folded}) AS found
        ORDER BY removed DESC, id ${CODE_POINTS} LIMIT 1`,
  );
  return found && { id: found.id, removed: isTrue(found.removed) };
}

/**
 * Appends the audit events of a change of stations, within the transaction of the change. If `recheckAround` is given, also
 * requests that stored rows are checked by quality control once more.
 */
export function* addRelated(
  transitions: readonly StationTransition[],
  { recheckAround, events = [] }: StationChangeOptions = {},
): Operation<void> {
  if (recheckAround !== undefined) yield* addRequests(recheckRequestsOf(transitions, recheckAround));
  yield* appendEvents(events);
}

import { isStorable } from '#adapters/store/columns.js';
import { STATION_COLUMNS } from '#adapters/store/stations/station-columns.js';
import type { OwnStationStore } from '#adapters/store/stations/stations.js';
import type { StationChange, StationStore } from '#application/ports/station-store.js';
import { judgingOf, type StationTransition } from '#application/stations/judging-of-changes.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import { replacing, type StationEdit } from '#domain/weather/station-edit.js';
import type { Station, StationDraft } from '#domain/weather/station.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { postgresStore } from '../database/postgres-store.js';
import type { Query } from '../database/query.js';
import { ERASED_AT_ONCE, eraseOldest, removeState } from '../erasure/erased-rows.js';
import { appendEvents } from '#adapters/store/accounts/audit.js';
import { removeAlarmsOf } from '#adapters/store/alarms/alarms.js';
import { addRequests } from '#adapters/store/judging/judging-requests.js';
import { removeUploadKeysOf } from '#adapters/store/uploads/upload-keys.js';
import { runOver } from '../database/statements.js';
import { editStation, visible } from './edit-station.js';
import { SELECT_STATION, type StationRow, toStation } from './station-columns.js';

type Events = readonly AuditEvent[];

/** The first statement of every transaction that changes stations. It serializes them, so that they cannot deadlock. */
const LOCK = 'SELECT FROM weatherd.station_version FOR UPDATE';
const CHANGED = 'UPDATE weatherd.station_version SET version = version + 1';

/** What PostgreSQL does with stations in its own way. */
class PostgresStationStore implements OwnStationStore {
  readonly #database: PostgresDatabase;
  readonly #erasedAtOnce: number;

  constructor(database: PostgresDatabase, erasedAtOnce: number) {
    this.#database = database;
    this.#erasedAtOnce = erasedAtOnce;
  }

  async find(id: string): Promise<Station | undefined> {
    if (!isStorable(id)) return undefined;
    const { rows } = await this.#database.query<StationRow>(`${SELECT_STATION} WHERE id = $1`, [id]);
    return rows.map(toStation)[0];
  }

  async list(): Promise<readonly Station[]> {
    const { rows } = await this.#database.query<StationRow>(`${SELECT_STATION} ORDER BY id COLLATE "C"`);
    return rows.map(toStation);
  }

  async change(
    edits: readonly StationEdit[],
    judgeAround?: number,
    events: Events = [],
  ): Promise<readonly StationChange[]> {
    return await this.#database.transaction(async (query) => {
      await query(CHANGED);
      const changes: StationChange[] = [];
      for (const edit of edits) changes.push(await editStation(query, edit));
      const transitions = changes.map(({ station: after, before }) => ({ before, after }));
      await requestJudging(query, transitions, judgeAround);
      await runOver(query, appendEvents(events));
      return changes;
    });
  }

  put(drafts: readonly StationDraft[]): Promise<readonly StationChange[]> {
    return this.change(drafts.map(replacing));
  }

  async hide(id: string, time: number, judgeAround?: number, events: Events = []): Promise<boolean> {
    if (!isStorable(id)) return false;
    return await this.#database.transaction(async (query) => {
      await query(LOCK);
      await requestJudging(query, [{ before: await visible(query, id) }], judgeAround);
      const { rowCount } = await query(
        `WITH gone AS (DELETE FROM weatherd.station WHERE id = $1 RETURNING ${STATION_COLUMNS})
         INSERT INTO weatherd.removed_station (${STATION_COLUMNS}, removed_at) SELECT ${STATION_COLUMNS}, $2 FROM gone`,
        [id, time],
      );
      if (rowCount === 0) return false;
      await query(CHANGED);
      await runOver(query, appendEvents(events));
      return true;
    });
  }

  async restore(id: string, judgeAround?: number, events: Events = []): Promise<boolean> {
    if (!isStorable(id)) return false;
    return await this.#database.transaction(async (query) => {
      await query(LOCK);
      const { rowCount } = await query(
        `WITH back AS (DELETE FROM weatherd.removed_station WHERE id = $1 RETURNING ${STATION_COLUMNS})
         INSERT INTO weatherd.station (${STATION_COLUMNS}) OVERRIDING SYSTEM VALUE SELECT ${STATION_COLUMNS} FROM back`,
        [id],
      );
      if (rowCount === 0) return false;
      await requestJudging(query, [{ after: await visible(query, id) }], judgeAround);
      await query(CHANGED);
      await runOver(query, appendEvents(events));
      return true;
    });
  }

  async remove(
    id: string,
    hiddenUntil?: number,
    judgeAround?: number,
    events: Events = [],
  ): Promise<boolean> {
    if (!isStorable(id)) return false;
    return await this.#database.transaction(async (query) => {
      await query(LOCK);
      await requestJudging(query, [{ before: await visible(query, id) }], judgeAround);
      const { rows } = await query<{ number: number }>(
        `WITH shown AS (DELETE FROM weatherd.station WHERE id = $1 AND $2::bigint IS NULL RETURNING number),
           hidden AS (DELETE FROM weatherd.removed_station
             WHERE id = $1 AND ($2::bigint IS NULL OR removed_at <= $2) RETURNING number)
         INSERT INTO weatherd.erased_station (number)
         SELECT number FROM shown UNION ALL SELECT number FROM hidden RETURNING number`,
        [id, hiddenUntil ?? null],
      );
      const number = rows[0]?.number;
      if (number === undefined) return false;
      await query('DELETE FROM weatherd.station_grant WHERE station = $1', [number]);
      await removeState(query, number);
      await runOver(query, removeUploadKeysOf(number));
      await runOver(query, removeAlarmsOf(number));
      await query(CHANGED);
      await runOver(query, appendEvents(events));
      return true;
    });
  }

  async eraseRows(number: number): Promise<boolean> {
    return await this.#database.transaction((query) => eraseOldest(query, number, this.#erasedAtOnce));
  }
}

/** Stations in PostgreSQL. @param erasedAtOnce as `ERASED_AT_ONCE` */
export function postgresStations(database: PostgresDatabase, erasedAtOnce = ERASED_AT_ONCE): StationStore {
  return Object.assign(new PostgresStationStore(database, erasedAtOnce), postgresStore(database, 'stations'));
}

/** @param around as `judgingOf`; undefined if nothing is requested */
async function requestJudging(
  query: Query,
  transitions: readonly StationTransition[],
  around: number | undefined,
): Promise<void> {
  if (around !== undefined) await runOver(query, addRequests(judgingOf(transitions, around)));
}

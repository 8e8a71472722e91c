import type { OwnStationStore } from '#adapters/store/stations/stations.js';
import type { StationChange, StationStore } from '#application/ports/station-store.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import { replacing, type StationEdit } from '#domain/weather/station-edit.js';
import type { Station, StationDraft } from '#domain/weather/station.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';
import { sqliteStore } from '../database/sqlite-store.js';

/** What SQLite does with stations in its own way. */
class SqliteStationStore implements OwnStationStore {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  find(id: string): Promise<Station | undefined> {
    return this.#database.lookUp('station', id);
  }

  list(): Promise<readonly Station[]> {
    return this.#database.lookUp('stations');
  }

  async change(
    edits: readonly StationEdit[],
    judgeAround?: number,
    events?: readonly AuditEvent[],
  ): Promise<readonly StationChange[]> {
    const outcome = await this.#database.call('changeStations', edits, judgeAround, events);
    if ('refused' in outcome) throw new DomainError(outcome.refused, outcome.message);
    return outcome.changes;
  }

  put(stations: readonly StationDraft[]): Promise<readonly StationChange[]> {
    return this.change(stations.map(replacing));
  }

  hide(id: string, time: number, judgeAround?: number, events?: readonly AuditEvent[]): Promise<boolean> {
    return this.#database.call('hideStation', id, time, judgeAround, events);
  }

  restore(id: string, judgeAround?: number, events?: readonly AuditEvent[]): Promise<boolean> {
    return this.#database.call('restoreStation', id, judgeAround, events);
  }

  async remove(
    id: string,
    hiddenUntil?: number,
    judgeAround?: number,
    events?: readonly AuditEvent[],
  ): Promise<boolean> {
    // Runs are merged in several steps first, so that other operations do not wait long. The removal itself then has
    // little to merge.
    while (await this.#database.call('mergeRuns'));
    return await this.#database.call('removeStation', id, hiddenUntil, judgeAround, events);
  }

  eraseRows(number: number): Promise<boolean> {
    return this.#database.call('eraseRows', number);
  }
}

/** Stations in a SQLite data file. */
export function sqliteStations(database: SqliteDatabase): StationStore {
  return Object.assign(new SqliteStationStore(database), sqliteStore(database, 'stations'));
}

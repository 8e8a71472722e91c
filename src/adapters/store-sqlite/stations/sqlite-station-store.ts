import type { RemovedStation, StationChange, StationStore } from '#application/ports/station-store.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import { replacing, type StationEdit } from '#domain/weather/station-edit.js';
import type { Station, StationDraft } from '#domain/weather/station.js';
import type { SqliteDatabase } from '../database/sqlite-database.js';

/** Stations in a SQLite data file. */
export class SqliteStationStore implements StationStore {
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

  hidden(): Promise<readonly RemovedStation[]> {
    return this.#database.call('hiddenStations');
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

  erased(): Promise<readonly number[]> {
    return this.#database.call('erasedStations');
  }

  eraseRows(number: number): Promise<boolean> {
    return this.#database.call('eraseRows', number);
  }

  async periods(): Promise<ReadonlyMap<number, number | null>> {
    return new Map(await this.#database.call('retentionPeriods'));
  }

  async setPeriod(station: number, period: number | null | undefined): Promise<void> {
    await this.#database.call('setRetentionPeriod', station, period);
  }

  async removedUntil(): Promise<ReadonlyMap<number, number>> {
    return new Map(await this.#database.lookUp('removedUntil'));
  }

  version(): Promise<string> {
    return this.#database.lookUp('stationVersion');
  }
}

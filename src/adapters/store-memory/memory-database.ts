import type { JudgingRequest, StoredRequest } from '#application/ports/judging-store.js';
import type { RemovedStation } from '#application/ports/station-store.js';
import type { UploadRecord } from '#application/ports/upload-record-store.js';
import type { AuditEvent, RecordedEvent } from '#domain/accounts/audit-event.js';
import type { LiveSession, Session } from '#domain/accounts/session.js';
import type { StationGrant, User } from '#domain/accounts/user.js';
import { DomainError } from '#domain/domain-error.js';
import type { TransferRecord } from '#application/record-forms.js';
import type { ImportRecord } from '#application/ports/import-log.js';
import type { StoredUploadKey } from '#domain/uploads/upload-key.js';
import type { Overrule } from '#domain/weather/quality/overrule.js';
import type { Series } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import { MemoryAlarms } from './alarms/memory-alarms.js';
import { markDamage } from '#domain/weather/stations/stored-station.js';

export interface StoredSession extends Session {
  readonly elevationAttempts: number;
}

/** An import, with what its commits have changed, oldest first; see journal-codec.ts. */
export interface StoredImport {
  record: ImportRecord;
  key: string | undefined;
  journal: Buffer[];
}

/** The data of all stores in memory. They are lost when the process ends. */
export class MemoryDatabase {
  readonly users = new Map<string, Omit<User, 'stations'>>();
  /** Numbers of stations, by id of the user. */
  readonly grants = new Map<string, ReadonlySet<number> | '*'>();
  readonly sessions = new Map<string, StoredSession>();
  /** By id. */
  readonly stations = new Map<string, Station>();
  /** Removed stations that can be restored, by id. */
  readonly removed = new Map<string, RemovedStation>();
  /** By number of station. */
  observations = new Map<number, { readonly series: Series; readonly revision: number }>();

  /** First and last time of the rows that were changed and are not among the requests yet, by number of station. */
  readonly unjudged = new Map<number, readonly [first: number, last: number]>();
  /** Oldest first. */
  judgingRequests: StoredRequest[] = [];
  /** By id. */
  readonly overrules = new Map<string, Overrule>();
  /** Of the last request for judging. */
  judgingNumber = 0;

  /** As `StationStore.periods`. */
  readonly periods = new Map<number, number | null>();
  /** As `StationStore.removedUntil`. */
  readonly removedUntil = new Map<number, number>();
  /** Records of the kind `removedMonth` that a copy has added. */
  readonly removedMonths: TransferRecord[] = [];

  /** Of the last station. */
  stationNumber = 0;
  /** Number of changes of stations. */
  stationVersion = 0;

  /** By number, in rising order. */
  readonly imports = new Map<number, StoredImport>();
  /** Of the last import. */
  importNumber = 0;

  /** Of the last upload key. */
  uploadKeyNumber = 0;
  /** By number. */
  readonly uploadKeys = new Map<number, StoredUploadKey>();
  /** By name. */
  readonly uploadRecords = new Map<string, UploadRecord>();
  /** Number of changes of upload keys. */
  uploadVersion = 0;

  readonly alarms = new MemoryAlarms();

  /** The audit trail, oldest first. */
  events: RecordedEvent[] = [];
  /** Of the last event. */
  eventNumber = 0;
  /** Numbers of the events that count writes, by key. */
  readonly tallies = new Map<string, number>();

  /** The station with an id, unless it is removed. */
  visible(id: string): Station | undefined {
    const station = this.stations.get(id);
    return station && markDamage(station);
  }

  /** Notes that the rows of a station before `until` are removed because of their age. */
  expire(station: number, until: number): void {
    this.removedUntil.set(station, Math.max(until, this.removedUntil.get(station) ?? -Infinity));
    this.stationVersion += 1;
  }

  /** Replaces the rows of a station. @param times of the changed rows, rising: all of them, or the first and the last */
  store(station: number, series: Series, revision: number, times: ArrayLike<number>): void {
    this.observations.set(station, { series, revision });
    if (times.length === 0) return;
    const [first, last] = [times[0] as number, times[times.length - 1] as number];
    const [from, to] = this.unjudged.get(station) ?? [first, last];
    this.unjudged.set(station, [Math.min(from, first), Math.max(to, last)]);
  }

  requestJudging(requests: readonly JudgingRequest[]): void {
    for (const { station, near, from, to, spreads } of requests) {
      const id = (this.judgingNumber += 1);
      this.judgingRequests.push({ id, station, ...(near && { near }), from, to, spreads });
    }
  }

  /** Removes what belongs to the judging of a removed station. */
  forgetJudging(station: number): void {
    this.unjudged.delete(station);
    this.judgingRequests = this.judgingRequests.filter((request) => request.station !== station);
    for (const [id, overrule] of this.overrules) if (overrule.station === station) this.overrules.delete(id);
  }

  appendEvents(events: readonly AuditEvent[]): void {
    for (const event of events) this.events.push({ ...event, number: (this.eventNumber += 1), count: 1 });
  }

  endSessions(userId: string): number {
    const ended = [...this.sessions.values()].filter((session) => session.userId === userId);
    for (const { id } of ended) this.sessions.delete(id);
    return ended.length;
  }

  live({ elevationAttempts: _count, ...session }: StoredSession): LiveSession {
    const user = this.users.get(session.userId);
    if (user === undefined) throw new Error('a session without its user');
    return {
      ...session,
      userName: user.name,
      administrator: user.administrator,
      stations: this.grantOf(user.id),
    };
  }

  grantOf(userId: string): StationGrant {
    const granted = this.grants.get(userId) ?? new Set();
    if (granted === '*') return '*';
    const all = this.#allStations().filter(({ number }) => granted.has(number));
    return all.map(({ id }) => id).sort();
  }

  /** Numbers of stations, removed ones included. @throws DomainError STATION_UNKNOWN */
  numbersOf(ids: readonly string[]): Set<number> {
    const numbers = new Map(this.#allStations().map(({ id, number }) => [id, number]));
    const unknown = ids.find((id) => !numbers.has(id));
    if (unknown !== undefined) {
      throw new DomainError('STATION_UNKNOWN', `There is no station ${JSON.stringify(unknown)}.`);
    }
    return new Set(ids.map((id) => numbers.get(id) as number));
  }

  /** Whether a station has this number, removed or not. */
  hasStation(number: number): boolean {
    return this.#allStations().some((station) => station.number === number);
  }

  /** Removes upload keys with their records. @returns how many */
  removeUploadKeys(isRemoved: (key: StoredUploadKey) => boolean): number {
    const removed = [...this.uploadKeys.values()].filter(isRemoved);
    for (const { number } of removed) {
      this.uploadKeys.delete(number);
      for (const { name, key } of this.uploadRecords.values())
        if (key === number) this.uploadRecords.delete(name);
    }
    if (removed.length > 0) this.uploadVersion += 1;
    return removed.length;
  }

  /** Whether the stored record has another revision than `record` replaces, or its key is gone. */
  isOutdated({ name, key, revision }: UploadRecord): boolean {
    const isGone = key !== null && !this.uploadKeys.has(key);
    return isGone || (this.uploadRecords.get(name)?.revision ?? 0) !== revision;
  }

  putRecord(record: UploadRecord): void {
    this.uploadRecords.set(record.name, { ...record, revision: record.revision + 1 });
  }

  #allStations(): Station[] {
    return [...this.stations.values(), ...[...this.removed.values()].map(({ station }) => station)];
  }
}

import type { Caller } from '#domain/accounts/audit-event.js';
import { changedInMeantime } from '#domain/domain-error.js';
import type { AuditTrail } from '../accounts/audit-trail.js';
import type { StationStore } from '../ports/station-store.js';
import { unknownStation } from '../stations/find-station.js';

/** The retention period of a station. */
export interface RetentionPeriod {
  /** Id of the station. */
  readonly id: string;
  /** Retention period in milliseconds; null means that rows are kept permanently. */
  readonly period: number | null;
  /** Whether the period is set for this station. Otherwise it is the setting for all stations. */
  readonly isOwn: boolean;
}

/** Sets and lists the retention periods of stations. */
export class SetRetention {
  readonly #setting: number | undefined;
  readonly #stations: StationStore;
  readonly #audit: AuditTrail;

  /**
   * @param setting retention period in seconds of stations without their own period; undefined means that their rows are kept
   *   permanently
   */
  constructor(setting: number | undefined, stations: StationStore, audit: AuditTrail) {
    this.#setting = setting;
    this.#stations = stations;
    this.#audit = audit;
  }

  /**
   * Sets the retention period of stations. The new period takes effect at the next run of `ExpireRows`.
   *
   * @param period milliseconds; null means that rows are kept permanently; undefined means the setting for all stations
   * @throws DomainError STATION_UNKNOWN if one of the stations does not exist; then nothing is changed
   */
  async execute(ids: readonly string[], period: number | null | undefined, caller: Caller): Promise<void> {
    const found = await Promise.all(ids.map((id) => this.#stations.find(id)));
    const unknown = ids.find((_id, index) => found[index] === undefined);
    if (unknown !== undefined) throw unknownStation(unknown);
    for (const id of ids) await this.set(id, period, caller);
  }

  /**
   * Sets the retention period of one station.
   *
   * @param expected text of the replaced period (see `retentionText`); undefined for any
   * @throws DomainError STATION_UNKNOWN; PRECONDITION_FAILED if the period is not as expected
   */
  async set(id: string, period: number | null | undefined, caller: Caller, expected?: string): Promise<void> {
    const station = await this.#stations.find(id);
    if (station === undefined) throw unknownStation(id);
    const changed = () => changedInMeantime('retention period of the station', id);
    let replaced: { readonly period: number | null | undefined } | undefined;
    if (expected !== undefined) {
      const known = await this.find(id);
      if (retentionText(known) !== expected) throw changed();
      replaced = { period: known.isOwn ? known.period : undefined };
    }
    // The audit event is written before the change, so that no change exists without an event.
    await this.#audit.record(caller, 'station-put', id);
    if (!(await this.#stations.setPeriod(station.number, period, replaced))) throw changed();
  }

  /** Retention period of stations without their own period, in milliseconds; null means that rows are kept permanently. */
  get default(): number | null {
    return this.#setting === undefined ? null : this.#setting * 1000;
  }

  /** Returns the retention period of each station, in the order of the ids. */
  async list(): Promise<readonly RetentionPeriod[]> {
    const [stations, periods] = await Promise.all([this.#stations.list(), this.#stations.periods()]);
    return stations.map(({ id, number }) => {
      const own = periods.get(number);
      return { id, period: own === undefined ? this.default : own, isOwn: own !== undefined };
    });
  }

  /** @throws DomainError STATION_UNKNOWN */
  async find(id: string): Promise<RetentionPeriod> {
    const found = (await this.list()).find((one) => one.id === id);
    if (found === undefined) throw unknownStation(id);
    return found;
  }
}

/** The retention period of a station as text, which differs after every change. */
export function retentionText({ id, period, isOwn }: RetentionPeriod): string {
  return JSON.stringify([id, period, isOwn]);
}

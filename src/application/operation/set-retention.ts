import type { Caller } from '#domain/accounts/audit-event.js';
import type { AuditTrail } from '../accounts/audit-trail.js';
import type { StationStore } from '../ports/station-store.js';
import { unknownStation } from '../stations/find-station.js';

/** How long rows of a station are kept. */
export interface KeptPeriod {
  /** Id of the station. */
  readonly id: string;
  /** Milliseconds; null means for ever. */
  readonly period: number | null;
  /** Whether the station has this period of its own, and not that of all stations. */
  readonly isOwn: boolean;
}

/** Sets and lists how long rows of stations are kept. */
export class SetRetention {
  readonly #setting: number | undefined;
  readonly #stations: StationStore;
  readonly #audit: AuditTrail;

  /** @param setting seconds for which rows of all stations are kept; undefined if they are kept for ever */
  constructor(setting: number | undefined, stations: StationStore, audit: AuditTrail) {
    this.#setting = setting;
    this.#stations = stations;
    this.#audit = audit;
  }

  /**
   * Changes what is erased from the next run on.
   *
   * @param period milliseconds; null means for ever, undefined the period of all stations
   * @throws DomainError STATION_UNKNOWN, for any of them, before anything is changed
   */
  async execute(ids: readonly string[], period: number | null | undefined, caller: Caller): Promise<void> {
    const found = await Promise.all(ids.map((id) => this.#stations.find(id)));
    const unknown = ids.find((_id, index) => found[index] === undefined);
    if (unknown !== undefined) throw unknownStation(unknown);
    for (const station of found) {
      if (station === undefined) continue;
      // The event is written first: if it cannot be written, there is no change that the trail does not tell of.
      await this.#audit.record(caller, 'station-put', station.id);
      await this.#stations.setPeriod(station.number, period);
    }
  }

  /** All stations, by id. */
  async list(): Promise<readonly KeptPeriod[]> {
    const [stations, periods] = await Promise.all([this.#stations.list(), this.#stations.periods()]);
    const setting = this.#setting === undefined ? null : this.#setting * 1000;
    return stations.map(({ id, number }) => {
      const own = periods.get(number);
      return { id, period: own === undefined ? setting : own, isOwn: own !== undefined };
    });
  }
}

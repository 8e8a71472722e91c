import type { Caller } from '../../domain/accounts/audit-event.js';
import { DomainError } from '../../domain/domain-error.js';
import type { StationEdit } from '../../domain/weather/station-edit.js';
import { acceptStation, type StationDraft } from '../../domain/weather/station.js';
import type { Calendar } from '../ports/calendar.js';
import type { StationChange, StationStore } from '../ports/station-store.js';
import type { JudgeAgain } from './judge-again.js';
import type { StationEvents } from './station-events.js';

/** An edit as it is sent. */
export type StationRequest = Omit<StationEdit, 'since'> & {
  /** As `StationEdit.since`, or a date, which means the first instant of that day of the station. */
  readonly since?: number | string | undefined;
};

/** Creates stations, or changes some of their fields. */
export class ChangeStations {
  readonly #stations: StationStore;
  readonly #calendar: Calendar;
  readonly #events: StationEvents;
  readonly #judgeAgain: JudgeAgain;

  constructor(stations: StationStore, calendar: Calendar, events: StationEvents, judgeAgain: JudgeAgain) {
    this.#stations = stations;
    this.#calendar = calendar;
    this.#events = events;
    this.#judgeAgain = judgeAgain;
  }

  /**
   * Applies the edits in the given order, all or none.
   *
   * @throws DomainError REQUEST_INVALID for a field that breaks a rule; STATION_UNKNOWN, STATION_EXISTS,
   *   STATION_REMOVED
   */
  async execute(edits: readonly StationRequest[], caller: Caller): Promise<readonly StationChange[]> {
    const accepted: StationEdit[] = [];
    for (const { id, change, identify, adjust, since, make } of edits)
      accepted.push({
        ...acceptStation({ id }),
        ...(change && { change: this.#accept(change) }),
        ...(identify && { identify }),
        ...(adjust && { adjust }),
        ...(make && { make: this.#accept(make) }),
        ...(since !== undefined && { since: await this.#instantOf(since, id, change?.timeZone) }),
      });
    const changes = await this.#stations.change(accepted);
    await this.#judgeAgain.execute(changes.map(({ station: after, before }) => ({ before, after })));
    const subject = changes.length === 1 ? (changes[0]?.station.id ?? '') : `${changes.length} stations`;
    const since = accepted.length === 1 ? accepted[0]?.since : undefined;
    await this.#events.record(caller, 'station-put', subject, since === undefined ? null : { since });
    return changes;
  }

  async #instantOf(time: number | string, id: string, changed: string | undefined): Promise<number> {
    if (typeof time === 'number') return time;
    const timeZone = changed ?? (await this.#stations.find(id))?.timeZone ?? 'UTC';
    const instant = this.#calendar.startOfDay(time, timeZone, 0);
    if (!Number.isNaN(instant)) return instant;
    throw new DomainError('REQUEST_INVALID', `${JSON.stringify(time)} is not a date.`);
  }

  #accept<T extends Partial<StationDraft>>(fields: T): T {
    const { timeZone } = fields;
    if (timeZone !== undefined && !this.#calendar.hasZone(timeZone)) {
      throw new DomainError(
        'REQUEST_INVALID',
        `There is no time zone ${JSON.stringify(timeZone)}: an IANA name is needed, like Europe/Oslo.`,
      );
    }
    return acceptStation(fields);
  }
}

import type { AuditDetail, Caller } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import { EARLIEST_ROW } from '#domain/time.js';
import type { StationEdit } from '#domain/weather/station-edit.js';
import { acceptStation, type StationDraft } from '#domain/weather/station.js';
import { assertReadable } from '#domain/weather/stations/stored-station.js';
import type { Calendar } from '../ports/calendar.js';
import type { Clock } from '../ports/clock.js';
import type { StationChange, StationStore } from '../ports/station-store.js';
import { JUDGED_AROUND } from './recheck-of-changes.js';
import type { StationEvents } from './station-events.js';

/** An edit as it is sent. */
export type StationRequest = Omit<StationEdit, 'since'> & {
  /** As `StationEdit.since`, or a date, which means the first instant of that day of the station. */
  readonly since?: number | string | undefined;
};

/** Creates stations, or changes some of their fields. */
export class ChangeStations {
  readonly #clock: Clock;
  readonly #stations: StationStore;
  readonly #calendar: Calendar;
  readonly #events: StationEvents;

  constructor(clock: Clock, stations: StationStore, calendar: Calendar, events: StationEvents) {
    this.#clock = clock;
    this.#stations = stations;
    this.#calendar = calendar;
    this.#events = events;
  }

  /**
   * Applies the edits in the given order, all or none.
   *
   * @throws DomainError REQUEST_INVALID for a field that breaks a rule, and for a `since` before 1600 or in the future; PRECONDITION_FAILED,
   *   STATION_UNKNOWN, STATION_EXISTS, STATION_REMOVED; DATA_DAMAGED if an edit leaves a part of a station as it is that cannot be read
   */
  async execute(edits: readonly StationRequest[], caller: Caller): Promise<readonly StationChange[]> {
    const accepted: StationEdit[] = [];
    for (const { id, change, identify, adjust, since, make, isReplacement, expected } of edits)
      accepted.push({
        ...acceptStation({ id }),
        ...(change && { change: this.#accept(change) }),
        ...(identify && { identify }),
        ...(adjust && { adjust }),
        ...(make && { make: this.#accept(make) }),
        ...(isReplacement !== undefined && { isReplacement }),
        ...(expected !== undefined && { expected }),
        ...(since !== undefined && {
          since: this.#accepted(await this.#instantOf(since, id, change?.timeZone)),
        }),
      });
    const [only] = accepted.length === 1 ? accepted : [];
    const subject = only?.id ?? `${accepted.length} stations`;
    const detail = only === undefined ? null : detailOf(only);
    const events = this.#events.of(caller, 'station-put', subject, detail);
    const recheckAround = this.#clock.now() - JUDGED_AROUND;
    const changes = await this.#stations.change(accepted, { recheckAround: recheckAround, events });
    this.#events.announce();
    return changes;
  }

  async #instantOf(time: number | string, id: string, changed: string | undefined): Promise<number> {
    if (typeof time === 'number') return time;
    const known = changed === undefined ? await this.#stations.find(id) : undefined;
    if (known?.damaged?.some(({ field }) => field === 'timeZone') === true) assertReadable(known);
    const timeZone = changed ?? known?.timeZone ?? 'UTC';
    const instant = this.#calendar.startOfDay(time, timeZone, 0);
    if (!Number.isNaN(instant)) return instant;
    throw new DomainError('REQUEST_INVALID', `${JSON.stringify(time)} is not a date.`);
  }

  /** A history begins where rows may begin. What comes into force later is set when it does. */
  #accepted(since: number): number {
    const refuse = (rule: string) =>
      new DomainError('REQUEST_INVALID', `"since" is ${new Date(since).toISOString()}, which is ${rule}`);
    if (since < EARLIEST_ROW) throw refuse('before 1600: leave it out if the station has always been so.');
    if (since > this.#clock.now())
      throw refuse('in the future: change the station when the change has been made.');
    return since;
  }

  #accept<T extends Partial<StationDraft>>(fields: T): T {
    const { timeZone } = fields;
    if (timeZone !== undefined && !this.#calendar.hasZone(timeZone)) {
      throw new DomainError(
        'REQUEST_INVALID',
        `There is no time zone ${JSON.stringify(timeZone)}: an IANA name is needed, like Europe/Oslo, or an offset, like -05:00.`,
      );
    }
    return acceptStation(fields);
  }
}

/** @returns null if there is nothing to say */
function detailOf({ since, change, make }: StationEdit): AuditDetail | null {
  const { visibility, positionDecimals } = { ...make, ...change };
  const detail: AuditDetail = {
    ...(since !== undefined && { since }),
    ...(visibility !== undefined && { visibility }),
    ...(positionDecimals !== undefined && { positionDecimals }),
  };
  return Object.keys(detail).length === 0 ? null : detail;
}

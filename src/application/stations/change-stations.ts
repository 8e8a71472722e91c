import type { AuditDetail, Caller } from '#domain/accounts/audit-event.js';
import { DomainError } from '#domain/domain-error.js';
import { quoted } from '#domain/quoted.js';
import { EARLIEST_ROW, timeFault } from '#domain/time.js';
import type { StationEdit } from '#domain/weather/station-edit.js';
import type { ObservedTimes } from '#domain/weather/station-history.js';
import { acceptStation, type StationDraft } from '#domain/weather/station.js';
import { assertReadable } from '#domain/weather/stations/stored-station.js';
import type { Calendar } from '../ports/calendar.js';
import type { Clock } from '../ports/clock.js';
import type { StationChange, StationStore } from '../ports/station-store.js';
import { RECHECK_PERIOD } from './recheck-of-changes.js';
import type { StationEvents } from './station-events.js';

/** A requested edit. */
export type StationRequest = Omit<StationEdit, 'since'> & {
  /**
   * Time from which the changed settings apply (`StationEdit.since`), or a date, which means the first instant of this day in the
   * time zone of the station.
   */
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
   * @throws DomainError REQUEST_INVALID for a field that breaks a rule, and for a `since` before 1600 or in the future;
   *   PRECONDITION_FAILED, STATION_UNKNOWN, STATION_EXISTS, STATION_REMOVED; DATA_DAMAGED if an edit does not replace all damaged
   *   fields of a station
   */
  async execute(edits: readonly StationRequest[], caller: Caller): Promise<readonly StationChange[]> {
    const accepted: StationEdit[] = [];
    for (const { id, change, identify, adjust, observed, since, create, isReplacement, expected } of edits)
      accepted.push({
        ...acceptStation({ id }),
        ...(change && { change: this.#accept(change) }),
        ...(identify && { identify }),
        ...(adjust && { adjust }),
        ...(observed && { observed: this.#acceptObserved(observed) }),
        ...(create && { create: this.#accept(create) }),
        ...(isReplacement !== undefined && { isReplacement }),
        ...(expected !== undefined && { expected }),
        ...(since !== undefined && {
          since: this.#acceptSince(await this.#instantOf(since, id, change?.timeZone)),
        }),
      });
    const ids = new Set(accepted.map(({ id }) => id));
    const [only] = ids.size === 1 ? ids : [];
    const subject = only ?? `${ids.size} stations`;
    const detail = only === undefined ? null : detailOf(accepted);
    const events = this.#events.of(caller, 'station-put', subject, detail);
    const recheckAround = this.#clock.now() - RECHECK_PERIOD;
    const changes = await this.#stations.change(accepted, { recheckAround, events });
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
    throw new DomainError('REQUEST_INVALID', `"since" is ${quoted(time)}, which ${timeFault(time)}.`);
  }

  /**
   * Refuses a time before 1600, because no row is older, and a time in the future. A change that applies in the future must be
   * sent when it applies.
   */
  #acceptSince(since: number): number {
    const refuse = (rule: string) =>
      new DomainError('REQUEST_INVALID', `"since" is ${new Date(since).toISOString()}, which is ${rule}`);
    if (since < EARLIEST_ROW)
      throw refuse('before 1600. Leave "since" out if the station never had other values.');
    if (since > this.#clock.now())
      throw refuse('in the future. Change the station when the new values apply.');
    return since;
  }

  /** Checks times of observation, and ends them now, because a period of the history may not begin in the future. */
  #acceptObserved(observed: readonly ObservedTimes[]): readonly ObservedTimes[] {
    const now = this.#clock.now();
    return observed
      .map((one) => ({ ...one, ...acceptStation({ dailyObservationTime: one.dailyObservationTime }) }))
      .map((one) => ({ ...one, until: Math.min(one.until, now) }))
      .filter(({ from, until }) => from < until);
  }

  #accept<T extends Partial<StationDraft>>(fields: T): T {
    const { timeZone } = fields;
    if (timeZone !== undefined && !this.#calendar.hasZone(timeZone)) {
      throw new DomainError(
        'REQUEST_INVALID',
        `There is no time zone ${JSON.stringify(timeZone)}. Use an IANA name such as Europe/Oslo, or an offset such as -05:00.`,
      );
    }
    return acceptStation(fields);
  }
}

/** Returns the details of the edits of a station for the audit trail; null if there are none. Of one detail, the last edit counts. */
function detailOf(edits: readonly StationEdit[]): AuditDetail | null {
  const detail: AuditDetail = Object.assign({}, ...edits.map(detailsIn));
  return Object.keys(detail).length === 0 ? null : detail;
}

function detailsIn({ since, change, create, observed, isReplacement }: StationEdit): AuditDetail {
  const { visibility, positionDecimals, dailyObservationTime: given } = { ...create, ...change };
  const found = new Set(observed?.map(({ dailyObservationTime }) => dailyObservationTime));
  const time = observed === undefined ? given : [...found].join(', ');
  // A replacement without a time has null, because it replaces all fields.
  const hasTime = time !== undefined && !(time === null && isReplacement === true);
  return {
    ...(since !== undefined && { since }),
    ...(visibility !== undefined && { visibility }),
    ...(positionDecimals !== undefined && { positionDecimals }),
    ...(hasTime && { dailyObservationTime: time }),
  };
}

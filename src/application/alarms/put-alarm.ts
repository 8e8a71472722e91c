import type { Caller } from '../../domain/accounts/audit-event.js';
import { acceptAlarm, type Alarm } from '../../domain/alarms/alarm.js';
import type { AlarmStore } from '../ports/alarm-store.js';
import type { StationStore } from '../ports/station-store.js';
import { findStation } from '../stations/find-station.js';
import type { AddAlarm, AlarmRequest } from './add-alarm.js';
import type { RemoveAlarm } from './remove-alarm.js';

/** Adds an alarm, or replaces the one with its name, which then begins anew. */
export class PutAlarm {
  readonly #store: AlarmStore;
  readonly #stations: StationStore;
  readonly #add: AddAlarm;
  readonly #remove: RemoveAlarm;

  constructor(store: AlarmStore, stations: StationStore, add: AddAlarm, remove: RemoveAlarm) {
    this.#store = store;
    this.#stations = stations;
    this.#add = add;
    this.#remove = remove;
  }

  /**
   * Changes nothing if the alarm is the same already.
   *
   * @throws DomainError REQUEST_INVALID; STATION_UNKNOWN; ALARM_EXISTS if somebody else adds it at the same time
   */
  async execute(request: AlarmRequest, caller: Caller): Promise<Alarm> {
    const { name, condition, target } = acceptAlarm(request);
    const station =
      request.station === null ? null : (await findStation(this.#stations, request.station)).number;
    const known = (await this.#store.alarms()).find((alarm) => alarm.name === name);
    if (known !== undefined) {
      if (textOf(known) === textOf({ station, condition, target })) return known;
      await this.#remove.record(known, caller);
    }
    return await this.#add.execute(request, caller, known);
  }
}

/** The same for alarms that are the same, whatever the order of their fields in the store. */
function textOf({ station, condition, target }: Pick<Alarm, 'station' | 'condition' | 'target'>): string {
  const sorted = (value: object | null) => Object.entries(value ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([station, sorted(condition), sorted(target)]);
}

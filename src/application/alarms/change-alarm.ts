import type { Caller } from '#domain/accounts/audit-event.js';
import { type Alarm, alarmDamage } from '#domain/alarms/alarm.js';
import { DomainError } from '#domain/domain-error.js';
import { quoted } from '#domain/quoted.js';
import type { AlarmStore } from '../ports/alarm-store.js';
import type { StationDirectory } from '../stations/station-directory.js';
import type { AlarmRequest } from './add-alarm.js';
import { findAlarm } from './find-alarm.js';
import type { PutAlarm } from './put-alarm.js';

/** The fields of an alarm that change. Absent fields stay as they are. */
export type AlarmChanges = Partial<Omit<AlarmRequest, 'name'>>;

/**
 * Changes an alarm. The states of the alarm, which say for each station whether it is raised, are reset, unless only the target
 * changes.
 */
export class ChangeAlarm {
  readonly #store: AlarmStore;
  readonly #directory: StationDirectory;
  readonly #put: PutAlarm;

  constructor(store: AlarmStore, directory: StationDirectory, put: PutAlarm) {
    this.#store = store;
    this.#directory = directory;
    this.#put = put;
  }

  /** @throws DomainError the errors of `PutAlarm`; ALARM_UNKNOWN; REQUEST_INVALID if a field that does not change is damaged */
  async execute(name: string, changes: AlarmChanges, caller: Caller): Promise<Alarm> {
    const known = await findAlarm(this.#store, name);
    const { station, ...changed } = changes;
    const { condition, target } = { ...known, ...changed };
    const damage = alarmDamage({ ...known, condition, target });
    if (damage !== undefined)
      throw new DomainError('REQUEST_INVALID', `The alarm ${quoted(name)} ${damage}.`);
    const id = station === undefined ? await this.#stationOf(known) : station;
    return await this.#put.execute({ name, condition, target, station: id }, caller);
  }

  /** The id of the station of an alarm; null for all stations. */
  async #stationOf({ name, station: number }: Alarm): Promise<string | null> {
    if (number === null) return null;
    const station = (await this.#directory.current()).byNumber.get(number);
    if (station !== undefined) return station.id;
    throw new DomainError(
      'STATION_UNKNOWN',
      `The station of the alarm ${quoted(name)} was removed. Restore the station, or name another one.`,
    );
  }
}

import type { Alarm } from '#domain/alarms/alarm.js';
import type { AlarmState } from '#domain/alarms/alarm-state.js';
import type { Station } from '#domain/weather/station.js';

/** The data of a message about an alarm. */
export interface AlarmFields {
  readonly id: string;
  readonly event: 'raised' | 'cleared' | 'test';
  readonly alarm: Pick<Alarm, 'name' | 'condition'>;
  /** The station of the alarm; undefined in a test message of an alarm for all stations. */
  readonly station: Pick<Station, 'id' | 'name' | 'timeZone'> | undefined;
  readonly state: AlarmState;
}

import { AuditTrail } from '#application/accounts/audit-trail.js';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { AlarmCache } from '#application/alarms/alarm-cache.js';
import { ChangeAlarm } from '#application/alarms/change-alarm.js';
import { ListAlarms } from '#application/alarms/list-alarms.js';
import { PersonalMessages } from '#application/alarms/personal-messages.js';
import { PutAlarm } from '#application/alarms/put-alarm.js';
import { ReadStation } from '#application/alarms/read-station.js';
import { RemoveAlarm } from '#application/alarms/remove-alarm.js';
import { TestAlarm } from '#application/alarms/test-alarm.js';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { NoticeRecords } from '#application/observations/notices/notice-records.js';
import { NoteSensors } from '#application/sensors/note-sensors.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import type { Config } from '../config.js';
import * as t from './tokens.js';
import { constant, useCase, type Wiring } from './wiring.js';

/** The classes that manage alarms and read the rows that alarms need. `sources/alarms.ts` evaluates the alarms. */
export function alarmWirings({ LANGUAGE, PUBLIC_URL }: Config): readonly Wiring[] {
  return [
    useCase(PersonalMessages, [constant(LANGUAGE), constant(PUBLIC_URL), t.StationPicture]),
    useCase(AlarmCache, [t.Clock, t.AlarmStore]),
    useCase(ReadStation, [
      {
        clock: t.Clock,
        observations: t.ObservationStore,
        notices: NoticeRecords,
        sensors: NoteSensors,
        forecastOrders: ForecastOrders,
        forecasts: ForecastRecords,
      },
    ]),
    useCase(AddAlarm, [
      {
        clock: t.Clock,
        ids: t.IdSource,
        stations: t.StationStore,
        store: t.AlarmStore,
        trail: AuditTrail,
        delivery: t.Delivery,
      },
    ]),
    useCase(RemoveAlarm, [t.AlarmStore, StationDirectory, AuditTrail]),
    useCase(PutAlarm, [
      {
        stations: t.StationStore,
        store: t.AlarmStore,
        trail: AuditTrail,
        delivery: t.Delivery,
        add: AddAlarm,
        remove: RemoveAlarm,
      },
    ]),
    useCase(ChangeAlarm, [t.AlarmStore, StationDirectory, PutAlarm]),
    useCase(ListAlarms, [AlarmCache, StationDirectory]),
    useCase(TestAlarm, [t.IdSource, t.AlarmStore, StationDirectory, t.Delivery, PersonalMessages]),
  ];
}

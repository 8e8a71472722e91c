import type { UploadRecord } from '#application/ports/upload-record-store.js';
import type { RecordKind, TransferRecord } from '#application/record-forms.js';
import type { Alarm, StationAlarm } from '#domain/alarms/alarm.js';
import type { StoredUploadKey } from '#domain/uploads/upload-key.js';
import type { Overrule } from '#domain/weather/quality/overrule.js';
import type { Station } from '#domain/weather/station.js';
import type { MemoryDatabase } from './memory-database.js';

/** How records of a kind are listed, added and removed. */
export interface Access {
  readonly list: () => TransferRecord[];
  readonly add: (record: TransferRecord) => void;
  readonly clear: () => void;
}

const NONE = {
  steps: null,
  persistence: null,
  sensorHeights: null,
  cellMethods: null,
  stampInterval: null,
  visibility: null,
  positionDecimals: null,
  earlier: null,
};

/** The optional fields of a record are null, where a station lacks them. */
function toStation(record: TransferRecord): Station {
  const given = Object.entries(record).filter(
    ([name, value]) => !(name in NONE) || (value !== null && value !== undefined),
  );
  return Object.fromEntries(given) as unknown as Station;
}

/** Access to the records that belong to stations. */
export function stationAccess(database: MemoryDatabase) {
  return {
    station: {
      list: () => [...database.stations.values()].map((station) => ({ ...NONE, ...station })),
      add: (record: TransferRecord) => {
        const station = toStation(record);
        database.stations.set(station.id, station);
      },
      clear: () => database.stations.clear(),
    },
    removedStation: {
      list: () =>
        [...database.removed.values()].map(({ station, removedAt }) => ({ ...NONE, ...station, removedAt })),
      add: ({ removedAt, ...record }: TransferRecord) => {
        const station = toStation(record);
        database.removed.set(station.id, { station, removedAt: removedAt as number });
      },
      clear: () => database.removed.clear(),
    },
    retention: {
      list: () => [...database.periods].map(([station, period]) => ({ station, period })),
      add: ({ station, period }: TransferRecord) =>
        void database.periods.set(station as number, period as number | null),
      clear: () => database.periods.clear(),
    },
    overrule: {
      list: () =>
        [...database.overrules.values()].map(({ from, to, ...rest }) => ({
          ...rest,
          fromTime: from,
          toTime: to,
        })),
      add: ({ fromTime, toTime, ...record }: TransferRecord) => {
        const overrule = { ...record, from: fromTime, to: toTime } as unknown as Overrule;
        database.overrules.set(overrule.id, overrule);
      },
      clear: () => database.overrules.clear(),
    },
    // Handed on as they are: the store in memory has no tables of days.
    removedMonth: {
      list: () => [...database.removedMonths],
      add: (record: TransferRecord) => {
        database.removedMonths.push(record);
        database.expire(record['station'] as number, record['monthEnd'] as number);
      },
      clear: () => {
        database.removedMonths.length = 0;
        database.removedUntil.clear();
      },
    },
    uploadKey: {
      list: () => [...database.uploadKeys.values()].map((key) => ({ ...key })),
      add: (record: TransferRecord) =>
        void database.uploadKeys.set(record['number'] as number, record as unknown as StoredUploadKey),
      clear: () => void database.removeUploadKeys(() => true),
    },
    uploadRecord: {
      list: () => [...database.uploadRecords.values()].map((record) => ({ ...record })),
      add: (record: TransferRecord) =>
        void database.uploadRecords.set(record['name'] as string, record as unknown as UploadRecord),
      clear: () => database.uploadRecords.clear(),
    },
    alarm: {
      list: () => [...database.alarms.alarms.values()].map((alarm) => ({ ...alarm })),
      add: (record: TransferRecord) =>
        void database.alarms.alarms.set(record['id'] as string, record as unknown as Alarm),
      clear: () => void database.alarms.remove(() => true),
    },
    alarmState: {
      list: () => [...database.alarms.states.values()].map((state) => ({ ...state })),
      add: (record: TransferRecord) => database.alarms.put(record as unknown as StationAlarm),
      clear: () => database.alarms.states.clear(),
    },
  } satisfies Partial<Record<RecordKind, Access>>;
}

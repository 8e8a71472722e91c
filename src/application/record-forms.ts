/**
 * How a field of a record is stored: `plain` is text or a number, `json` is stored as JSON text. A value of any form may be null.
 */
export type FieldForm = 'plain' | 'boolean' | 'json' | 'bytes';

interface RecordForm {
  /** Name of the table in SQLite and in PostgreSQL. */
  readonly table: string;
  /** The fields that identify and order the records. Texts are ordered by code points. */
  readonly key: Readonly<Record<string, 'number' | 'text'>>;
  /** All fields, including the fields of `key`. */
  readonly fields: Readonly<Record<string, FieldForm>>;
  /** Maximum number of records that are read or written at once. */
  readonly page: number;
}

const PAGE = 1000;

const STATION = {
  number: 'plain',
  id: 'plain',
  name: 'plain',
  latitude: 'plain',
  longitude: 'plain',
  elevation: 'plain',
  timeZone: 'plain',
  identifiers: 'json',
  reportingInterval: 'plain',
  limits: 'json',
  steps: 'json',
  persistence: 'json',
  sensorHeights: 'json',
  cellMethods: 'json',
  stampInterval: 'plain',
  dailyObservationTime: 'plain',
  visibility: 'plain',
  positionDecimals: 'plain',
  demo: 'plain',
  earlier: 'json',
} as const;

/**
 * The kinds of stored records. A record refers only to records of kinds that are listed before its own kind. Signing keys,
 * observations, counts of failed sign-ins and the progress of imports are not included.
 */
export const RECORD_FORMS = {
  station: { table: 'station', key: { number: 'number' }, fields: STATION, page: PAGE },
  removedStation: {
    table: 'removed_station',
    key: { number: 'number' },
    fields: { ...STATION, removedAt: 'plain' },
    page: PAGE,
  },
  user: {
    table: 'user',
    key: { id: 'text' },
    fields: {
      id: 'plain',
      name: 'plain',
      nameKey: 'plain',
      email: 'plain',
      emailKey: 'plain',
      passwordHash: 'plain',
      enabled: 'boolean',
      administrator: 'boolean',
      allStations: 'boolean',
      createdAt: 'plain',
    },
    page: PAGE,
  },
  grant: {
    table: 'station_grant',
    key: { userId: 'text', station: 'number' },
    fields: { userId: 'plain', station: 'plain' },
    page: PAGE,
  },
  session: {
    table: 'session',
    key: { id: 'text' },
    fields: {
      id: 'plain',
      userId: 'plain',
      createdAt: 'plain',
      validTo: 'plain',
      address: 'plain',
      elevatedToken: 'plain',
      elevatedTo: 'plain',
      elevationAttempts: 'plain',
    },
    page: PAGE,
  },
  uploadKey: {
    table: 'upload_key',
    key: { number: 'number' },
    fields: {
      number: 'plain',
      station: 'plain',
      note: 'plain',
      weak: 'boolean',
      madeAt: 'plain',
      rotatedAt: 'plain',
      previousUntil: 'plain',
      digest: 'plain',
      previousDigest: 'plain',
      mappings: 'json',
      settings: 'json',
    },
    page: PAGE,
  },
  uploadRecord: {
    table: 'upload_record',
    key: { name: 'text' },
    fields: { name: 'plain', key: 'plain', revision: 'plain', time: 'plain', text: 'plain' },
    page: 100,
  },
  event: {
    table: 'audit',
    key: { number: 'number' },
    fields: {
      number: 'plain',
      time: 'plain',
      action: 'plain',
      outcome: 'plain',
      actor: 'plain',
      subject: 'plain',
      address: 'plain',
      requestId: 'plain',
      detail: 'json',
      tally: 'plain',
      count: 'plain',
    },
    page: PAGE,
  },
  import: {
    table: 'file_import',
    key: { number: 'number' },
    fields: {
      number: 'plain',
      key: 'plain',
      file: 'plain',
      startedAt: 'plain',
      endedAt: 'plain',
      rows: 'plain',
      bytes: 'plain',
      forgotten: 'boolean',
      undoStartedAt: 'plain',
      undoEndedAt: 'plain',
      undoCounts: 'json',
    },
    page: PAGE,
  },
  importStation: {
    table: 'import_station',
    key: { import: 'number', station: 'number' },
    fields: { import: 'plain', station: 'plain' },
    page: PAGE,
  },
  importEntry: {
    table: 'import_journal',
    key: { id: 'number' },
    fields: { id: 'plain', import: 'plain', rows: 'plain', data: 'bytes' },
    page: 4,
  },
  retention: {
    table: 'retention',
    key: { station: 'number' },
    fields: { station: 'plain', period: 'plain' },
    page: PAGE,
  },
  removedMonth: {
    table: 'removed_month',
    key: { station: 'number', monthStart: 'number' },
    fields: { station: 'plain', monthStart: 'plain', monthEnd: 'plain', zone: 'plain', data: 'bytes' },
    page: 20,
  },
  overrule: {
    table: 'overrule',
    key: { id: 'text' },
    fields: {
      id: 'plain',
      station: 'plain',
      variable: 'plain',
      fromTime: 'plain',
      toTime: 'plain',
      verdict: 'plain',
      reason: 'plain',
      madeBy: 'plain',
      madeAt: 'plain',
    },
    page: PAGE,
  },
  alarm: {
    table: 'alarm',
    key: { id: 'text' },
    fields: {
      id: 'plain',
      name: 'plain',
      station: 'plain',
      condition: 'json',
      target: 'json',
      madeBy: 'plain',
      madeAt: 'plain',
    },
    page: PAGE,
  },
  alarmState: {
    table: 'alarm_state',
    key: { alarm: 'text', station: 'number' },
    fields: { alarm: 'plain', station: 'plain', revision: 'plain', state: 'json', notice: 'json' },
    page: PAGE,
  },
} as const satisfies Readonly<Record<string, RecordForm>>;

export type RecordKind = keyof typeof RECORD_FORMS;
export const RECORD_KINDS = Object.keys(RECORD_FORMS) as readonly RecordKind[];

/** A record with the fields that `RECORD_FORMS` lists. */
export type TransferRecord = Readonly<Record<string, unknown>>;

/** Returns how records of a kind are stored: their table, key and fields. For code that handles all kinds in the same way. */
export function formOf(kind: RecordKind): RecordForm {
  return RECORD_FORMS[kind];
}

/** The kinds of records to which the store assigns numbers. A number is never used again. */
export const NUMBERED_KINDS = ['station', 'uploadKey', 'event', 'import'] as const;

/** The column of a field, for example `made_at` for `madeAt`. */
export function recordColumnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The names of the records with the notices of stations begin with this text. */
export const NOTICE_RECORDS = 'notices ';

/** Name of the record with the notices of a station. The permanent removal of the station removes this record. */
export function noticeRecordOf(station: number): string {
  return `${NOTICE_RECORDS}${station}`;
}

/** The names of the records with the flags that sources give the values of a station begin with this text. */
export function sourceFlagRecordsOf(station: number): string {
  return `source-flags/${station}/`;
}

/** The names of the records with issued forecasts begin with this text. */
export const ISSUED_FORECASTS = 'forecast-issued/';

/** The names of the records with the orders of forecasts begin with this text. */
export const FORECAST_ORDERS = 'forecast-orders/';

/** The names of the records with what was learned of forecasts, and with their scores, begin with this text. */
export const LEARNED_FORECASTS = 'forecasts/';

/**
 * The names of the records with the forecasts of a station begin with these texts: the issued forecasts, its order, and what was learned.
 * The permanent removal of the station removes these records.
 */
export function forecastRecordsOf(station: number) {
  return {
    issued: `${ISSUED_FORECASTS}${station}/`,
    order: `${FORECAST_ORDERS}${station}/`,
    learned: `${LEARNED_FORECASTS}${station}/`,
  } as const;
}

/** The names of the records with the histories of sensors begin with this text. */
export const SENSOR_RECORDS = 'sensors/';

/**
 * The names of the records with the sensors of a station begin with this text. The permanent removal of the station removes these
 * records.
 */
export function sensorRecordsOf(station: number): string {
  return `${SENSOR_RECORDS}${station}/`;
}

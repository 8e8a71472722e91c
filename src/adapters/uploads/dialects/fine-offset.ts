import { type FieldTable, readFields, type ReadingField, words } from '../reading/field-table.js';
import { IMPERIAL_READINGS } from '../reading/imperial-fields.js';
import { sentNumber } from '../reading/sent-number.js';
import { uploadTime } from '../reading/utc-time.js';
import type { RawUpload } from '../request/raw-upload.js';
import { deviceOf, type DialectUpload, senderOf } from './dialect.js';

// The dialects of Ecowitt and Ambient share the fields and functions of this module. Both dialects are protocols of consoles by
// Fine Offset.

export const CONSOLE_READINGS: readonly ReadingField[] = [
  ...IMPERIAL_READINGS,
  ['baromabsin', 'surface_air_pressure', 'inHg'],
  ['baromrelin', 'air_pressure_at_mean_sea_level', 'inHg'],
];

/**
 * Names of fields that are not stored: fields of the protocol and of the device, values that can be derived from others, and rain
 * and gust of a past period.
 */
export const CONSOLE_IGNORED: readonly string[] = [
  ...words('PASSKEY MAC stationtype model dateutc runtime interval heap freq'),
  ...words('rainin 24hourrainin maxdailygust windchillf heatindexf feelslikef'),
];

/** Whether a request comes from a console by Fine Offset. */
export function isConsole({ fields }: RawUpload): boolean {
  return fields.has('PASSKEY') || fields.has('MAC');
}

export function readConsole({ fields, key }: RawUpload, table: FieldTable): readonly DialectUpload[] {
  const { batteries, ...values } = readFields(fields, table);
  return [
    {
      sender: senderOf({ key, identity: fields.get('PASSKEY') ?? fields.get('MAC') }),
      time: uploadTime(fields.get('dateutc'), true),
      ...values,
      device: deviceOf({
        model: fields.get('model'),
        firmware: fields.get('stationtype'),
        runtime: sentNumber(fields.get('runtime')),
        interval: sentNumber(fields.get('interval')),
        batteries,
      }),
    },
  ];
}

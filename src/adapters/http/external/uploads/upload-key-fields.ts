import { z } from 'zod';
import type { UploadKeyView } from '#application/uploads/keys/key-view.js';
import { GAUGES } from '#domain/uploads/upload.js';
import { utcTimestamp } from '../../core/schemas.js';
import { unicodeText } from '../accounts/password.js';
import { wholeNumber } from '../observations/weather-query.js';

/**
 * The fields of a mapping in requests and in replies. A mapping says which variable receives the values of a field of the
 * uploads.
 */
const mappingFields = {
  field: z.string().describe('Name of the field in the upload, for example `temp3f`'),
  variable: z.string().describe('Variable that receives the values'),
  unit: z
    .string()
    .exactOptional()
    .describe(
      'Unit of the values. Default: the unit of the protocol, otherwise the stored unit of the variable',
    ),
  scale: z.number().exactOptional().describe('Value of the variable = field × scale + offset. Default: 1'),
  offset: z.number().exactOptional().describe('Offset in `unit`. Default: 0'),
  counter: z
    .boolean()
    .exactOptional()
    .describe('Whether the field is a counter. The variable then receives its increase'),
};

export const sentMapping = z.strictObject({
  ...mappingFields,
  station: z
    .string()
    .exactOptional()
    .describe('Station that receives the values. Default: the station of the key'),
});

const windUnit = z
  .enum(['km/h', 'm/s'])
  .describe(
    'Unit of wind speeds in the metric form of the Weather Underground protocol, which does not specify it',
  );
const gauge = z
  .enum(GAUGES)
  .nullable()
  .describe(
    'Rain gauge whose values are stored. null: the tipping gauge, unless it is absent or always 0 while the other gauge counts',
  );

const rain = z
  .boolean()
  .describe('Whether the rain of the sender is stored. Default: true only for the first key of a station');

/** The settings of an upload key in requests. A setting that is absent does not change. */
export const sentSettings = z.strictObject({
  wind_unit: windUnit.optional(),
  gauge: gauge.optional(),
  rain: rain.optional(),
});

export function toKeySettings({
  wind_unit: unit,
  gauge: chosen,
  rain: stored,
}: z.infer<typeof sentSettings>) {
  return {
    ...(unit !== undefined && { windUnit: unit }),
    ...(chosen !== undefined && { gauge: chosen }),
    ...(stored !== undefined && { rain: stored }),
  };
}

export const noteText = () =>
  unicodeText().default('').describe('Note for people, for example the location of the console');

/** The schema of a key, without its secret. */
export const uploadKeyFields = z
  .strictObject({
    number: z.int().positive(),
    station: z
      .string()
      .nullable()
      .describe('Id of the station to which the key writes; null while the station is removed'),
    note: z.string(),
    weak: z
      .boolean()
      .describe(
        'Whether the secret is an identity that the sender sends anyway, so that others may know it. Such a key is not accepted as a token',
      ),
    created_at: utcTimestamp(),
    rotated_at: utcTimestamp().nullable().describe('Time at which the secret was replaced'),
    previous_until: utcTimestamp().nullable().describe('Time until which the old secret is accepted too'),
    mappings: z.array(
      z.strictObject({
        ...mappingFields,
        station: z.string().nullable().optional().describe('null while the station is removed'),
      }),
    ),
    settings: z.strictObject({ wind_unit: windUnit, gauge, rain }),
    rain_warning: z
      .string()
      .nullable()
      .describe(
        'Warning if no key or several keys of the station store rain, or if the rain of this key is not stored; otherwise null',
      ),
  })
  .meta({ id: 'UploadKey' });

const toIso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

export function toUploadKeyFields(key: UploadKeyView): z.infer<typeof uploadKeyFields> {
  const { number, station, note, weak, madeAt, rotatedAt, previousUntil, mappings, settings, rainWarning } =
    key;
  return {
    number,
    station,
    note,
    weak,
    created_at: new Date(madeAt).toISOString(),
    rotated_at: toIso(rotatedAt),
    previous_until: toIso(previousUntil),
    mappings: mappings.map((mapping) => ({ ...mapping })),
    settings: { wind_unit: settings.windUnit, gauge: settings.gauge, rain: settings.rain },
    rain_warning: rainWarning,
  };
}

/** The path parameter of routes for one key. */
export const keyNumber = z.strictObject({
  id: wholeNumber(1, Number.MAX_SAFE_INTEGER).describe('Number of the upload key'),
});

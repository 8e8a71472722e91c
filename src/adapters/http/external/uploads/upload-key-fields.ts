import { z } from 'zod';
import type { UploadKeyView } from '#application/uploads/keys/key-view.js';
import { GAUGES } from '#domain/uploads/upload.js';
import { utcTimestamp } from '../../core/schemas.js';
import { unicodeText } from '../accounts/password.js';
import { wholeNumber } from '../observations/weather-query.js';

/** A mapping, in requests and in replies. */
const mappingFields = {
  field: z.string().describe('Name of the field as the sender gives it: `temp3f`'),
  variable: z.string().describe('Variable that gets the values'),
  unit: z
    .string()
    .exactOptional()
    .describe(
      'Unit of the values. Default: that of the protocol, otherwise that in which the variable is stored',
    ),
  scale: z.number().exactOptional().describe('Value of the variable = field × scale + offset. Default: 1'),
  offset: z.number().exactOptional().describe('In `unit`. Default: 0'),
  counter: z
    .boolean()
    .exactOptional()
    .describe('Whether the field is a counter; the variable gets its increase'),
};

export const sentMapping = z.strictObject({
  ...mappingFields,
  station: z.string().exactOptional().describe('Station that gets the values. Default: that of the key'),
});

const windUnit = z
  .enum(['km/h', 'm/s'])
  .describe('Unit of wind speeds in the metric form of Weather Underground, which does not name it');
const gauge = z
  .enum(GAUGES)
  .nullable()
  .describe(
    'Gauge whose rain is stored. null: tipping, unless it is absent or always 0 while the other counts',
  );

const rain = z
  .boolean()
  .describe('Whether the rain of the sender is stored. Default: only that of the first key of a station');

/** Settings of a key in requests. What is left out stays as it is. */
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

export const noteText = () => unicodeText().default('').describe('For people: where the console is');

/** A key without its secret. */
export const uploadKeyFields = z
  .strictObject({
    number: z.int().positive(),
    station: z
      .string()
      .nullable()
      .describe('Id of the station that it writes; null while the station is removed'),
    note: z.string(),
    weak: z
      .boolean()
      .describe(
        'Whether its secret is what the sender sends anyway, so that others may know it: not accepted as a token',
      ),
    created_at: utcTimestamp(),
    rotated_at: utcTimestamp().nullable().describe('When its secret was replaced'),
    previous_until: utcTimestamp().nullable().describe('Until when the replaced secret is accepted too'),
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
      .describe('What a person should know about its rain and that of the other keys of its station'),
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

/** The path parameter of routes to one key. */
export const keyNumber = z.strictObject({
  id: wholeNumber(1, Number.MAX_SAFE_INTEGER).describe('Number of the upload key'),
});

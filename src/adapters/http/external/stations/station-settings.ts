import { z } from 'zod';
import { periodsOf } from '#domain/weather/station-history.js';
import {
  MAX_POSITION_DECIMALS,
  type Station,
  type Visibility,
  VISIBILITIES,
} from '#domain/weather/station.js';
import { type CellMethod, CELL_METHODS } from '#domain/weather/variables.js';
import { limitFields } from '../observations/weather-fields.js';

const stepFields = z.record(z.string(), z.strictObject({ per_minute: z.number(), per_hour: z.number() }));
const persistenceFields = z.record(z.string(), z.int());
const heightFields = z.record(z.string(), z.number());
const methodFields = z.record(z.string(), z.enum(CELL_METHODS));

const LIMITS = 'Gross limits of this station, by variable';
const STEPS = 'Largest plausible changes at this station, by variable';
const PERSISTENCE = 'Seconds after which an unchanged value of this station counts as stuck, by variable';
const HEIGHTS =
  'Heights of sensors in meters above the ground, by variable: above 0, and from -100 on for variables of the soil';
const METHODS =
  'The time that values of this station describe, by variable, where it is not that of the catalogue: `point`, the instant of their ' +
  'time, or `interval`, the interval that ends at their time. Amounts are always of an interval';
const STAMPS =
  'Seconds: rows that are sent have the beginning of an interval of this length as their time, and are stored at its end. ' +
  'null: the times are the end';

const VISIBILITY = '`hidden`: only signed-in users see the station; for everybody else it does not exist';
const POSITION =
  'Decimals of the degrees of the position that everybody sees, who is not signed in, and finds in searches. null: all';
const positionDecimals = () => z.int().min(0).max(MAX_POSITION_DECIMALS).nullable();

/** The settings of a station in a request to replace it. */
export const settingFields = {
  limits: limitFields.default({}).describe(LIMITS),
  steps: stepFields.default({}).describe(STEPS),
  persistence: persistenceFields.default({}).describe(PERSISTENCE),
  sensor_heights: heightFields.default({}).describe(HEIGHTS),
  cell_methods: methodFields.default({}).describe(METHODS),
  stamp_interval: z.int().nullable().default(null).describe(STAMPS),
  visibility: z.enum(VISIBILITIES).optional().describe(`${VISIBILITY}. Left out: as it is`),
  position_decimals: positionDecimals().optional().describe(`${POSITION}. Left out: as it is`),
};

interface SettingFields {
  readonly steps: z.infer<typeof stepFields>;
  readonly persistence: z.infer<typeof persistenceFields>;
  readonly sensor_heights: z.infer<typeof heightFields>;
  readonly cell_methods: Readonly<Record<string, CellMethod>>;
  readonly stamp_interval: number | null;
  readonly visibility?: Visibility | undefined;
  readonly position_decimals?: number | null | undefined;
}

/** The fields of a station that these settings stand for. */
export function fromSettingFields(fields: SettingFields) {
  const { steps, persistence, sensor_heights: sensorHeights, stamp_interval: stampInterval } = fields;
  const { cell_methods: cellMethods, visibility, position_decimals: decimals } = fields;
  const entries = Object.entries(steps).map(([name, { per_minute: perMinute, per_hour: perHour }]) => {
    return [name, { perMinute, perHour }] as const;
  });
  return {
    steps: Object.fromEntries(entries),
    persistence,
    sensorHeights,
    cellMethods,
    stampInterval,
    // A client that does not know these fields must not publish a hidden station.
    ...(visibility !== undefined && { visibility }),
    ...(decimals !== undefined && { positionDecimals: decimals }),
  };
}

/** The settings and the history of a station in a reply about it. */
export const describedSettings = {
  limits: limitFields.describe(LIMITS),
  steps: stepFields.describe(STEPS),
  persistence: persistenceFields.describe(PERSISTENCE),
  sensor_heights: heightFields.describe(HEIGHTS),
  cell_methods: methodFields.describe(METHODS),
  stamp_interval: z.int().positive().nullable().describe(STAMPS),
  visibility: z.enum(VISIBILITIES).describe(VISIBILITY),
  position_decimals: positionDecimals().describe(POSITION),
  history: z
    .array(
      z.strictObject({
        since: z.iso.datetime().nullable().describe('null for the first period'),
        until: z.iso.datetime().nullable().describe('Not included; null for the present period'),
        latitude: z.number(),
        longitude: z.number(),
        elevation: z.number().nullable(),
        reporting_interval: z.int().nullable(),
        sensor_heights: heightFields,
      }),
    )
    .describe('Periods of the station, oldest first. The last one is the present'),
};

export function toSnapshotSettings(station: Station) {
  const { limits, steps = {}, persistence = {}, sensorHeights = {}, stampInterval = null } = station;
  const { cellMethods = {}, visibility = 'public', positionDecimals: decimals = null } = station;
  const stepEntries = Object.entries(steps).map(([name, { perMinute, perHour }]) => {
    return [name, { per_minute: perMinute, per_hour: perHour }] as const;
  });
  return {
    limits,
    steps: Object.fromEntries(stepEntries),
    persistence,
    sensor_heights: sensorHeights,
    cell_methods: cellMethods,
    stamp_interval: stampInterval,
    visibility,
    position_decimals: decimals,
    history: periodsOf(station).map((period) => ({
      since: toTime(period.since),
      until: toTime(period.until),
      latitude: period.latitude,
      longitude: period.longitude,
      elevation: period.elevation,
      reporting_interval: period.reportingInterval,
      sensor_heights: period.sensorHeights ?? {},
    })),
  };
}

const toTime = (time: number | null) => (time === null ? null : new Date(time).toISOString());

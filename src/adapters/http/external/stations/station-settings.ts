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

const LIMITS = 'Limits of the gross error check for this station, by variable';
const STEPS = 'Largest plausible changes for the step check at this station, by variable';
const PERSISTENCE =
  'Seconds after which an unchanged value of this station is suspect (persistence check), by variable';
const HEIGHTS =
  'Heights of sensors in meters above the ground, by variable. They are greater than 0; variables of the soil may have -100 or more';
const METHODS =
  'Time to which values of this station refer, by variable, if it differs from the catalog. `point`: the time of the row. ' +
  '`interval`: the interval that ends at the time of the row. Amounts always refer to an interval';
const STAMPS =
  'Length in seconds of the interval whose start is the time of sent rows. The rows are stored with the end of the interval. ' +
  'null: the time of sent rows is the end';
const OBSERVATION =
  'Time of day at which the daily values are read, `HH:MM` in the local time of the station. `24:00` and `00:00` are midnight, which is ' +
  'stored as `24:00`. null if it is unknown. It does not change values: they keep the date under which they were sent';

const VISIBILITY = '`hidden`: only signed-in users see the station; for everybody else it does not exist';
const POSITION =
  'Number of decimals of the position in degrees that users without sign-in see and find in searches. null: all decimals';
const positionDecimals = () => z.int().min(0).max(MAX_POSITION_DECIMALS).nullable();

/** The settings of a station in a request to replace it. */
export const settingFields = {
  limits: limitFields.default({}).describe(LIMITS),
  steps: stepFields.default({}).describe(STEPS),
  persistence: persistenceFields.default({}).describe(PERSISTENCE),
  sensor_heights: heightFields.default({}).describe(HEIGHTS),
  cell_methods: methodFields.default({}).describe(METHODS),
  stamp_interval: z.int().nullable().default(null).describe(STAMPS),
  daily_observation_time: z.string().max(5).nullable().default(null).describe(OBSERVATION),
  visibility: z.enum(VISIBILITIES).optional().describe(`${VISIBILITY}. Default: it does not change`),
  position_decimals: positionDecimals().optional().describe(`${POSITION}. Default: it does not change`),
};

interface SettingFields {
  readonly steps: z.infer<typeof stepFields>;
  readonly persistence: z.infer<typeof persistenceFields>;
  readonly sensor_heights: z.infer<typeof heightFields>;
  readonly cell_methods: Readonly<Record<string, CellMethod>>;
  readonly stamp_interval: number | null;
  readonly daily_observation_time: string | null;
  readonly visibility?: Visibility | undefined;
  readonly position_decimals?: number | null | undefined;
}

/** Converts the settings of a request to fields of a station. */
export function fromSettingFields(fields: SettingFields) {
  const { steps, persistence, sensor_heights: sensorHeights, stamp_interval: stampInterval } = fields;
  const { cell_methods: cellMethods, visibility, position_decimals: decimals } = fields;
  const { daily_observation_time: dailyObservationTime } = fields;
  const entries = Object.entries(steps).map(([name, { per_minute: perMinute, per_hour: perHour }]) => {
    return [name, { perMinute, perHour }] as const;
  });
  return {
    steps: Object.fromEntries(entries),
    persistence,
    sensorHeights,
    cellMethods,
    stampInterval,
    dailyObservationTime,
    // Absent fields do not change the station. If an absent visibility meant `public`, a client that does not know this field
    // would publish a hidden station.
    ...(visibility !== undefined && { visibility }),
    ...(decimals !== undefined && { positionDecimals: decimals }),
  };
}

/** The schema of the settings and the history of a station in a reply. */
export const describedSettings = {
  limits: limitFields.describe(LIMITS),
  steps: stepFields.describe(STEPS),
  persistence: persistenceFields.describe(PERSISTENCE),
  sensor_heights: heightFields.describe(HEIGHTS),
  cell_methods: methodFields.describe(METHODS),
  stamp_interval: z.int().positive().nullable().describe(STAMPS),
  daily_observation_time: z.string().nullable().describe(OBSERVATION),
  visibility: z.enum(VISIBILITIES).describe(VISIBILITY),
  position_decimals: positionDecimals().describe(POSITION),
  history: z
    .array(
      z.strictObject({
        since: z.iso.datetime().nullable().describe('Start of the period; null for the first period'),
        until: z.iso
          .datetime()
          .nullable()
          .describe('End of the period, not included; null for the current period'),
        latitude: z.number(),
        longitude: z.number(),
        elevation: z.number().nullable(),
        reporting_interval: z.int().nullable(),
        sensor_heights: heightFields,
        daily_observation_time: z.string().nullable(),
      }),
    )
    .describe('Periods of the station, oldest first. The last one is the current period'),
};

export function toSnapshotSettings(station: Station) {
  const { limits, steps = {}, persistence = {}, sensorHeights = {}, stampInterval = null } = station;
  const { cellMethods = {}, visibility = 'public', positionDecimals: decimals = null } = station;
  const { dailyObservationTime = null } = station;
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
    daily_observation_time: dailyObservationTime,
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
      daily_observation_time: period.dailyObservationTime ?? null,
    })),
  };
}

const toTime = (time: number | null) => (time === null ? null : new Date(time).toISOString());

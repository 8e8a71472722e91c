import { z } from 'zod';
import type { Latest } from '#application/observations/read/get-latest.js';
import type { Inventory } from '#application/ports/observation-store.js';
import type { FoundStation } from '#application/ports/station-search.js';
import { MILLISECONDS } from '#domain/time.js';
import { verdictOf } from '#domain/weather/series.js';
import type { DamageableField, Station } from '#domain/weather/station.js';
import { recordedYear } from '#domain/weather/stations/demo.js';
import { type Decimals, shownIn, unitIn, type UnitSystem } from '#domain/weather/units.js';
import { type Variable, variableNumbered } from '#domain/weather/variables.js';

const time = () => z.iso.datetime().describe('Time in UTC');

/** For each property of a station whose stored value may be unreadable, the name of its field in replies. */
const DAMAGED_FIELDS = {
  id: 'id',
  latitude: 'latitude',
  longitude: 'longitude',
  elevation: 'elevation',
  reportingInterval: 'reporting_interval',
  stampInterval: 'stamp_interval',
  dailyObservationTime: 'daily_observation_time',
  identifiers: 'identifiers',
  limits: 'limits',
  steps: 'steps',
  persistence: 'persistence',
  sensorHeights: 'sensor_heights',
  cellMethods: 'cell_methods',
  earlier: 'history',
  timeZone: 'time_zone',
  number: 'number',
} as const satisfies Record<DamageableField, string>;

export const stationFields = z
  .strictObject({
    id: z.string(),
    number: z.int().positive().describe('Number of the station in binary data, assigned by the service'),
    name: z.string(),
    latitude: z.number().describe('Degrees north'),
    longitude: z.number().describe('Degrees east'),
    elevation: z.number().nullable().describe('Meters above mean sea level'),
    time_zone: z.string().describe('IANA name or UTC offset (`-03:30`)'),
    identifiers: z.record(z.string(), z.string()),
    reporting_interval: z.int().positive().nullable().describe('Seconds between two rows; null if unknown'),
    recorded: z
      .int()
      .optional()
      .describe(
        'Year in which the values were recorded, for a station of `weatherd demo --live`, whose times are moved to the present; absent for ' +
          'all other stations',
      ),
    damaged: z
      .array(z.enum(Object.values(DAMAGED_FIELDS)))
      .optional()
      .describe(
        'Fields whose stored values cannot be read or are out of range; absent if there are none. These fields are empty in the reply; only ' +
          '`id`, `latitude`, `longitude` and `time_zone` are shown as stored. Until they are replaced, the other routes of the station reply with DATA_DAMAGED',
      ),
    distance_km: z
      .number()
      .optional()
      .describe('Distance from `near` in kilometers; only in a search with `near`'),
  })
  .meta({ id: 'Station' });

export function toStationFields({ station, distance }: Partial<FoundStation> & { station: Station }) {
  return {
    id: station.id,
    number: station.number,
    name: station.name,
    latitude: station.latitude,
    longitude: station.longitude,
    elevation: station.elevation,
    time_zone: station.timeZone,
    identifiers: station.identifiers,
    reporting_interval: station.reportingInterval,
    ...recordedField(station),
    ...(station.damaged && { damaged: station.damaged.map(({ field }) => DAMAGED_FIELDS[field]) }),
    ...(distance !== undefined && { distance_km: Math.round(distance * 1000) / 1000 }),
  };
}

export const limitFields = z.record(z.string(), z.strictObject({ min: z.number(), max: z.number() }));

export const inventoryFields = z
  .strictObject({
    first: time().nullable(),
    last: time().nullable(),
    count: z.int().nonnegative().describe('Number of observations'),
    variables: z.array(z.string()),
    daily: z
      .strictObject({
        first: time(),
        last: time(),
        count: z.int().nonnegative().describe('Number of days'),
      })
      .optional()
      .describe(
        'The values of days (`daily_…`); absent without such values. The other fields then count reports; without reports they count days',
      ),
  })
  .meta({ id: 'Inventory' });

export function toInventoryFields({ first, last, count, variables, days }: Inventory) {
  return {
    first: first === null ? null : toTime(first),
    last: last === null ? null : toTime(last),
    count,
    variables: variables.map((number) => variableNumbered(number).name),
    ...(days && {
      daily: { first: toTime(days.first as number), last: toTime(days.last as number), count: days.count },
    }),
  };
}

export const latestFields = z.record(
  z.string(),
  z
    .strictObject({
      time: time(),
      value: z.number(),
      age: z.number().describe('Age of the value in seconds'),
      verdict: z.enum(['pass', 'suspect', 'fail']),
    })
    .meta({ id: 'NewestValue' }),
);

export const unitFields = z.record(z.string(), z.string()).describe('Unit of each variable');

/** The units and the decimals of values. */
export interface ValueStyle {
  readonly units: UnitSystem;
  readonly decimals?: Decimals;
}

/** @param style `max_age`: largest age of a value in seconds. Older values are omitted. */
export function toLatestFields(
  { newest: { values, lastSeen }, asOf }: Latest,
  { max_age: maxAge = Infinity, ...style }: ValueStyle & { readonly max_age?: number | undefined },
) {
  const recent = [...values].filter(
    ([, { time: measured }]) => asOf - measured <= maxAge * MILLISECONDS.second,
  );
  const latest = recent.map(([number, newest]) => {
    const variable = variableNumbered(number);
    const convert = shownIn(style.units, variable, style.decimals);
    return [
      variable.name,
      {
        time: toTime(newest.time),
        value: convert(newest.value),
        age: (asOf - newest.time) / 1000,
        verdict: verdictOf(newest.flags),
      },
    ] as const;
  });
  return { last_seen: lastSeen === null ? null : toTime(lastSeen), latest: Object.fromEntries(latest) };
}

export function toUnitFields(variables: readonly Variable[], system: UnitSystem): Record<string, string> {
  return Object.fromEntries(variables.map((variable) => [variable.name, unitIn(system, variable)]));
}

/** ISO 8601 in UTC, with milliseconds if they are not 0. */
export function toTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('.000Z', 'Z');
}

/** The field `recorded` of a station whose values were recorded in another year; nothing for other stations. */
export function recordedField(station: Station): { readonly recorded?: number } {
  const recorded = recordedYear(station);
  return recorded === undefined ? {} : { recorded };
}

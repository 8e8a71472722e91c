import { z } from 'zod';
import { suggestion } from '#domain/nearest-name.js';
import { quoted } from '#domain/quoted.js';
import { GAUGES, RAIN_PERIODS } from '#domain/uploads/upload.js';
import { acceptStation } from '#domain/weather/station.js';
import { SECONDS_OF_DAY } from '#domain/weather/stations/station-ranges.js';
import { converter } from '#domain/weather/units.js';
import { SUGGESTED_NAMES, variableNamed } from '#domain/weather/variables.js';
import { PAYLOADS } from './mapping.js';
import { readTopicPattern } from './topic-pattern.js';
import { fileTimes } from '../tables/file-times.js';

/**
 * Largest number of entries in the lists of a mapping file: the fields of an entry for messages of one kind, the stations in its
 * table, and its ignored paths.
 */
const MAX_ENTRIES = 1000;

// Schemas are created when a mapping is read. Creating them at the start of every run would take ten milliseconds, and most runs
// have no mapping.
const pathSchema = () => z.string().min(1, 'must not be empty').max(200, 'is longer than 200 characters');
const stationIdSchema = () =>
  z.string().superRefine((id, context) => {
    const fault = messageOf(() => acceptStation({ id }));
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  });
const bounded = <T extends z.ZodType>(item: T) =>
  z
    .record(z.string(), item)
    .refine((entries) => Object.keys(entries).length <= MAX_ENTRIES, `has more than ${MAX_ENTRIES} entries`);

const unitSchema = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? { unit: value } : value),
    z.union(
      [
        z.strictObject({ unit: z.string() }),
        z.strictObject({ path: pathSchema(), units: bounded(z.string()) }),
      ],
      'must be a unit, or {"path": …, "units": {…}}',
    ),
  );

/** Millimeters of each unit of a rain counter. */
export const MILLIMETERS: Readonly<Record<string, number>> = { mm: 1, cm: 10, in: 25.4 };

const fieldSchema = () =>
  z
    .strictObject({
      variable: z
        .string()
        .refine((name) => variableNamed(name) !== undefined, {
          error: ({ input }) =>
            `there is no variable ${quoted(String(input))}.${suggestion(String(input), SUGGESTED_NAMES)}`,
        })
        .optional(),
      rain: z.enum(RAIN_PERIODS, `must be one of ${RAIN_PERIODS.join(', ')}`).optional(),
      gauge: z.enum(GAUGES, `must be one of ${GAUGES.join(', ')}`).optional(),
      unit: unitSchema().optional(),
      scale: z.number().optional(),
      offset: z.number().optional(),
      counter: z.boolean().optional(),
      station: stationIdSchema().optional(),
    })
    .superRefine((parsed, context) => {
      const fault = (message: string, key?: string) =>
        context.addIssue({ code: 'custom', message, path: key === undefined ? [] : [key] });
      const { variable, rain } = parsed;
      if ((variable === undefined) === (rain === undefined)) fault('must have either variable or rain');
      if (rain !== undefined) {
        for (const key of ['offset', 'counter', 'station'] as const)
          if (parsed[key] !== undefined) fault('must not be set for a rain counter', key);
      } else if (parsed.gauge !== undefined) fault('must only be set for a rain counter', 'gauge');
      if (parsed.unit === undefined) return;
      if (rain !== undefined) {
        const isLength = 'unit' in parsed.unit && Object.hasOwn(MILLIMETERS, parsed.unit.unit);
        if (!isLength) fault(`must be one of ${Object.keys(MILLIMETERS).join(', ')}`, 'unit');
        return;
      }
      const known = variableNamed(variable ?? '');
      if (known === undefined) return;
      for (const name of 'unit' in parsed.unit ? [parsed.unit.unit] : Object.values(parsed.unit.units)) {
        const message = messageOf(() => converter(known, name, 'unit'));
        if (message !== undefined) fault(message, 'unit');
      }
    });

/** `iso`, `unix`, `unix-ms`, or a pattern with a year, a month and a day. */
const isTimeFormat = (format: string) => {
  if (['iso', 'unix', 'unix-ms'].includes(format)) return true;
  return ['YYYY', 'MM', 'DD'].every((part) => format.includes(part)) && canReadTimes(format);
};

function canReadTimes(format: string): boolean {
  try {
    fileTimes([format]);
    return true;
  } catch {
    return false;
  }
}

const timeSchema = (hasZone: (zone: string) => boolean) =>
  z
    .strictObject({
      path: pathSchema(),
      format: z
        .string()
        .max(50)
        .refine(isTimeFormat, 'must be unix, unix-ms, iso, or a pattern such as YYYY-MM-DD HH:mm:ss'),
      zone: z
        .string()
        .refine(hasZone, { error: ({ input }) => `there is no time zone ${quoted(String(input))}` })
        .optional(),
      optional: z.boolean().optional(),
      interval: z.int().min(1).max(SECONDS_OF_DAY).optional(),
    })
    .superRefine(({ format, zone }, context) => {
      const isPattern = format.includes('YYYY');
      if (isPattern && zone === undefined)
        context.addIssue({
          code: 'custom',
          message: 'is missing: name the time zone of the times',
          path: ['zone'],
        });
      if (!isPattern && zone !== undefined)
        context.addIssue({
          code: 'custom',
          message: `must not be set for the format ${format}`,
          path: ['zone'],
        });
    });

const stationSchema = () =>
  z.preprocess(
    (value) => (typeof value === 'string' ? { id: value } : value),
    z.union(
      [
        z.strictObject({ id: stationIdSchema() }),
        z.strictObject({
          from: z.preprocess(
            (value) => (typeof value === 'string' ? [value] : value),
            z.array(pathSchema()).min(1).max(5),
          ),
          table: bounded(stationIdSchema()),
        }),
      ],
      'must be the id of a station, or {"from": …, "table": {…}}',
    ),
  );

/**
 * The schema of a source, which is an entry of a mapping file for messages of one kind. The settings of its preset (`Preset`) are
 * already added.
 *
 * @param hasZone returns whether a time zone exists
 */
export const sourceSchema = (hasZone: (zone: string) => boolean) =>
  z
    .strictObject({
      topic: z.string().max(200, 'is longer than 200 characters').optional(),
      name: z
        .string()
        .regex(/^[\w.-]{1,64}$/, 'must have 1 to 64 letters, digits, points, _ or -')
        .optional(),
      preset: z.string().optional(),
      payload: z.enum(PAYLOADS, `must be one of ${PAYLOADS.join(', ')}`).optional(),
      value: pathSchema().optional(),
      time: timeSchema(hasZone).nullable().optional(),
      station: stationSchema().optional(),
      fields: bounded(fieldSchema().nullable()),
      missing: z
        .array(z.union([z.string().max(40), z.number()], 'must be a text or a number'))
        .max(50)
        .optional(),
      ignored: z.array(pathSchema()).max(MAX_ENTRIES).optional(),
      runtime: pathSchema().optional(),
    })
    .superRefine((parsed, context) => {
      const fault = (message: string, ...at: (string | number)[]) =>
        context.addIssue({ code: 'custom', message, path: at });
      if ((parsed.topic === undefined) === (parsed.name === undefined))
        fault('must have either topic (MQTT) or name (JSON over HTTP)');
      if (parsed.topic !== undefined && parsed.station === undefined) fault('is missing', 'station');
      if (parsed.name !== undefined && (parsed.payload ?? 'json') !== 'json')
        fault('must be json', 'payload');
      if (Object.values(parsed.fields).every((entry) => entry === null))
        fault('must have at least one field', 'fields');
      const pattern = parsed.topic === undefined ? undefined : readTopicPattern(parsed.topic);
      if (typeof pattern === 'string') fault(pattern, 'topic');
      const captures = typeof pattern === 'object' ? pattern.captures : [];
      const from = parsed.station !== undefined && 'from' in parsed.station ? parsed.station.from : [];
      const used: [string, ...(string | number)[]][] = from.map((name) => [name, 'station', 'from']);
      if (parsed.value !== undefined) used.push([parsed.value, 'value']);
      for (const [name, ...at] of used)
        if (name.startsWith('+') && !captures.includes(name) && typeof pattern !== 'string')
          fault(`the topic has no level ${quoted(name)}.${suggestion(name, captures)}`, ...at);
    });

export type SourceJson = z.output<ReturnType<typeof sourceSchema>>;
export type FieldJson = z.output<ReturnType<typeof fieldSchema>>;

/** The message of the error that `check` throws; undefined if it throws no error. */
function messageOf(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

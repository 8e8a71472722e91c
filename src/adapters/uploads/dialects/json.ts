import type { Reading } from '#domain/uploads/upload.js';
import { UNIT_SYSTEMS, unitsIn, unitsOf, type UnitSystem } from '#domain/weather/units.js';
import { variableNamed } from '#domain/weather/variables.js';
import { parseTime } from '#adapters/formats/text/parse-time.js';
import { readFields } from '../reading/field-table.js';
import { flatFields, isObject, type JsonObject } from '../reading/json-fields.js';
import { sentNumber } from '../reading/sent-number.js';
import { sentTime } from '../reading/utc-time.js';
import { UPLOAD_JSON_TYPE, REPLIES } from '../upload-reply.js';
import { type Dialect, deviceOf, type DialectUpload, senderOf } from './dialect.js';

/** Largest number of times in one request. */
export const MAX_TIMES = 60;

const NO_TABLE = {
  readings: [],
  counters: [],
  batteries: new Map<string, never>(),
  ignored: new Set<string>(),
};

/**
 * JSON whose members are named like the stored variables (`air_temperature`), for scripts and home automation:
 *
 *     { "time": "2026-11-21T15:09:01Z", "air_temperature": 12.3,
 *       "wind_speed": { "value": 20, "unit": "km/h" }, "units": { "air_temperature": "°C" } }
 *
 * - `time` is an instant or seconds since 1970; by default it is the time of receipt.
 * - `units` may also be `metric`, `imperial` or `si`.
 * - An array has one object for each time.
 * - Members with other names are unmapped: they are only listed in the status of the upload key, until the owner assigns them to
 *   variables.
 */
export const jsonDialect: Dialect = {
  name: 'json',
  recognizes: ({ json: body, isBroken }) => isBroken || isObject(body) || Array.isArray(body),
  read: ({ json: body, key }) => {
    const all = Array.isArray(body) ? (body as readonly unknown[]) : [body];
    if (all.length === 0 || all.length > MAX_TIMES) return undefined;
    const uploads = all.map((object) => (isObject(object) ? readObject(object, key) : undefined));
    return uploads.every((upload) => upload !== undefined) ? uploads : undefined;
  },
  replies: { ...REPLIES, accepted: { status: 200, body: '{"success":true}', type: UPLOAD_JSON_TYPE } },
};

function readObject(object: JsonObject, key: string | undefined): DialectUpload | undefined {
  const { time, units: sentUnits, ...members } = object;
  const sent = time === undefined || time === null ? undefined : timeOf(time);
  const units = unitsOfVariables(sentUnits);
  if (Number.isNaN(sent) || units === undefined) return undefined;
  const readings: Reading[] = [];
  const others: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(members)) {
    const variable = variableNamed(name);
    if (variable === undefined) {
      others[name] = member;
      continue;
    }
    const [content, ownUnit] = isObject(member) ? [member['value'], member['unit']] : [member, undefined];
    const unit = ownUnit ?? units[name];
    const value = typeof content === 'string' ? sentNumber(content) : content;
    if (value === undefined || value === null) continue;
    if (typeof value !== 'number') return undefined;
    if (unit !== undefined && !(unitsOf(variable) as readonly unknown[]).includes(unit)) return undefined;
    readings.push({
      field: name,
      variable: name,
      ...(unit !== undefined && { unit: unit as string }),
      value,
    });
  }
  const { fields } = readFields(new Map(flatFields(others)), NO_TABLE);
  return {
    sender: senderOf({ key }),
    time: { sent, isLive: sent === undefined },
    readings,
    counters: [],
    fields,
    device: deviceOf({ batteries: {} }),
  };
}

/**
 * Milliseconds since 1970-01-01T00:00:00Z; undefined if no time was sent. A value that is not a time becomes NaN, so that the
 * script gets an error.
 */
function timeOf(time: unknown): number | undefined {
  if (time === 'now' || time === '') return undefined;
  if (typeof time === 'number') return time * 1000;
  const instant = parseTime(time);
  return Number.isNaN(instant) ? (sentTime(String(time)) ?? Number.NaN) : instant;
}

/** The units in the request, by name of the variable; undefined if they cannot be read. */
function unitsOfVariables(sentUnits: unknown): Readonly<Record<string, unknown>> | undefined {
  if (sentUnits === undefined || sentUnits === null) return {};
  if (isObject(sentUnits)) return sentUnits;
  return UNIT_SYSTEMS.includes(sentUnits as UnitSystem) ? unitsIn(sentUnits as UnitSystem) : undefined;
}

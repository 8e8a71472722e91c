import { quoted } from '#domain/quoted.js';
import { shortened } from '#domain/shortened.js';
import { timeFault } from '#domain/time.js';
import type { Reading } from '#domain/uploads/upload.js';
import { UNIT_SYSTEMS, unitsIn, unitsOf, type UnitSystem } from '#domain/weather/units.js';
import { variableNamed } from '#domain/weather/variables.js';
import { parseTime } from '#adapters/formats/text/parse-time.js';
import { readFields } from '../reading/field-table.js';
import { flatFields, isObject, type JsonObject } from '../reading/json-fields.js';
import { SecretMask } from '../request/secret-mask.js';
import { sentNumber } from '../reading/sent-number.js';
import { sentTime } from '../reading/utc-time.js';
import { UPLOAD_JSON_TYPE, REPLIES } from '../upload-reply.js';
import { type Dialect, deviceOf, type DialectUpload, INVALID_JSON, senderOf } from './dialect.js';

/** Largest number of times in one request. */
const MAX_TIMES = 60;
/** Largest number of characters of a value in a message, like a quoted text. */
const MAX_SHOWN = 40;

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
  read: (upload) => {
    const { json: body, key, isBroken } = upload;
    if (isBroken) return INVALID_JSON;
    const all = Array.isArray(body) ? (body as readonly unknown[]) : [body];
    const problem = arrayProblem(all);
    if (problem !== undefined) return problem;
    const uploads: DialectUpload[] = [];
    for (const [index, object] of all.entries()) {
      const read = readObject(object as JsonObject, key);
      if (isFault(read)) {
        const place = Array.isArray(body) ? `object ${index + 1} of ${all.length}, ` : '';
        return `The JSON cannot be stored: ${place}${faultText(read, new SecretMask(upload))}.`;
      }
      uploads.push(read);
    }
    return uploads;
  },
  replies: { ...REPLIES, accepted: { status: 200, body: '{"success":true}', type: UPLOAD_JSON_TYPE } },
};

/** A member of the JSON that cannot be stored. */
interface JsonFault {
  /** Path of the member: `air_temperature.unit`. */
  readonly field: string;
  readonly value: unknown;
  /** The end of a sentence that begins with the value. */
  readonly reason: string;
}

function isFault(read: DialectUpload | JsonFault): read is JsonFault {
  return 'reason' in read;
}

/** Names the member, its value without secrets, and the reason: `time: "yesterday" is not a time`. */
function faultText({ field, value, reason }: JsonFault, mask: SecretMask): string {
  // The secrets are removed before the value is cut, because a part of a secret would not be recognized.
  const shown = mask.json(value, field.slice(field.lastIndexOf('.') + 1));
  const text = typeof shown === 'string' ? quoted(shown) : shortened(JSON.stringify(shown), MAX_SHOWN);
  return `${field}: ${text} ${reason}`;
}

/** Why a request with these objects, one for each time, cannot be read; undefined if it can. */
export function arrayProblem(objects: readonly unknown[]): string | undefined {
  if (objects.length === 0)
    return `The JSON is an empty array. Send an object, or an array of 1 to ${MAX_TIMES} objects.`;
  if (objects.length > MAX_TIMES)
    return `The array has ${objects.length} elements. Send at most ${MAX_TIMES} objects in one request.`;
  const index = objects.findIndex((object) => !isObject(object));
  if (index === -1) return undefined;
  return `Element ${index + 1} of the array is ${nounOf(objects[index])}. Each element must be an object with the values of one time.`;
}

function nounOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function readObject(object: JsonObject, key: string | undefined): DialectUpload | JsonFault {
  const { time, units: sentUnits, ...members } = object;
  const sent = time === undefined || time === null ? undefined : timeOf(time);
  if (Number.isNaN(sent)) return { field: 'time', value: time, reason: timeFaultOf(time) };
  const units = unitsOfVariables(sentUnits);
  if (units === undefined)
    return {
      field: 'units',
      value: sentUnits,
      reason: `is not a system of units (${UNIT_SYSTEMS.join(', ')}) and not an object with the unit of each variable`,
    };
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
    const valueField = isObject(member) ? `${name}.value` : name;
    if (typeof value !== 'number') return { field: valueField, value, reason: 'is not a number' };
    const known: readonly unknown[] = unitsOf(variable);
    if (unit !== undefined && !known.includes(unit))
      return {
        field: ownUnit === undefined || ownUnit === null ? `units.${name}` : `${name}.unit`,
        value: unit,
        reason: `is not a unit of this variable (${known.join(', ')})`,
      };
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

/** The reason for which `timeOf` returns NaN, as the end of a sentence that begins with the time. */
function timeFaultOf(time: unknown): string {
  return typeof time === 'string'
    ? timeFault(time)
    : 'is not a time such as 2024-02-29T12:00:00Z or seconds since 1970-01-01T00:00:00Z';
}

/** The units in the request, by name of the variable; undefined if they cannot be read. */
function unitsOfVariables(sentUnits: unknown): Readonly<Record<string, unknown>> | undefined {
  if (sentUnits === undefined || sentUnits === null) return {};
  if (isObject(sentUnits)) return sentUnits;
  return UNIT_SYSTEMS.includes(sentUnits as UnitSystem) ? unitsIn(sentUnits as UnitSystem) : undefined;
}

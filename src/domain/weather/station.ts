import { DomainError } from '../domain-error.js';
import { MILLISECONDS } from '../time.js';
import type { EarlierPeriod } from './station-history.js';
import { type StepLimit, variableNamed } from './variables.js';

/** A place where weather is observed. */
export interface Station {
  /** Chosen by the person who creates the station: 1 to 64 characters of `A-Z a-z 0-9 . _ -`. */
  readonly id: string;
  /** Assigned by the service and never reused, because binary data refer to it. */
  readonly number: number;
  readonly name: string;
  /** Degrees north, WGS 84. */
  readonly latitude: number;
  /** Degrees east, from -180 to 180. */
  readonly longitude: number;
  /** Metres above mean sea level, or null. */
  readonly elevation: number | null;
  /** IANA name. */
  readonly timeZone: string;
  /** Identifiers in other systems, by system name: `wmo`, `icao`, `wigos` … */
  readonly identifiers: Readonly<Record<string, string>>;
  /** Seconds between two observations, or null. */
  readonly reportingInterval: number | null;
  /** Gross limits that replace those of the catalogue, by variable: a polar station needs lower ones. */
  readonly limits: Readonly<Record<string, { readonly min: number; readonly max: number }>>;
  /** Largest plausible changes that replace those of the catalogue, by variable. Absent if there are none. */
  readonly steps?: Readonly<Record<string, StepLimit>>;
  /** Seconds after which an unchanged value counts as stuck, by variable. Absent if there are none. */
  readonly persistence?: Readonly<Record<string, number>>;
  /** Heights of sensors in metres above the ground, by variable. Absent if none is known. */
  readonly sensorHeights?: Readonly<Record<string, number>>;
  /**
   * For a station whose rows are sent with the beginning of an interval as their time: its seconds. They are stored at its end.
   * Absent or null if the times are the end, as everywhere in the service.
   */
  readonly stampInterval?: number | null;
  /** Earlier configurations, oldest first; see station-history.ts. Absent if there are none. */
  readonly earlier?: readonly EarlierPeriod[];
}

/** A station without its number. */
export type StationDraft = Omit<Station, 'number'>;

/** The id, name and place of a station. */
export type StationPlace = Pick<Station, 'number' | 'id' | 'name' | 'latitude' | 'longitude' | 'elevation'>;

/** Milliseconds for which a removed station can be restored. */
export const RESTORABLE = 30 * MILLISECONDS.day;

const ID = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;
const MAX_IDENTIFIERS = 20;
export const SECONDS_OF_DAY = MILLISECONDS.day / 1000;
const SHORTEST_PERSISTENCE = 60;
/** Variables whose sensors may be below the ground. */
const IN_SOIL = /(^|_)soil(_|$)/;

/** Characters that change the direction of text. They can make a name look like another one. */
const DIRECTION_CHANGE = /[\u202A-\u202E\u2066-\u2069]/;

/**
 * Checks some or all fields of a station. Whether the time zone exists is checked elsewhere.
 *
 * @returns the fields in the form in which they are stored
 * @throws DomainError REQUEST_INVALID with the rule that is broken
 */
export function acceptStation<T extends Partial<StationDraft>>(fields: T): T {
  const { id, name, latitude = 0, longitude = 0, elevation = null } = fields;
  const { identifiers = {}, reportingInterval = null, limits = {} } = fields;
  const { steps = {}, persistence = {}, sensorHeights = {}, stampInterval = null } = fields;
  must(
    id === undefined || ID.test(id),
    'A station id has 1 to 64 of A-Z a-z 0-9 . _ - and is neither . nor ..',
  );
  must(
    name === undefined || (name.trim() !== '' && name.length <= 200 && isPlainText(name)),
    'A station name has 1 to 200 characters, none of which controls a device or the direction of text.',
  );
  must(latitude >= -90 && latitude <= 90, 'A latitude lies from -90 to 90 degrees.');
  must(longitude >= -180 && longitude <= 180, 'A longitude lies from -180 to 180 degrees.');
  must(
    elevation === null || (elevation >= -500 && elevation <= 9000),
    'An elevation lies from -500 to 9000 m.',
  );
  for (const [interval, seconds] of Object.entries({ reporting: reportingInterval, stamp: stampInterval })) {
    must(
      seconds === null || (Number.isInteger(seconds) && seconds >= 1 && seconds <= SECONDS_OF_DAY),
      `A ${interval} interval has 1 to ${SECONDS_OF_DAY} whole seconds.`,
    );
  }
  const named = Object.entries(identifiers);
  must(
    named.length <= MAX_IDENTIFIERS &&
      named.every(([key, value]) => /^[a-z0-9_]{1,32}$/.test(key) && fits(value)),
    `A station has at most ${MAX_IDENTIFIERS} identifiers: names of a-z 0-9 _, values of 1 to 64 characters.`,
  );
  for (const [variable, { min, max }] of Object.entries(limits)) {
    must(variableNamed(variable) !== undefined, `There is no variable ${JSON.stringify(variable)}.`);
    must(min < max, `The limits of ${variable} are the wrong way round.`);
  }
  for (const [variable, { perMinute, perHour }] of Object.entries(steps)) {
    must(variableNamed(variable) !== undefined, `There is no variable ${JSON.stringify(variable)}.`);
    must(
      perMinute > 0 && perHour >= perMinute,
      `The steps of ${variable} are positive, an hour at least a minute.`,
    );
  }
  for (const [variable, seconds] of Object.entries(persistence)) {
    must(variableNamed(variable) !== undefined, `There is no variable ${JSON.stringify(variable)}.`);
    must(
      Number.isInteger(seconds) && seconds >= SHORTEST_PERSISTENCE && seconds <= SECONDS_OF_DAY,
      `The persistence of ${variable} has ${SHORTEST_PERSISTENCE} to ${SECONDS_OF_DAY} whole seconds.`,
    );
  }
  for (const [variable, height] of Object.entries(sensorHeights)) {
    must(variableNamed(variable) !== undefined, `There is no variable ${JSON.stringify(variable)}.`);
    const lowest = IN_SOIL.test(variable) ? 'from -100' : 'above 0';
    must(
      height <= 1000 && (height > 0 || (IN_SOIL.test(variable) && height >= -100)),
      `The height of the sensor of ${variable} above the ground is ${lowest} to 1000 m.`,
    );
  }
  return name === undefined ? fields : { ...fields, name: name.trim().normalize('NFC') };
}

/**
 * Checks the id of a new station. Ids of older stations may break this rule.
 *
 * @throws DomainError REQUEST_INVALID
 */
export function acceptNewId(id: string): void {
  must(!id.startsWith('-'), 'The id of a new station does not begin with "-".');
}

function fits(value: string): boolean {
  return value.length >= 1 && value.length <= 64 && isPlainText(value);
}

function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text) && !DIRECTION_CHANGE.test(text);
}

function must(holds: boolean, rule: string): void {
  if (!holds) throw new DomainError('REQUEST_INVALID', rule);
}

import { DomainError } from '../domain-error.js';
import { MILLISECONDS } from '../time.js';
import type { EarlierPeriod } from './station-history.js';
import type { DemoKind } from './stations/demo.js';
import { brokenRange, RANGED_FIELDS, type RangedField } from './stations/station-ranges.js';
import type { CellMethod, StepLimit } from './variables.js';

/** Fields of a stored station that may be unreadable or out of range, although the row of the station can be read. */
export type DamageableField = RangedField | 'identifiers' | 'earlier' | 'timeZone' | 'number';

/** The audience of a station: everybody, or only signed-in users. */
export const VISIBILITIES = ['public', 'hidden'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** Largest number of decimals of a rounded position. 0.001° are about 100 m. */
export const MAX_POSITION_DECIMALS = 3;

/** A field of a stored station that cannot be read. */
export interface StationDamage {
  readonly field: DamageableField;
  /** The fault, as the end of a sentence whose subject is the column: `is not JSON`. */
  readonly reason: string;
}

/** A site where weather is observed. */
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
  /** Meters above mean sea level; null if unknown. */
  readonly elevation: number | null;
  /** IANA name, or an offset from UTC (`-03:30`), for a station whose days are in standard time all year. */
  readonly timeZone: string;
  /** Identifiers in other systems, by system name: `wmo`, `icao`, `wigos` … */
  readonly identifiers: Readonly<Record<string, string>>;
  /** Seconds between two observations; null if unknown. */
  readonly reportingInterval: number | null;
  /**
   * Time of day at which the daily values are read, `HH:MM` in the local time of the station; `24:00` for midnight. Absent or null if
   * unknown. Values that the service computes from observations do not depend on it.
   */
  readonly dailyObservationTime?: string | null;
  /** Gross limits by variable. They replace the limits in the catalog of variables: a polar station needs lower limits. */
  readonly limits: Readonly<Record<string, { readonly min: number; readonly max: number }>>;
  /** Largest plausible changes by variable. They replace the changes in the catalog of variables. Absent if empty. */
  readonly steps?: Readonly<Record<string, StepLimit>>;
  /** Seconds after which an unchanged value is stuck, by variable. Absent if empty. */
  readonly persistence?: Readonly<Record<string, number>>;
  /** Heights of sensors in meters above the ground, by variable. Absent if empty. */
  readonly sensorHeights?: Readonly<Record<string, number>>;
  /** Cell methods by variable. They replace the cell methods in the catalog of variables. Absent if empty. */
  readonly cellMethods?: Readonly<Record<string, CellMethod>>;
  /**
   * Length in seconds of the interval of a row, if the station sends the start of the interval as the time of the row. Such a row
   * is stored with the end of the interval as its time. Absent or null if the sent times are the ends of the intervals.
   */
  readonly stampInterval?: number | null;
  /** Earlier configurations, oldest first; see station-history.ts. Absent if there are none. */
  readonly earlier?: readonly EarlierPeriod[];
  /** Absent for a public station. */
  readonly visibility?: Visibility;
  /** Number of decimals of the degrees in the public position. Absent or null if the position is not rounded. */
  readonly positionDecimals?: number | null;
  /** The kind of a station of the demo; absent for other stations. See stations/demo.ts. */
  readonly demo?: DemoKind;
  /** Fields whose stored values cannot be read; see stations/stored-station.ts. Absent if all can be read. */
  readonly damaged?: readonly StationDamage[];
}

/** A station as a client sends it, without its number. */
export type StationDraft = Omit<Station, 'number' | 'damaged'>;

/** The id, the name and the position of a station. */
export type StationPlace = Pick<Station, 'number' | 'id' | 'name' | 'latitude' | 'longitude' | 'elevation'>;

/** Milliseconds for which a removed station can be restored. */
export const RESTORABLE = 30 * MILLISECONDS.day;

const MAX_IDENTIFIERS = 20;
/** The stored form of `00:00` and `24:00` as a time of observation. */
const MIDNIGHT = '24:00';

/** Characters that change the direction of text. With such characters a name can look like another name. */
const DIRECTION_CHANGE = /[\u202A-\u202E\u2066-\u2069]/;

/**
 * Checks some or all fields of a station. Whether the time zone exists is checked elsewhere.
 *
 * @returns the fields in their stored form
 * @throws DomainError REQUEST_INVALID with the rule that a field breaks
 */
export function acceptStation<T extends Partial<StationDraft>>(fields: T): T {
  for (const field of RANGED_FIELDS) {
    const value = fields[field];
    if (value === undefined) continue;
    const rule = brokenRange(field, value as never);
    if (rule !== undefined) throw new DomainError('REQUEST_INVALID', rule);
  }
  const { name, identifiers = {}, positionDecimals = null } = fields;
  assertRule(
    name === undefined || (name.trim() !== '' && name.length <= 200 && isPlainText(name)),
    'A station name has 1 to 200 characters, without control characters and characters that change the direction of text.',
  );
  assertRule(
    isPositionDecimals(positionDecimals),
    `A rounded position has 0 to ${MAX_POSITION_DECIMALS} decimals of a degree.`,
  );
  const pairs = Object.entries(identifiers);
  assertRule(
    pairs.length <= MAX_IDENTIFIERS &&
      pairs.every(([key, value]) => /^[a-z0-9_]{1,32}$/.test(key) && isIdentifier(value)),
    `A station has at most ${MAX_IDENTIFIERS} identifiers: names of a-z 0-9 _, values of 1 to 64 characters.`,
  );
  return {
    ...fields,
    ...(name !== undefined && { name: name.trim().normalize('NFC') }),
    ...(fields.dailyObservationTime === '00:00' && { dailyObservationTime: MIDNIGHT }),
  };
}

/** Whether a value is a number of decimals of a position, or null. */
export function isPositionDecimals(value: unknown): value is number | null {
  if (value === null) return true;
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_POSITION_DECIMALS;
}

/**
 * Checks the id of a new station. Ids of older stations may break this rule.
 *
 * @throws DomainError REQUEST_INVALID
 */
export function acceptNewId(id: string): void {
  assertRule(!id.startsWith('-'), 'The id of a new station must not begin with "-".');
}

function isIdentifier(value: string): boolean {
  return value.length >= 1 && value.length <= 64 && isPlainText(value);
}

function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text) && !DIRECTION_CHANGE.test(text);
}

function assertRule(isMet: boolean, rule: string): void {
  if (!isMet) throw new DomainError('REQUEST_INVALID', rule);
}

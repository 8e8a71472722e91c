import { DomainError } from '../domain-error.js';
import { MILLISECONDS } from '../time.js';
import type { EarlierPeriod } from './station-history.js';
import { brokenRange, RANGED_FIELDS, type RangedField } from './stations/station-ranges.js';
import type { CellMethod, StepLimit } from './variables.js';

/** Fields of a stored station that may be unreadable, or out of their range, although its row can be read. */
export type DamageableField = RangedField | 'identifiers' | 'earlier' | 'timeZone' | 'number';

/** Who sees a station: everybody, or only users who have signed in. */
export const VISIBILITIES = ['public', 'hidden'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** Largest number of decimals of a rounded position. 0.001° are about 100 m. */
export const MAX_POSITION_DECIMALS = 3;

/** A field of a stored station that cannot be read. */
export interface StationDamage {
  readonly field: DamageableField;
  /** What is wrong, as the end of a sentence that begins with the column: `is not JSON`. */
  readonly reason: string;
}

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
  /** Meters above mean sea level, or null. */
  readonly elevation: number | null;
  /** IANA name, or an offset from UTC (`-03:30`), for a station whose days are in standard time all year. */
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
  /** Heights of sensors in meters above the ground, by variable. Absent if none is known. */
  readonly sensorHeights?: Readonly<Record<string, number>>;
  /** The time that values describe, by variable, where it differs from that of the catalogue. Absent if it never does. */
  readonly cellMethods?: Readonly<Record<string, CellMethod>>;
  /**
   * For a station whose rows are sent with the beginning of an interval as their time: its seconds. They are stored at its end.
   * Absent or null if the times are the end, as everywhere in the service.
   */
  readonly stampInterval?: number | null;
  /** Earlier configurations, oldest first; see station-history.ts. Absent if there are none. */
  readonly earlier?: readonly EarlierPeriod[];
  /** Who sees the station. Absent if everybody does. */
  readonly visibility?: Visibility;
  /** Number of decimals of the degrees of the position that everybody sees. Absent or null if it is not rounded. */
  readonly positionDecimals?: number | null;
  /** Fields whose stored values cannot be read; see stations/stored-station.ts. Absent if all can be read. */
  readonly damaged?: readonly StationDamage[];
}

/** A station as it is sent: without its number. */
export type StationDraft = Omit<Station, 'number' | 'damaged'>;

/** The id, name and place of a station. */
export type StationPlace = Pick<Station, 'number' | 'id' | 'name' | 'latitude' | 'longitude' | 'elevation'>;

/** Milliseconds for which a removed station can be restored. */
export const RESTORABLE = 30 * MILLISECONDS.day;

const MAX_IDENTIFIERS = 20;

/** Characters that change the direction of text. They can make a name look like another one. */
const DIRECTION_CHANGE = /[\u202A-\u202E\u2066-\u2069]/;

/**
 * Checks some or all fields of a station. Whether the time zone exists is checked elsewhere.
 *
 * @returns the fields in the form in which they are stored
 * @throws DomainError REQUEST_INVALID with the rule that is broken
 */
export function acceptStation<T extends Partial<StationDraft>>(fields: T): T {
  for (const field of RANGED_FIELDS) {
    const value = fields[field];
    if (value === undefined) continue;
    const rule = brokenRange(field, value as never);
    if (rule !== undefined) throw new DomainError('REQUEST_INVALID', rule);
  }
  const { name, identifiers = {}, positionDecimals = null } = fields;
  must(
    name === undefined || (name.trim() !== '' && name.length <= 200 && isPlainText(name)),
    'A station name has 1 to 200 characters, none of which controls a device or the direction of text.',
  );
  must(
    isPositionDecimals(positionDecimals),
    `A rounded position has 0 to ${MAX_POSITION_DECIMALS} decimals of a degree.`,
  );
  const named = Object.entries(identifiers);
  must(
    named.length <= MAX_IDENTIFIERS &&
      named.every(([key, value]) => /^[a-z0-9_]{1,32}$/.test(key) && fits(value)),
    `A station has at most ${MAX_IDENTIFIERS} identifiers: names of a-z 0-9 _, values of 1 to 64 characters.`,
  );
  return name === undefined ? fields : { ...fields, name: name.trim().normalize('NFC') };
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

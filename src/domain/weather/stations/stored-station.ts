import { DomainError } from '../../domain-error.js';
import { type DamageableField, isPositionDecimals, type Station, type StationDamage } from '../station.js';
import { CELL_METHODS } from '../variables.js';
import { isDemoKind } from './demo.js';
import { isZone } from './known-zones.js';
import { brokenRange, RANGED_FIELDS, type RangedField } from './station-ranges.js';

/** A row of a store: the fields of a station. JSON fields are not yet parsed or checked. NULL in the database is null here. */
export type StoredStation = { readonly [K in keyof Omit<Required<Station>, 'damaged'>]: unknown };

interface FieldRule {
  readonly column: string;
  /** The option of `weatherd station set` that replaces the field; undefined if no option does. */
  readonly option?: string;
  /** Whether the field is not JSON. */
  readonly isPlain?: boolean;
  /** Replacement of a mandatory field that cannot be read. Optional fields that cannot be read are absent. */
  readonly placeholder?: unknown;
  /** Whether a mandatory field that cannot be read keeps its stored value, because there is no neutral value. */
  readonly stays?: boolean;
  /**
   * Whether a value has the form of the field: a latitude must be a number. The range of the number is checked separately. The
   * content of a text, such as its characters, is not checked: the text may have been stored before the rule for the content
   * existed.
   */
  readonly isValid: (value: unknown) => boolean;
}

const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isNumberOrNull = (value: unknown) => value === null || isNumber(value);
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isRecordOf = (isValid: (value: unknown) => boolean) => (value: unknown) =>
  isObject(value) && Object.values(value).every(isValid);
const hasNumbers = (first: string, second: string) => (value: unknown) =>
  isObject(value) && isNumber(value[first]) && isNumber(value[second]);

/** Fields that `RULES` does not check: the time zone, and the number that identifies the rows of the station. */
const OTHERS = {
  timeZone: { column: 'time_zone', option: '--time-zone' },
  number: { column: 'number', option: undefined },
} as const;

const RULES: Readonly<Record<Exclude<DamageableField, keyof typeof OTHERS>, FieldRule>> = {
  id: { column: 'id', isPlain: true, stays: true, isValid: (value) => typeof value === 'string' },
  latitude: { column: 'latitude', option: '--latitude', isPlain: true, stays: true, isValid: isNumber },
  longitude: { column: 'longitude', option: '--longitude', isPlain: true, stays: true, isValid: isNumber },
  elevation: {
    column: 'elevation',
    option: '--elevation',
    isPlain: true,
    placeholder: null,
    isValid: isNumberOrNull,
  },
  reportingInterval: {
    column: 'reporting_interval',
    option: '--interval',
    isPlain: true,
    placeholder: null,
    isValid: isNumberOrNull,
  },
  dailyObservationTime: {
    column: 'daily_observation_time',
    option: '--observation-time',
    isPlain: true,
    isValid: (value) => typeof value === 'string',
  },
  stampInterval: { column: 'stamp_interval', option: '--stamp-interval', isPlain: true, isValid: isNumber },
  identifiers: {
    column: 'identifiers',
    option: '--identifier',
    placeholder: {},
    isValid: isRecordOf((value) => typeof value === 'string'),
  },
  limits: {
    column: 'limits',
    option: '--limit',
    placeholder: {},
    isValid: isRecordOf(hasNumbers('min', 'max')),
  },
  steps: { column: 'steps', option: '--step', isValid: isRecordOf(hasNumbers('perMinute', 'perHour')) },
  persistence: { column: 'persistence', option: '--persistence', isValid: isRecordOf(isNumber) },
  sensorHeights: { column: 'sensor_heights', option: '--sensor-height', isValid: isRecordOf(isNumber) },
  cellMethods: {
    column: 'cell_methods',
    option: '--cell-method',
    isValid: isRecordOf((value) => (CELL_METHODS as readonly unknown[]).includes(value)),
  },
  earlier: { column: 'earlier', option: '--forget-history', isValid: isHistory },
};
const FIELDS = Object.keys(RULES) as readonly (keyof typeof RULES)[];
const RANGED: ReadonlySet<string> = new Set(RANGED_FIELDS);

/** The fields on which the flags of values depend. */
const QUALITY_FIELDS: ReadonlySet<DamageableField> = new Set([
  'latitude',
  'longitude',
  'elevation',
  'reportingInterval',
  'limits',
  'steps',
  'persistence',
  'earlier',
]);
/** The fields that only identify a station. No computation uses them. */
const NAMES: ReadonlySet<DamageableField> = new Set(['id', 'identifiers']);

/**
 * Converts a stored row to a station. A field that cannot be read, or is out of range, is listed in `damaged`. The id, the position
 * and the time zone keep their stored values; other damaged fields are empty or absent.
 *
 * @param parse converts a stored value that is not null. The default returns the value unchanged; pass `JSON.parse` if the store
 *   keeps text.
 */
export function readStation(row: StoredStation, parse = (stored: unknown): unknown => stored): Station {
  const { timeZone, visibility, positionDecimals, demo } = row;
  const { fields, damaged } = readSettings(row, parse);
  if (typeof timeZone !== 'string' || !isZone(timeZone))
    damaged.push({ field: 'timeZone', reason: `is not a time zone: ${JSON.stringify(timeZone)}` });
  return {
    id: row.id,
    number: row.number,
    name: row.name,
    latitude: row.latitude,
    longitude: row.longitude,
    elevation: row.elevation,
    timeZone,
    reportingInterval: row.reportingInterval,
    ...fields,
    // Without a restriction, `visibility` is `public` or null, and `positionDecimals` is null. Any other value was stored to
    // restrict the station. If such a value is unreadable, the restriction is as strong as possible.
    ...(visibility !== null && visibility !== 'public' && { visibility: 'hidden' }),
    ...(positionDecimals !== null && {
      positionDecimals: isPositionDecimals(positionDecimals) ? positionDecimals : 0,
    }),
    ...(isDemoKind(demo) && { demo }),
    ...(damaged.length > 0 && { damaged }),
  } as Station;
}

/** The checked fields of a row, without the time zone. Fields that are absent in `row` are left out. */
export function readSettings(
  row: Partial<StoredStation>,
  parse = (stored: unknown): unknown => stored,
): { readonly fields: Partial<Station>; readonly damaged: StationDamage[] } {
  const fields: Record<string, unknown> = {};
  const damaged: StationDamage[] = [];
  for (const field of FIELDS) {
    const { isPlain = false, placeholder, stays = false } = RULES[field];
    const stored = row[field];
    if (stored === undefined || (stored === null && placeholder === undefined && !stays)) continue;
    try {
      const value = isPlain ? stored : parse(stored);
      const reason = faultOf(field, value);
      if (reason === undefined) {
        fields[field] = value;
        continue;
      }
      damaged.push({ field, reason });
    } catch {
      damaged.push({ field, reason: 'is not JSON' });
    }
    if (stays) fields[field] = stored;
    else if (placeholder !== undefined) fields[field] = placeholder;
  }
  return { fields, damaged };
}

/** The fault of a value in the form of `StationDamage.reason`; undefined if the value is valid. */
function faultOf(field: keyof typeof RULES, value: unknown): string | undefined {
  if (!RULES[field].isValid(value)) return 'does not have the form of this field';
  const rule =
    field === 'earlier' ? brokenInHistory(value) : isRanged(field) ? broken(field, value) : undefined;
  return rule && `breaks a rule: ${rule.replace(/\.$/, '')}`;
}

function isRanged(field: string): field is RangedField {
  return RANGED.has(field);
}

/** The rule that a value breaks, as a sentence; undefined if it breaks no rule. @param value a value in the form of the field */
function broken(field: RangedField, value: unknown): string | undefined {
  return brokenRange(field, value as never);
}

function brokenInHistory(periods: unknown): string | undefined {
  for (const period of periods as readonly Readonly<Record<string, unknown>>[])
    for (const field of RANGED_FIELDS) {
      const rule = period[field] === undefined ? undefined : broken(field, period[field]);
      if (rule !== undefined) return rule;
    }
  return undefined;
}

function settingOf(field: DamageableField): {
  readonly column: string;
  readonly option?: string | undefined;
} {
  return field === 'timeZone' || field === 'number' ? OTHERS[field] : RULES[field];
}

/** The name of the column of a damaged field in the database. */
export function columnOfDamage({ field }: StationDamage): string {
  return settingOf(field).column;
}

/** The message about a damaged station: its faults and how to repair them. */
export function describeStationDamage({ id, damaged = [] }: Pick<Station, 'id' | 'damaged'>): string {
  const faults = damaged.map((damage) => `the column ${columnOfDamage(damage)} ${damage.reason}`);
  const damage = `The station ${JSON.stringify(id)} is damaged: ${faults.join('; ')}.`;
  const options = damaged.map(({ field }) => settingOf(field).option);
  if (options.includes(undefined))
    return `${damage} No command replaces an id or a number: correct the row of the station in the database, or restore a backup.`;
  return `${damage} Replace the damaged fields with "weatherd station set ${id} ${options.join(' … ')}" or PUT /v1/stations/${id}, or restore a backup.`;
}

/**
 * Checks that computations can use a station; must be called before each of them. Damage of the id and of the identifiers is
 * ignored, because computations do not use them.
 *
 * @throws DomainError DATA_DAMAGED if another field of the station cannot be read
 */
export function assertReadable(station: Station): void {
  if (station.damaged?.some(({ field }) => !NAMES.has(field)) === true)
    throw new DomainError('DATA_DAMAGED', describeStationDamage(station));
}

/**
 * Whether the quality of the values of a station can be checked. This is false if a field on which the flags depend is damaged.
 */
export function isCheckable({ damaged = [] }: Station): boolean {
  return !damaged.some(({ field }) => QUALITY_FIELDS.has(field));
}

function isHistory(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return value.every((period: unknown, index) => {
    if (!isObject(period)) return false;
    const { latitude, longitude, elevation, reportingInterval, until, sensorHeights = {} } = period;
    const { dailyObservationTime = '' } = period;
    const before: unknown = index === 0 ? undefined : (value[index - 1] as { until?: unknown }).until;
    return (
      [latitude, longitude, until].every(isNumber) &&
      [elevation, reportingInterval].every(isNumberOrNull) &&
      isRecordOf(isNumber)(sensorHeights) &&
      typeof dailyObservationTime === 'string' &&
      (before === undefined || (before as number) < (until as number))
    );
  });
}

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { SettingChanges } from '#domain/weather/station-edit.js';
import {
  MAX_POSITION_DECIMALS,
  type StationDraft,
  VISIBILITIES,
  type Visibility,
} from '#domain/weather/station.js';
import { CELL_METHODS } from '#domain/weather/variables.js';

/**
 * `none` is stored as null. The value of an option cannot be null itself, because null is a missing value for the option parser.
 */
type NumberOrNone = number | 'none';

/** The options of `station add` and `station set`. Options that were not given are undefined. */
export interface StationOptions {
  readonly name?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly elevation?: NumberOrNone;
  readonly timeZone?: string;
  readonly interval?: NumberOrNone;
  readonly stampInterval?: NumberOrNone;
  readonly observationTime?: string;
  readonly visibility?: Visibility;
  readonly positionDecimals?: NumberOrNone;
  /** Null removes an identifier. */
  readonly identifier?: Readonly<Record<string, string | null>>;
  /** Settings by name of the variable. Null removes a setting. */
  readonly limit?: NonNullable<SettingChanges['limits']>;
  readonly step?: NonNullable<SettingChanges['steps']>;
  readonly persistence?: NonNullable<SettingChanges['persistence']>;
  readonly sensorHeight?: NonNullable<SettingChanges['sensorHeights']>;
  readonly cellMethod?: NonNullable<SettingChanges['cellMethods']>;
}

/**
 * Adds the options of `station add` and `station set` to a command.
 *
 * @param required whether position and time zone are mandatory, which the help displays
 */
export function addStationOptions(command: Command, required: boolean): Command {
  const place = (flags: string, description: string) =>
    new Option(flags, description).makeOptionMandatory(required);
  const none = required ? '' : ', or none';
  const removes = required ? '' : '; variable= removes the setting';
  return command
    .addOption(place('--latitude <degrees>', 'north of the equator').argParser(parseNumber))
    .addOption(place('--longitude <degrees>', 'east of Greenwich').argParser(parseNumber))
    .addOption(
      place(
        '--time-zone <zone>',
        'IANA name, like Europe/Oslo, or an offset, like -05:00, for standard time all year',
      ),
    )
    .option('--name <text>', required ? 'name for people; default: the id' : 'name for people')
    .option('--elevation <meters>', `height above mean sea level${none}`, parseNumberOrNone)
    .option('--interval <seconds>', `time between two observations${none}`, parseNumberOrNone)
    .option(
      '--stamp-interval <seconds>',
      `timestamps are at the start of an interval of this length, and rows are stored at its end${none}`,
      parseNumberOrNone,
    )
    .option(
      '--observation-time <HH:MM>',
      `local time at which the daily values are read, 24:00 for midnight${none}`,
    )
    .addOption(
      new Option(
        '--visibility <who>',
        'hidden: only signed-in users see the station; public: everybody',
      ).choices(VISIBILITIES),
    )
    .option(
      '--position-decimals <number>',
      `decimals of the position for everybody who is not signed in, 0 to ${MAX_POSITION_DECIMALS}${required ? '' : ', or none for the exact position'}`,
      parseNumberOrNone,
    )
    .option(
      '--identifier <key=value>',
      `code of the station in another system (wmo, icao, wigos …); may be repeated${required ? '' : '; key= removes the identifier'}`,
      addPair,
    )
    .option(
      '--limit <variable=min:max>',
      `gross limits of this station; may be repeated${removes}`,
      settingOf(2, ([min, max]) => ({ min, max })),
    )
    .option(
      '--step <variable=minute:hour>',
      `largest plausible changes in a minute and in an hour; may be repeated${removes}`,
      settingOf(2, ([perMinute, perHour]) => ({ perMinute, perHour })),
    )
    .option(
      '--persistence <variable=seconds>',
      `time after which an unchanged value counts as stuck; may be repeated${removes}`,
      settingOf(1, ([seconds]) => seconds),
    )
    .option(
      '--sensor-height <variable=meters>',
      `height of the sensor above the ground; may be repeated${removes}`,
      settingOf(1, ([meters]) => meters),
    )
    .option(
      '--cell-method <variable=method>',
      `time that the values describe, ${CELL_METHODS.join(' or ')}; may be repeated${removes}`,
      addMethod,
    );
}

/** The settings of a station that the options change. */
export function toStationSettings(options: StationOptions): SettingChanges {
  const { limit, step, persistence, sensorHeight, cellMethod } = options;
  return {
    ...(limit && { limits: limit }),
    ...(step && { steps: step }),
    ...(persistence && { persistence }),
    ...(sensorHeight && { sensorHeights: sensorHeight }),
    ...(cellMethod && { cellMethods: cellMethod }),
  };
}

/** Parses `variable=point` and `variable=interval`. `variable=` becomes null. */
function addMethod(text: string, known?: StationOptions['cellMethod']): StationOptions['cellMethod'] {
  const [, variable, value] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  const method = CELL_METHODS.find((one) => one === value) ?? null;
  if (variable === undefined || (method === null && value !== ''))
    throw new InvalidArgumentError(`It must be VARIABLE=${CELL_METHODS.join(' or VARIABLE=')}.`);
  return { ...known, [variable]: method };
}

/** Returns a parser of `variable=number` or `variable=number:number`. `variable=` becomes null. */
function settingOf<T>(count: 1 | 2, convert: (numbers: readonly [number, number]) => T) {
  return (text: string, known?: Readonly<Record<string, T | null>>): Readonly<Record<string, T | null>> => {
    const [, variable, value] = /^([^=]+)=(.*)$/.exec(text) ?? [];
    const parts = value?.split(':') ?? [];
    if (variable === undefined || (value !== '' && parts.length !== count))
      throw new InvalidArgumentError(`It must be VARIABLE=${count === 1 ? 'NUMBER' : 'NUMBER:NUMBER'}.`);
    const [first = 0, second = 0] = value === '' ? [] : parts.map(parseNumber);
    return { ...known, [variable]: value === '' ? null : convert([first, second]) };
  };
}

/** The fields of a station that the options change. */
export function toFields(options: StationOptions): Partial<Omit<StationDraft, 'identifiers'>> {
  const { name, latitude, longitude, elevation, timeZone, interval, stampInterval } = options;
  const { observationTime, visibility, positionDecimals } = options;
  return {
    ...(name !== undefined && { name }),
    ...(latitude !== undefined && { latitude }),
    ...(longitude !== undefined && { longitude }),
    ...(elevation !== undefined && { elevation: toNullable(elevation) }),
    ...(timeZone !== undefined && { timeZone }),
    ...(interval !== undefined && { reportingInterval: toNullable(interval) }),
    ...(stampInterval !== undefined && { stampInterval: toNullable(stampInterval) }),
    ...(observationTime !== undefined && {
      dailyObservationTime: observationTime === 'none' ? null : observationTime,
    }),
    ...(visibility !== undefined && { visibility }),
    ...(positionDecimals !== undefined && { positionDecimals: toNullable(positionDecimals) }),
  };
}

function parseNumber(text: string): number {
  if (!/^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text)) throw new InvalidArgumentError('It must be a number.');
  return Number(text);
}

function parseNumberOrNone(text: string): NumberOrNone {
  return text === 'none' ? text : parseNumber(text);
}

function toNullable(value: NumberOrNone): number | null {
  return value === 'none' ? null : value;
}

function addPair(
  text: string,
  pairs?: Readonly<Record<string, string | null>>,
): Record<string, string | null> {
  const [, key, value] = /^([^=]+)=(.*)$/.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError('It must be KEY=VALUE.');
  return { ...pairs, [key]: value === '' ? null : value };
}

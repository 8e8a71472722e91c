import { MILLISECONDS } from '../../time.js';
import { mayBePoint } from '../computation/cell-methods.js';
import { type CellMethod, type StepLimit, type Variable, variableNamed } from '../variables.js';

type ByVariable<T> = Readonly<Record<string, T>>;

/** The fields of `Station` that have a range. */
interface RangedFields {
  readonly id: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly elevation: number | null;
  readonly reportingInterval: number | null;
  readonly stampInterval: number | null;
  readonly dailyObservationTime: string | null;
  readonly limits: ByVariable<{ readonly min: number; readonly max: number }>;
  readonly steps: ByVariable<StepLimit>;
  readonly persistence: ByVariable<number>;
  readonly sensorHeights: ByVariable<number>;
  readonly cellMethods: ByVariable<CellMethod>;
}
export type RangedField = keyof RangedFields;

export const SECONDS_OF_DAY = MILLISECONDS.day / 1000;
const ID = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/;
const TIME_OF_DAY = /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/;
const MIN_PERSISTENCE = 60;
/** Variables whose sensors may be below the ground. */
const IN_SOIL = /(^|_)soil(_|$)/;

/** For each field a function that returns the rule that a value breaks, as a sentence; undefined if it breaks no rule. */
const RANGES: { readonly [F in RangedField]: (value: RangedFields[F]) => string | undefined } = {
  id: (id) =>
    unless(
      ID.test(id),
      'A station id has 1 to 64 characters of A-Z a-z 0-9 . _ - and is neither "." nor "..".',
    ),
  latitude: (degrees) =>
    unless(degrees >= -90 && degrees <= 90, 'A latitude must be from -90 to 90 degrees.'),
  longitude: (degrees) =>
    unless(degrees >= -180 && degrees <= 180, 'A longitude must be from -180 to 180 degrees.'),
  elevation: (meters) =>
    unless(
      meters === null || (meters >= -500 && meters <= 9000),
      'An elevation must be from -500 to 9000 m.',
    ),
  reportingInterval: (seconds) => brokenInterval('reporting', seconds),
  stampInterval: (seconds) => brokenInterval('stamp', seconds),
  dailyObservationTime: (time) =>
    unless(
      time === null || TIME_OF_DAY.test(time),
      'A time of observation must have the form HH:MM, from 00:00 to 24:00.',
    ),
  limits: (limits) =>
    brokenByVariable(limits, (variable, { min, max }) =>
      unless(min < max, `The limits of ${variable} are reversed: the minimum must be less than the maximum.`),
    ),
  steps: (steps) =>
    brokenByVariable(steps, (variable, { perMinute, perHour }) =>
      unless(
        perMinute > 0 && perHour >= perMinute,
        `The steps of ${variable} must be positive, and the step of an hour at least the step of a minute.`,
      ),
    ),
  persistence: (persistence) =>
    brokenByVariable(persistence, (variable, seconds) =>
      unless(
        Number.isInteger(seconds) && seconds >= MIN_PERSISTENCE && seconds <= SECONDS_OF_DAY,
        `The persistence of ${variable} must be a whole number of seconds from ${MIN_PERSISTENCE} to ${SECONDS_OF_DAY}.`,
      ),
    ),
  sensorHeights: (heights) =>
    brokenByVariable(heights, (variable, height) => {
      const inSoil = IN_SOIL.test(variable);
      return unless(
        height <= 1000 && (height > 0 || (inSoil && height >= -100)),
        `The height of the sensor of ${variable} above the ground must be ${inSoil ? 'from -100 to' : 'more than 0 and at most'} 1000 m.`,
      );
    }),
  cellMethods: (methods) =>
    brokenByVariable(methods, (variable) =>
      unless(
        mayBePoint(variableNamed(variable) as Variable),
        `The cell method of ${variable} cannot be set: its values always describe the interval that ends at their time.`,
      ),
    ),
};

/** The fields in the order in which they are checked. */
export const RANGED_FIELDS = Object.keys(RANGES) as readonly RangedField[];

/**
 * Checks the range of a value that a client sent or that was read from a store.
 *
 * @param value a value in the form of the field
 * @returns the rule that the value breaks, as a sentence; undefined if it breaks no rule
 */
export function brokenRange<F extends RangedField>(field: F, value: RangedFields[F]): string | undefined {
  return RANGES[field](value);
}

function unless(isMet: boolean, rule: string): string | undefined {
  return isMet ? undefined : rule;
}

function brokenInterval(interval: string, seconds: number | null): string | undefined {
  return unless(
    seconds === null || (Number.isInteger(seconds) && seconds >= 1 && seconds <= SECONDS_OF_DAY),
    `A ${interval} interval must be a whole number of seconds from 1 to ${SECONDS_OF_DAY}.`,
  );
}

function brokenByVariable<T>(
  settings: ByVariable<T>,
  broken: (variable: string, setting: T) => string | undefined,
): string | undefined {
  for (const [variable, setting] of Object.entries(settings)) {
    if (variableNamed(variable) === undefined) return `There is no variable ${JSON.stringify(variable)}.`;
    const rule = broken(variable, setting);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

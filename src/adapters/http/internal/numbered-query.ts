import { z } from 'zod';

/**
 * Largest number of characters of a list of numbers: enough for a thousand stations, and within the size limit of the head of a
 * request.
 */
const MAX_NUMBERS_LENGTH = 16_384;

const numberList = (max: number) =>
  z
    .string()
    .max(MAX_NUMBERS_LENGTH)
    .regex(/^(?:\d{1,10}(?:,\d{1,10})*)?$/, 'Must be whole numbers, separated by commas')
    .transform((text) => (text === '' ? undefined : text.split(',').map(Number)))
    .refine((numbers) => numbers?.every((number) => number <= max) ?? true, `Must be at most ${max}`)
    .optional();

export const stationNumbers = () =>
  numberList(4_294_967_295).describe('Numbers of stations, separated by commas; all by default');

export const variableNumbers = () =>
  numberList(65_535).describe('Numbers of variables, separated by commas; all by default');

/** The first and the last time of a Date in ECMAScript, in milliseconds since 1970. */
export const TIMES = { first: -8.64e15, last: 8.64e15 } as const;

export const milliseconds = () =>
  z
    .string()
    .regex(/^-?\d{1,19}$/, 'Must be whole milliseconds since 1970-01-01T00:00:00Z')
    .transform((text) => Math.min(Math.max(Number(text), TIMES.first), TIMES.last));

export const withQuality = () =>
  z
    .enum(['0', '1'])
    .transform((value) => value === '1')
    .default(false)
    .describe('With 1, each value has a byte of quality.');

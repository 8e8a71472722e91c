import { z } from 'zod';
import type { StationSnapshot } from '#application/observations/read/describe-station.js';
import { chill } from '#domain/weather/indices/chill.js';
import { GROWING_METHODS, growingDegreeDays } from '#domain/weather/indices/growing-degree-days.js';
import { leafWetnessOfDays, leafWetnessOfHours } from '#domain/weather/indices/leaf-wetness.js';
import { MAX_DRY_HOURS, spray } from '#domain/weather/indices/spray.js';
import { waterBalance } from '#domain/weather/indices/water-balance.js';
import type { AnyEndpoint } from '../../core/endpoint.js';
import { documentedAs } from '../../core/schemas.js';
import type { ExternalContext } from '../external-context.js';
import { wholeNumber } from '../observations/weather-query.js';
import { indexEndpoint, indexQuery, rowInterval, startDate, yearStart } from './index-endpoint.js';

const number = (min: number, max: number) =>
  documentedAs(
    { type: 'number', minimum: min, maximum: max },
    z.string().regex(/^-?\d{1,3}(?:\.\d{1,3})?$/, `Must be a number from ${min} to ${max}`),
  )
    .transform(Number)
    .refine((value) => value >= min && value <= max, `Must be a number from ${min} to ${max}`);

/** The date of the hemisphere of a station. */
const seasonal =
  (north: string, south: string) =>
  ({ station }: StationSnapshot) =>
    station.latitude >= 0 ? north : south;
const growingSeason = seasonal('01-01', '07-01');
const cold = seasonal('09-01', '04-01');

const GET_GROWING_DEGREE_DAYS_QUERY = z.strictObject({
  method: z
    .enum(GROWING_METHODS)
    .default('average')
    .describe(
      '`average`: mean of both extremes; `clipped`: extremes limited to `base` and `upper` first (corn: 10 and 30); `single_sine`: a sine curve through both',
    ),
  base: number(-20, 40).default(10).describe('Base in °C'),
  upper: number(-20, 60).optional().describe('Upper limit in °C of `clipped`'),
  start: startDate('1 January, in the southern hemisphere 1 July'),
  ...indexQuery,
});

export function getGrowingDegreeDaysEndpoint(context: ExternalContext): AnyEndpoint {
  return indexEndpoint(context, {
    indices: [growingDegreeDays],
    summary: 'Get the growing degree days of days',
    description:
      'Degrees above a base that plants and insects need to grow, of each day and summed from a date. Temperatures are in °C in all unit systems of the parameters.',
    query: GET_GROWING_DEGREE_DAYS_QUERY,
    choose: ({ method, base, upper, start: asked }, described) => {
      const start = asked ?? growingSeason(described);
      return {
        index: growingDegreeDays,
        options: { method, base, upper, start: yearStart(start) },
        start,
        parameters: { method, base, upper: upper ?? null },
      };
    },
  });
}

const GET_CHILL_QUERY = z.strictObject({
  start: startDate('1 September, in the southern hemisphere 1 April'),
  ...indexQuery,
});

export function getChillEndpoint(context: ExternalContext): AnyEndpoint {
  return indexEndpoint(context, {
    indices: [chill],
    summary: 'Get the winter chill of days',
    description: 'Cold that fruit trees need before they bloom, summed from a date by three models.',
    query: GET_CHILL_QUERY,
    choose: ({ start: asked }, described) => {
      const start = asked ?? cold(described);
      return { index: chill, options: { start: yearStart(start) }, start, parameters: {} };
    },
  });
}

const GET_LEAF_WETNESS_QUERY = z.strictObject({ interval: rowInterval(), ...indexQuery });

export function getLeafWetnessEndpoint(context: ExternalContext): AnyEndpoint {
  return indexEndpoint(context, {
    indices: [leafWetnessOfHours, leafWetnessOfDays],
    summary: 'Get the leaf wetness of hours or days',
    description:
      'Whether leaves are wet, computed without a sensor. A measured `leaf_wetness` is in the observations.',
    query: GET_LEAF_WETNESS_QUERY,
    choose: ({ interval }) => ({
      index: interval === 'hour' ? leafWetnessOfHours : leafWetnessOfDays,
      options: undefined,
      parameters: {},
    }),
  });
}

const GET_SPRAY_QUERY = z.strictObject({
  dry_hours: wholeNumber(1, MAX_DRY_HOURS)
    .default(2)
    .describe('Number of hours after spraying that must be without rain'),
  ...indexQuery,
});

export function getSprayEndpoint(context: ExternalContext): AnyEndpoint {
  return indexEndpoint(context, {
    indices: [spray],
    summary: 'Get the hours for spraying',
    description: 'Whether an hour was good for spraying plants.',
    query: GET_SPRAY_QUERY,
    choose: ({ dry_hours: dryHours }) => ({
      index: spray,
      options: { dryHours },
      parameters: { dry_hours: dryHours },
    }),
  });
}

const GET_WATER_BALANCE_QUERY = z.strictObject({
  crop_coefficient: number(0, 2).default(1).describe('Kc of FAO-56. 1 is the reference grass'),
  start: startDate('1 January, in the southern hemisphere 1 July'),
  ...indexQuery,
});

export function getWaterBalanceEndpoint(context: ExternalContext): AnyEndpoint {
  return indexEndpoint(context, {
    indices: [waterBalance],
    summary: 'Get the water balance of days',
    description:
      'Water that a crop has taken from the soil and that rain has not replaced: what irrigation must give.',
    query: GET_WATER_BALANCE_QUERY,
    choose: ({ crop_coefficient: cropCoefficient, start: asked }, described) => {
      const start = asked ?? growingSeason(described);
      return {
        index: waterBalance,
        options: { cropCoefficient, start: yearStart(start) },
        start,
        parameters: { crop_coefficient: cropCoefficient },
      };
    },
  });
}

import { z } from 'zod';
import { STARTING_CODES } from '#domain/weather/indices/fire-equations.js';
import { fireWeather } from '#domain/weather/indices/fire-weather.js';
import type { AnyEndpoint } from '../../core/endpoint.js';
import { documentedAs } from '../../core/schemas.js';
import type { ExternalContext } from '../external-context.js';
import { indexEndpoint, indexQuery, startDate, yearStart } from './index-endpoint.js';

const code = (max: number) =>
  documentedAs(
    { type: 'number', minimum: 0, maximum: max },
    z.string().regex(/^\d{1,4}(?:\.\d{1,3})?$/, `Must be a number from 0 to ${max}`),
  )
    .transform(Number)
    .refine((value) => value <= max, `Must be a number from 0 to ${max}`);

const QUERY = z.strictObject({
  start: startDate('1 March, in the southern hemisphere 1 September'),
  fine_fuel: code(101).default(STARTING_CODES.fineFuel).describe('FFMC of the day before the start'),
  duff: code(1000).default(STARTING_CODES.duff).describe('DMC of the day before the start'),
  drought: code(2000).default(STARTING_CODES.drought).describe('DC of the day before the start'),
  ...indexQuery,
});

export function getFireWeatherEndpoint(context: ExternalContext): AnyEndpoint {
  return indexEndpoint(context, {
    indices: [fireWeather],
    summary: 'Get the fire weather of days',
    description:
      'The Canadian Fire Weather Index with its moisture codes. They are built up from a date, which should be the begin of the snow-free spring.',
    query: QUERY,
    choose: ({ start: asked, fine_fuel: fineFuel, duff, drought }, { station }) => {
      const start = asked ?? (station.latitude >= 0 ? '03-01' : '09-01');
      return {
        index: fireWeather,
        options: { start: yearStart(start), codes: { fineFuel, duff, drought } },
        start,
        parameters: { fine_fuel: fineFuel, duff, drought },
      };
    },
  });
}

import { z } from 'zod';
import type { GetDataVersion } from '../../../application/get-data-version.js';
import {
  type ObservationPage,
  type ReadObservations,
  ROW_LIMITS,
} from '../../../application/read-observations.js';
import {
  columnHeading,
  converter,
  reversibleConverter,
  unitIn,
  type UnitSystem,
} from '../../../domain/units.js';
import type { Variable } from '../../../domain/variables.js';
import { type AnyEndpoint, contentEndpoint } from '../endpoint.js';
import { JSON_TYPE } from '../reply.js';
import type { ReadAccess } from './access.js';
import { columnsOf, csvRows, jsonColumns } from './observation-text.js';
import { opening, stationContent } from './station-content.js';
import { toTime, toUnitFields, unitFields } from './weather-fields.js';
import { instant, names, quality, stationId, timeFormat, units, wholeNumber } from './weather-query.js';

const MESSAGE = 'Observations, oldest first.';
export const CSV_TYPE = 'text/csv';

const time = () => z.union([z.string(), z.number()]);

export function getObservationsEndpoint(
  readObservations: ReadObservations,
  getDataVersion: GetDataVersion,
  access: ReadAccess,
): AnyEndpoint {
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/observations',
    summary: 'Read observations',
    description:
      'From `from` up to `to`, which is not included; left out, as far as there is something. What did not pass quality ' +
      'control is listed in `quality`, in CSV in the last column. In CSV the next page is in the header `Link`, and columns ' +
      'whose unit is not the stored one name it in their heading: `air_temperature (°F)`.',
    access,
    params: stationId,
    query: z.strictObject({
      from: instant().optional(),
      to: instant().optional(),
      variables: names().optional().describe('Names, comma between; all that there are when left out'),
      qc: quality().default('all'),
      units: units(),
      time: timeFormat(),
      format: z.enum(['json', 'csv']).default('json'),
      limit: wholeNumber(1, ROW_LIMITS.max).default(ROW_LIMITS.usual).describe('Most rows'),
      cursor: z
        .string()
        .regex(/^-?\d{1,16}$/, 'Must be the `next` of a page')
        .transform(Number)
        .optional(),
    }),
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      mediaTypes: {
        [JSON_TYPE]: z.strictObject({
          success: z.literal(true),
          code: z.literal(200),
          message: z.literal(MESSAGE),
          station: z.string(),
          from: z.string(),
          to: z.string(),
          limit: z.int(),
          units: unitFields,
          observations: z
            .object({ time: z.array(time()) })
            .catchall(z.array(z.number().nullable()))
            .describe('A column for each variable, as long as time'),
          quality: z.array(
            z.strictObject({
              variable: z.string(),
              index: z.int().nonnegative().describe('Into the columns'),
              verdict: z.enum(['suspect', 'fail']),
              checks: z.array(z.string()),
            }),
          ),
          next: z.string().nullable().describe('Cursor of the next page'),
        }),
        [CSV_TYPE]: undefined,
      },
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN', 'SERVICE_UNAVAILABLE'],
    call: ({ params: { id }, query, signal }) => {
      const read = async () => {
        const { qc, ...rest } = query;
        return await readObservations.execute(
          {
            station: id,
            quality: qc,
            ...rest,
            from: rest.from,
            to: rest.to,
            variables: rest.variables,
            cursor: rest.cursor,
          },
          signal,
        );
      };
      if (query.format === 'csv') {
        const body = async () => {
          const page = await read();
          return {
            content: csvRows(page.series.times, toCsvColumns(page, query.units), query.time),
            headers: link(page),
          };
        };
        return stationContent(getDataVersion, id, query, body, CSV_TYPE);
      }
      return stationContent(getDataVersion, id, query, async () => {
        const page = await read();
        const { station, from, to, variables, series, next } = page;
        const before = {
          ...opening(MESSAGE),
          station: station.id,
          from: toTime(from),
          to: toTime(to),
          limit: query.limit,
          units: toUnitFields(variables, query.units),
        };
        const after = { quality: [], next: next === null ? null : String(next) };
        const columns = toColumns(page, query.units);
        return { content: jsonColumns('observations', series.times, columns, query.time, before, after) };
      });
    },
  });
}

function toColumns({ series, variables }: ObservationPage, system: UnitSystem) {
  const convertible = variables.map((variable: Variable) => ({
    number: variable.number,
    name: variable.name,
    convert: converter(variable, unitIn(system, variable), 'unit'),
  }));
  return columnsOf(series, convertible, series.times.length);
}

/** Each names its unit where that is not the stored one, and comes back as it was when the CSV is sent to this service. */
function toCsvColumns({ series, variables }: ObservationPage, system: UnitSystem) {
  const convertible = variables.map((variable: Variable) => {
    const unit = unitIn(system, variable);
    return {
      number: variable.number,
      name: variable.name,
      heading: columnHeading(variable, unit),
      convert: reversibleConverter(variable, unit),
    };
  });
  return columnsOf(series, convertible, series.times.length);
}

/** RFC 8288: relative to the request. */
function link({ next }: ObservationPage): Record<string, string> {
  return next === null ? {} : { link: `<?cursor=${next}>; rel="next"` };
}

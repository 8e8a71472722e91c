import { z } from 'zod';
import { DescribeStation } from '../../../../application/observations/read/describe-station.js';
import {
  type ObservationPage,
  ReadObservations,
  ROW_LIMITS,
} from '../../../../application/observations/read/read-observations.js';
import { columnHeading, unitIn, type UnitSystem } from '../../../../domain/weather/units.js';
import type { Variable } from '../../../../domain/weather/variables.js';
import { csvHeading, csvRows, jsonColumns, type TextRows } from '../../../formats/text/observation-text.js';
import type { TextColumn } from '../../../formats/text/text-column.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import type { ExternalContext } from '../external-context.js';
import { stationContent } from '../stations/station-content.js';
import { LINK_HEADER } from './next-page.js';
import { readerOf } from './paced-body.js';
import { pageContent, pageFields, pageStart, ROW_ERRORS } from './row-page.js';
import { toUnitFields } from './weather-fields.js';
import {
  FROM,
  names,
  quality,
  stationId,
  time,
  timeCursor,
  timeStyle,
  timeZone,
  TO,
  units,
  wholeNumber,
} from './weather-query.js';

const MESSAGE = 'Observations, oldest first.';
export const CSV_TYPE = 'text/csv';

const shownTime = () => z.union([z.string(), z.number()]);

export function getObservationsEndpoint(context: ExternalContext): AnyEndpoint {
  const { useCase, readAccess: access, textThreads: threads } = context;
  const readObservations = useCase(ReadObservations);
  const describeStation = useCase(DescribeStation);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/observations',
    summary: 'Read observations',
    description:
      'Rows from `from` up to `to`, which is not included. Without `from` or `to`, the first or the last observation is the ' +
      'bound. Values that did not pass quality control are listed in `quality`, in CSV in the last column. The heading of a ' +
      'CSV column has the unit if it is not the stored unit: `air_temperature (°F)`. The header `Link` has the address of ' +
      'the next page.',
    access,
    params: stationId,
    query: z.strictObject({
      from: time().optional().describe(FROM),
      to: time().optional().describe(TO),
      timezone: timeZone(),
      variables: names()
        .optional()
        .describe('Names, separated by commas. Default: all variables of the station'),
      qc: quality().default('all'),
      units: units(),
      time: timeStyle(),
      format: z.enum(['json', 'csv']).default('json'),
      limit: wholeNumber(1, ROW_LIMITS.max).default(ROW_LIMITS.usual).describe('Largest number of rows'),
      cursor: timeCursor(),
    }),
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      headers: LINK_HEADER,
      mediaTypes: {
        [JSON_TYPE]: z.strictObject({
          ...pageFields(MESSAGE),
          observations: z
            .object({ time: z.array(shownTime()) })
            .catchall(z.array(z.number().nullable()))
            .describe('A column for each variable, as long as `time`'),
          quality: z.array(
            z.strictObject({
              variable: z.string(),
              index: z.int().nonnegative().describe('Row number, from 0'),
              verdict: z.enum(['suspect', 'fail']),
              checks: z.array(z.string()),
            }),
          ),
          next: z.string().nullable().describe('Cursor of the next page'),
        }),
        [CSV_TYPE]: undefined,
      },
    },
    errors: ROW_ERRORS,
    call: async (call) => {
      const { params, query, search } = call;
      const { format, qc, units: system, ...rest } = query;
      const input = {
        quality: qc,
        timeZone: rest.timezone,
        from: rest.from,
        to: rest.to,
        variables: rest.variables,
        limit: rest.limit,
        cursor: rest.cursor,
      };
      const described = await describeStation.execute(params.id, input);
      const body = async () => {
        const page = await readObservations.execute(described, input, readerOf(call));
        const { parts, variables } = page;
        const isCsv = format === 'csv';
        const rows = { parts, columns: toColumns(variables, system, isCsv), format: query.time };
        const pieces = isCsv ? [csvHeading(rows.columns), ...csvRows(rows)] : toJson(page, rows, query);
        return pageContent(page, variables.length, pieces, { search, threads });
      };
      return stationContent(described, query, body, format === 'csv' ? CSV_TYPE : JSON_TYPE);
    },
  });
}

function toJson(
  page: ObservationPage,
  rows: TextRows,
  query: { readonly limit: number; readonly units: UnitSystem },
) {
  const { variables, next } = page;
  const before = { ...pageStart(MESSAGE, page, query.limit), units: toUnitFields(variables, query.units) };
  const after = { quality: [], next: next === null ? null : String(next) };
  return jsonColumns('observations', rows, before, after);
}

/**
 * @param isCsv headings of CSV contain the unit if it is not the stored unit, and the values are written so that this
 *   service converts them back to the stored values, of which 12 significant digits are kept
 */
function toColumns(variables: readonly Variable[], system: UnitSystem, isCsv: boolean): TextColumn[] {
  return variables.map((variable) => {
    const { number, name } = variable;
    const unit = unitIn(system, variable);
    const column = { number, name, conversion: { unit, isReversible: isCsv } };
    return isCsv ? { ...column, heading: columnHeading(variable, unit) } : column;
  });
}

import { z } from 'zod';
import { ChartObservations } from '#application/observations/read/charts/chart-observations.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import type { Permit } from '#application/observations/read/gate/permit.js';
import {
  type ObservationPage,
  ReadObservations,
  ROW_LIMITS,
} from '#application/observations/read/read-observations.js';
import { columnHeading, type Decimals, decimalsIn, unitIn, type UnitSystem } from '#domain/weather/units.js';
import type { Variable } from '#domain/weather/variables.js';
import { csvHeading, csvRows, jsonColumns, type TextRows } from '#adapters/formats/text/observation-text.js';
import type { TextColumn } from '#adapters/formats/text/text-column.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import type { ContentBody } from '../../core/reply/content.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import type { ExternalContext } from '../external-context.js';
import { cacheKeyOf, stationContent } from '../stations/station-content.js';
import { LINK_HEADER, nextPageLink } from './next-page.js';
import { pageContent, pageFields, pageStart, ROW_ERRORS, rowFields } from './row-page.js';
import { PARQUET_TYPE, rowsFile } from './rows-file.js';
import { isSpreadsheetOrNot, SPREADSHEET_OR_NOT, spreadsheetFields, toSpreadsheet } from './spreadsheet.js';
import { toUnitFields } from './weather-fields.js';
import {
  CHART_OR_PAGE,
  chartPoints,
  decimals,
  isChartOrPage,
  names,
  quality,
  replyFormat,
  stationId,
  timeCursor,
  timeRange,
  timeStyle,
  units,
  rowLimit,
} from './weather-query.js';

const MESSAGE = 'Observations, oldest first.';
export const CSV_TYPE = 'text/csv';
const MEDIA_TYPES = { json: JSON_TYPE, csv: CSV_TYPE, parquet: PARQUET_TYPE } as const;

const REPLY = z.strictObject({
  ...pageFields(MESSAGE),
  points: z.int().optional(),
  ...rowFields,
  next: z.string().nullable().describe('Cursor of the next page'),
});

export function getObservationsEndpoint(context: ExternalContext): AnyEndpoint {
  const { useCase, withPermit, readAccess: access, textThreads: threads } = context;
  const readObservations = useCase(ReadObservations);
  const chartObservations = useCase(ChartObservations);
  const describeStation = useCase(DescribeStation);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/observations',
    summary: 'Read observations',
    description:
      'Rows from `from` (included) to `to` (not included). Without `from` the rows begin with the first observation; without `to` they ' +
      'end with the last one. `quality` lists the values that did not pass quality control; in CSV it is the last column. The heading ' +
      'of a CSV column has the unit if it is not the stored unit: `air_temperature (°F)`. The header `Link` has the address of ' +
      'the next page. With `points`, the reply has the rows that a line chart needs (M4): for each variable in each column of ' +
      'the chart the first, last, smallest and largest value, and a row without values in each gap. ' +
      'With `limit=all`, CSV and Parquet have all rows, even millions. If a row cannot be read, the connection is closed before the ' +
      'end of the body. In Parquet, `time` is a timestamp, and the other columns have the same names as in CSV.',
    access,
    params: stationId,
    query: QUERY,
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      headers: LINK_HEADER,
      mediaTypes: {
        [JSON_TYPE]: REPLY,
        [CSV_TYPE]: undefined,
        [PARQUET_TYPE]: undefined,
      },
    },
    errors: ROW_ERRORS,
    call: async (call) => {
      const { params, search } = call;
      const isSpreadsheet = call.query.for === 'spreadsheet';
      const query = isSpreadsheet ? { decimals: 'usual' as const, ...call.query } : call.query;
      const { format, qc, ...rest } = query;
      const input = {
        quality: qc,
        timeZone: rest.timezone,
        from: rest.from,
        to: rest.to,
        last: rest.last,
        variables: rest.variables,
        limit: rest.limit === 'all' ? ROW_LIMITS.atOnce : rest.limit,
        cursor: rest.cursor,
      };
      const described = await describeStation.execute(params.id, input, call);
      const isWhole = query.limit === 'all' && query.points === undefined;
      const read = async (permit: Permit): Promise<ContentBody> => {
        const more = isWhole ? readObservations.pages(described, input, permit) : undefined;
        const page = more
          ? ((await more.next()).value as ObservationPage)
          : await (query.points === undefined
              ? readObservations.execute(described, input, permit)
              : chartObservations.execute(described, { ...input, points: query.points }, permit));
        const { parts, variables } = page;
        const columns = toColumns(variables, query, format !== 'json');
        if (format === 'parquet' || (isWhole && format === 'csv')) {
          const content = rowsFile(page, more, { format, columns, time: query.time }, threads);
          return { content, headers: nextPageLink(search, isWhole ? null : page.next) };
        }
        const rows = { parts, columns, format: query.time };
        const pieces =
          format === 'csv'
            ? [csvHeading(columns), ...csvRows(rows)]
            : toJson(page, rows, { ...query, limit: input.limit });
        const content = pageContent(page, variables.length, pieces, { search, threads });
        return query.points === undefined ? content : { ...content, compression: 'stronger' };
      };
      const zone = query.timezone === 'station' ? described.station.timeZone : query.timezone;
      const body = async () => {
        const content = await withPermit(call, read);
        return isSpreadsheet ? toSpreadsheet(content, { locale: query.locale, zone }) : content;
      };
      const mediaType = MEDIA_TYPES[format];
      // Rows may be corrected during the transfer, and the file may contain the old or the new values. The file therefore has no
      // ETag.
      if (isWhole) return { mediaType, body };
      return stationContent(described, cacheKeyOf(query, described), body, mediaType);
    },
  });
}

/**
 * Whether the format allows the requested number of rows. `limit=all` requests a file with all rows, which is sent piece by piece
 * while the rows are read. JSON cannot be sent in this way: it has an array for each column, and an array is complete only when
 * all rows have been read.
 */
const isPageOrFile = ({ limit, format, points }: { limit: unknown; format: string; points?: unknown }) =>
  limit !== 'all' || format !== 'json' || points !== undefined;
const PAGE_OR_FILE = { path: ['limit'], message: 'limit=all needs format=csv or format=parquet' };

const QUERY = z
  .strictObject({
    ...timeRange(),
    variables: names()
      .optional()
      .describe('Names, separated by commas. Default: all variables of the station'),
    qc: quality().default('all'),
    units: units(),
    decimals: decimals(),
    time: timeStyle(),
    format: replyFormat(['json', 'csv', 'parquet']),
    limit: rowLimit(ROW_LIMITS.max)
      .default(ROW_LIMITS.default)
      .describe('Largest number of rows. `all` means no limit; it needs CSV or Parquet'),
    cursor: timeCursor(),
    points: chartPoints('a chart, usually its width in pixels'),
    ...spreadsheetFields,
  })
  .refine(isSpreadsheetOrNot, SPREADSHEET_OR_NOT)
  .refine(isChartOrPage, CHART_OR_PAGE)
  .refine(isPageOrFile, PAGE_OR_FILE);

function toJson(
  page: ObservationPage,
  rows: TextRows,
  query: { readonly limit: number; readonly points?: number | undefined; readonly units: UnitSystem },
) {
  const { variables, next } = page;
  const { points, units: system } = query;
  const before = {
    ...pageStart(MESSAGE, page, points === undefined ? query.limit : ROW_LIMITS.max),
    ...(points !== undefined && { points }),
    units: toUnitFields(variables, system),
  };
  const after = { quality: [], next: next === null ? null : String(next) };
  return jsonColumns('observations', rows, before, after);
}

interface ColumnStyle {
  readonly units: UnitSystem;
  readonly decimals?: Decimals;
  readonly for?: 'spreadsheet' | undefined;
}

/**
 * Describes the columns of variables.
 *
 * @param isCsv whether the columns are for CSV. In CSV, a column whose unit is not the stored unit has the unit in its heading
 */
export function toColumns(
  variables: readonly Variable[],
  { units: system, decimals: wanted, for: program }: ColumnStyle,
  isCsv: boolean,
): TextColumn[] {
  return variables.map((variable) => {
    const { number, name } = variable;
    const unit = unitIn(system, variable);
    const column = { number, name, conversion: { unit, decimals: decimalsIn(variable, unit, wanted) } };
    if (!isCsv) return column;
    const isNamed = program === 'spreadsheet' && unit !== '1';
    return { ...column, heading: isNamed ? `${name} (${unit})` : columnHeading(variable, unit) };
  });
}

import { z } from 'zod';
import type { StationSnapshot } from '#application/observations/read/describe-station.js';
import { FindMany, MANY_STATIONS } from '#application/observations/read/many/find-many.js';
import { type ManyPage, ReadMany } from '#application/observations/read/many/read-many.js';
import type { Permit } from '#application/observations/read/gate/permit.js';
import { ROW_LIMITS } from '#application/observations/read/read-observations.js';
import type { Decimals } from '#domain/weather/units.js';
import { VARIABLES, type Variable, variableNamed } from '#domain/weather/variables.js';
import { csvHeading, csvRows, jsonColumns } from '#adapters/formats/text/observation-text.js';
import type { TextPiece } from '#adapters/formats/text/text-piece.js';
import { type AnyEndpoint, contentEndpoint } from '#adapters/http/core/endpoint.js';
import type { ContentBody } from '#adapters/http/core/reply/content.js';
import { JSON_TYPE } from '#adapters/http/core/reply/reply.js';
import { envelopeFields } from '#adapters/http/core/schemas.js';
import type { ExternalContext } from '../../external-context.js';
import { envelopeStart } from '../../stations/station-content.js';
import { CSV_TYPE, toColumns } from '../get-observations.js';
import { LINK_HEADER, nextPageLink } from '../next-page.js';
import { columnBody } from '../paced-body.js';
import { ROW_ERRORS, rowFields } from '../row-page.js';
import { toTime, toUnitFields, unitFields } from '../weather-fields.js';
import {
  CHART_OR_PAGE,
  chartPoints,
  decimals,
  isChartOrPage,
  names,
  quality,
  timeRange,
  replyFormat,
  timeStyle,
  units,
  wholeNumber,
} from '../weather-query.js';
import { stationSelection, manyContent, manyCursor, manyFields, toManyCursor } from './many-query.js';

const MESSAGE = 'Observations of each station, oldest first.';

const QUERY = z
  .strictObject({
    ...manyFields,
    ...timeRange(),
    variables: names()
      .optional()
      .describe('Names, separated by commas. Default: all variables of each station'),
    qc: quality().default('all'),
    units: units(),
    decimals: decimals(),
    time: timeStyle(),
    format: replyFormat(['json', 'csv']),
    limit: wholeNumber(1, ROW_LIMITS.max)
      .default(ROW_LIMITS.default)
      .describe('Largest number of rows of all stations together'),
    cursor: manyCursor(),
    points: chartPoints('a chart of each station'),
  })
  .refine(isChartOrPage, CHART_OR_PAGE);

const REPLY = z.strictObject({
  ...envelopeFields(MESSAGE),
  limit: z.int(),
  points: z.int().optional(),
  units: unitFields,
  stations: z.array(z.strictObject({ station: z.string(), from: z.string(), to: z.string(), ...rowFields })),
  next: z.string().nullable().describe('Cursor of the next page'),
});

export function listObservationsEndpoint(context: ExternalContext): AnyEndpoint {
  const { useCase, withPermit, readAccess: access, textThreads: threads } = context;
  const findMany = useCase(FindMany);
  const readMany = useCase(ReadMany);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/observations',
    summary: 'Read observations of many stations',
    description:
      `Columns for each of at most ${MANY_STATIONS} stations, which \`stations\` names or \`near\`, \`bbox\` or \`q\` finds. A date ` +
      'means the local day of each station unless `timezone` is given. A page has at most `limit` rows; the rows of a station may ' +
      'continue on the next page. The header `Link` has the address of the next page. CSV has a line for each row. Its first column is ' +
      'the station, and the other columns are the variables of all stations of the request, the same on each page.',
    access,
    query: QUERY,
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      headers: LINK_HEADER,
      mediaTypes: {
        [JSON_TYPE]: REPLY,
        [CSV_TYPE]: undefined,
      },
    },
    errors: ROW_ERRORS,
    call: async (call) => {
      const { query: parameters, search } = call;
      const input = {
        from: parameters.from,
        to: parameters.to,
        last: parameters.last,
        timeZone: parameters.timezone,
        variables: parameters.variables,
        quality: parameters.qc,
        limit: parameters.limit,
        points: parameters.points,
        cursor: parameters.cursor,
      };
      const isCsv = parameters.format === 'csv';
      const stations = await findMany.execute(stationSelection(call));
      const read = async (permit: Permit): Promise<ContentBody> => {
        const page = await readMany.execute(stations, input, permit);
        const shown = isCsv ? variablesOf(stations, parameters.variables) : undefined;
        const values = page.stations.reduce(
          (sum, { parts, variables }) =>
            sum + (shown ?? variables).length * parts.reduce((rows, { times }) => rows + times.length, 0),
          0,
        );
        const next = toManyCursor(page.next);
        const pieces = shown === undefined ? toJson(page, next, parameters) : toCsv(page, shown, parameters);
        return {
          content: columnBody(pieces, values, threads),
          headers: nextPageLink(search, next),
          ...(parameters.points !== undefined && { compression: 'stronger' }),
        };
      };
      const body = () => withPermit(call, read);
      return manyContent(stations, parameters, body, isCsv ? CSV_TYPE : JSON_TYPE);
    },
  });
}

/** The columns of CSV, which are the same on each page. @param requested known names; `ReadMany` has refused unknown ones */
function variablesOf(
  stations: readonly StationSnapshot[],
  requested: readonly string[] | undefined,
): readonly Variable[] {
  if (requested !== undefined) return [...new Set(requested)].flatMap((name) => variableNamed(name) ?? []);
  const numbers = new Set(stations.flatMap(({ inventory }) => inventory.variables));
  return VARIABLES.filter(({ number }) => numbers.has(number));
}

interface Style {
  readonly limit: number;
  readonly points?: number | undefined;
  readonly units: 'metric' | 'imperial' | 'si';
  readonly decimals?: Decimals;
  readonly time: 'iso' | 'unix';
}

function* toCsv({ stations }: ManyPage, variables: readonly Variable[], style: Style): Generator<TextPiece> {
  const columns = toColumns(variables, style, true);
  const { time: format } = style;
  yield csvHeading(columns, ['station']);
  for (const { station, parts } of stations) yield* csvRows({ parts, columns, format }, `${station.id},`);
}

function* toJson({ stations }: ManyPage, next: string | null, style: Style): Generator<TextPiece> {
  const { points, units: system } = style;
  const shown = new Set(stations.flatMap(({ variables }) => variables));
  const before = {
    ...envelopeStart(MESSAGE),
    limit: points === undefined ? style.limit : ROW_LIMITS.max,
    ...(points !== undefined && { points }),
    units: toUnitFields(
      VARIABLES.filter((variable) => shown.has(variable)),
      system,
    ),
  };
  yield { kind: 'text', text: `${JSON.stringify(before).slice(0, -1)},"stations":[` };
  for (const [index, { station, from, to, parts, variables }] of stations.entries()) {
    if (index > 0) yield { kind: 'text', text: ',' };
    const rows = { parts, columns: toColumns(variables, style, false), format: style.time };
    const start = { station: station.id, from: toTime(from), to: toTime(to) };
    yield* jsonColumns('observations', rows, start, { quality: [] });
  }
  yield { kind: 'text', text: `],"next":${JSON.stringify(next)}}` };
}

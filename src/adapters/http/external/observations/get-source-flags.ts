import { z } from 'zod';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import {
  type FlaggedPage,
  ReadSourceFlags,
} from '#application/observations/source-flags/read-source-flags.js';
import { columnHeading, shownIn, unitIn } from '#domain/weather/units.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import type { ExternalContext } from '../external-context.js';
import { etagOf } from '../stations/station-content.js';
import { CSV_TYPE } from './get-observations.js';
import { LINK_HEADER, nextPageLink } from './next-page.js';
import { pageFields, pageStart, ROW_ERRORS, rowFields } from './row-page.js';
import { toTime, toUnitFields, type ValueStyle } from './weather-fields.js';
import {
  decimals,
  names,
  replyFormat,
  stationId,
  timeCursor,
  timeRange,
  units,
  wholeNumber,
} from './weather-query.js';

const MESSAGE = 'Values with the flags of their source, oldest first.';
/** Largest number of rows of a reply: the days of 27 years. */
const MAX_ROWS = 10_000;

const QUERY = z.strictObject({
  ...timeRange(),
  variables: names()
    .optional()
    .describe(
      'Names, separated by commas. Default: the values of days (`daily_`, `multiday_`) of the station',
    ),
  units: units(),
  decimals: decimals(),
  format: replyFormat(['json', 'csv']),
  limit: wholeNumber(1, MAX_ROWS).default(MAX_ROWS).describe('Largest number of rows'),
  cursor: timeCursor(),
});

const REPLY = z.strictObject({
  ...pageFields(MESSAGE),
  observations: rowFields.observations,
  flags: z
    .record(z.string(), z.array(z.string().nullable()))
    .describe('The flags of each variable, with as many items as `time`; null for a value without flags'),
  failed: z.array(
    z
      .strictObject({
        variable: z.string(),
        index: z.int().nonnegative().describe('Index of the row; the first is 0'),
        reason: z.string().describe('The failed check of the source'),
      })
      .meta({ id: 'FailedSourceCheck' }),
  ),
  next: z.string().nullable().describe('Cursor of the next page'),
});

export function getSourceFlagsEndpoint(context: ExternalContext): AnyEndpoint {
  const { useCase, withPermit, readAccess: access } = context;
  const readSourceFlags = useCase(ReadSourceFlags);
  const describeStation = useCase(DescribeStation);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/source-flags',
    summary: 'Read values with the flags of their source',
    description:
      'Values from `from` (included) to `to` (not included), each with the flags that the archive gives it, as they are in the imported file. The ' +
      'documents of the archive say what they mean: GHCN-Daily has the flags of measurement, quality and source (`T,,7`). A value that failed a ' +
      'check of its source is not left out: it has a quality override with the reason, and so does not pass quality control. In CSV the flags are beside each value, and the last ' +
      'column has the failed checks. The header `Link` has the address of the next page.',
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
      },
    },
    errors: ROW_ERRORS,
    call: async (call) => {
      const { query, search } = call;
      const { format, timezone: timeZone, from, to, last, variables, limit, cursor } = query;
      const described = await describeStation.execute(call.params.id, undefined, call);
      const input = { timeZone, from, to, last, variables, limit, cursor };
      const isCsv = format === 'csv';
      const { content, headers } = await withPermit(call, async (permit) => {
        const flagged = await readSourceFlags.execute(described, input, permit);
        const text = isCsv ? toCsv(flagged, query) : JSON.stringify(toJson(flagged, query));
        return { content: text, headers: nextPageLink(search, flagged.page.next) };
      });
      // The flags may change while the values stay the same, so the ETag depends on the text.
      return {
        mediaType: isCsv ? CSV_TYPE : JSON_TYPE,
        etag: etagOf(content),
        cacheControl: 'no-cache',
        body: async () => ({ content, headers }),
      };
    },
  });
}

function toJson({ page, flagOf }: FlaggedPage, query: ValueStyle & { readonly limit: number }) {
  const { variables, series, next } = page;
  const columns = variables.map((variable) => {
    const { number, name } = variable;
    const shown = shownIn(query.units, variable, query.decimals);
    const all = series.values.get(number);
    const values = Array.from(series.times, (_time, row) => all?.[row] ?? Number.NaN);
    const isValue = (row: number) => !Number.isNaN(values[row]);
    const flags = Array.from(series.times, (time, row) => (isValue(row) ? flagOf(number, time) : undefined));
    return { name, flags, values: values.map((value, row) => (isValue(row) ? shown(value) : null)) };
  });
  return {
    ...pageStart(MESSAGE, page, query.limit),
    units: toUnitFields(variables, query.units),
    observations: {
      time: Array.from(series.times, toTime),
      ...Object.fromEntries(columns.map(({ name, values }) => [name, values])),
    },
    flags: Object.fromEntries(
      columns.map(({ name, flags }) => [name, flags.map((flag) => flag?.text || null)]),
    ),
    failed: columns.flatMap(({ name, flags }) =>
      flags.flatMap((flag, index) =>
        flag === undefined || flag.failure === null ? [] : [{ variable: name, index, reason: flag.failure }],
      ),
    ),
    next: next === null ? null : String(next),
  };
}

function toCsv(flagged: FlaggedPage, query: ValueStyle & { readonly limit: number }): string {
  const { observations, flags, failed } = toJson(flagged, query);
  const { variables } = flagged.page;
  const columns: Readonly<Record<string, readonly (string | number | null)[]>> = observations;
  const headings = variables.flatMap((variable) => [
    columnHeading(variable, unitIn(query.units, variable)),
    `${variable.name}_flags`,
  ]);
  const reasons = new Map<number, string[]>();
  for (const { variable, index, reason } of failed)
    reasons.set(index, [...(reasons.get(index) ?? []), `${variable}: ${reason}`]);
  const lines = observations.time.map((time, row) => {
    const cells = variables.flatMap(({ name }) => [columns[name]?.[row], quoted(flags[name]?.[row])]);
    return [time, ...cells, quoted(reasons.get(row)?.join('; '))].map((cell) => cell ?? '').join(',');
  });
  return `${[['time', ...headings, 'failed'].join(','), ...lines].join('\r\n')}\r\n`;
}

/** A text as a cell of CSV. */
function quoted(text: string | null | undefined): string {
  if (text === undefined || text === null) return '';
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

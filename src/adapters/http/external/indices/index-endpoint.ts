import { z } from 'zod';
import {
  ComputeStationIndex,
  type StationIndexPage,
} from '#application/observations/indices/compute-station-index.js';
import { DescribeStation, type StationSnapshot } from '#application/observations/read/describe-station.js';
import type { Permit } from '#application/observations/read/gate/permit.js';
import { MILLISECONDS } from '#domain/time.js';
import { DATES_OF_YEAR } from '#domain/weather/climate/usual.js';
import type { IndexColumn, StationIndex, YearStart } from '#domain/weather/indices/station-index.js';
import { conversionOf, quantityConverter, unitIn } from '#domain/weather/units.js';
import { roundTo, usualDecimals } from '#domain/weather/usual-decimals.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import { envelopeFields } from '../../core/schemas.js';
import { csvOf } from '../climate/climate-csv.js';
import type { ExternalContext } from '../external-context.js';
import { CSV_TYPE } from '../observations/get-observations.js';
import { ROW_ERRORS } from '../observations/row-page.js';
import { toTime, type ValueStyle } from '../observations/weather-fields.js';
import {
  decimals,
  quality,
  replyFormat,
  stationId,
  timeRange,
  units,
} from '../observations/weather-query.js';
import { cacheKeyOf, envelopeStart, stationContent } from '../stations/station-content.js';

/** The parameters that all indices have. */
export const indexQuery = {
  ...timeRange(),
  qc: quality().default('pass'),
  units: units(),
  decimals: decimals('as many as the accuracy of each column justifies'),
  format: replyFormat(['json', 'csv']),
};

/** The parameter of a date at which sums begin. */
export const startDate = (defaults: string) =>
  z
    .string()
    .max(5)
    .refine(
      (text) => DATES_OF_YEAR.includes(text) && text !== '02-29',
      'Must be a date in the form MM-DD, for example 03-01',
    )
    .optional()
    .describe(`Date at which sums begin in each year, in the form \`MM-DD\`. Default: ${defaults}`);

/** Whether rows are hours or days, for an index that has both. */
export const rowInterval = () =>
  z.enum(['hour', 'day']).default('hour').describe('Whether a row is an hour or a local day');

/** @param text in the form `MM-DD` */
export function yearStart(text: string): YearStart {
  const [month = 1, day = 1] = text.split('-').map(Number);
  return { month, day };
}

interface IndexQuery extends ValueStyle {
  readonly qc: 'all' | 'pass';
  readonly format: 'json' | 'csv';
  readonly timezone: string;
  readonly from?: number | string | undefined;
  readonly to?: number | string | undefined;
  readonly last?: Parameters<ComputeStationIndex['execute']>[1]['last'];
}

/** What a request computes. */
export interface ChosenIndex<Options> {
  readonly index: StationIndex<Options>;
  readonly options: Options;
  /** Date of the form `MM-DD` at which sums begin; undefined for an index without sums. */
  readonly start?: string;
  /** The parameters as the reply names them. */
  readonly parameters: Readonly<Record<string, string | number | null>>;
}

interface IndexDeclaration<Query, Options> {
  /** The index as the document describes it. An index that exists for hours and for days is declared once. */
  readonly indices: readonly [StationIndex<Options>, ...StationIndex<Options>[]];
  readonly summary: string;
  readonly description: string;
  readonly query: z.ZodObject & z.ZodType<Query>;
  readonly choose: (query: Query, described: StationSnapshot) => ChosenIndex<Options>;
}

const MESSAGE = 'Index of a station, oldest first.';
const columnOf = <Item extends z.ZodType>(item: Item) => z.array(item);

const REPLY = z.strictObject({
  ...envelopeFields(MESSAGE),
  station: z.string(),
  index: z.string(),
  title: z.string(),
  source: z.string().describe('Publications of the formulas'),
  rule: z.string().describe('When a row is `valid`'),
  interval: z.enum(['hour', 'day']),
  time_zone: z.string(),
  from: z.string(),
  to: z.string(),
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  units: z.record(z.string(), z.string()).describe('Unit of each column of numbers'),
  rows: z
    .object({
      time: columnOf(z.string()).describe('Begin of the hour with its offset, or the local date of the day'),
      missing: columnOf(z.int().nonnegative()).describe('Number of missing hours or days'),
      valid: columnOf(z.boolean()).describe('Whether the row follows `rule`'),
    })
    .catchall(columnOf(z.union([z.number(), z.string(), z.null()]))),
});

/** Declares the route of an index of a station, as JSON or CSV. */
export function indexEndpoint<Query extends IndexQuery, Options>(
  { useCase, withPermit, readAccess: access }: ExternalContext,
  { indices, summary, description, query, choose }: IndexDeclaration<Query, Options>,
): AnyEndpoint {
  const describeStation = useCase(DescribeStation);
  const compute = useCase(ComputeStationIndex);
  const [{ name }] = indices;
  return contentEndpoint<{ id: string }, Query>({
    method: 'GET',
    path: `/v1/stations/{id}/indices/${name}`,
    summary,
    description: `${description} Columns: ${describe(indices)}`,
    access,
    params: stationId,
    query,
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      mediaTypes: {
        [JSON_TYPE]: REPLY,
        [CSV_TYPE]: undefined,
      },
    },
    errors: ROW_ERRORS,
    call: async (call) => {
      const described = await describeStation.execute(call.params.id, undefined, call);
      const isCsv = call.query.format === 'csv';
      const chosen = choose(call.query, described);
      const read = async (permit: Permit) => {
        const { qc, timezone, from, to, last } = call.query;
        const { index, options, start } = chosen;
        const page = await compute.execute(
          described,
          {
            index,
            options,
            from,
            to,
            last,
            quality: qc,
            timeZone: timezone,
            start: start === undefined ? undefined : yearStart(start),
          },
          permit,
        );
        const shown = shownColumns(page, index.columns, call.query);
        if (isCsv) return { content: toCsv(page, shown) };
        return { content: JSON.stringify(toJson(page, chosen, shown)) };
      };
      // An hour or a day that has ended since the last reply adds a row, although no values were written.
      const cacheKey = [cacheKeyOf(call.query, described), Math.floor(described.asOf / MILLISECONDS.hour)];
      return stationContent(described, cacheKey, () => withPermit(call, read), isCsv ? CSV_TYPE : JSON_TYPE);
    },
  });
}

function describe(indices: readonly StationIndex<never>[]): string {
  const columns = new Map(indices.flatMap((index) => index.columns).map((one) => [one.name, one]));
  return [...columns.values()]
    .map(({ name, description, classes }) => {
      const words = classes === undefined ? '' : ` (${classes.map((word) => `\`${word}\``).join(', ')})`;
      return `\`${name}\`: ${description}${words}`;
    })
    .join('; ');
}

interface ShownColumn {
  readonly name: string;
  /** Undefined for a column of texts. */
  readonly unit: string | undefined;
  readonly cells: readonly (number | string | null)[];
}

function shownColumns(
  { columns }: StationIndexPage,
  described: readonly IndexColumn[],
  style: ValueStyle,
): readonly ShownColumn[] {
  return described.map((one, at) => {
    const values = Array.from(columns[at] as Float64Array);
    const { classes } = one;
    if (classes !== undefined)
      return { name: one.name, unit: undefined, cells: values.map((value) => classes[value] ?? null) };
    const { unit, convert } = measureOf(one, style);
    return {
      name: one.name,
      unit,
      cells: values.map((value) => (Number.isNaN(value) ? null : convert(value))),
    };
  });
}

function measureOf(
  column: IndexColumn,
  { units: system, decimals: asked }: ValueStyle,
): { readonly unit: string; readonly convert: (value: number) => number } {
  const { name, unit: stored, decimals: own, suffix = '' } = column;
  const unit = unitIn(system, column);
  const convert = quantityConverter(column, unit);
  const factor = conversionOf(stored, unit)?.factor ?? 1;
  const ofUnit = Math.max(0, own + Math.ceil(-Math.log10(factor) - 1e-9));
  if (asked === 'full') return { unit: `${unit}${suffix}`, convert };
  const count = asked === 'usual' ? usualDecimals(name, stored, unit, factor) : (asked ?? ofUnit);
  return { unit: `${unit}${suffix}`, convert: (value) => roundTo(convert(value), count) };
}

function toJson<Options>(
  page: StationIndexPage,
  { index, parameters, start }: ChosenIndex<Options>,
  shown: readonly ShownColumn[],
) {
  const { station, from, to, timeZone, times, missing, valid, format } = page;
  return {
    ...envelopeStart(MESSAGE),
    station: station.id,
    index: index.name,
    title: index.title,
    source: index.source,
    rule: index.rule,
    interval: index.gives === 'hours' ? 'hour' : 'day',
    time_zone: timeZone,
    from: toTime(from),
    to: toTime(to),
    parameters: { ...(start !== undefined && { start }), ...parameters },
    units: Object.fromEntries(shown.flatMap(({ name, unit }) => (unit === undefined ? [] : [[name, unit]]))),
    rows: {
      time: Array.from(times, format),
      ...Object.fromEntries(shown.map(({ name, cells }) => [name, cells])),
      missing: Array.from(missing),
      valid: Array.from(valid, Boolean),
    },
  };
}

function toCsv({ times, missing, valid, format }: StationIndexPage, shown: readonly ShownColumn[]): string {
  const headings = shown.map(({ name, unit = '1' }) => (unit === '1' ? name : `${name} (${unit})`));
  return csvOf(
    ['time', ...headings, 'missing', 'valid'],
    Array.from(times, (time, row) => [
      format(time),
      ...shown.map(({ cells }) => cells[row]),
      missing[row],
      valid[row] === 1,
    ]),
  );
}

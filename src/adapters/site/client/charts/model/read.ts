import type { ApiClient, Newest, Reply, Station } from '../../api.js';
import { type ObservationReply, readObservations, ROWS } from '../../observations.js';
import { MILLISECONDS } from '#domain/time.js';
import type { RibbonHour } from '../../ribbon/ribbon-model.js';
import type { Quantity } from './quantities.js';
import { instantText, type ShownRange } from './span.js';
import { type BarStep, barStepOf, type Step, stepOf } from './steps.js';
import { localTime, startOfDay } from './zone.js';

export type SummaryReply = Pick<
  Reply<'/v1/stations/{id}/summaries', 'get'>,
  'interval' | 'units' | 'summaries'
>;

/** The data of all charts for a range. */
export interface ChartReply {
  readonly range: ShownRange;
  readonly step: Step;
  readonly barStep: BarStep;
  /**
   * Number of columns into which the API has divided the range. The reply has only a few values of each column, which are enough
   * to draw lines.
   */
  readonly points: number;
  /** Values as measured; undefined if a step of a line is an hour or longer. */
  readonly observations: ObservationReply | undefined;
  readonly summaries: Readonly<Partial<Record<BarStep, SummaryReply>>>;
}

/** Maximum number of rows of a JSON reply. */
export const MAX_ROWS = 100_000;
/** Widths are rounded up to a multiple of this number of pixels, so that a slightly wider window sends the same request. */
const WIDTH_STEP = 100;
/** Ranges with a sentence about their days have these lengths in ms. */
const RANGE_OF_DAYS = { from: 2 * MILLISECONDS.day, to: 1100 * MILLISECONDS.day };

/** The statistics that charts need. */
const FIELDS = 'mean,min,max,min_time,max_time,sum,complete';

export const TEMPERATURE = 'air_temperature';
export const RAIN = 'precipitation_amount';
const DIRECTION = 'wind_from_direction';

/**
 * Number of columns of the chart, for the parameter `points` of the API. The API replies with only a few values for each column.
 * The number grows with the width, within the limits of the API.
 *
 * @param width width of the lines in pixels
 */
export function pointsFor(width: number, variables: number): number {
  const columns = Math.max(1, Math.ceil(width / WIDTH_STEP)) * WIDTH_STEP;
  return Math.min(columns, Math.floor(MAX_ROWS / (2 + 2 * variables)));
}

const variablesOfLines = (quantities: readonly Quantity[]) =>
  quantities
    .filter(({ kind }) => kind === 'line')
    .flatMap(({ lines }) => lines.map(({ variable }) => variable));

/**
 * The variables that are read as summaries, by interval: amounts, which need sums; directions, which need means; lines whose step
 * is an hour or longer; and temperature and rain of days, for the sentence about the range.
 */
function summaryVariables(
  quantities: readonly Quantity[],
  range: ShownRange,
): ReadonlyMap<BarStep, ReadonlySet<string>> {
  const variables = new Map<BarStep, Set<string>>();
  const add = (interval: BarStep, names: readonly string[]) => {
    if (names.length > 0) variables.set(interval, new Set([...(variables.get(interval) ?? []), ...names]));
  };
  const [step, barStep] = [stepOf(range), barStepOf(range)];
  const measured = new Set(quantities.flatMap(({ lines }) => lines.map(({ variable }) => variable)));
  if (step !== 'value') add(step, variablesOfLines(quantities));
  for (const { kind, lines, arrows } of quantities) {
    if (kind === 'bars')
      add(
        barStep,
        lines.map(({ variable }) => variable),
      );
    if (arrows !== undefined && step === 'value') add(barStep, [arrows]);
  }
  const length = range.to - range.from;
  if (length >= RANGE_OF_DAYS.from && length <= RANGE_OF_DAYS.to)
    add(
      'day',
      [TEMPERATURE, RAIN].filter((name) => measured.has(name)),
    );
  return variables;
}

/** Reads the data of all charts. @param width width of the lines in pixels @throws WeatherdError */
export async function readCharts(
  api: ApiClient,
  { id, time_zone: zone }: Pick<Station, 'id' | 'time_zone'>,
  quantities: readonly Quantity[],
  range: ShownRange,
  width: number,
  signal: AbortSignal,
): Promise<ChartReply> {
  const times = { from: instantText(range.from), to: instantText(range.to) };
  const [step, barStep] = [stepOf(range), barStepOf(range)];
  const ofLines = step === 'value' ? variablesOfLines(quantities) : [];
  const points = pointsFor(width, Math.max(1, ofLines.length));
  const path = { id };
  // The sum since midnight needs the hours from the local midnight at or before the start of the range.
  const midnight = instantText(startOfDay(localTime(range.from, zone).date, zone));
  const [observations, ...summaries] = await Promise.all([
    ofLines.length === 0
      ? undefined
      : readObservations(api, path, { ...times, variables: ofLines.join(','), points }, signal),
    ...[...summaryVariables(quantities, range)].map(async ([interval, names]) => {
      const query = { ...times, from: midnight, variables: [...names].join(','), fields: FIELDS, interval };
      return [interval, await api.get('/v1/stations/{id}/summaries', { path, query, signal })] as const;
    }),
  ]);
  return { range, step, barStep, points, observations, summaries: Object.fromEntries(summaries) };
}

/**
 * Adds newest values to the end of a reply, so that a new value is drawn without another request. Values that are not later than
 * the last row, and values that failed quality control, are left out.
 */
export function withNewest(reply: ObservationReply, newest: Newest): ObservationReply {
  const last = reply.observations.time.at(-1) ?? Number.NEGATIVE_INFINITY;
  const { time: times, ...columns } = reply.observations;
  const rows = new Map<number, Map<string, Newest[string]>>();
  for (const [variable, value] of Object.entries(newest)) {
    const time = Date.parse(value.time) / MILLISECONDS.second;
    if (!(variable in columns) || time <= last || value.verdict === 'fail') continue;
    rows.set(time, (rows.get(time) ?? new Map<string, Newest[string]>()).set(variable, value));
  }
  if (rows.size === 0) return reply;
  const newTimes = [...rows.keys()].toSorted((a, b) => a - b);
  const added = Object.entries(columns).map(([variable, column]) => [
    variable,
    [...column, ...newTimes.map((time) => rows.get(time)?.get(variable)?.value ?? null)],
  ]);
  const quality = newTimes.flatMap((time, index) =>
    [...(rows.get(time) ?? [])].flatMap(([variable, { verdict }]) =>
      verdict === 'suspect' ? [{ variable, index: times.length + index, verdict, checks: [] }] : [],
    ),
  );
  return {
    ...reply,
    observations: { ...Object.fromEntries(added), time: [...times, ...newTimes] },
    quality: [...reply.quality, ...quality],
  };
}

/** Time of the newest value in ms since 1970; undefined if there is none. */
export function newestTime(newest: Newest | undefined): number | undefined {
  const times = Object.values(newest ?? {}).map(({ time }) => Date.parse(time));
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Replaces the last hour of a reply, and adds later hours, so that bars and arrows follow events without another request. */
export function withHours(reply: ChartReply, hours: readonly RibbonHour[]): ChartReply {
  const { hour } = reply.summaries;
  const last = hour?.summaries.at(-1);
  if (hour === undefined || last === undefined) return reply;
  const begin = Date.parse(last.start);
  const names = Object.keys(hour.units);
  const added = hours.flatMap(({ start, rain, direction }) => {
    if (start < begin) return [];
    const before = start === begin ? last : undefined;
    const values: Record<string, unknown> = {
      // The values of the reply may be newer than the first of the hours.
      [RAIN]: { ...before?.[RAIN], sum: larger(before?.[RAIN]?.sum, rain) },
      [DIRECTION]: { ...before?.[DIRECTION], mean: direction ?? before?.[DIRECTION]?.mean ?? null },
    };
    const known = Object.entries(values).filter(([name]) => names.includes(name));
    const times = {
      start: new Date(start).toISOString(),
      end: new Date(start + MILLISECONDS.hour).toISOString(),
    };
    return [{ ...(before ?? times), ...Object.fromEntries(known) } as SummaryReply['summaries'][number]];
  });
  if (added.length === 0) return reply;
  const kept = hour.summaries.filter(({ start }) => Date.parse(start) < begin);
  const isReplaced = hours.some(({ start }) => start === begin);
  const summaries = [...kept, ...(isReplaced ? [] : [last]), ...added];
  return { ...reply, summaries: { ...reply.summaries, hour: { ...hour, summaries } } };
}

const larger = (before: number | null | undefined, amount: number | null | undefined) =>
  typeof amount === 'number' ? Math.max(before ?? 0, amount) : (before ?? null);

/** Parameters of the request for the shown rows: all rows for CSV and Parquet, the first `MAX_ROWS` rows for JSON. */
export function rowsRequest(
  station: string,
  quantities: readonly Quantity[],
  range: ShownRange,
  format?: 'csv' | 'parquet',
  units?: 'imperial',
) {
  const variables = quantities.flatMap(({ lines, arrows }) => [
    ...lines.map(({ variable }) => variable),
    ...(arrows === undefined ? [] : [arrows]),
  ]);
  const query = {
    from: instantText(range.from),
    to: instantText(range.to),
    variables: variables.join(','),
    units,
    limit: format === undefined ? MAX_ROWS : ('all' as const),
    format,
  };
  return [ROWS, { path: { id: station }, query }] as const;
}

/** Parameters of the request for all shown rows as CSV for the spreadsheet program of a visitor: local times, and the signs of the language. */
export function spreadsheetRequest(
  station: string,
  quantities: readonly Quantity[],
  range: ShownRange,
  locale: string,
  units?: 'imperial',
) {
  const [path, { query, ...options }] = rowsRequest(station, quantities, range, 'csv', units);
  return [path, { ...options, query: { ...query, for: 'spreadsheet' as const, locale } }] as const;
}

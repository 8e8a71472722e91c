import type { ApiClient, Reply, Station } from '../../api.js';
import { type ObservationReply, readObservations, ROWS } from '../../observations.js';
import type { Quantity } from './quantities.js';
import { barInterval, instantText, type ShownRange } from './span.js';
import { localTime, startOfDay } from './zone.js';

export type SummaryReply = Pick<
  Reply<'/v1/stations/{id}/summaries', 'get'>,
  'interval' | 'units' | 'summaries'
>;

/** The data of all charts for a range. */
export interface ChartReply {
  readonly range: ShownRange;
  /** Number of columns of the lines. */
  readonly points: number;
  readonly observations: ObservationReply | undefined;
  readonly summaries: SummaryReply | undefined;
}

/** The most rows of a reply. */
export const MAX_ROWS = 100_000;
/** Widths are rounded up to this number of pixels, so that a slightly wider window asks for the same reply. */
const WIDTH_STEP = 100;

/** Pixels beside the lines: the axis and the names. */
const BESIDE = 100;

/** Number of columns to ask for, within the limits of the API. @param width of the chart in pixels */
export function pointsFor(width: number, variables: number): number {
  const wanted = Math.max(1, Math.ceil(width / WIDTH_STEP)) * WIDTH_STEP;
  return Math.min(wanted, Math.floor(MAX_ROWS / (2 + 2 * variables)));
}

export const variablesOfLines = (quantities: readonly Quantity[]) =>
  quantities
    .filter(({ kind }) => kind === 'line')
    .flatMap(({ lines }) => lines.map(({ variable }) => variable));

/** Amounts and directions are read as values of hours or days: extremes of them show nothing. */
const variablesOfSummaries = (quantities: readonly Quantity[]) =>
  quantities.flatMap(({ kind, lines, arrows }) => [
    ...(kind === 'bars' ? lines.map(({ variable }) => variable) : []),
    ...(arrows === undefined ? [] : [arrows]),
  ]);

/** @param width of the charts in pixels @throws WeatherdError */
export async function readCharts(
  api: ApiClient,
  { id, time_zone: zone }: Pick<Station, 'id' | 'time_zone'>,
  quantities: readonly Quantity[],
  range: ShownRange,
  width: number,
  signal: AbortSignal,
): Promise<ChartReply> {
  const times = { from: instantText(range.from), to: instantText(range.to) };
  const [ofLines, ofSummaries] = [variablesOfLines(quantities), variablesOfSummaries(quantities)];
  const points = pointsFor(width - BESIDE, ofLines.length);
  const path = { id };
  // The amount since midnight needs the hours since the midnight before the range.
  const midnight = startOfDay(localTime(range.from, zone).date, zone);
  const [observations, summaries] = await Promise.all([
    ofLines.length === 0
      ? undefined
      : readObservations(api, path, { ...times, variables: ofLines.join(','), points }, signal),
    ofSummaries.length === 0
      ? undefined
      : api.get('/v1/stations/{id}/summaries', {
          path,
          query: {
            ...times,
            from: instantText(midnight),
            variables: ofSummaries.join(','),
            interval: barInterval(range),
          },
          signal,
        }),
  ]);
  return { range, points, observations, summaries };
}

/** The request of all rows that the charts show; in JSON, of the first `MOST_ROWS`. */
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

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
  /**
   * Number of columns into which the API has divided the range. The reply has only a few values of each column, which are enough
   * to draw lines.
   */
  readonly points: number;
  readonly observations: ObservationReply | undefined;
  readonly summaries: SummaryReply | undefined;
}

/** Maximum number of rows of a JSON reply. */
export const MAX_ROWS = 100_000;
/** Widths are rounded up to a multiple of this number of pixels, so that a slightly wider window sends the same request. */
const WIDTH_STEP = 100;

/** Width of the axis and the names beside the lines, in pixels. */
const MARGIN_WIDTH = 100;

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

export const variablesOfLines = (quantities: readonly Quantity[]) =>
  quantities
    .filter(({ kind }) => kind === 'line')
    .flatMap(({ lines }) => lines.map(({ variable }) => variable));

/**
 * Variables that are read as hourly or daily summaries: amounts, which need sums, and directions, which need means. All other
 * variables are drawn as lines. For a line, the API sends the smallest and largest values of each column of the chart; such
 * extremes have no meaning for amounts and directions.
 */
const variablesOfSummaries = (quantities: readonly Quantity[]) =>
  quantities.flatMap(({ kind, lines, arrows }) => [
    ...(kind === 'bars' ? lines.map(({ variable }) => variable) : []),
    ...(arrows === undefined ? [] : [arrows]),
  ]);

/** Reads the data of all charts. @param width width of the charts in pixels @throws WeatherdError */
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
  const points = pointsFor(width - MARGIN_WIDTH, ofLines.length);
  const path = { id };
  // The sum since midnight needs the hours from the local midnight at or before the start of the range.
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

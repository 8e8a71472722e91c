import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '../api.js';
import { useReading } from '../sections/use-read.js';
import { useSite } from '../site-context.js';
import { RAIN } from './model/read.js';
import { instantText, type ShownRange } from './model/span.js';
import type { ShownChart } from './shown-chart.js';
import type { ChartFormat } from './chart-format.js';

/** Longest time in ms before the range in which the last rain is looked for. */
const LOOKBACK = 400 * MILLISECONDS.day;

/** One line in place of a rain chart without rain: since when there was none. */
export function NoRain({
  chart,
  station,
  range,
  isLive,
  format,
}: {
  readonly chart: ShownChart;
  readonly station: Station;
  readonly range: ShownRange;
  readonly isLive: boolean;
  readonly format: ChartFormat;
}) {
  const { text, api } = useSite();
  const { noRain } = text.charts;
  const isKnown = chart.drawing?.lines[0]?.gaps.length === 0;
  // The search begins at a local midnight in UTC, so that its URL stays the same while the range moves with the clock.
  const to = Math.ceil(range.from / MILLISECONDS.day) * MILLISECONDS.day;
  const { data } = useReading(isKnown ? `rain ${station.id} ${to}` : '', async (signal) => {
    if (!isKnown) return undefined;
    const query = {
      interval: 'day',
      from: instantText(to - LOOKBACK),
      to: instantText(to),
      variables: RAIN,
      fields: 'sum',
    } as const;
    return api.get('/v1/stations/{id}/summaries', { path: { id: station.id }, query, signal });
  });
  const last = data?.summaries.findLast(({ [RAIN]: rain }) => typeof rain?.sum === 'number' && rain.sum > 0);
  const date = last && format.day(Date.parse(last.start), range);
  return (
    <p class="chart chart-no-rain" id={`chart-${chart.quantity.id}`}>
      <span class="chart-legend ink-rain">
        <svg width="20" height="12" viewBox="0 0 20 12" aria-hidden="true">
          <path d="M0 6H20" stroke="currentColor" stroke-width="3" />
        </svg>{' '}
        <strong>{chart.title}</strong>
      </span>{' '}
      {isKnown ? noRain.none(date, isLive) : noRain.known}
    </p>
  );
}

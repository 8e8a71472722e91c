import type { Drawing } from '../charts/model/drawing.js';
import { axisOf, bandPath, barsPath, linePath, placeTicks, scalesOf } from '../charts/model/layout.js';
import { timeTicks, type TimeTick } from '../charts/model/ticks.js';
import { roomFor } from '../charts/model/time-axis.js';
import { formatNumber } from '../format/numbers.js';
import { writeTime } from '../format/time-format.js';
import { useWidth } from '../sections/use-width.js';
import type { Series } from './series.js';

/** Distances in pixels. */
const HEIGHT = 128;
const TOP = 8;
const GUTTER = 48;
const TICKS = 28;

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DATE = { day: 'numeric', month: 'short' } as const;
const STYLES: Readonly<Record<TimeTick['kind'], Intl.DateTimeFormatOptions>> = {
  hour: CLOCK,
  day: { weekday: 'short', ...DATE },
  weekday: { weekday: 'short' },
  date: DATE,
  month: { month: 'short' },
  monthOfYear: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
};

/** A chart of a variable. */
export function Plot({ series }: { readonly series: Series }) {
  const { variable, ink, shape, times, values, lows, highs, gaps, intervals, range, zone } = series;
  const [element, width] = useWidth<HTMLElement>();
  const box = { left: GUTTER, top: TOP, width: Math.max(1, width - GUTTER - 1), height: HEIGHT };
  const line = {
    variable,
    shape,
    values,
    ...(lows !== undefined && highs !== undefined && { lows, highs }),
    doubtful: [],
    gaps,
  };
  const drawing: Drawing = { step: 'value', times, lines: [line], arrows: [] };
  const axis = axisOf(drawing, series.limits, HEIGHT);
  const scales = scalesOf(box, range, axis);
  const [right, bottom] = [box.left + box.width, box.top + box.height];
  const write = ({ time, kind }: TimeTick) =>
    writeTime(time, 'en', zone, STYLES[series.hasNoYear && kind === 'monthOfYear' ? 'month' : kind]);
  return (
    <figure class="chart" ref={element}>
      <figcaption class={`ink-${ink}`}>
        <b>{variable}</b> <span class="quiet">{describe(series)}</span>
      </figcaption>
      {width > 0 && (
        <svg class="plot" width="100%" height={bottom + TICKS} aria-hidden="true">
          <rect class="chart-ground" x={box.left} y={box.top} width={box.width} height={box.height} />
          <path
            class="chart-rules"
            d={axis.ticks.map((tick) => `M${box.left} ${crisp(scales.y(tick))}H${right}`).join('')}
          />
          {axis.ticks.map((tick) => (
            <text key={tick} class="chart-tick" x={box.left - 8} y={scales.y(tick) + 5} text-anchor="end">
              {formatNumber(tick, axis.decimals, 'en')}
            </text>
          ))}
          {shape === 'bars' ? (
            <path class={`chart-bars ink-${ink}`} d={barsPath(intervals, values, scales)} />
          ) : (
            <>
              {lows !== undefined && highs !== undefined && (
                <path class={`chart-band ink-${ink}`} d={bandPath(times, lows, highs, gaps, scales)} />
              )}
              <path class={`chart-line thin ink-${ink}`} d={linePath(drawing, line, scales)} />
            </>
          )}
          <path class="chart-base" d={`M${box.left} ${crisp(bottom)}H${right}`} />
          {placeTicks(timeTicks(range, zone, roomFor(box.width)), write, scales).map(({ x, text }) => (
            <text key={x} class="chart-tick" x={x} y={bottom + 20} text-anchor="middle">
              {text}
            </text>
          ))}
        </svg>
      )}
    </figure>
  );
}

/** A line of one pixel is sharp if it lies in the middle of a pixel. */
const crisp = (position: number) => Math.round(position) + 0.5;

/** The chart in words. */
function describe({ unit, values, lows = values, highs = values }: Series): string {
  const known = (column: Series['values']) => column.filter((value) => value !== undefined);
  const write = (value: number) => `${Number(value.toFixed(1))} ${unit === '1' ? '' : unit}`.trim();
  const count = known(values).length;
  return `${count} values, ${write(Math.min(...known(lows)))} to ${write(Math.max(...known(highs)))}`;
}

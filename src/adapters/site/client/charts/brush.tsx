import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '../api.js';
import { temperatureColor } from '../format/temperature-scale.js';
import { useRead } from '../sections/use-read.js';
import { useSite } from '../site-context.js';
import { type BrushPart, brushStep, centerBrush, moveBrush } from './model/brush.js';
import { placeTicks, scalesOf } from './model/layout.js';
import { TEMPERATURE } from './model/read.js';
import { instantText, type ShownRange } from './model/span.js';
import { roomFor } from './model/time-axis.js';
import { timeTicks } from './model/ticks.js';
import type { ChartFormat } from './chart-format.js';

const HEIGHT = 32;
const TICKS_HEIGHT = 24;
/** Width of a handle as drawn, and of the area that the pointer can hit. */
const HANDLE = 8;
const TARGET = 32;
/** A window that would be narrower is drawn with this width in pixels. */
const MIN_WINDOW = 6;

/** A strip of the whole record, a stripe a week in the colors of temperature, with a window at the shown range. */
export function Brush({
  station,
  record,
  range,
  width,
  gutter,
  format,
  onWindow,
}: {
  readonly station: Station;
  /** From the first observation to now. */
  readonly record: ShownRange;
  readonly range: ShownRange;
  readonly width: number;
  readonly gutter: number;
  readonly format: ChartFormat;
  readonly onWindow: (window: ShownRange) => void;
}) {
  const { text } = useSite();
  // The end of the record moves with the clock, but the stripes need to be read only once.
  const [end] = useState(record.to);
  const { data } = useRead('/v1/stations/{id}/summaries', {
    path: { id: station.id },
    query: {
      interval: 'week',
      from: instantText(record.from),
      to: instantText(Math.max(end, record.from + 1)),
      variables: TEMPERATURE,
      fields: 'mean',
    },
  });
  const box = { left: gutter, top: 0, width: Math.max(1, width - gutter - 1), height: HEIGHT };
  const scales = scalesOf(box, record, { min: 0, max: 1, decimals: 0, ticks: [] });
  const { x } = scales;
  const timeOf = (pixels: number) => (pixels / box.width) * (record.to - record.from);
  const [moved, setMoved] = useState<ShownRange>();
  const drag = useRef<
    { readonly part: BrushPart; readonly x: number; readonly window: ShownRange } | undefined
  >(undefined);
  useEffect(() => setMoved(undefined), [range.from, range.to]);
  const shown = moved ?? range;
  const stripes = useMemo(
    () =>
      (data?.summaries ?? []).map(({ start, end: to, [TEMPERATURE]: field }) => {
        const left = Math.max(box.left, x(Date.parse(start)));
        const right = Math.min(box.left + box.width, x(Date.parse(to)));
        const mean = field?.mean;
        if (typeof mean !== 'number' || right <= left) return null;
        // Stripes overlap by a pixel, so that no ground shows between them.
        const stripe = { x: left, width: Math.min(right - left + 1, box.left + box.width - left) };
        return <rect key={start} y={0} height={HEIGHT} fill={temperatureColor(mean)} {...stripe} />;
      }),
    [data, width, gutter, record.from, record.to],
  );
  const [left, right] = windowPixels(x(shown.from), x(shown.to), box.left, box.left + box.width);
  const slider = (part: BrushPart, label: string) => ({
    role: 'slider' as const,
    tabindex: 0,
    'aria-label': label,
    'aria-orientation': 'horizontal' as const,
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-valuenow': Math.round(
      ((part === 'to' ? shown.to : shown.from) - record.from) / ((record.to - record.from) / 100),
    ),
    'aria-valuetext':
      part === 'window' ? format.range(shown) : format.date(part === 'to' ? shown.to - 1 : shown.from),
    onKeyDown: (event: KeyboardEvent) => {
      const distance = brushStep(event.key, part, shown, record);
      if (distance === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      onWindow(moveBrush(shown, part, distance, record));
    },
    onPointerDown: (event: PointerEvent) => {
      event.preventDefault();
      event.stopPropagation();
      (event.currentTarget as SVGElement).focus();
      (event.currentTarget as SVGElement).setPointerCapture(event.pointerId);
      drag.current = { part, x: event.clientX, window: shown };
    },
    onPointerMove: (event: PointerEvent) => {
      const begin = drag.current;
      if (begin === undefined) return;
      setMoved(moveBrush(begin.window, begin.part, timeOf(event.clientX - begin.x), record));
    },
    onPointerUp: () => {
      drag.current = undefined;
      if (moved !== undefined) onWindow(moved);
    },
    onPointerCancel: () => {
      drag.current = undefined;
      setMoved(undefined);
    },
  });
  if (width === 0 || record.to - record.from < MILLISECONDS.day) return null;
  return (
    <div class="chart-brush" role="group" aria-label={text.charts.brush.title}>
      <svg width={width} height={HEIGHT + TICKS_HEIGHT}>
        <text class="chart-tick" x={gutter - 8} y={HEIGHT / 2 + 5} text-anchor="end">
          {text.charts.brush.all}
        </text>
        <rect
          class="brush-ground"
          x={box.left}
          y={0}
          width={box.width}
          height={HEIGHT}
          onClick={(event) => {
            const offset = event.clientX - event.currentTarget.getBoundingClientRect().left;
            onWindow(centerBrush(range, record.from + timeOf(offset), record));
          }}
        />
        <g class="brush-stripes">{stripes}</g>
        <path
          class="brush-veil"
          d={`M${box.left} 0H${left}V${HEIGHT}H${box.left}ZM${right} 0H${box.left + box.width}V${HEIGHT}H${right}Z`}
        />
        <rect
          class="brush-window"
          x={left}
          y={1}
          width={right - left}
          height={HEIGHT - 2}
          {...slider('window', text.charts.brush.window)}
        />
        {(['from', 'to'] as const).map((part) => {
          const at = part === 'from' ? left : right;
          const [inner, outer] = right - left < TARGET ? [2, TARGET - 2] : [TARGET / 2, TARGET / 2];
          const target = part === 'from' ? at - outer : at - inner;
          return (
            <g class="brush-handle" key={part} {...slider(part, text.charts.brush[part])}>
              <rect class="brush-target" x={target} y={0} width={inner + outer} height={HEIGHT} />
              <rect
                class="brush-grip"
                x={at - HANDLE / 2}
                y={(HEIGHT - 20) / 2}
                width={HANDLE}
                height={20}
                rx={2}
              />
            </g>
          );
        })}
        <g aria-hidden="true">
          {placeTicks(timeTicks(record, station.time_zone, roomFor(box.width)), format.tick, scales).map(
            (label) => (
              <text key={label.x} class="chart-tick" x={label.x} y={HEIGHT + 18} text-anchor="middle">
                {label.text}
              </text>
            ),
          )}
        </g>
      </svg>
    </div>
  );
}

/** The edges of the window, which is never too narrow to be seen. */
function windowPixels(from: number, to: number, low: number, high: number): [number, number] {
  const [left, right] = [Math.min(Math.max(from, low), high), Math.max(Math.min(to, high), low)];
  if (right - left >= MIN_WINDOW) return [left, right];
  const start = Math.min(Math.max(low, (left + right - MIN_WINDOW) / 2), high - MIN_WINDOW);
  return [start, start + MIN_WINDOW];
}

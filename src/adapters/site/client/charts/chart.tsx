import type { ReadonlySignal, Signal } from '@preact/signals-core';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import { MILLISECONDS } from '#domain/time.js';
import type { Station } from '../api.js';
import { convertDifference, type DisplayUnit } from '../format/units.js';
import { useSite } from '../site-context.js';
import type { Text } from '../text/en.js';
import { describeChart, doubt, rowsAt, titleAt } from './describe.js';
import { type Ahead, drawingAt } from './model/ahead.js';
import {
  type Drawing,
  type Extreme,
  extremesOf,
  hasValues,
  readLine,
  rowAt,
  shownRows,
} from './model/drawing.js';
import {
  axisOf,
  bandPath,
  barsPath,
  type Box,
  dotsPath,
  linePath,
  type PlacedLabel,
  placeDoubtful,
  placeExtreme,
  placeGaps,
  placeTicks,
  placeWords,
  type Scales,
  scalesOf,
  strongestRows,
  withoutOverlaps,
} from './model/layout.js';
import { inkOf, type Quantity } from './model/quantities.js';
import type { ShownRange } from './model/span.js';
import { dotLengthOf } from './model/steps.js';
import type { TimeAxis } from './model/time-axis.js';
import type { Cursor, ShownChart } from './shown-chart.js';
import { useDrag } from './use-drag.js';
import type { ChartFormat } from './chart-format.js';

/** Space for the labels of the value axis, in CSS pixels. */
export const gutterOf = (isNarrow: boolean) => (isNarrow ? 40 : 48);
/** Heights in CSS pixels. */
const TICKS_HEIGHT = 28;
const ARROWS_HEIGHT = 24;
const HEIGHT_IN_COLUMNS = 184;
/** Space above the lines for the upper half of the top label of the value axis. */
const TOP = 8;
/** Least distance of two arrows of the wind direction. */
const ARROW_DISTANCE = 28;
/** A chart names at most this number of gaps: the longest. */
const MAX_NAMED_GAPS = 3;
/** Distance that Shift with an arrow key moves the cursor, as a share of all rows. */
const LONG_STEP = 1 / 20;

export interface ChartProps {
  readonly chart: ShownChart;
  readonly station: Station;
  readonly range: ShownRange;
  readonly axis: TimeAxis;
  /** Width of the picture in pixels; 0 until it is known. */
  readonly width: number;
  readonly isNarrow: boolean;
  /** Whether other charts stand beside the chart, so that all have the same height. */
  readonly hasNeighbor: boolean;
  /** Gaps that are already named in another chart. */
  readonly namedGaps: readonly ShownRange[];
  /** Whether the labels of the time axis stand below the chart. */
  readonly hasTimes: boolean;
  readonly showsDoubtful: boolean;
  readonly format: ChartFormat;
  readonly cursor: Signal<Cursor | undefined>;
  readonly onRange: (range: ShownRange) => void;
  readonly onOpen: (time: number) => void;
  readonly hrefOf: (time: number) => string;
  readonly onReset: () => void;
  readonly announce: (text: string) => void;
}

/** A chart of one quantity over time. */
export function Chart(props: ChartProps) {
  const { chart, range, isNarrow, hasTimes, format, width, cursor } = props;
  const { quantity, drawing, unit, ahead } = chart;
  const { text } = useSite();
  const id = `chart-${quantity.id}`;
  const height = props.hasNeighbor ? HEIGHT_IN_COLUMNS : heightOf(quantity, drawing, isNarrow);
  const hasArrows = (drawing?.arrows.length ?? 0) > 0;
  const below = (hasArrows ? ARROWS_HEIGHT : 0) + (hasTimes ? TICKS_HEIGHT : 4);
  const isEmpty = drawing !== undefined && !hasValues(drawing);
  return (
    <figure
      class="chart"
      id={id}
      tabIndex={0}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onKeyDown={(event) => moveCursor(event, props, text)}
      onBlur={() => {
        cursor.value = undefined;
      }}
    >
      <figcaption class={`chart-head${isNarrow ? ' narrow' : ''}`}>
        {quantity.lines.map((line, number) => (
          <span key={line.variable} class={`chart-legend ink-${line.ink}`}>
            <svg width="20" height="12" viewBox="0 0 20 12" aria-hidden="true">
              {line.shape === 'dots' ? (
                <path class="chart-dots" d="M4 6h.01M10 6h.01M16 6h.01" />
              ) : (
                <path d="M0 6H20" stroke="currentColor" stroke-width="3" />
              )}
            </svg>{' '}
            {number === 0 ? (
              <h3 id={`${id}-title`}>
                {quantity.lines.length === 1 ? chart.title : format.name(line.variable)}
              </h3>
            ) : (
              <span class="other-line">{format.name(line.variable)}</span>
            )}
            {number === 0 && unit.unit !== '1' && <span class="quiet"> {unit.unit}</span>}
          </span>
        ))}
        {ahead !== undefined && hasValues(ahead.drawing) && (
          <span class="quiet chart-ahead">
            <svg width="20" height="12" viewBox="0 0 20 12" aria-hidden="true">
              <path d="M0 6H20" stroke="currentColor" stroke-width="2" stroke-dasharray="5 4" />
            </svg>{' '}
            {ahead.drawing.lines.some(({ lows }) => lows !== undefined)
              ? text.ribbon.legend.forecastBounds
              : text.charts.forecast}
          </span>
        )}
        {chart.note !== '' && <span class="quiet chart-note">{chart.note}</span>}
      </figcaption>
      <p class="hidden" id={`${id}-text`}>
        {describeChart(chart, range, format, text)}
      </p>
      {isEmpty ? (
        <p class="quiet chart-none">{text.charts.none}</p>
      ) : (
        <svg class="plot" width="100%" height={TOP + height + below} role="group" aria-label={chart.title}>
          {drawing !== undefined && width > 0 && <Picture {...props} drawing={drawing} height={height} />}
        </svg>
      )}
    </figure>
  );
}

/** Height of the area of the lines. */
function heightOf({ id, kind }: Quantity, drawing: Drawing | undefined, isNarrow: boolean): number {
  const isLong = drawing !== undefined && drawing.step !== 'value' && drawing.step !== 'hour';
  if (id === 'temperature') return isNarrow ? 152 : isLong ? 304 : 200;
  if (kind === 'bars') return isLong || isNarrow ? 112 : 88;
  return id === 'wind' ? 128 : 112;
}

function Picture(props: ChartProps & { readonly drawing: Drawing; readonly height: number }) {
  const { text } = useSite();
  const { chart, drawing, height, width, range, axis: time, isNarrow, hasTimes, format, cursor } = props;
  const { showsDoubtful, onRange, onOpen, onReset, hrefOf } = props;
  const { quantity, unit, usual, ahead, years = [] } = chart;
  const clip = useId();
  const shown = useMemo(() => {
    const gutter = gutterOf(isNarrow);
    const box: Box = { left: gutter, top: TOP, width: Math.max(1, width - gutter - 1), height };
    const more = [usual?.lows ?? [], usual?.highs ?? [], ...years.map(({ values }) => values)];
    for (const { values, lows = [], highs = [] } of ahead?.drawing.lines ?? [])
      more.push(values, lows, highs);
    const axis = axisOf(drawing, toUnit(quantity.limits, unit), height, more);
    return { box, axis, scales: scalesOf(box, range, axis) };
  }, [drawing, ahead, usual, chart.years, width, height, isNarrow, range]);
  const { box, axis, scales } = shown;
  const { x, y } = scales;
  const [right, bottom] = [box.left + box.width, box.top + box.height];
  const freezing = unit.unit === '°F' ? 32 : unit.unit === '°C' ? 0 : undefined;
  const drag = useDrag(scales, range, {
    onRange,
    onReset,
    onHover: (at, top) => {
      cursor.value = at === undefined ? undefined : { time: at, chart: quantity.id, top };
    },
    onPress: onOpen,
    isOpen: (at) =>
      cursor.peek() !== undefined &&
      titleAt(chart, cursor.peek()?.time ?? 0, format, text) === titleAt(chart, at, format, text),
  });
  const lines = useMemo(
    () => (
      <>
        {ahead && <Lines drawing={ahead.drawing} {...{ quantity, scales, range }} isAhead />}
        <Lines {...{ drawing, quantity, scales, range }} />
      </>
    ),
    [drawing, ahead, scales],
  );
  // No text covers another one: extremes come first, then the names of gaps, then doubtful values.
  const extremes = labelsOfExtremes({ drawing, quantity, scales, range, unit, format }, text);
  const gaps = gapsOf({ drawing, scales, format, namedGaps: props.namedGaps }, extremes, text);
  const taken = [...extremes, ...gaps.labels];
  const bold = freezing !== undefined && axis.min <= freezing && freezing <= axis.max ? freezing : undefined;
  return (
    <>
      <clipPath id={clip}>
        <rect x={box.left} y={box.top - 4} width={box.width} height={box.height + 8} />
      </clipPath>
      <rect class="chart-ground" x={box.left} y={box.top} width={box.width} height={box.height} />
      {axis.ticks.length > 0 && (
        <g aria-hidden="true">
          {time.nights.map(({ from, to }) => {
            const left = Math.max(box.left, x(from));
            const end = Math.min(right, x(to));
            return (
              <rect
                class="chart-night"
                key={from}
                x={left}
                y={box.top}
                width={Math.max(0, end - left)}
                height={box.height}
              />
            );
          })}
          <path
            class="chart-rules"
            d={axis.ticks.map((tick) => `M${box.left} ${crisp(y(tick))}H${right}`).join('')}
          />
          <path
            class={`chart-time ${time.lines}`}
            d={time.starts.map((start) => `M${crisp(x(start))} ${box.top}V${bottom}`).join('')}
          />
          {axis.ticks.map((tick) => (
            <text
              key={tick}
              class={tick === bold ? 'chart-tick bold' : 'chart-tick'}
              x={box.left - 8}
              y={y(tick) + 5}
              text-anchor="end"
            >
              {format.number(tick, axis.decimals)}
            </text>
          ))}
        </g>
      )}
      <g clip-path={`url(#${clip})`} aria-hidden="true">
        {usual !== undefined && (
          <>
            <path class="chart-usual" d={bandPath(usual.times, usual.lows, usual.highs, [], scales)} />
            <path class="chart-median" d={linePath(usual, { values: usual.middles, gaps: [] }, scales)} />
          </>
        )}
        {years.map(({ year, times, values }) => (
          <path key={year} class="chart-year" d={linePath({ times }, { values, gaps: [] }, scales)} />
        ))}
        {lines}
      </g>
      <path class="chart-base" d={`M${box.left} ${crisp(bottom)}H${right}`} />
      {bold !== undefined && <path class="chart-base" d={`M${box.left} ${crisp(y(bold))}H${right}`} />}
      {ahead && (
        <path class="chart-now" d={`M${crisp(x(ahead.from))} ${box.top}V${bottom}`} aria-hidden="true" />
      )}
      <Gaps {...gaps} />
      <rect
        class="chart-over"
        x={box.left}
        y={box.top}
        width={box.width}
        height={box.height}
        {...drag.handlers}
      />
      {showsDoubtful && <DoubtfulValues {...{ drawing, quantity, scales, format, unit, isNarrow, taken }} />}
      <Extremes {...{ extremes, drawing, quantity, range, hrefOf, onOpen }} />
      <rect class="chart-selection" y={box.top} height={box.height} ref={drag.selection} />
      <CursorLine {...{ cursor, chart, drawing, scales, range }} />
      {drawing.arrows.length > 0 && <Arrows drawing={drawing} ahead={ahead} scales={scales} />}
      {hasTimes && (
        <g aria-hidden="true">
          {placeTicks(time.ticks(box.width), format.tick, scales).map((label) => (
            <text
              key={label.x}
              class="chart-tick"
              x={label.x}
              y={bottom + (drawing.arrows.length > 0 ? ARROWS_HEIGHT : 0) + 20}
              text-anchor="middle"
            >
              {label.text}
            </text>
          ))}
        </g>
      )}
    </>
  );
}

/** A line of one pixel is sharp if it lies in the middle of a pixel. */
const crisp = (position: number) => Math.round(position) + 0.5;

/** @param isAhead whether the lines are a forecast: dashed, with the band of 8 of 10 outcomes, and hollow bars */
function Lines({
  drawing,
  quantity,
  scales,
  range,
  isAhead = false,
}: {
  readonly drawing: Drawing;
  readonly quantity: Quantity;
  readonly scales: Scales;
  readonly range: ShownRange;
  readonly isAhead?: boolean;
}) {
  const { times, intervals = [], lines } = drawing;
  const kind = isAhead ? 'ahead ' : '';
  return (
    <>
      {lines.map(({ lows, highs, gaps }, number) =>
        // Bands of several lines would cover each other.
        number === 0 &&
        lows !== undefined &&
        highs !== undefined &&
        (isAhead || lines.every(({ shape }) => shape === 'line')) ? (
          <path
            key={number}
            class={`${kind}chart-band ink-${quantity.lines[0]?.ink}`}
            d={bandPath(times, lows, highs, gaps, scales)}
          />
        ) : null,
      )}
      {lines.toReversed().map((line) => {
        const ink = inkOf(quantity, line.variable);
        if (line.shape === 'bars')
          return (
            <path
              key={line.variable}
              class={`${kind}chart-bars ink-${ink}`}
              d={barsPath(intervals, line.values, scales)}
            />
          );
        if (line.shape === 'dots') {
          const rows = strongestRows(times, line.values, dotLengthOf(range));
          return (
            <path
              key={line.variable}
              class={`${kind}chart-dots ink-${ink}`}
              d={dotsPath(times, line.values, rows, scales)}
            />
          );
        }
        const isThin = line !== lines[0] || (line.highs !== undefined && !isAhead);
        return (
          <path
            key={line.variable}
            class={`${kind}chart-line${isThin ? ' thin' : ''} ink-${ink}`}
            d={linePath(drawing, line, scales)}
          />
        );
      })}
    </>
  );
}

/** The gaps of the first line, and the names of the longest ones. */
function gapsOf(
  {
    drawing,
    scales,
    format,
    namedGaps,
  }: Pick<ChartProps, 'format' | 'namedGaps'> & {
    readonly drawing: Drawing;
    readonly scales: Scales;
  },
  taken: readonly PlacedLabel[],
  text: Text,
) {
  const [line] = drawing.lines;
  if (line === undefined || line.shape === 'dots') return { path: '', labels: [] };
  const gaps = placeGaps(line.gaps, (gap) => text.charts.gap(format.interval(gap, drawing.step)), scales);
  const longest = gaps.toSorted((a, b) => b.gap.to - b.gap.from - (a.gap.to - a.gap.from));
  const labels = withoutOverlaps(
    longest
      .slice(0, MAX_NAMED_GAPS)
      .filter(({ text: words }) => words !== '')
      .filter(({ gap: { from, to } }) => !namedGaps.some((named) => named.from < to && from < named.to)),
    taken,
  );
  return { path: gaps.map(({ path }) => path).join(''), labels };
}

function Gaps({ path, labels }: ReturnType<typeof gapsOf>) {
  return (
    <g aria-hidden="true">
      <path class="chart-gap" d={path} />
      {labels.map(({ x, y, text: words }) => (
        <text key={x} class="chart-label quiet" x={x} y={y} text-anchor="middle">
          {words}
        </text>
      ))}
    </g>
  );
}

/** Hollow circles at doubtful values, and carets at the edge for values beyond it. */
function DoubtfulValues({
  drawing,
  quantity,
  scales,
  format,
  unit,
  isNarrow,
  taken,
}: Pick<ChartProps, 'format' | 'isNarrow'> & {
  /** Labels that already have a place. */
  readonly taken: readonly PlacedLabel[];
  readonly drawing: Drawing;
  readonly quantity: Quantity;
  readonly scales: Scales;
  readonly unit: DisplayUnit;
}) {
  const { text } = useSite();
  const marks = drawing.lines.flatMap((line) => {
    const ink = inkOf(quantity, line.variable);
    return line.doubtful.map(({ time, value, checks }) => ({
      ...placeDoubtful(time, value, scales),
      ink,
      value: format.mark(value, unit),
      reason: doubt(checks, format, text.charts),
    }));
  });
  const labels = withoutOverlaps(
    marks.flatMap((mark) => {
      if (mark.edge === undefined) return [];
      const words = `${mark.value} ${isNarrow ? text.charts.doubtful : mark.reason}`;
      return [{ ...placeWords(mark, words, scales.box), mark }];
    }),
    taken,
  );
  return (
    <g aria-hidden="true">
      {marks.map(({ path, ink }) => (
        <path key={`${path} ${ink}`} class={`chart-doubtful ink-${ink}`} d={path} />
      ))}
      {labels.map(({ y, text: words, mark: { x, value }, side }) => (
        <text key={x} class="chart-label" x={x + side * 10} y={y} text-anchor={side < 0 ? 'end' : 'start'}>
          {value} <tspan class="quiet">{words.slice(value.length + 1)}</tspan>
        </text>
      ))}
    </g>
  );
}

/** The line whose extremes have names: gusts, or the first line. */
const namedLine = ({ lines }: Drawing) => lines.find(({ shape }) => shape === 'dots') ?? lines[0];

/** The names of the extremes. */
function labelsOfExtremes(
  {
    drawing,
    quantity,
    scales,
    range,
    unit,
    format,
  }: Pick<ChartProps, 'range' | 'format'> & {
    readonly drawing: Drawing;
    readonly quantity: Quantity;
    readonly scales: Scales;
    readonly unit: DisplayUnit;
  },
  text: Text,
) {
  const named = namedLine(drawing);
  if (named === undefined || shownRows(drawing).length < 3) return [];
  if (named.shape === 'bars' && drawing.step === 'hour') return [];
  const words = ({ value, time, row }: Extreme) => {
    const interval = drawing.intervals?.[row];
    if (named.shape === 'bars' && interval !== undefined)
      return `${format.value(value, unit)}, ${format.interval(interval, drawing.step)}`;
    return text.charts.extreme(
      format.mark(value, unit),
      format.shortTime(time, range, drawing.step),
      drawing.step === 'value',
    );
  };
  const { floor, ceiling } = quantity.limits;
  // The lowest value of an amount or a speed is usually 0, which needs no name.
  const hasLow = floor !== 0 || ceiling !== undefined;
  return withoutOverlaps(
    extremesOf(drawing, named, range)
      .filter(({ kind }) => kind === 'high' || hasLow)
      .toReversed()
      .map((extreme) => {
        const point = { x: scales.x(extreme.time), y: scales.y(extreme.value), kind: extreme.kind };
        const place = placeExtreme(point, words(extreme), scales.box);
        return { ...place, point, extreme };
      }),
  );
}

/** The names of the extremes of the first line and of gusts. Each opens the day of the extreme. */
function Extremes({
  extremes,
  drawing,
  quantity,
  range,
  hrefOf,
  onOpen,
}: Pick<ChartProps, 'range' | 'hrefOf' | 'onOpen'> & {
  readonly extremes: ReturnType<typeof labelsOfExtremes>;
  readonly drawing: Drawing;
  readonly quantity: Quantity;
}) {
  const { text } = useSite();
  const named = namedLine(drawing);
  if (named === undefined) return null;
  const ink = inkOf(quantity, named.variable);
  const isDay = range.to - range.from <= 26 * MILLISECONDS.hour;
  return (
    <>
      {extremes.map(({ x, y, text: label, point, extreme }) => {
        const mark = (
          <>
            {named.shape !== 'bars' && (
              <circle class={`chart-extreme ink-${ink}`} cx={point.x} cy={point.y} r="3.5" />
            )}
            <text class="chart-label bold" x={x} y={y} text-anchor="middle">
              {label}
            </text>
          </>
        );
        if (isDay) return <g key={extreme.kind}>{mark}</g>;
        return (
          <a
            key={extreme.kind}
            href={hrefOf(extreme.time)}
            aria-label={text.charts.openDay(label)}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
              event.preventDefault();
              onOpen(extreme.time);
            }}
          >
            {mark}
          </a>
        );
      })}
    </>
  );
}

/** Arrows in the direction in which the wind blows. Arrows that would overlap are left out. */
function Arrows({
  drawing,
  ahead,
  scales: { x, box },
}: {
  readonly drawing: Drawing;
  readonly ahead: Ahead | undefined;
  readonly scales: Scales;
}) {
  let last = Number.NEGATIVE_INFINITY;
  const all = [...drawing.arrows, ...(ahead?.drawing.arrows ?? [])];
  const arrows = all.filter(({ time }) => {
    const at = x(time);
    if (at < box.left + 8 || at > box.left + box.width - 8 || at - last < ARROW_DISTANCE) return false;
    last = at;
    return true;
  });
  const y = box.top + box.height + ARROWS_HEIGHT / 2;
  return (
    <g class="chart-arrows" aria-hidden="true">
      {arrows.map(({ time, from }) => (
        // Without a rotation the arrow points down, as for wind from the north.
        <path
          key={time}
          class={ahead !== undefined && time > ahead.from ? 'ahead' : undefined}
          d="M0 7L-4 -6L0 -3L4 -6Z"
          transform={`translate(${x(time)} ${y}) rotate(${from})`}
        />
      ))}
    </g>
  );
}

/** The line of the cursor with a dot on each line. It is moved without rendering the chart again. */
function CursorLine({
  cursor,
  chart,
  drawing: measured,
  scales,
  range,
}: {
  readonly cursor: ReadonlySignal<Cursor | undefined>;
  readonly chart: ShownChart;
  readonly drawing: Drawing;
  readonly scales: Scales;
  readonly range: ShownRange;
}) {
  const group = useRef<SVGGElement>(null);
  useEffect(
    () =>
      cursor.subscribe((now) => {
        const [line, ...dots] = [...(group.current?.children ?? [])];
        const isShown = now !== undefined && now.time >= range.from && now.time <= range.to;
        group.current?.toggleAttribute('hidden', !isShown);
        if (!isShown) return;
        const drawing = drawingAt({ drawing: measured, ahead: chart.ahead }, now.time);
        const row = rowAt(drawing, now.time);
        // The line stands at the values that the tooltip shows.
        const snapped = drawing.lines[0] && readLine(drawing, drawing.lines[0], now.time);
        const at = scales.x(snapped?.kind === 'value' ? (drawing.times[snapped.row] ?? now.time) : now.time);
        line?.setAttribute('d', `M${crisp(at)} ${scales.box.top}V${scales.box.top + scales.box.height}`);
        for (const [number, dot] of dots.entries()) {
          const part = drawing.lines[number];
          const reading = part && readLine(drawing, part, now.time);
          const isDot = row >= 0 && reading?.kind === 'value' && part?.shape !== 'bars';
          dot.toggleAttribute('hidden', !isDot);
          if (!isDot) continue;
          dot.setAttribute('cx', String(scales.x(drawing.times[reading.row] ?? 0)));
          dot.setAttribute('cy', String(scales.y(reading.value)));
        }
      }),
    [cursor, measured, chart.ahead, scales, range],
  );
  return (
    <g class="chart-cursor" ref={group} hidden aria-hidden="true">
      <path />
      {chart.quantity.lines.map(({ variable, ink }) => (
        <circle key={variable} class={`ink-${ink}`} r="4" />
      ))}
    </g>
  );
}

/** Converts the limits of an axis to the display unit. */
function toUnit({ floor, ceiling, minLength }: Quantity['limits'], unit: DisplayUnit): Quantity['limits'] {
  const { convert } = unit;
  return {
    minLength: convertDifference(unit, minLength),
    ...(floor !== undefined && { floor: convert(floor) }),
    ...(ceiling !== undefined && { ceiling: convert(ceiling) }),
  };
}

/** Moves the cursor with the keys of a focused chart, and announces the values at the cursor to screen readers. */
function moveCursor(event: KeyboardEvent, props: ChartProps, text: ReturnType<typeof useSite>['text']): void {
  const { chart, format, cursor, announce, onOpen } = props;
  const { drawing } = chart;
  if (event.target !== event.currentTarget || drawing === undefined) return;
  const shown = cursor.peek();
  if (event.key === 'Enter' && shown !== undefined) {
    event.preventDefault();
    onOpen(shown.time);
    return;
  }
  const times = [drawing, ...(chart.ahead ? [chart.ahead.drawing] : [])].flatMap((part) =>
    shownRows(part).map((row) => part.times[row] ?? 0),
  );
  const last = times.length - 1;
  const timeAt = (time: number) => {
    const part = drawingAt({ drawing, ahead: chart.ahead }, time);
    return part.times[rowAt(part, time)] ?? NaN;
  };
  const now = shown === undefined ? undefined : times.indexOf(timeAt(shown.time));
  const step = event.shiftKey ? Math.ceil(times.length * LONG_STEP) : 1;
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: now === undefined ? last : Math.max(0, now - step),
    ArrowRight: now === undefined ? 0 : Math.min(last, now + step),
    Home: 0,
    End: last,
  };
  const time = times[targets[event.key] ?? -1];
  if (time === undefined) return;
  event.preventDefault();
  cursor.value = { time, chart: chart.quantity.id };
  const rowTexts = rowsAt(chart, time, format, text).map(({ name, value }) => `${name} ${value}`);
  announce(`${titleAt(chart, time, format, text)}: ${rowTexts.join('; ')}`);
}

import type { Signal } from '@preact/signals-core';
import { useEffect, useRef } from 'preact/hooks';
import type { Station } from '../api.js';
import type { DisplayUnit } from '../format/units.js';
import { loadPart, loadPartAgain } from '../parts/load-part.js';
import { useSite } from '../site-context.js';
import { ChartTable } from './table.js';
import { describeChart, describeRow } from './describe.js';
import { type Drawing, hasValues, rowAt, shownRows } from './model/drawing.js';
import type { Quantity } from './model/quantities.js';
import type { ShownRange } from './model/span.js';
import type { Plot } from './plot/plot.js';
import type { PlotSetup } from './plot/setup.js';
import { Readout } from './readout.js';
import type { ChartFormat } from './use-format.js';

/** Height of the main charts and of the other charts, in pixels. */
const HEIGHT = { main: 184, other: 128 };
/** Distance that Shift with an arrow key moves the cursor, as a share of all rows. */
const LONG_STEP = 1 / 20;

export interface ChartProps {
  readonly quantity: Quantity;
  readonly isMain: boolean;
  readonly station: Station;
  readonly drawing: Drawing | undefined;
  /** Range of the time axis. */
  readonly range: ShownRange;
  readonly unit: DisplayUnit;
  readonly format: ChartFormat;
  /** The time of the cursor of all charts, in ms since 1970. */
  readonly cursor: Signal<number | undefined>;
  readonly onRange: (range: ShownRange) => void;
  readonly announce: (text: string) => void;
  readonly onPlot: (id: string, plot: Plot | undefined) => void;
  /** How often the visitor has asked to load the code of the charts again, after the code could not be loaded; 0 at first. */
  readonly attempt: number;
  readonly onMissing: (error: unknown) => void;
}

/** A chart of one quantity over time. */
export function Chart(props: ChartProps) {
  const { quantity, isMain, drawing, range, unit, format, cursor } = props;
  const { text } = useSite();
  const plotElement = usePlot(props);
  const id = `chart-${quantity.id}`;
  const isEmpty = drawing !== undefined && !hasValues(drawing);
  return (
    <figure
      class="chart"
      tabIndex={0}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      aria-details={`${id}-table`}
      onKeyDown={(event) => moveCursor(event, props, text)}
      onBlur={() => {
        cursor.value = undefined;
      }}
    >
      <h3 class="hidden" id={`${id}-title`}>
        {format.title(quantity)}
      </h3>
      <p class="hidden" id={`${id}-text`}>
        {drawing !== undefined && describeChart(drawing, range, unit, format, text)}
      </p>
      <Readout {...{ quantity, drawing, range, unit, format, cursor }} />
      <div
        class={`plot ${isMain ? 'main' : 'other'}${quantity.arrows === undefined ? '' : ' arrows'}`}
        ref={plotElement}
      >
        {isEmpty && <p class="empty quiet">{text.charts.none}</p>}
      </div>
      {drawing !== undefined && !isEmpty && (
        <ChartTable id={`${id}-table`} title={format.title(quantity)} {...{ drawing, range, unit, format }} />
      )}
    </figure>
  );
}

/** Draws the chart. @returns the ref for the element of the chart */
function usePlot({
  quantity,
  isMain,
  station,
  drawing,
  range,
  unit,
  format,
  cursor,
  onRange,
  onPlot,
  attempt,
  onMissing,
}: ChartProps) {
  const elementRef = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot | undefined>(undefined);
  useEffect(() => {
    const element = elementRef.current;
    if (element === null || drawing === undefined || !hasValues(drawing)) return undefined;
    let isDisposed = false;
    let cancelDrawing = () => {};
    let stopWatching = () => {};
    const resizeObserver = new ResizeObserver(() => plot.current?.resize());
    const setup: PlotSetup = {
      lines: quantity.lines.map((line) => ({ ...line, label: format.name(line.variable) })),
      limits: toUnit(quantity.limits, unit),
      hasArrows: quantity.arrows !== undefined,
      height: isMain ? HEIGHT.main : HEIGHT.other,
      station: { latitude: station.latitude, longitude: station.longitude, zone: station.time_zone },
      formatValue: format.number,
      formatTick: format.tick,
      cursor: () => cursor.peek(),
      onHover: (time) => {
        cursor.value = time;
      },
      onRange,
    };
    const load = attempt === 0 ? loadPart : loadPartAgain;
    const draw = async (): Promise<void> => {
      const { createPlot, onSchemeChange, scheduleDrawing } = await load(() => import('./plot/plot.js'));
      if (isDisposed) return;
      cancelDrawing = scheduleDrawing(element, () => {
        const created = createPlot(element, setup, { drawing, range });
        plot.current = created;
        onPlot(quantity.id, created);
        resizeObserver.observe(element);
        stopWatching = onSchemeChange(() => created.recolor());
      });
    };
    draw().catch(onMissing);
    return () => {
      isDisposed = true;
      cancelDrawing();
      resizeObserver.disconnect();
      stopWatching();
      plot.current?.destroy();
      plot.current = undefined;
      onPlot(quantity.id, undefined);
    };
    // A new drawing is computed whenever the data, the units or the language change, so the effect need not depend on these
    // values.
  }, [drawing, attempt]);
  useEffect(() => cursor.subscribe((time) => plot.current?.point(time)), [cursor]);
  return elementRef;
}

/** Converts the limits of an axis to the display unit. */
function toUnit(
  { floor, ceiling, minLength }: Quantity['limits'],
  { convert }: DisplayUnit,
): Quantity['limits'] {
  return {
    minLength: convert(minLength) - convert(0),
    ...(floor !== undefined && { floor: convert(floor) }),
    ...(ceiling !== undefined && { ceiling: convert(ceiling) }),
  };
}

/** Moves the cursor with the keys of a focused chart, and announces the values at the cursor to screen readers. */
function moveCursor(event: KeyboardEvent, props: ChartProps, text: ReturnType<typeof useSite>['text']): void {
  const { drawing, range, unit, format, cursor, announce } = props;
  if (event.target !== event.currentTarget || drawing === undefined) return;
  const rows = shownRows(drawing);
  const last = rows.length - 1;
  const now = cursor.value === undefined ? undefined : rows.indexOf(rowAt(drawing, cursor.value));
  const step = event.shiftKey ? Math.ceil(rows.length * LONG_STEP) : 1;
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: now === undefined ? last : Math.max(0, now - step),
    ArrowRight: now === undefined ? 0 : Math.min(last, now + step),
    Home: 0,
    End: last,
  };
  const at = rows[targets[event.key] ?? -1];
  if (at === undefined) return;
  event.preventDefault();
  const { starts, times } = drawing;
  const end = times[at] ?? 0;
  cursor.value = starts === undefined ? end : ((starts[at] ?? end) + end) / 2;
  announce(describeRow(drawing, at, range, unit, format, text));
}

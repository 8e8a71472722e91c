import './browser-language.js';
import uPlot from 'uplot';
import { type Drawing, isValue } from '../model/drawing.js';
import { type AxisLimits, type TimeTick, type ValueAxis, valueAxis } from '../model/ticks.js';
import { drawBackdrop } from './backdrop.js';
import { addDragGestures } from './gestures.js';
import { readInks } from './ink.js';
import type { PlotInput, PlotSetup } from './setup.js';
import { dataOf, seriesOf } from './series.js';
import { ARROW_STRIP, drawArrows, drawLabels, drawSuspects, LABEL_WIDTH } from './marks.js';
import { timeAxisOf } from './time-axis.js';

export { onSchemeChange } from './ink.js';
export { scheduleDrawing } from './draw-queue.js';

export interface Plot {
  /** Shows the cursor line at a time in ms since 1970; hides the line if the time is undefined. */
  point(time: number | undefined): void;
  resize(): void;
  /** Redraws the chart with the current colors. */
  recolor(): void;
  readonly canvas: HTMLCanvasElement;
  destroy(): void;
}

/** Width of the vertical axis of wide and of narrow charts, in pixels. */
const AXIS_WIDTH = { wide: 56, narrow: 44 };
const WIDE = 600;
const AXIS_HEIGHT = 28;
/** Width of a label of the time axis, in pixels. */
const TICK_WIDTH = 72;
/** Height of a step of the vertical axis, in pixels. */
const STEP_HEIGHT = 28;
const FONT = '12px system-ui, sans-serif';

export function createPlot(element: HTMLElement, setup: PlotSetup, { drawing, range }: PlotInput): Plot {
  let inks = readInks(element);
  const { lines, hasArrows, station } = setup;
  const axis = axisOf(drawing, setup.limits, Math.floor(setup.height / STEP_HEIGHT));
  const timeAxis = timeAxisOf(range, station);
  let ticks: readonly TimeTick[] = [];
  let isHovered = false;
  const colorOf = (number: number) => inks[lines[number]?.ink ?? 'ink'];
  const lineStyles = () => lines.map(({ label }, number) => ({ label, color: colorOf(number) }));

  const options: uPlot.Options = {
    width: element.clientWidth,
    height: setup.height + (hasArrows ? ARROW_STRIP : 0),
    ms: 1,
    legend: { show: false },
    padding: [8, (plot) => (isWide(plot) ? LABEL_WIDTH : 12), 0, 0],
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      points: { size: 8 },
      dataIdx: (_plot, _series, closest) => closest,
    },
    scales: {
      x: { time: false, range: () => [range.from, range.to] },
      y: { range: () => [axis.min, axis.max] },
    },
    axes: [
      {
        font: FONT,
        stroke: () => inks.muted,
        size: AXIS_HEIGHT + (hasArrows ? ARROW_STRIP : 0),
        gap: hasArrows ? ARROW_STRIP + 8 : 8,
        ticks: { show: false },
        grid: { show: false },
        splits: (plot) => {
          const maxLabels = Math.max(2, Math.floor(plot.bbox.width / devicePixelRatio / TICK_WIDTH));
          ticks = timeAxis.ticks(maxLabels);
          return ticks.map(({ time }) => time);
        },
        values: () => ticks.map((tick) => setup.formatTick(tick)),
      },
      {
        font: FONT,
        stroke: () => inks.muted,
        size: (plot) => (isWide(plot) ? AXIS_WIDTH.wide : AXIS_WIDTH.narrow),
        gap: 6,
        ticks: { show: false },
        grid: { stroke: () => inks.line, width: 1 },
        splits: () => [...axis.ticks],
        values: () => axis.ticks.map((tick) => setup.formatValue(tick, axis.decimals)),
      },
    ],
    series: [{}, ...seriesOf(setup, drawing, colorOf)],
    hooks: {
      drawClear: [(plot) => drawBackdrop(plot, timeAxis.backdrop, inks)],
      draw: [
        (plot) => {
          drawSuspects(plot, drawing, lineStyles(), inks);
          drawLabels(plot, drawing, lineStyles(), inks, isWide(plot));
          if (hasArrows) drawArrows(plot, drawing.arrows, inks.wind);
        },
      ],
      ready: [(plot) => showCursor(plot, setup.cursor())],
      setCursor: [
        (plot) => {
          const { left = -1 } = plot.cursor;
          // A new plot also reports that it has no cursor. This report must not clear the cursor that all charts share.
          if (left < 0 && !isHovered) return;
          isHovered = left >= 0;
          setup.onHover(isHovered ? plot.posToVal(left, 'x') : undefined);
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          if (width < 4) return;
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          setup.onRange({ from: plot.posToVal(left, 'x'), to: plot.posToVal(left + width, 'x') });
        },
      ],
    },
  };
  const plot = new uPlot(options, dataOf(drawing), element);
  const removeGestures = addDragGestures(plot, range, setup.onRange);

  return {
    canvas: plot.ctx.canvas,
    point: (time) => showCursor(plot, time),
    resize: () => {
      if (element.clientWidth > 0 && element.clientWidth !== plot.width)
        plot.setSize({ width: element.clientWidth, height: plot.height });
    },
    recolor: () => {
      inks = readInks(element);
      plot.redraw(false, true);
    },
    destroy: () => {
      removeGestures();
      plot.destroy();
    },
  };
}

function showCursor(plot: uPlot, time = Number.NaN): void {
  const { min = 0, max = 0 } = plot.scales['x'] ?? {};
  const isShown = time >= min && time <= max;
  plot.setCursor({ left: isShown ? plot.valToPos(time, 'x') : -10, top: 0 }, false);
}

const isWide = ({ width }: uPlot) => width >= WIDE;

function axisOf({ lines, daySums = [] }: Drawing, limits: AxisLimits, steps: number): ValueAxis {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const values of [...lines.map((line) => line.values), daySums]) {
    for (const value of values) {
      if (!isValue(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low > high ? valueAxis(0, limits.minLength, limits, steps) : valueAxis(low, high, limits, steps);
}

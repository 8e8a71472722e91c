import type uPlot from 'uplot';
import { spreadPositions } from '../model/spread.js';
import { type Arrow, type Drawing, isValue } from '../model/drawing.js';
import type { Inks } from './ink.js';

/** Radius of the circle of a suspect value. This length and the next lengths are in CSS pixels. */
const SUSPECT_RADIUS = 3.5;
const LABEL_GAP = 5;
const LABEL_SIZE = 12;
/** Height of the strip of arrows below the chart. */
export const ARROW_STRIP = 20;
const ARROW_LENGTH = 14;
const ARROW_DISTANCE = 26;

export interface LineStyle {
  readonly label: string;
  readonly color: string;
}

/** Draws hollow circles at suspect values. */
export function drawSuspects(
  plot: uPlot,
  { lines, times }: Drawing,
  lineStyles: readonly LineStyle[],
  inks: Inks,
) {
  const { ctx } = plot;
  ctx.save();
  clip(plot);
  ctx.setLineDash([]);
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.fillStyle = inks.paper;
  for (const [number, { suspects, values }] of lines.entries()) {
    ctx.strokeStyle = lineStyles[number]?.color ?? inks.ink;
    for (const index of suspects.keys()) {
      const [time, value] = [times[index], values[index]];
      if (time === undefined || !isValue(value)) continue;
      ctx.beginPath();
      const [x, y] = [plot.valToPos(time, 'x', true), plot.valToPos(value, 'y', true)];
      ctx.arc(x, y, SUSPECT_RADIUS * devicePixelRatio, 0, 2 * Math.PI);
      ctx.fill();
      ctx.stroke();
    }
  }
  ctx.restore();
}

/** Width for the names of lines to the right of a chart, in CSS pixels. A narrow chart shows the names inside. */
export const LABEL_WIDTH = 96;

/** Writes the name of each line at its last value. A single line gets no name. */
export function drawLabels(
  plot: uPlot,
  { lines, times }: Drawing,
  lineStyles: readonly LineStyle[],
  { paper }: Inks,
  isOutside: boolean,
) {
  if (lines.length < 2) return;
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const labelHeight = (LABEL_SIZE + 2) * ratio;
  const [top, bottom] = [bbox.top + labelHeight / 2, bbox.top + bbox.height - labelHeight / 2];
  const ends = lines.flatMap(({ values }, number) => {
    const index = values.findLastIndex((value) => isValue(value));
    const [time, value, look] = [times[index], values[index], lineStyles[number]];
    if (time === undefined || !isValue(value) || look === undefined) return [];
    return [{ look, x: plot.valToPos(time, 'x', true), y: plot.valToPos(value, 'y', true) }];
  });
  ctx.save();
  ctx.font = `600 ${LABEL_SIZE * ratio}px system-ui, sans-serif`;
  ctx.textAlign = isOutside ? 'left' : 'right';
  ctx.textBaseline = 'middle';
  ctx.lineJoin = 'round';
  ctx.lineWidth = 4 * ratio;
  ctx.strokeStyle = paper;
  ctx.setLineDash([]);
  const sortedEnds = ends
    .map((end) => ({ ...end, y: isOutside ? end.y : end.y - labelHeight * 0.7 }))
    .toSorted((a, b) => a.y - b.y);
  const heights = spreadPositions(
    sortedEnds.map(({ y }) => y),
    labelHeight,
    top,
    bottom,
  );
  for (const [index, { look, x }] of sortedEnds.entries()) {
    const y = heights[index] ?? top;
    const at = x + (isOutside ? LABEL_GAP : 0) * ratio;
    ctx.strokeText(look.label, at, y);
    ctx.fillStyle = look.color;
    ctx.fillText(look.label, at, y);
  }
  ctx.restore();
}

/** Draws arrows in the direction in which the wind blows, in a strip below the chart. Arrows that would overlap are left out. */
export function drawArrows(plot: uPlot, arrows: readonly Arrow[], color: string) {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  const y = bbox.top + bbox.height + (ARROW_STRIP / 2 + 2) * ratio;
  ctx.save();
  ctx.setLineDash([]);
  ctx.strokeStyle = color;
  ctx.fillStyle = color;
  ctx.lineWidth = 1.5 * ratio;
  let lastX = Number.NEGATIVE_INFINITY;
  for (const { time, from } of arrows) {
    const x = plot.valToPos(time, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width || x - lastX < ARROW_DISTANCE * ratio) continue;
    lastX = x;
    ctx.save();
    ctx.translate(x, y);
    // Without a rotation the arrow points down, as for wind from the north.
    ctx.rotate((from * Math.PI) / 180);
    drawArrow(ctx, ARROW_LENGTH * ratio);
    ctx.restore();
  }
  ctx.restore();
}

function drawArrow(ctx: CanvasRenderingContext2D, length: number): void {
  const half = length / 2;
  ctx.beginPath();
  ctx.moveTo(0, -half);
  ctx.lineTo(0, half - 2);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(0, half);
  ctx.lineTo(-half / 2, 0);
  ctx.lineTo(half / 2, 0);
  ctx.fill();
}

function clip({ ctx, bbox }: uPlot): void {
  const edge = SUSPECT_RADIUS * 2 * devicePixelRatio;
  ctx.beginPath();
  ctx.rect(bbox.left - edge, bbox.top - edge, bbox.width + 2 * edge, bbox.height + 2 * edge);
  ctx.clip();
}

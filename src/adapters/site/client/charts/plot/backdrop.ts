import type uPlot from 'uplot';
import { MILLISECONDS } from '#domain/time.js';
import type { ShownRange } from '../model/span.js';
import type { Inks } from './ink.js';

/** Background of a chart: nights and midnights. */
export interface Backdrop {
  readonly nights: readonly ShownRange[];
  /** Local midnights in ms since 1970. */
  readonly midnights: readonly number[];
}

/** Minimum width of a day in CSS pixels at which nights and midnights are drawn. Narrower nights would look like stripes. */
const MIN_DAY_WIDTH = { night: 6, midnight: 16 };

export function drawBackdrop(plot: uPlot, { nights, midnights }: Backdrop, inks: Inks): void {
  const { ctx, bbox } = plot;
  const x = (time: number) => clamp(plot.valToPos(time, 'x', true), bbox.left, bbox.left + bbox.width);
  const day = plot.valToPos(MILLISECONDS.day, 'x') - plot.valToPos(0, 'x');
  ctx.save();
  ctx.setLineDash([]);
  if (day >= MIN_DAY_WIDTH.night) {
    ctx.fillStyle = inks.night;
    for (const { from, to } of nights) ctx.fillRect(x(from), bbox.top, x(to) - x(from), bbox.height);
  }
  if (day >= MIN_DAY_WIDTH.midnight) {
    ctx.strokeStyle = inks.muted;
    ctx.globalAlpha = 0.5;
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    for (const time of midnights) {
      ctx.moveTo(Math.round(x(time)) + 0.5, bbox.top);
      ctx.lineTo(Math.round(x(time)) + 0.5, bbox.top + bbox.height);
    }
    ctx.stroke();
  }
  ctx.restore();
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

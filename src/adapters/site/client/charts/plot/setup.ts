import type { Drawing } from '../model/drawing.js';
import type { Ink } from '../model/quantities.js';
import type { ShownRange } from '../model/span.js';
import type { AxisLimits, TimeTick } from '../model/ticks.js';

/** What a chart draws, in the units and the language of the visitor. */
export interface PlotInput {
  readonly drawing: Drawing;
  readonly range: ShownRange;
}

/** What does not change while a chart is shown. */
export interface PlotSetup {
  readonly lines: readonly { readonly ink: Ink; readonly label: string; readonly isDashed?: true }[];
  readonly limits: AxisLimits;
  readonly hasArrows: boolean;
  readonly height: number;
  readonly place: { readonly latitude: number; readonly longitude: number; readonly zone: string };
  readonly formatValue: (value: number, decimals: number) => string;
  readonly formatTick: (tick: TimeTick) => string;
  /** The time in ms that a new plot points at. */
  readonly cursor: () => number | undefined;
  /** The time under the pointer in ms; undefined when the pointer leaves. */
  readonly onHover: (time: number | undefined) => void;
  /** A range that was chosen by dragging. */
  readonly onRange: (range: ShownRange) => void;
}

import type { Drawing } from '../model/drawing.js';
import type { Ink } from '../model/quantities.js';
import type { ShownRange } from '../model/span.js';
import type { AxisLimits, TimeTick } from '../model/ticks.js';

/** The drawing of a chart in display units, and the range of its time axis. */
export interface PlotInput {
  readonly drawing: Drawing;
  readonly range: ShownRange;
}

/** Settings that do not change while a chart is shown. */
export interface PlotSetup {
  readonly lines: readonly { readonly ink: Ink; readonly label: string; readonly isDashed?: true }[];
  readonly limits: AxisLimits;
  readonly hasArrows: boolean;
  readonly height: number;
  readonly station: { readonly latitude: number; readonly longitude: number; readonly zone: string };
  readonly formatValue: (value: number, decimals: number) => string;
  readonly formatTick: (tick: TimeTick) => string;
  /** Returns the time of the cursor for a new plot, in ms since 1970. */
  readonly cursor: () => number | undefined;
  /** Called with the time under the pointer in ms since 1970; undefined when the pointer leaves. */
  readonly onHover: (time: number | undefined) => void;
  /** Called with a range that the visitor selected by dragging. */
  readonly onRange: (range: ShownRange) => void;
}

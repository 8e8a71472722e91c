import type { DisplayUnit } from '../format/units.js';
import type { Ahead } from './model/ahead.js';
import type { Drawing } from './model/drawing.js';
import type { Band } from './model/layout.js';
import type { Quantity } from './model/quantities.js';
import type { EarlierYear } from './model/record.js';

/** A chart with everything that it shows. */
export interface ShownChart {
  readonly quantity: Quantity;
  readonly title: string;
  readonly unit: DisplayUnit;
  /** Undefined until the data have been read. */
  readonly drawing: Drawing | undefined;
  /** Present if the chart goes on behind now. */
  readonly ahead?: Ahead | undefined;
  readonly usual?: Band | undefined;
  readonly years?: readonly EarlierYear[];
  /** What the steps, dots and bands mean. */
  readonly note: string;
}

/** The cursor of all charts. */
export interface Cursor {
  /** Time in ms since 1970. */
  readonly time: number;
  /** The chart under the pointer or with the focus. */
  readonly chart: string;
  /** Position of the pointer from the top of the window in pixels; undefined if the keyboard moves the cursor. */
  readonly top?: number;
}

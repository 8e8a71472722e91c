import type { FileColumn } from '../../formats/files/file-row.js';
import type { Ambiguous } from '../../formats/files/time-order.js';

/** The options of `weatherd import`. */
export interface ImportOptions {
  readonly preset?: string;
  readonly station?: string;
  readonly stationColumn?: string;
  readonly map: readonly FileColumn[];
  readonly timeColumn: string;
  readonly timeFormat: string;
  readonly timeZone: string;
  readonly ambiguous: Ambiguous;
  readonly delimiter: string;
  readonly missing: readonly string[];
  readonly issued?: string;
  readonly restart?: boolean;
  readonly rejections?: string;
}

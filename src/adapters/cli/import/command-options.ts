import type { ImportOptions } from '#adapters/imports/plan/import-options.js';

/** The options of `weatherd import`. */
export interface CommandOptions extends ImportOptions {
  readonly rejections?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

import type { ImportOptions } from '#adapters/imports/plan/import-options.js';

/** The options of `weatherd import`. */
export interface CommandOptions extends ImportOptions {
  readonly rejections?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  /** Whether the command ends only when the quality flags of the rows are final. */
  readonly wait?: boolean;
}

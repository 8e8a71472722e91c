import { z } from 'zod';
import type { QualityState } from '#application/observations/notices/read-quality-state.js';
import { MILLISECONDS } from '#domain/time.js';
import { RECENT_NOTICE } from '#domain/weather/quality/notices/notice.js';

/** The schema of the field that `include=quality_control` adds. */
export const qualityFields = {
  quality_control: z
    .strictObject({
      notices: z
        .int()
        .nonnegative()
        .describe(
          `Number of notices that have not ended, or that ended in the last ${RECENT_NOTICE / MILLISECONDS.day} days`,
        ),
      gaps: z
        .int()
        .nonnegative()
        .describe(
          `Number of spans without values that ended in the last ${RECENT_NOTICE / MILLISECONDS.day} days, and that no source of the station could fill`,
        ),
      checked: z
        .number()
        .min(0)
        .max(1)
        .describe(
          'Estimated share of the rows of the station whose quality flags are final, rounded to 0.01. It is below 1 after an import ' +
            'or a correction, until quality control has checked the changed rows; until then, numbers of the station may change',
        ),
    })
    .optional()
    .describe('The work of quality control at the station'),
};

/** The value of `qualityFields`. */
export function toQualityFields({ notices, gaps, checked }: QualityState & { readonly gaps: number }) {
  return { quality_control: { notices, gaps, checked } };
}

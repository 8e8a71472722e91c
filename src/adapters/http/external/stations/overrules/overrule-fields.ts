import { z } from 'zod';
import { type Overrule, OVERRULE_VERDICTS } from '#domain/weather/quality/overrule.js';
import { variableNumbered } from '#domain/weather/variables.js';
import { utcTimestamp } from '#adapters/http/core/schemas.js';

export const verdictField = z
  .enum(OVERRULE_VERDICTS)
  .describe('`bad`: the values fail, with the check `overruled`. `good`: they pass');

export const overruleFields = z
  .strictObject({
    id: z.string(),
    variable: z.string(),
    from: utcTimestamp(),
    to: utcTimestamp().describe('Not included'),
    verdict: verdictField,
    reason: z.string(),
    made_by: z.string().nullable().describe('Name of the user, or `command line`'),
    made_at: utcTimestamp(),
  })
  .meta({ id: 'Overrule' });

export function toOverruleFields(overrule: Overrule): z.infer<typeof overruleFields> {
  const { id, variable, from, to, verdict, reason, madeBy, madeAt } = overrule;
  return {
    id,
    variable: variableNumbered(variable).name,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    verdict,
    reason,
    made_by: madeBy,
    made_at: new Date(madeAt).toISOString(),
  };
}

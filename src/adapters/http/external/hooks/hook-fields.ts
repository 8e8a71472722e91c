import { z } from 'zod';
import type { HookView } from '#application/hooks/manage/hook-view.js';
import { utcTimestamp } from '../../core/schemas.js';

/** A hook without its secret. */
export const hookFields = z
  .strictObject({
    name: z.string(),
    kind: z.enum(['post', 'command', 'upload']),
    target: z
      .string()
      .describe('What may be shown of the target: no secret, no query, and the beginning of the path'),
    signed: z.boolean().describe('Whether messages have a signature'),
    allow_private: z
      .boolean()
      .describe(
        'Whether the target may have an address of a private network or of the machine of the service',
      ),
    stations: z
      .array(z.string())
      .nullable()
      .describe('Ids of the stations whose rows it gets, without removed ones; null for all stations'),
    paused: z.boolean(),
    since: utcTimestamp().describe('When it was made. Rows until this time are not sent'),
    delivered_at: utcTimestamp()
      .nullable()
      .describe('A recent delivery; while nothing fails, it is stored every 10 minutes'),
    failing_since: utcTimestamp().nullable().describe('First failure after the last delivery'),
    reason: z.string().nullable().describe('Why the last attempt has failed'),
  })
  .meta({ id: 'Hook' });

export function toHookFields(hook: HookView): z.infer<typeof hookFields> {
  const { name, kind, target, signed, allowPrivate, stations, paused, since, reason } = hook;
  return {
    name,
    kind,
    target,
    signed,
    allow_private: allowPrivate,
    stations: stations === null ? null : [...stations],
    paused,
    since: new Date(since).toISOString(),
    delivered_at: toIso(hook.deliveredAt),
    failing_since: toIso(hook.failingSince),
    reason,
  };
}

const toIso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** The path parameter of routes to one hook. */
export const hookName = z.strictObject({
  name: z.string().describe('Name of the hook: 1 to 40 small letters, digits and hyphens'),
});

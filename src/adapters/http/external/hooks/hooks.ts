import { z } from 'zod';
import { AddHook } from '#application/hooks/manage/add-hook.js';
import type { HookView } from '#application/hooks/manage/hook-view.js';
import { ListHooks } from '#application/hooks/manage/list-hooks.js';
import { PauseHook } from '#application/hooks/manage/pause-hook.js';
import { RemoveHook } from '#application/hooks/manage/remove-hook.js';
import { TestHook } from '#application/hooks/manage/test-hook.js';
import { DomainError } from '#domain/domain-error.js';
import { type HookTarget, UPLOAD_PROTOCOLS } from '#domain/hooks/hook-target.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { utcTimestamp } from '../../core/schemas.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';

/** A hook without its secret. */
const hookFields = z
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

function toHookFields(hook: HookView): z.infer<typeof hookFields> {
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
const hookName = z.strictObject({
  name: z.string().describe('Name of the hook: 1 to 40 small letters, digits and hyphens'),
});

export function listHooksEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listHooks = useCase(ListHooks);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/hooks',
    summary: 'List the hooks',
    description: 'By name, without secrets, with what became of their messages.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    success: {
      kind: 'json',
      status: 200,
      message: 'Hooks.',
      schema: z.strictObject({ hooks: z.array(hookFields) }),
    },
    errors: [],
    call: async () => ({ hooks: (await listHooks.execute()).map(toHookFields) }),
  });
}

const sentHook = z.strictObject({
  stations: z
    .array(z.string())
    .nullable()
    .describe('Ids of the stations whose rows it gets; null for all stations, later ones included'),
  post: z
    .strictObject({
      url: z.string().describe('https or http, without a user and a password'),
      secret: z.string().exactOptional().describe('16 to 200 characters of ASCII; signs the messages'),
    })
    .exactOptional()
    .describe('Each row is posted to this URL as JSON'),
  upload: z
    .strictObject({
      service: z.enum(UPLOAD_PROTOCOLS),
      account: z.string().describe('Id of the station at the service'),
      key: z.string().describe('Password or key of the station at the service'),
    })
    .exactOptional()
    .describe('The newest row is sent to this weather service'),
});

export function putHookEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const addHook = useCase(AddHook);
  return jsonEndpoint({
    method: 'PUT',
    path: '/v1/hooks/{name}',
    summary: 'Make or replace a hook',
    description:
      'Forwards the rows of stations that are newer than the hook, either to a URL or to a weather service. Only the ' +
      'command line of the machine of the service makes hooks that run a program or that reach private addresses. A hook ' +
      'that is replaced goes on where it was if its stations are the same; otherwise it begins anew.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    params: hookName,
    body: {
      kind: 'json',
      schema: sentHook,
      example: { stations: ['JFK'], post: { url: 'https://example.org/hook' } },
      limit: 16_384,
    },
    success: { kind: 'json', status: 200, message: 'Stored.', schema: z.strictObject({ hook: hookFields }) },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN'],
    call: async ({ params: { name }, body, caller }) => {
      const input = { name, stations: body.stations, target: targetOf(body) };
      const hook = await addHook.execute(input, caller, true);
      return { hook: toHookFields(hook) };
    },
  });
}

function targetOf({ post, upload }: z.infer<typeof sentHook>): HookTarget {
  // A caller of the API must reach neither programs of the machine nor what is in its networks.
  const allowPrivate = false;
  if (post !== undefined && upload === undefined) return { kind: 'post', ...post, allowPrivate };
  if (upload !== undefined && post === undefined) {
    const { service, account, key } = upload;
    return { kind: 'upload', protocol: service, account, key, allowPrivate };
  }
  throw new DomainError('REQUEST_INVALID', 'A hook has one target: either post or upload.');
}

export const pauseHookEndpoint = (context: ExternalContext): AnyEndpoint =>
  pausing(context, true, {
    path: '/v1/hooks/{name}/pause',
    operationId: 'pauseHook',
    summary: 'Pause a hook',
    description: 'Nothing is sent until it is resumed; the rows of this time are sent then.',
  });

export const resumeHookEndpoint = (context: ExternalContext): AnyEndpoint =>
  pausing(context, false, {
    path: '/v1/hooks/{name}/resume',
    operationId: 'resumeHook',
    summary: 'Resume a hook',
    description: 'Sends the rows since the pause, and all later ones.',
  });

function pausing(
  { useCase }: ExternalContext,
  paused: boolean,
  described: { path: string; operationId: string; summary: string; description: string },
): AnyEndpoint {
  const pauseHook = useCase(PauseHook);
  return jsonEndpoint({
    method: 'POST',
    ...described,
    access: ELEVATED_ADMINISTRATOR,
    params: hookName,
    success: { kind: 'json', status: 200, message: 'Done.', schema: z.strictObject({}) },
    errors: ['HOOK_UNKNOWN'],
    call: async ({ params: { name }, caller }) => {
      await pauseHook.execute(name, paused, caller);
      return {};
    },
  });
}

export function testHookEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const testHook = useCase(TestHook);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/hooks/{name}/test',
    operationId: 'testHook',
    summary: 'Test a hook',
    description:
      'Sends one message to the target and waits for it, at most 30 s: a message with the event `test`, or the newest ' +
      'row if the target is a weather service.',
    access: ELEVATED_ADMINISTRATOR,
    params: hookName,
    success: {
      kind: 'json',
      status: 200,
      message: 'Tried.',
      schema: z.strictObject({
        delivered: z.boolean(),
        reason: z.string().nullable().describe('Why it was not delivered'),
      }),
    },
    errors: ['REQUEST_INVALID', 'HOOK_UNKNOWN'],
    call: async ({ params: { name } }) => {
      const outcome = await testHook.execute(name);
      return outcome === 'delivered'
        ? { delivered: true, reason: null }
        : { delivered: false, reason: outcome.failed };
    },
  });
}

export function deleteHookEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const removeHook = useCase(RemoveHook);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/hooks/{name}',
    summary: 'Remove a hook',
    description: 'Rows that were not sent yet are not sent any more.',
    access: ELEVATED_ADMINISTRATOR,
    params: hookName,
    success: { kind: 'json', status: 200, message: 'Removed.', schema: z.strictObject({}) },
    errors: ['HOOK_UNKNOWN'],
    call: async ({ params: { name }, caller }) => {
      await removeHook.execute(name, caller);
      return {};
    },
  });
}

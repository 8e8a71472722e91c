import { z } from 'zod';
import { AddHook } from '#application/hooks/manage/add-hook.js';
import { type HookView, hookText } from '#application/hooks/manage/hook-view.js';
import { ListHooks } from '#application/hooks/manage/list-hooks.js';
import { PauseHook } from '#application/hooks/manage/pause-hook.js';
import { RemoveHook } from '#application/hooks/manage/remove-hook.js';
import { TestHook } from '#application/hooks/manage/test-hook.js';
import { changedInMeantime, DomainError } from '#domain/domain-error.js';
import type { KeptTarget } from '#application/hooks/kept-target.js';
import type { HookTarget } from '#domain/hooks/hook-target.js';
import { type AnyEndpoint, contentEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { utcTimestamp } from '../../core/schemas.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { RecordedExchange } from '#application/ports/delivery.js';
import { TargetKinds } from '#application/hooks/target-kinds.js';
import type { ExternalContext } from '../external-context.js';
import { expectedText, versionedContent, versionedSuccess } from '../versions.js';
import {
  sentTarget,
  targetKindFields,
  testReply,
  toTarget,
  toTargetKind,
  toTestReply,
} from './target-fields.js';

/** The fields of a hook, without its secret. */
const hookFields = z
  .strictObject({
    name: z.string(),
    kind: z.enum(['post', 'command', 'upload']),
    service: z.string().exactOptional().describe('Name of the weather service; absent for other targets'),
    target: z
      .string()
      .describe('The target without secret parts: only the beginning of the path, and no query'),
    signed: z.boolean().describe('Whether messages have a signature'),
    allow_private: z
      .boolean()
      .describe('Whether the target may be in a private network or on the machine of the service'),
    stations: z
      .array(z.string())
      .nullable()
      .describe('Ids of the stations whose rows are sent, without removed stations; null for all stations'),
    forecasts: z.boolean().describe('Whether new forecasts of the stations are sent too'),
    paused: z.boolean(),
    since: utcTimestamp().describe('Time at which the hook was created. Rows up to this time are not sent'),
    delivered_at: utcTimestamp()
      .nullable()
      .describe('Time of the last delivery. While nothing fails, it is updated only every 10 minutes'),
    failing_since: utcTimestamp().nullable().describe('Time of the first failure after the last delivery'),
    reason: z.string().nullable().describe('Reason why the last attempt has failed'),
  })
  .meta({ id: 'Hook' });

/** The fields of a hook that a request replaces. They do not change while the hook delivers. */
const hookSettingFields = hookFields
  .omit({ paused: true, delivered_at: true, failing_since: true, reason: true })
  .meta({ id: 'HookSettings' });

function toHookSettings(hook: HookView): z.infer<typeof hookSettingFields> {
  const {
    paused: _paused,
    delivered_at: _at,
    failing_since: _since,
    reason: _reason,
    ...settings
  } = toHookFields(hook);
  return settings;
}

function toHookFields(hook: HookView): z.infer<typeof hookFields> {
  const { name, kind, service, target, signed, allowPrivate, stations, forecasts, paused, since, reason } =
    hook;
  return {
    name,
    kind: kind === 'service' ? 'upload' : kind,
    ...(service !== null && { service }),
    target,
    signed,
    allow_private: allowPrivate,
    stations: stations === null ? null : [...stations],
    forecasts,
    paused,
    since: new Date(since).toISOString(),
    delivered_at: toIso(hook.deliveredAt),
    failing_since: toIso(hook.failingSince),
    reason,
  };
}

const toIso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** The path parameter of routes for one hook. */
const hookName = z.strictObject({
  name: z.string().describe('Name of the hook: 1 to 40 lower-case letters, digits and hyphens'),
});

const LIST_HOOKS_REPLY = z.strictObject({
  hooks: z.array(hookFields),
  kinds: z.array(targetKindFields).describe('The weather services to which a hook can upload'),
});

export function listHooksEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listHooks = useCase(ListHooks);
  const kinds = useCase(TargetKinds);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/hooks',
    summary: 'List the hooks',
    description: 'The hooks are sorted by name. They have the state of their deliveries, but no secrets.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    success: {
      kind: 'json',
      status: 200,
      message: 'Hooks.',
      schema: LIST_HOOKS_REPLY,
    },
    errors: [],
    call: async () => ({
      hooks: (await listHooks.execute()).map(toHookFields),
      kinds: kinds.of('hook').map(toTargetKind),
    }),
  });
}

const THE_HOOK = 'The hook.';

const GET_HOOK_SUCCESS = versionedSuccess(THE_HOOK, z.strictObject({ hook: hookSettingFields }));

export function getHookEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listHooks = useCase(ListHooks);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/hooks/{name}',
    summary: 'Show the settings of a hook',
    description:
      'The reply has no secrets and no state of the deliveries. A request that replaces the hook can send the ETag in If-Match. The ETag ' +
      'does not change if only a secret part of the target changes.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    params: hookName,
    success: GET_HOOK_SUCCESS,
    errors: ['HOOK_UNKNOWN'],
    call: async ({ params: { name } }) => {
      const hook = await listHooks.find(name);
      return versionedContent(THE_HOOK, hookText(hook), { hook: toHookSettings(hook) });
    },
  });
}

const sentHook = z.strictObject({
  stations: z
    .array(z.string())
    .nullable()
    .describe(
      'Ids of the stations whose rows are sent; null for all stations, including stations that are created later',
    ),
  forecasts: z
    .boolean()
    .default(false)
    .describe(
      'Whether new forecasts of the stations are sent too, to a URL only. Their messages have the fields of ' +
        '`GET /v1/stations/{id}/forecast`. While the target fails, only the newest forecast of a station waits',
    ),
  post: z
    .strictObject({
      url: z.string().describe('A URL with https or http, without user and password'),
      secret: z
        .string()
        .exactOptional()
        .describe('Secret for the signature of the messages: 16 to 200 ASCII characters'),
    })
    .exactOptional()
    .describe('Each row is posted to this URL as JSON'),
  upload: z
    .strictObject({
      service: z.string().describe('Name of the service: `wunderground`, `pwsweather`, `wow-be`'),
      account: z.string().describe('Id of the station at the service'),
      key: z.string().describe('Password or key of the station at the service'),
    })
    .exactOptional()
    .describe('The newest row is sent to this weather service. The earlier form of `target`'),
  target: sentTarget
    .exactOptional()
    .describe('The receiver of the rows. It replaces `post` and `upload`, which stay as they are'),
  keep_target: z
    .boolean()
    .default(false)
    .describe('Whether a replaced hook keeps its target. The request then has no other target'),
});

const PUT_HOOK_REPLY = z.strictObject({ hook: hookFields });

export function putHookEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const addHook = useCase(AddHook);
  const listHooks = useCase(ListHooks);
  return jsonEndpoint({
    method: 'PUT',
    path: '/v1/hooks/{name}',
    summary: 'Create or replace a hook',
    description:
      'Forwards rows that are newer than the hook to a URL or to a weather service. Hooks that run a program or reach private ' +
      'addresses can be created only with the command line on the machine of the service. If a replaced hook has the same ' +
      'stations, it continues after the last delivered row; otherwise it starts again with the next new row. If-Match needs the ETag of ' +
      '`GET /v1/hooks/{name}`.',
    access: ELEVATED_ADMINISTRATOR,
    conditional: true,
    isSecret: true,
    params: hookName,
    body: {
      kind: 'json',
      schema: sentHook,
      example: { stations: ['JFK'], post: { url: 'https://example.org/hook' } },
      limit: 16_384,
    },
    success: { kind: 'json', status: 200, message: 'Stored.', schema: PUT_HOOK_REPLY },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN'],
    call: async ({ params: { name }, body, caller, conditions }) => {
      const input = { name, stations: body.stations, forecasts: body.forecasts, target: targetOf(body) };
      const current = async () => hookText(await listHooks.find(name));
      const changed = () => changedInMeantime('hook', name);
      const expected = await expectedText(conditions, current, 'HOOK_UNKNOWN', changed);
      const hook = await addHook.execute(input, caller, true, expected);
      return { hook: toHookFields(hook) };
    },
  });
}

function targetOf({
  post,
  upload,
  target,
  keep_target: keeps,
}: z.infer<typeof sentHook>): HookTarget | KeptTarget {
  const sent = [
    ...(target === undefined ? [] : [target]),
    ...(post === undefined ? [] : [{ kind: 'post', ...post }]),
    ...(upload === undefined ? [] : [{ kind: upload.service, account: upload.account, secret: upload.key }]),
  ];
  const [only] = sent;
  if (keeps && only !== undefined)
    throw new DomainError('REQUEST_INVALID', 'A request with keep_target has no other target.');
  if (keeps) return 'keep';
  if (only === undefined || sent.length > 1)
    throw new DomainError('REQUEST_INVALID', 'A hook needs exactly one target: target, post or upload.');
  return toTarget(only);
}

export const pauseHookEndpoint = (context: ExternalContext): AnyEndpoint =>
  pausing(context, true, {
    path: '/v1/hooks/{name}/pause',
    operationId: 'pauseHook',
    summary: 'Pause a hook',
    description: 'Nothing is sent until the hook is resumed. The rows of the pause are sent afterwards.',
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
      'Sends one message to the target and waits up to 30 s for its answer. The message has the event `test`. If the ' +
      'target is a weather service, it is the newest row.',
    access: ELEVATED_ADMINISTRATOR,
    params: hookName,
    success: {
      kind: 'json',
      status: 200,
      message: 'Tried.',
      schema: testReply,
    },
    errors: ['REQUEST_INVALID', 'HOOK_UNKNOWN'],
    call: async ({ params: { name } }) => {
      const exchanges: RecordedExchange[] = [];
      const outcome = await testHook.execute(name, (exchange) => void exchanges.push(exchange));
      return toTestReply(outcome, exchanges);
    },
  });
}

export function deleteHookEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const removeHook = useCase(RemoveHook);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/hooks/{name}',
    summary: 'Remove a hook',
    description: 'Rows that were not sent yet will not be sent.',
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

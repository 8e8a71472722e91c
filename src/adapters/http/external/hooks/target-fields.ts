import { z } from 'zod';
import type { DeliveryOutcome, RecordedExchange } from '#application/ports/delivery.js';
import type { ChangedTarget } from '#application/hooks/kept-target.js';
import type { TargetKind } from '#application/ports/target-kind.js';
import { DomainError } from '#domain/domain-error.js';
import { type HookTarget, TARGET_SETTINGS } from '#domain/hooks/hook-target.js';
import { unicodeText } from '../accounts/password.js';

/** A target in a request. It cannot be a program: only the command line on the machine of the service can set one. */
export const sentTarget = z.strictObject({
  kind: z
    .string()
    .default('post')
    .describe(
      'Name of the service, one of `kinds` in the list: `windy`. `post`, the default: messages are posted to `url` as JSON',
    ),
  account: z.string().exactOptional().describe('The station, the user or the receiver at the service'),
  url: z
    .string()
    .exactOptional()
    .describe(
      'With `post`: URL that receives the messages. With a service: address in place of the address of the service. Private addresses are refused',
    ),
  secret: unicodeText()
    .exactOptional()
    .describe(
      'With `post`: secret for the signature of the messages. With a service: password, key or token',
    ),
  keep_settings: z
    .boolean()
    .exactOptional()
    .describe(
      'Whether settings that this target does not have stay as they are stored, if the stored target has the same `kind`. Another `url` ' +
        'needs the `secret` again',
    ),
});

/** A target of messages for people. */
export const sentMessageTarget = sentTarget.extend({
  body: z
    .string()
    .exactOptional()
    .describe(
      'With `post`: template of the body, in place of JSON for programs: `{"text": "{{station.name}}: {{text}}"}`',
    ),
});

/**
 * A caller of the API must not be able to make the service run programs on its machine or send requests to its private networks.
 *
 * @throws DomainError REQUEST_INVALID if a post has no URL, or an account, or if a service has a body
 */
export function toTarget(sent: z.infer<typeof sentMessageTarget>): HookTarget | ChangedTarget {
  const { kind, keep_settings: keeps = false, ...settings } = sent;
  const { url, account, secret, body } = settings;
  const allowPrivate = false;
  if (kind !== 'post' && body !== undefined)
    throw new DomainError('REQUEST_INVALID', 'Only a target of the kind post has a body.');
  if (kind === 'post' && ((url === undefined && !keeps) || account !== undefined))
    throw new DomainError('REQUEST_INVALID', 'A target of the kind post has a url and no account.');
  if (keeps) return { kind: 'change', of: kind, settings };
  if (kind !== 'post')
    return {
      kind: 'service',
      service: kind,
      ...(account !== undefined && { account }),
      ...(secret !== undefined && { secret }),
      ...(url !== undefined && { url }),
      allowPrivate,
    };
  return {
    kind: 'post',
    url: url ?? '',
    allowPrivate,
    ...(body !== undefined && { body }),
    ...(secret !== undefined && { secret }),
  };
}

/** A kind of service that a target can have, so that a client can build its form. */
export const targetKindFields = z
  .strictObject({
    name: z.string().describe('For `kind` of a target'),
    title: z.string(),
    settings: z
      .array(z.strictObject({ name: z.enum(TARGET_SETTINGS), required: z.boolean() }))
      .describe('The settings that a target of this kind may have'),
    interval: z
      .number()
      .nullable()
      .describe('Shortest time between two uploads, in seconds; null for messages for people'),
  })
  .meta({ id: 'TargetKind' });

export function toTargetKind({
  name,
  title,
  settings,
  weather,
}: TargetKind): z.infer<typeof targetKindFields> {
  return {
    name,
    title,
    settings: TARGET_SETTINGS.flatMap((setting) => {
      const required = settings[setting];
      return required === undefined ? [] : [{ name: setting, required }];
    }),
    interval: weather?.interval ?? null,
  };
}

/** The requests of a test and their replies. */
const exchangesFields = z
  .array(
    z
      .strictObject({
        sent: z.string().describe('The request. Of HTTP: method and URL, headers, an empty line, body'),
        received: z.string().describe('The reply, or the reason why there is none'),
      })
      .meta({ id: 'TargetExchange' }),
  )
  .describe('The requests and their replies, at most 4096 characters each, without secrets');

/** The reply to a test of a target. */
export const testReply = z.strictObject({
  delivered: z.boolean(),
  reason: z
    .string()
    .nullable()
    .describe('Reason why the message was not delivered; null if it was delivered'),
  exchanges: exchangesFields,
});

export function toTestReply(outcome: DeliveryOutcome, exchanges: readonly RecordedExchange[]) {
  return {
    delivered: outcome === 'delivered',
    reason: outcome === 'delivered' ? null : outcome.failed,
    exchanges: [...exchanges],
  };
}

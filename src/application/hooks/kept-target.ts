import { DomainError } from '#domain/domain-error.js';
import type { HookTarget, PostTarget, TargetSettings } from '#domain/hooks/hook-target.js';

/** The stored target of the same kind, with those settings replaced that the request has. */
export interface ChangedTarget {
  readonly kind: 'change';
  /** `post`, or the name of the service. */
  readonly of: string;
  readonly settings: TargetSettings & Pick<PostTarget, 'body'>;
}

/** A target of a request that keeps all settings of the stored target, or some of them. */
export type KeptTarget = 'keep' | ChangedTarget;

export function isKept(target: HookTarget | KeptTarget): target is KeptTarget {
  return target === 'keep' || target.kind === 'change';
}

/**
 * A secret is kept only for the address to which it was given. Otherwise a caller who does not know the secret could have it sent to
 * an address of his own.
 *
 * @throws DomainError REQUEST_INVALID if the stored target is of another kind, or if a new address needs the secret again
 */
export function keptTarget(sent: KeptTarget, stored: HookTarget): HookTarget {
  if (sent === 'keep') return stored;
  const { of, settings } = sent;
  if (stored.kind === 'command' || of !== (stored.kind === 'service' ? stored.service : stored.kind))
    throw new DomainError('REQUEST_INVALID', 'A target of another kind cannot keep the stored settings.');
  const isMoved = settings.url !== undefined && settings.url !== stored.url;
  if (isMoved && settings.secret === undefined && stored.secret !== undefined)
    throw new DomainError('REQUEST_INVALID', 'The secret is needed again, because the URL is another one.');
  return { ...stored, ...settings };
}

import { DomainError } from '#domain/domain-error.js';
import type { HookTarget } from '#domain/hooks/hook-target.js';
import type { Delivery } from '../ports/delivery.js';

/** Checks that a message can reach a target. @throws DomainError REQUEST_INVALID if no message can ever reach the target */
export function assertDeliverable(
  delivery: Pick<Delivery, 'refusal'>,
  target: HookTarget,
  owner: 'hook' | 'alarm',
): void {
  const refusal = delivery.refusal(target, owner);
  if (refusal !== undefined) throw new DomainError('REQUEST_INVALID', refusal);
}

import { DomainError } from '#domain/domain-error.js';
import type { Target } from '#domain/hooks/target.js';
import type { Delivery } from '../ports/delivery.js';

/** @throws DomainError REQUEST_INVALID if no message can ever reach the target */
export function assertDeliverable(delivery: Pick<Delivery, 'refusal'>, target: Target): void {
  const refusal = delivery.refusal(target);
  if (refusal !== undefined) throw new DomainError('REQUEST_INVALID', refusal);
}

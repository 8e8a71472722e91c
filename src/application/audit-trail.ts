import type { AuditAction, AuditDetail, AuditOutcome, Caller } from '../domain/audit-event.js';
import type { AuditStore } from './ports/audit-store.js';
import type { Clock } from './ports/clock.js';

/** Writes down what use-cases do, for the caller they do it for. */
export class AuditTrail {
  readonly #clock: Clock;
  readonly #store: AuditStore;

  constructor(clock: Clock, store: AuditStore) {
    this.#clock = clock;
    this.#store = store;
  }

  async record(
    caller: Caller,
    action: AuditAction,
    subject: string | null,
    outcome: AuditOutcome = 'done',
    detail: AuditDetail | null = null,
  ): Promise<void> {
    const { actor, address, requestId } = caller;
    await this.#store.append({
      time: this.#clock.now(),
      action,
      outcome,
      actor,
      subject,
      address,
      requestId,
      detail,
    });
  }
}

import type { Caller } from '#domain/accounts/audit-event.js';
import type { Hook } from '#domain/hooks/hook.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Clock } from '../../ports/clock.js';
import { foundIn, type HookRecords } from '../hook-records.js';

/** Removes a hook. Rows that are not delivered yet will not be delivered. */
export class RemoveHook {
  readonly #clock: Clock;
  readonly #records: HookRecords;
  readonly #audit: AuditTrail;

  constructor(clock: Clock, records: HookRecords, audit: AuditTrail) {
    this.#clock = clock;
    this.#records = records;
    this.#audit = audit;
  }

  /** @throws DomainError HOOK_UNKNOWN */
  async execute(name: string, caller: Caller): Promise<void> {
    const without = (hooks: readonly Hook[]) => {
      const removed = foundIn(hooks, name);
      return hooks.filter((hook) => hook !== removed);
    };
    await this.#records.change(without, this.#clock.now());
    await this.#records.forget(name);
    await this.#audit.record(caller, 'hook-remove', name);
  }
}

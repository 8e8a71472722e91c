import type { Caller } from '#domain/accounts/audit-event.js';
import type { Hook } from '#domain/hooks/hook.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Clock } from '../../ports/clock.js';
import { foundIn, type HookRecords } from '../hook-records.js';

/** Pauses or resumes a hook. A resumed hook gets the rows that were written during the pause. */
export class PauseHook {
  readonly #clock: Clock;
  readonly #records: HookRecords;
  readonly #audit: AuditTrail;

  constructor(clock: Clock, records: HookRecords, audit: AuditTrail) {
    this.#clock = clock;
    this.#records = records;
    this.#audit = audit;
  }

  /** @throws DomainError HOOK_UNKNOWN */
  async execute(name: string, paused: boolean, caller: Caller): Promise<void> {
    if ((await this.#records.get(name)).paused === paused) return;
    const edit = (hooks: readonly Hook[]) => {
      const changed = foundIn(hooks, name);
      return hooks.map((hook) => (hook === changed ? { ...hook, paused } : hook));
    };
    await this.#records.change(edit, this.#clock.now());
    await this.#audit.record(caller, 'hook-change', name, 'done', { paused });
  }
}

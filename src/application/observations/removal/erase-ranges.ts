import type { AuditAction } from '#domain/accounts/audit-actions.js';
import type { Caller } from '#domain/accounts/audit-event.js';
import type { CellCount } from '#domain/weather/undo/cell-changes.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Announcer } from '../../ports/announcer.js';
import type { AuditStore } from '../../ports/audit-store.js';
import type { IdSource } from '../../ports/id-source.js';
import type { EraseRange, EraseStep, ObservationStore } from '../../ports/observation-store.js';
import type { ProgressWatch } from './count-values.js';

export interface EraseRangesDependencies {
  readonly ids: IdSource;
  readonly observations: ObservationStore;
  readonly announcer: Announcer;
  readonly audit: AuditStore;
  readonly trail: AuditTrail;
}

/** The audit event of one call of `EraseRanges.execute`. The event counts all rows that this call erases. */
export interface ErasureEvent {
  readonly action: AuditAction;
  readonly subject: string | null;
  readonly caller: Caller;
}

/** Number of ranges in one call of the store. */
const RANGES_AT_ONCE = 500;

/** Erases observations permanently. */
export class EraseRanges {
  readonly #with: EraseRangesDependencies;

  constructor(dependencies: EraseRangesDependencies) {
    this.#with = dependencies;
  }

  /**
   * Erases the ranges part by part; each part is committed by itself. After the first part, the audit event is written with the
   * number of erased rows. After each later part, this number is increased. So if the work is interrupted, the audit trail
   * already counts the rows that were erased before the interruption.
   *
   * @param watch its signal stops the work between two parts
   * @throws the reason of the signal
   */
  async execute(
    ranges: readonly EraseRange[],
    event: ErasureEvent,
    watch: ProgressWatch,
  ): Promise<CellCount> {
    const { ids, observations } = this.#with;
    const key = `${event.action} ${ids.next()}`;
    const total = { rows: 0, values: 0 };
    for (let from = 0; from < ranges.length; from += RANGES_AT_ONCE) {
      let remaining = ranges.slice(from, from + RANGES_AT_ONCE);
      while (remaining.length > 0) {
        watch.signal?.throwIfAborted();
        const step = await observations.erase(remaining);
        const part = await this.#note(key, event, step);
        total.rows += part.rows;
        total.values += part.values;
        remaining = [...step.remaining];
        watch.onRemaining?.(remaining.length + Math.max(0, ranges.length - from - RANGES_AT_ONCE));
      }
    }
    return total;
  }

  async #note(key: string, event: ErasureEvent, { erased, changes }: EraseStep): Promise<CellCount> {
    const { announcer, audit, trail } = this.#with;
    const rows = erased.reduce((sum, one) => sum + one.rows, 0);
    if (rows === 0) return { rows: 0, values: 0 };
    announcer.announce({ kind: 'observations', changes });
    const detail = { from: Math.min(...changes.from), to: Math.max(...changes.to), rows };
    const { caller, action, subject } = event;
    await audit.tally([{ key, event: { ...trail.event(caller, action, subject, 'done', detail), detail } }]);
    return { rows, values: erased.reduce((sum, one) => sum + one.values, 0) };
  }
}

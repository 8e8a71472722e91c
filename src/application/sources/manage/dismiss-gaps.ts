import type { Caller } from '#domain/accounts/audit-event.js';
import { listedGaps } from '#domain/sources/source.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Clock } from '../../ports/clock.js';
import { foundIn, type SourceRecords } from '../source-records.js';

/** Takes the gaps of a source off its list. They are not asked for again. */
export class DismissGaps {
  readonly #clock: Clock;
  readonly #records: SourceRecords;
  readonly #audit: AuditTrail;

  constructor(clock: Clock, records: SourceRecords, audit: AuditTrail) {
    this.#clock = clock;
    this.#records = records;
    this.#audit = audit;
  }

  /** @returns the number of dismissed gaps @throws DomainError SOURCE_UNKNOWN */
  async execute(name: string, caller: Caller): Promise<number> {
    const gaps = listedGaps(await this.#records.get(name), await this.#records.state(name));
    const last = gaps.at(-1);
    if (last === undefined) return 0;
    // The running service owns the state, and may write it at any time.
    await this.#records.change((sources) => {
      const changed = foundIn(sources, name);
      const dismissedUntil = Math.max(last.to, changed.dismissedUntil ?? last.to);
      return sources.map((source) => (source === changed ? { ...source, dismissedUntil } : source));
    }, this.#clock.now());
    await this.#audit.record(caller, 'source-change', name, 'done', { gaps: gaps.length });
    return gaps.length;
  }
}

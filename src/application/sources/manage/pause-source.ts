import type { Caller } from '#domain/accounts/audit-event.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Clock } from '../../ports/clock.js';
import { foundIn, type SourceRecords } from '../source-records.js';

/** Pauses or resumes a source. */
export class PauseSource {
  readonly #clock: Clock;
  readonly #records: SourceRecords;
  readonly #audit: AuditTrail;

  constructor(clock: Clock, records: SourceRecords, audit: AuditTrail) {
    this.#clock = clock;
    this.#records = records;
    this.#audit = audit;
  }

  /** @throws DomainError SOURCE_UNKNOWN */
  async execute(name: string, paused: boolean, caller: Caller): Promise<void> {
    if ((await this.#records.get(name)).paused === paused) return;
    await this.#records.change((sources) => {
      const changed = foundIn(sources, name);
      return sources.map((source) => (source === changed ? { ...source, paused } : source));
    }, this.#clock.now());
    await this.#audit.record(caller, 'source-change', name, 'done', { paused });
  }
}

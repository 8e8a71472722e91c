import type { Caller } from '#domain/accounts/audit-event.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Clock } from '../../ports/clock.js';
import { foundIn, type SourceRecords } from '../source-records.js';

/** Removes a source with its secrets. The rows that it has stored stay. */
export class RemoveSource {
  readonly #clock: Clock;
  readonly #records: SourceRecords;
  readonly #audit: AuditTrail;

  constructor(clock: Clock, records: SourceRecords, audit: AuditTrail) {
    this.#clock = clock;
    this.#records = records;
    this.#audit = audit;
  }

  /** @throws DomainError SOURCE_UNKNOWN */
  async execute(name: string, caller: Caller): Promise<void> {
    await this.#records.change((sources) => {
      const removed = foundIn(sources, name);
      return sources.filter((source) => source !== removed);
    }, this.#clock.now());
    await this.#records.forget(name);
    await this.#audit.record(caller, 'source-remove', name);
  }
}

import type { Caller } from '#domain/accounts/audit-event.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import type { Clock } from '../../ports/clock.js';
import type { NoteSensors } from '../../sensors/note-sensors.js';
import { foundIn, type SourceRecords } from '../source-records.js';

/** Removes a source with its secrets and its sensors. The rows that it has stored stay. */
export class RemoveSource {
  readonly #clock: Clock;
  readonly #records: SourceRecords;
  readonly #sensors: NoteSensors;
  readonly #audit: AuditTrail;

  constructor(clock: Clock, records: SourceRecords, sensors: NoteSensors, audit: AuditTrail) {
    this.#clock = clock;
    this.#records = records;
    this.#sensors = sensors;
    this.#audit = audit;
  }

  /** @throws DomainError SOURCE_UNKNOWN */
  async execute(name: string, caller: Caller): Promise<void> {
    const { station } = await this.#records.get(name);
    await this.#records.change((sources) => {
      const removed = foundIn(sources, name);
      return sources.filter((source) => source !== removed);
    }, this.#clock.now());
    await this.#records.forget(name);
    await this.#sensors.forget(station, { source: name });
    await this.#audit.record(caller, 'source-remove', name);
  }
}

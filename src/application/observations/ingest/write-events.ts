import { addCounts, type AuditDetail, type Caller, type WriteCount } from '#domain/accounts/audit-event.js';
import { addWritten, type WriteCounts, type WriteTotal } from '#domain/weather/merge-series.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';

/** Adds up the writes of one caller over many batches, so that the audit trail gets one event for each station. */
export class WriteEvents {
  readonly #trail: AuditTrail;
  readonly #caller: Caller;
  #events = new Map<string, { count: WriteCount; readonly written: WriteTotal; rejected: number }>();

  constructor(trail: AuditTrail, caller: Caller) {
    this.#trail = trail;
    this.#caller = caller;
  }

  /** Adds the counts of one write. @param id id of the station */
  note(id: string, count: WriteCount, written: WriteCounts, rejected: number): void {
    const { inserted, updated, unchanged } = written;
    const event = this.#events.get(id);
    if (event === undefined) {
      this.#events.set(id, { count, written: { inserted, updated, unchanged }, rejected });
      return;
    }
    event.count = addCounts(event.count, count);
    addWritten(event.written, written);
    event.rejected += rejected;
  }

  /** Writes one event for each station with writes since the last flush. Events that cannot be written are kept for the next flush. */
  async flush(): Promise<void> {
    const events = this.#events;
    this.#events = new Map();
    const details = [...events].map(([id, { count, written, rejected }]): [string, AuditDetail] => [
      id,
      { ...count, ...written, rejected },
    ]);
    try {
      await this.#trail.recordWrites(this.#caller, details);
    } catch (error) {
      for (const [id, { count, written, rejected }] of events) this.note(id, count, written, rejected);
      throw error;
    }
  }
}

/** Counts times, and finds the first and the last of them. */
export function countTimes(times: Float64Array): WriteCount {
  let [from, to] = [Infinity, -Infinity];
  for (let row = 0; row < times.length; row += 1) {
    const time = times[row] as number;
    if (time < from) from = time;
    if (time > to) to = time;
  }
  return { from, to, rows: times.length };
}

import type {
  AuditAction,
  AuditDetail,
  AuditEvent,
  AuditOutcome,
  Caller,
} from '#domain/accounts/audit-event.js';
import { isDomainError } from '#domain/domain-error.js';
import type { AuditStore, EventCounts } from '../ports/audit-store.js';
import type { Clock } from '../ports/clock.js';

/** Largest number of rows of throttled attempts with counts in memory. Beyond it the oldest row is written and dropped. */
const MAX_OPEN_ROWS = 10_000;

/** Largest number of events that wait in memory until they can be written. */
const MAX_DELAYED = 10_000;

/** The row of throttled attempts of one network on one subject. */
interface OpenRow {
  readonly key: string;
  readonly number: Promise<number>;
  /** End of the wait, in milliseconds since 1970-01-01T00:00:00Z. Later attempts get a new row. */
  readonly until: number;
  count: number;
  written: number;
}

/** Records the actions of use-cases and their callers. */
export class AuditTrail {
  readonly #clock: Clock;
  readonly #store: AuditStore;
  readonly #open = new Map<string, OpenRow>();
  /** Events that could not be written yet. */
  #delayed: AuditEvent[] = [];

  constructor(clock: Clock, store: AuditStore) {
    this.#clock = clock;
    this.#store = store;
  }

  /** Creates an event with the current time. A store writes it in the same commit as the change that it describes. */
  event(
    { actor, address, requestId }: Caller,
    action: AuditAction,
    subject: string | null,
    outcome: AuditOutcome = 'done',
    detail: AuditDetail | null = null,
  ): AuditEvent {
    return { time: this.#clock.now(), action, outcome, actor, subject, address, requestId, detail };
  }

  async record(...event: Parameters<AuditTrail['event']>): Promise<void> {
    await this.#store.append(this.event(...event));
  }

  /** Like `record`, but while the store cannot be written, the event waits in memory until `flush`. For actions that must not wait. */
  async recordEventually(...event: Parameters<AuditTrail['event']>): Promise<void> {
    const recorded = this.event(...event);
    try {
      await this.#store.append(recorded);
    } catch (error) {
      if (!isDomainError(error) || !error.readOnly || this.#delayed.length >= MAX_DELAYED) throw error;
      this.#delayed.push(recorded);
    }
  }

  /** Records in one commit the rows that one caller has written to several stations, by station id. */
  async recordWrites(
    caller: Caller,
    writes: readonly (readonly [id: string, detail: AuditDetail])[],
  ): Promise<void> {
    const events = writes.map(([subject, detail]) =>
      this.event(caller, 'observations-write', subject, 'done', detail),
    );
    if (events.length > 0) await this.#store.appendAll(events);
  }

  /** Records in one commit that an import is undone: one event for each station whose rows it changed. */
  async recordUndo(caller: Caller, importNumber: number, stations: readonly string[]): Promise<void> {
    const events = stations.map((id) =>
      this.event(caller, 'import-undo', id, 'done', { import: importNumber }),
    );
    if (events.length > 0) await this.#store.appendAll(events);
  }

  /**
   * Records a throttled attempt. All attempts of a network on a subject share one row until the wait is over. The count
   * is written whenever it has doubled, and finally by `flush`, so that many attempts cost only a few commits.
   *
   * @param wait seconds
   */
  async recordThrottled(
    caller: Caller,
    action: AuditAction,
    subject: string | null,
    wait: number,
  ): Promise<void> {
    const key = JSON.stringify([caller.network, action, subject]);
    const now = this.#clock.now();
    const known = this.#open.get(key);
    if (known !== undefined && now < known.until) {
      known.count += 1;
      if (known.count >= 2 * known.written) await this.#write([known]);
      return;
    }
    this.#open.delete(key); // Then the new row becomes the newest entry of the map.
    const closed = [known, this.#takeOldest()].filter(isUnwritten);
    const event = this.event(caller, action, subject, 'throttled');
    const number = this.#writing(closed, (counts) => this.#store.append(event, counts));
    const row: OpenRow = { key, number, until: now + wait * 1000, count: 1, written: 1 };
    this.#open.set(key, row);
    try {
      await number;
    } catch (error) {
      this.#open.delete(key);
      // The counts of the closed rows were not written either. They are kept for the next write.
      for (const other of closed) if (!this.#open.has(other.key)) this.#open.set(other.key, other);
      throw error;
    }
  }

  /** Writes delayed events and the counts of all rows, and drops the rows whose wait is over. */
  async flush(): Promise<void> {
    const delayed = this.#delayed;
    if (delayed.length > 0) await this.#store.appendAll(delayed);
    this.#delayed = this.#delayed.slice(delayed.length);
    const now = this.#clock.now();
    const rows = [...this.#open.values()];
    await this.#write(rows);
    for (const row of rows)
      if (row.until <= now && this.#open.get(row.key) === row) this.#open.delete(row.key);
  }

  /** Removes and returns the oldest row if the map is full. */
  #takeOldest(): OpenRow | undefined {
    if (this.#open.size < MAX_OPEN_ROWS) return undefined;
    const [oldest] = this.#open.values();
    if (oldest !== undefined) this.#open.delete(oldest.key);
    return oldest;
  }

  async #write(rows: readonly OpenRow[]): Promise<void> {
    const changed = rows.filter(isUnwritten);
    if (changed.length > 0) await this.#writing(changed, (counts) => this.#store.setCounts(counts));
  }

  /** Passes the counts of `rows` to `write`. They are regarded as written unless `write` rejects. */
  async #writing<T>(rows: readonly OpenRow[], write: (counts: EventCounts) => Promise<T>): Promise<T> {
    const before = rows.map(({ written }) => written);
    for (const row of rows) row.written = row.count;
    try {
      const counts = await Promise.all(
        rows.map(async ({ number, written }) => [await number, written] as const),
      );
      return await write(new Map(counts));
    } catch (error) {
      for (const [index, row] of rows.entries()) row.written = before[index] ?? 1;
      throw error;
    }
  }
}

function isUnwritten(row: OpenRow | undefined): row is OpenRow {
  return row !== undefined && row.count !== row.written;
}

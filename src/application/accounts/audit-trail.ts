import type { AuditAction, AuditOutcome } from '#domain/accounts/audit-actions.js';
import type { AuditDetail, AuditEvent, Caller } from '#domain/accounts/audit-event.js';
import { isDomainError } from '#domain/domain-error.js';
import type { AuditStore, EventCounts } from '../ports/audit-store.js';
import type { Clock } from '../ports/clock.js';

/**
 * Largest number of audit rows that are kept in memory. Such a row counts the throttled attempts of one network. If there are
 * more rows, the count of the oldest row is written and the row is dropped from memory.
 */
const MAX_OPEN_ROWS = 10_000;

/** Largest number of events that wait in memory until they can be written. */
const MAX_DELAYED = 10_000;

/**
 * The audit row that counts the throttled attempts of one network at one action on one subject, for example to sign in as one
 * user.
 */
interface OpenRow {
  readonly key: string;
  readonly number: Promise<number>;
  /**
   * Time at which the network may try again, in milliseconds since 1970-01-01T00:00:00Z. Later throttled attempts get a new row.
   */
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

  /**
   * Creates an event with the current time. A store can write the event in the same commit as the change that the event
   * describes.
   */
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

  /**
   * Records like `record`, for actions that must not wait for the store. While the store cannot be written, the event waits in
   * memory until `flush`.
   */
  async recordEventually(...event: Parameters<AuditTrail['event']>): Promise<void> {
    const recorded = this.event(...event);
    try {
      await this.#store.append(recorded);
    } catch (error) {
      if (!isDomainError(error) || !error.readOnly || this.#delayed.length >= MAX_DELAYED) throw error;
      this.#delayed.push(recorded);
    }
  }

  /**
   * Records the writes of one caller to several stations, with one event for each station, in one commit.
   *
   * @param writes the id of each station, and the details of the write
   */
  async recordWrites(
    caller: Caller,
    writes: readonly (readonly [id: string, detail: AuditDetail])[],
  ): Promise<void> {
    const events = writes.map(([subject, detail]) =>
      this.event(caller, 'observations-write', subject, 'done', detail),
    );
    if (events.length > 0) await this.#store.appendAll(events);
  }

  /** Records in one commit that an import is undone. Each station whose rows the import had changed gets one event. */
  async recordUndo(caller: Caller, importNumber: number, stations: readonly string[]): Promise<void> {
    const events = stations.map((id) =>
      this.event(caller, 'import-undo', id, 'done', { import: importNumber }),
    );
    if (events.length > 0) await this.#store.appendAll(events);
  }

  /**
   * Records a throttled attempt, for example to sign in. Until the caller may try again, all attempts of a network at the same
   * action on the same subject (such as one user) share one row of the audit trail. The count of the row is written whenever it
   * has doubled, and finally by `flush`, so that many attempts cost only a few commits.
   *
   * @param wait seconds until the caller may try again
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
      // The rows in `closed` were removed from memory, because this write was to store their final counts. The write failed, so
      // these rows are put back, and a later write stores their counts.
      for (const other of closed) if (!this.#open.has(other.key)) this.#open.set(other.key, other);
      throw error;
    }
  }

  /**
   * Writes the events that wait in memory, and the changed counts of throttled attempts. Then removes from memory the rows whose
   * network may try again (`OpenRow.until`), because they get no further attempts.
   */
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

  /**
   * Calls `write` with the counts of `rows`. During the call, the counts are already marked as written, so that another write
   * does not store them again. If `write` rejects, this mark is undone.
   */
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

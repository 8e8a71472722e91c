import { mergedSenders, type PendingSender, seenSender } from '#domain/uploads/pending-sender.js';
import type { Clock } from '../../ports/clock.js';
import type { RecordStore, StoredRecord } from '../../ports/record-store.js';
import type { UploadKeyCache } from '../keys/upload-key-cache.js';

/** Name of the record with the list of pending senders. */
export const PENDING_RECORD = 'pending';
/**
 * Minimum time between two writes of the list, in milliseconds. Without this minimum, a flood of new senders would cause a flood
 * of writes.
 */
const MIN_INTERVAL = 30_000;
/** Milliseconds after which new counts and times of known senders are written. */
const MAX_INTERVAL = 600_000;
/** Maximum number of attempts to write while another process changes the list. */
const MAX_ATTEMPTS = 5;

/**
 * The list of pending senders, which send uploads without having an upload key; see `ApprovePendingUpload`. Each process collects
 * at most `MAX_PENDING` senders in memory and merges them into the stored list. If a process has a new sender, it writes the list
 * when at least 30 seconds have passed since its last write.
 */
export class PendingSenders {
  readonly #clock: Clock;
  readonly #store: RecordStore;
  readonly #keys: UploadKeyCache;
  #seen: readonly PendingSender[] = [];
  /** Ids of the senders in the stored list, as far as this process knows. */
  #stored = new Set<string>();
  #changed = false;
  /** `Clock.uptime` of the last write. */
  #writtenAt = -Infinity;

  constructor(clock: Clock, store: RecordStore, keys: UploadKeyCache) {
    this.#clock = clock;
    this.#store = store;
    this.#keys = keys;
  }

  /** @param now milliseconds since 1970-01-01T00:00:00Z */
  note(sender: Omit<PendingSender, 'firstSeen' | 'lastSeen' | 'count'>, now: number): void {
    this.#seen = seenSender(this.#seen, sender, now);
    this.#changed = true;
  }

  /** @returns the senders without a key, the most recent first */
  async list(): Promise<readonly PendingSender[]> {
    const { senders } = await this.#joined();
    return senders.toSorted((a, b) => b.lastSeen - a.lastSeen);
  }

  /** Removes a sender from the list. */
  async remove(id: string): Promise<void> {
    this.#seen = this.#seen.filter((sender) => sender.id !== id);
    await this.#write((senders) => senders.filter((sender) => sender.id !== id));
  }

  /**
   * Writes the list if it is time for a write: after `MIN_INTERVAL` if there is a new sender, otherwise after `MAX_INTERVAL`.
   *
   * @param force whether to write all changes now
   */
  async flush(force = false): Promise<void> {
    if (!this.#changed) return;
    const isNew = this.#seen.some(({ id }) => !this.#stored.has(id));
    const age = this.#clock.uptime() - this.#writtenAt;
    if (!force && age < (isNew ? MIN_INTERVAL : MAX_INTERVAL)) return;
    this.#changed = false;
    this.#writtenAt = this.#clock.uptime();
    try {
      await this.#write((senders) => senders);
    } catch (error) {
      this.#changed = true;
      throw error;
    }
  }

  async #write(change: (senders: readonly PendingSender[]) => readonly PendingSender[]): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const { senders, revision, before } = await this.#joined();
      const changed = change(senders);
      const text = JSON.stringify(changed);
      const record: StoredRecord = {
        name: PENDING_RECORD,
        key: null,
        revision,
        text,
        time: this.#clock.now(),
      };
      if (text === before || (await this.#store.put([record])).length === 0) {
        this.#stored = new Set(changed.map(({ id }) => id));
        return;
      }
    }
  }

  /** The stored list merged with the senders in memory. */
  async #joined(): Promise<{
    senders: readonly PendingSender[];
    revision: number;
    before: string | undefined;
  }> {
    const record = await this.#store.record(PENDING_RECORD);
    const stored = record === undefined ? [] : (JSON.parse(record.text) as PendingSender[]);
    const digests = new Set((await this.#keys.list()).map(({ digest }) => digest));
    const isPending = ({ digest }: PendingSender) => digest === null || !digests.has(digest);
    this.#seen = this.#seen.filter(isPending);
    const senders = mergedSenders(stored.filter(isPending), this.#seen, this.#clock.now());
    return { senders, revision: record?.revision ?? 0, before: record?.text };
  }
}

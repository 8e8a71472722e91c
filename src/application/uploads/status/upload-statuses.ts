import { MILLISECONDS } from '#domain/time.js';
import {
  mergedStatus,
  NO_STATUS,
  type ShownUpload,
  type UploadStatus,
  withRaw,
} from '#domain/uploads/upload-status.js';
import { KeyedQueue } from '../../keyed-queue.js';
import type { Clock } from '../../ports/clock.js';
import type { RecordStore, StoredRecord } from '../../ports/record-store.js';

/**
 * Prefixes of the names of two kinds of records: the status of a key, and its raw uploads (the texts of its last uploads). The
 * number of the key follows the prefix.
 */
const STATUS_RECORDS = 'status/';
export const RAW_RECORDS = 'raw/';
/** Milliseconds between two calls of `flush`. */
export const STATUS_INTERVAL = 5000;
/** Milliseconds after which a status is written if only its counts, times and values have changed. */
const MAX_AGE = MILLISECONDS.minute;
/**
 * Milliseconds after which raw uploads (the texts of the last uploads) are written. If the status of the key is urgent because a
 * person may be waiting for it, the raw uploads are written earlier, together with the status.
 */
const MAX_RAW_AGE = 5 * MILLISECONDS.minute;
/** Number of statuses that are written in one transaction. */
const PAGE = 200;
/**
 * The store refuses to write a status if another instance wrote the status first, or if the key was removed. After this number of
 * refusals one after the other, the key is considered removed.
 */
const MAX_REFUSALS = 5;

type Summary = Omit<UploadStatus, 'raw'>;

/** The uploads of a key that are not written yet. */
interface Unwritten {
  status: UploadStatus;
  /** Raw uploads (texts of uploads) that are not written yet. They are written less often than the status. */
  raw: readonly ShownUpload[];
  /** `Clock.uptime` of the first unwritten upload. */
  since: number;
  rawSince: number;
  /** Whether the status has a change for which a person may be waiting. */
  isUrgent: boolean;
  /** Number of writes that were refused, because another instance wrote first or the key was removed. */
  refusals: number;
}

/**
 * The statuses of the upload keys. Uploads are collected in memory and written later, because frequent writes wear out memory
 * cards. Several instances add to the same statuses.
 *
 * - A status is urgent if a person may be waiting for it (the first upload since the start, another outcome, a new field). It is
 *   written within five seconds.
 * - Any other change of a status is written after a minute.
 * - The texts of the last uploads of a key ("raw uploads") are written together with an urgent status, and otherwise every five
 *   minutes.
 *
 * A write has 1 to 2 kB for each active key. The raw uploads of a key take up to about 16 kB.
 */
export class UploadStatuses {
  readonly #clock: Clock;
  readonly #store: RecordStore;
  readonly #unwritten = new Map<number, Unwritten>();
  /**
   * For each key number, some properties of the last upload as JSON text, for example the error, the firmware and the names of
   * the fields that are not stored. If they change, the status of the key becomes urgent: it is then written soon, because a
   * person may be waiting for it.
   */
  readonly #last = new Map<number, string>();
  /** The reads and writes of stored statuses, which take place one after the other. */
  readonly #queue = new KeyedQueue();

  constructor(clock: Clock, store: RecordStore) {
    this.#clock = clock;
    this.#store = store;
  }

  /**
   * Adds an upload to the status of its key, which is written to the store later.
   *
   * @param key number of the upload key
   * @param status the status of this upload only, without earlier uploads
   */
  note(key: number, status: UploadStatus): void {
    const now = this.#clock.uptime();
    const { raw, ...rest } = status;
    const unwritten = this.#unwritten.get(key) ?? {
      status: NO_STATUS,
      raw: [],
      since: now,
      rawSince: now,
      isUrgent: false,
      refusals: 0,
    };
    this.#unwritten.set(key, unwritten);
    if (unwritten.status === NO_STATUS) unwritten.since = now;
    unwritten.status = mergedStatus(unwritten.status, { ...rest, raw: [] });
    unwritten.raw = withRaw(unwritten.raw, raw);
    const { lastError, firmware, model, counts, usesPrevious, unmapped } = status;
    const kind = JSON.stringify([
      lastError?.text,
      firmware,
      model,
      counts.unchanged > 0,
      usesPrevious,
      unmapped.map(({ name }) => name),
    ]);
    if (this.#last.get(key) === kind) return;
    this.#last.set(key, kind);
    unwritten.isUrgent = true;
  }

  /**
   * The statuses in the order of `keys`, including uploads that are not written yet. Waits for a write in progress, because its uploads
   * are neither stored nor unwritten.
   */
  list(keys: readonly number[]): Promise<readonly UploadStatus[]> {
    return this.#queue.run(STATUS_RECORDS, () => this.#list(keys));
  }

  async #list(keys: readonly number[]): Promise<readonly UploadStatus[]> {
    const stored = new Map(
      [...(await this.#store.records(STATUS_RECORDS)), ...(await this.#store.records(RAW_RECORDS))].map(
        (record) => [record.name, record],
      ),
    );
    return keys.map((key) => {
      const status = statusIn(stored.get(`${STATUS_RECORDS}${key}`));
      const raw = rawIn(stored.get(`${RAW_RECORDS}${key}`));
      const unwritten = this.#unwritten.get(key);
      if (unwritten === undefined) return { ...status, raw };
      return { ...mergedStatus(status, unwritten.status), raw: withRaw(raw, unwritten.raw) };
    });
  }

  /**
   * Writes the statuses that are urgent, and the statuses whose oldest unwritten upload has waited for `MAX_AGE`.
   *
   * @param force whether to write all changed statuses
   */
  flush(force = false): Promise<void> {
    return this.#queue.run(STATUS_RECORDS, () => this.#flush(force));
  }

  async #flush(force: boolean): Promise<void> {
    const now = this.#clock.uptime();
    const due = [...this.#unwritten].filter(
      ([, { isUrgent, since, status }]) =>
        status !== NO_STATUS && (force || isUrgent || now - since >= MAX_AGE),
    );
    for (let at = 0; at < due.length; at += PAGE) await this.#writePage(due.slice(at, at + PAGE), force);
  }

  async #writePage(page: readonly (readonly [number, Unwritten])[], force: boolean): Promise<void> {
    const now = this.#clock.uptime();
    const batch = page.map(([key, unwritten]) => {
      const { status, raw } = unwritten;
      const withRaws = force || unwritten.isUrgent || now - unwritten.rawSince >= MAX_RAW_AGE;
      Object.assign(unwritten, {
        status: NO_STATUS,
        isUrgent: false,
        ...(withRaws && { raw: [], rawSince: now }),
      });
      return { key, unwritten, status, raw: withRaws ? raw : [] };
    });
    const putBack = ({ unwritten, status, raw }: (typeof batch)[number]) => {
      unwritten.status = mergedStatus(status, unwritten.status);
      unwritten.raw = withRaw(raw, unwritten.raw);
      unwritten.isUrgent = true;
    };
    try {
      const records: StoredRecord[] = [];
      for (const { key, status, raw } of batch) {
        const [known, knownRaw] = [
          await this.#store.record(`${STATUS_RECORDS}${key}`),
          raw.length > 0 ? await this.#store.record(`${RAW_RECORDS}${key}`) : undefined,
        ];
        const { raw: _none, ...summary } = mergedStatus(statusIn(known), status);
        records.push(this.#record(`${STATUS_RECORDS}${key}`, key, known, summary));
        if (raw.length > 0)
          records.push(this.#record(`${RAW_RECORDS}${key}`, key, knownRaw, withRaw(rawIn(knownRaw), raw)));
      }
      const refused = new Set(await this.#store.put(records));
      for (const entry of batch) {
        const isRefused = refused.has(`${STATUS_RECORDS}${entry.key}`);
        const isRawRefused = refused.has(`${RAW_RECORDS}${entry.key}`);
        entry.unwritten.refusals = isRefused || isRawRefused ? entry.unwritten.refusals + 1 : 0;
        if (entry.unwritten.refusals >= MAX_REFUSALS) this.#unwritten.delete(entry.key);
        else if (entry.unwritten.refusals > 0)
          putBack({
            ...entry,
            status: isRefused ? entry.status : NO_STATUS,
            raw: isRawRefused ? entry.raw : [],
          });
      }
    } catch (error) {
      for (const entry of batch) putBack(entry);
      throw error;
    }
  }

  #record(
    name: string,
    key: number,
    known: StoredRecord | undefined,
    content: Summary | readonly ShownUpload[],
  ): StoredRecord {
    const revision = known?.revision ?? 0;
    return { name, key, revision, text: JSON.stringify(content), time: this.#clock.now() };
  }
}

function statusIn(record: StoredRecord | undefined): UploadStatus {
  return record === undefined
    ? NO_STATUS
    : { ...NO_STATUS, ...(JSON.parse(record.text) as Summary), raw: [] };
}

function rawIn(record: StoredRecord | undefined): readonly ShownUpload[] {
  return record === undefined ? [] : (JSON.parse(record.text) as ShownUpload[]);
}

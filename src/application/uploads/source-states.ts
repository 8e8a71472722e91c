import type { SourceState } from '#domain/uploads/source-state.js';
import type { RecordStore, StoredRecord } from '../ports/record-store.js';

/**
 * Prefix of the names of the records with the states of sources. A source is a device, and its state has the last values of its
 * counters, for example of rain.
 */
export const SOURCE_RECORDS = 'source/';
/** Maximum number of sources whose state is cached, which takes about 10 MB. */
const MAX_CACHED = 10_000;

/**
 * The stored state of the counters of a source (device). `revision` is a number of the stored record that contains the state:
 * each write of the record increases it by 1. It is 0 if there is no record.
 */
export interface KnownState {
  readonly revision: number;
  readonly state: SourceState | undefined;
}

/**
 * Caches the states of the counters of all sources (devices). A state is read from the store only once. A new state is written
 * only if the stored revision is still the cached revision, that is, if no other instance has changed the state.
 */
export class SourceStates {
  readonly #store: RecordStore;
  readonly #known = new Map<string, KnownState>();

  constructor(store: RecordStore) {
    this.#store = store;
  }

  async of(source: string): Promise<KnownState> {
    const known = this.#known.get(source);
    if (known !== undefined) return known;
    const record = await this.#store.record(nameOf(source));
    const read = {
      revision: record?.revision ?? 0,
      state: record === undefined ? undefined : (JSON.parse(record.text) as SourceState),
    };
    this.#keep(source, read);
    return read;
  }

  /** Creates the record that replaces the stored state. @param now milliseconds since 1970-01-01T00:00:00Z */
  recordOf(
    source: string,
    key: number | null,
    { revision }: KnownState,
    state: SourceState,
    now: number,
  ): StoredRecord {
    return { name: nameOf(source), key, revision, text: JSON.stringify(state), time: now };
  }

  /** Must be called after the record was written. */
  wrote(source: string, { revision }: KnownState, state: SourceState): void {
    this.#keep(source, { revision: revision + 1, state });
  }

  /**
   * Drops the cached state of a source, so that the next use reads the state from the store. Must be called if it is unknown
   * which state is stored, for example after a failed write.
   */
  forget(source: string): void {
    this.#known.delete(source);
  }

  #keep(source: string, known: KnownState): void {
    this.#known.set(source, known);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > MAX_CACHED) this.#known.delete(oldest);
  }
}

function nameOf(source: string): string {
  return SOURCE_RECORDS + source;
}

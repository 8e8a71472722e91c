import type { SourceState } from '#domain/uploads/source-state.js';
import type { UploadRecord, UploadRecordStore } from '../ports/upload-record-store.js';

/** Names of the records begin with this. */
export const SOURCE_RECORDS = 'source/';
/** Largest number of sources whose state is kept in memory: about 10 MB. */
const MAX_CACHED = 10_000;

/** The state of a source and the revision of its record; revision 0 without a record. */
export interface KnownState {
  readonly revision: number;
  readonly state: SourceState | undefined;
}

/**
 * The states of the counters of all sources. A state is read once and then kept in memory; a write of another instance shows in
 * the revision of the record.
 */
export class SourceStates {
  readonly #store: UploadRecordStore;
  readonly #known = new Map<string, KnownState>();

  constructor(store: UploadRecordStore) {
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

  /** The record that replaces the state. @param now milliseconds since 1970-01-01T00:00:00Z */
  recordOf(
    source: string,
    key: number | null,
    { revision }: KnownState,
    state: SourceState,
    now: number,
  ): UploadRecord {
    return { name: nameOf(source), key, revision, text: JSON.stringify(state), time: now };
  }

  /** Must be called when the record has been written. */
  wrote(source: string, { revision }: KnownState, state: SourceState): void {
    this.#keep(source, { revision: revision + 1, state });
  }

  /** Must be called when it is unknown which state is stored. */
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

import type { LeaseStore } from '#application/ports/lease.js';
import type { UploadKeyChanges, UploadKeyStore } from '#application/ports/upload-key-store.js';
import type { UploadRecord, UploadRecordStore } from '#application/ports/upload-record-store.js';
import type { StoredUploadKey } from '#domain/uploads/upload-key.js';
import type { MemoryDatabase } from './memory-database.js';

/** Upload keys, records and leases in memory. */
export class MemoryUploadStore implements UploadKeyStore, UploadRecordStore, LeaseStore {
  readonly #database: MemoryDatabase;

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  async version(): Promise<string> {
    return String(this.#database.uploadVersion);
  }

  async keys(): Promise<readonly StoredUploadKey[]> {
    return [...this.#database.uploadKeys.values()].sort((a, b) => a.number - b.number);
  }

  async add(key: Omit<StoredUploadKey, 'number'>): Promise<number | undefined> {
    const { uploadKeys } = this.#database;
    const isTaken = [...uploadKeys.values()].some(({ digest }) => digest === key.digest);
    if (isTaken || !this.#database.hasStation(key.station)) return undefined;
    const number = (this.#database.uploadKeyNumber += 1);
    uploadKeys.set(number, { ...key, number });
    this.#database.uploadVersion += 1;
    return number;
  }

  async change(number: number, changes: UploadKeyChanges): Promise<boolean> {
    const key = this.#database.uploadKeys.get(number);
    if (key === undefined) return false;
    this.#database.uploadKeys.set(number, { ...key, ...changes });
    this.#database.uploadVersion += 1;
    return true;
  }

  async remove(number: number): Promise<boolean> {
    return this.#database.removeUploadKeys((key) => key.number === number) > 0;
  }

  async records(prefix: string): Promise<readonly UploadRecord[]> {
    const found = [...this.#database.uploadRecords.values()].filter(({ name }) => name.startsWith(prefix));
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async record(name: string): Promise<UploadRecord | undefined> {
    return this.#database.uploadRecords.get(name);
  }

  async put(records: readonly UploadRecord[]): Promise<readonly string[]> {
    const written = new Set<string>();
    const left = records.filter((record) => {
      if (written.has(record.name) || this.#database.isOutdated(record)) return true;
      written.add(record.name);
      this.#database.putRecord(record);
      return false;
    });
    return left.map(({ name }) => name);
  }

  async purge(prefix: string, time: number): Promise<void> {
    for (const record of await this.records(prefix))
      if (record.time < time) this.#database.uploadRecords.delete(record.name);
  }

  async take(name: string, holder: string, now: number, duration: number): Promise<boolean> {
    const known = this.#database.uploadRecords.get(name);
    if (known !== undefined && known.text !== holder && now < known.time + duration) return false;
    this.#database.putRecord({ name, key: null, revision: known?.revision ?? 0, text: holder, time: now });
    return true;
  }

  async release(name: string, holder: string): Promise<void> {
    const known = this.#database.uploadRecords.get(name);
    if (known?.text === holder) this.#database.putRecord({ ...known, time: 0 });
  }
}

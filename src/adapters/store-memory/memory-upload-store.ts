import type { UploadKeyChanges, UploadRecord, UploadStore } from '#application/ports/upload-store.js';
import type { StoredUploadKey } from '#domain/uploads/upload-key.js';
import type { MemoryDatabase } from './memory-database.js';

/** Upload keys and records in memory. */
export class MemoryUploadStore implements UploadStore {
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

  async addKey(key: Omit<StoredUploadKey, 'number'>): Promise<number | undefined> {
    const { uploadKeys } = this.#database;
    const isTaken = [...uploadKeys.values()].some(({ digest }) => digest === key.digest);
    if (isTaken || !this.#database.hasStation(key.station)) return undefined;
    const number = (this.#database.uploadKeyNumber += 1);
    uploadKeys.set(number, { ...key, number });
    this.#database.uploadVersion += 1;
    return number;
  }

  async changeKey(number: number, changes: UploadKeyChanges): Promise<boolean> {
    const key = this.#database.uploadKeys.get(number);
    if (key === undefined) return false;
    this.#database.uploadKeys.set(number, { ...key, ...changes });
    this.#database.uploadVersion += 1;
    return true;
  }

  async removeKey(number: number): Promise<boolean> {
    return this.#database.removeUploadKeys((key) => key.number === number) > 0;
  }

  async records(prefix: string): Promise<readonly UploadRecord[]> {
    const found = [...this.#database.uploadRecords.values()].filter(({ name }) => name.startsWith(prefix));
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async record(name: string): Promise<UploadRecord | undefined> {
    return this.#database.uploadRecords.get(name);
  }

  presentRecord(name: string): Promise<UploadRecord | undefined> {
    return this.record(name);
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
}

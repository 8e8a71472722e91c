import type { ImportLog, ImportRecord, ImportRetention } from '#application/ports/import-log.js';
import { NO_UNDO } from '#domain/weather/undo/undo-counts.js';
import type { MemoryDatabase } from './memory-database.js';

/** The line of an import that was undone, so that it cannot note progress if it still runs. */
const UNDONE = -1;

/** The imports of files in memory. */
export class MemoryImportLog implements ImportLog {
  readonly #database: MemoryDatabase;
  readonly #lines = new Map<string, number>();

  constructor(database: MemoryDatabase) {
    this.#database = database;
  }

  async lastLine(key: string): Promise<number> {
    return Math.max(0, this.#lines.get(key) ?? 0);
  }

  async note(key: string, line: number): Promise<void> {
    if (this.#lines.get(key) !== UNDONE) this.#lines.set(key, line);
  }

  async forget(key: string): Promise<void> {
    this.#lines.delete(key);
  }

  async begin(key: string | undefined, file: string, time: number): Promise<number> {
    const { imports } = this.#database;
    if (key !== undefined && this.#lines.get(key) === UNDONE) this.#lines.delete(key);
    for (const [known, stored] of imports) if (key !== undefined && stored.key === key) return known;
    const number = (this.#database.importNumber += 1);
    const record = {
      number,
      file: file.replaceAll('\u0000', ''),
      startedAt: time,
      endedAt: null,
      stations: [],
      rows: 0,
      bytes: 0,
      isForgotten: false,
      undo: null,
    };
    imports.set(number, { record, key, journal: [] });
    return number;
  }

  async end(number: number, time: number): Promise<void> {
    this.#change(number, { endedAt: time });
  }

  async find(number: number): Promise<ImportRecord | undefined> {
    return this.#database.imports.get(number)?.record;
  }

  async list(limit: number): Promise<readonly ImportRecord[]> {
    const records = [...this.#database.imports.values()].map(({ record }) => record);
    return records.reverse().slice(0, limit);
  }

  async beginUndo(number: number, time: number): Promise<void> {
    const stored = this.#database.imports.get(number);
    if (stored === undefined) return;
    if (stored.key !== undefined) this.#lines.set(stored.key, UNDONE);
    const { undo } = stored.record;
    this.#change(number, { undo: undo ?? { startedAt: time, endedAt: null, counts: NO_UNDO } });
  }

  async endUndo(number: number, time: number): Promise<void> {
    const undo = this.#database.imports.get(number)?.record.undo;
    if (undo) this.#change(number, { undo: { ...undo, endedAt: time } });
  }

  async prune({ since, bytes, records }: ImportRetention): Promise<boolean> {
    const { imports } = this.#database;
    let newer = 0;
    for (const [index, [number, stored]] of [...imports].reverse().entries()) {
      const { record } = stored;
      if (record.bytes > 0 && (record.startedAt < since || newer >= bytes)) {
        stored.journal = [];
        this.#change(number, { isForgotten: true, bytes: 0 });
      }
      newer += record.bytes;
      if (index >= records && stored.record.bytes === 0) imports.delete(number);
    }
    return false;
  }

  /** Changes the record of an import, which can then no longer be continued. */
  #change(number: number, change: Partial<ImportRecord>): void {
    const stored = this.#database.imports.get(number);
    if (stored === undefined) return;
    stored.record = { ...stored.record, ...change };
    stored.key = undefined;
  }
}

import type { ImportLog } from '../../application/ports/import-log.js';

/** The progress of imports in memory. */
export class MemoryImportLog implements ImportLog {
  readonly #lines = new Map<string, number>();

  async lastLine(key: string): Promise<number> {
    return this.#lines.get(key) ?? 0;
  }

  async note(key: string, line: number): Promise<void> {
    this.#lines.set(key, line);
  }

  async forget(key: string): Promise<void> {
    this.#lines.delete(key);
  }
}

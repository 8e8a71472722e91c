import type { Database } from 'better-sqlite3';
import type { UndoCounts } from '#domain/weather/undo/undo-counts.js';
import { encodeJournal, type JournalPart } from '#adapters/formats/packed/journal-codec.js';
import type { Journals } from '#adapters/packed-store/write-target.js';

/** Thrown when rows are written for an import that has ended or is undone. */
export class ClosedImportError extends Error {
  override readonly name = 'ClosedImportError';
}

export interface JournalEntry {
  readonly id: number;
  readonly rows: number;
  readonly data: Buffer;
}

/** The table `import_journal`: what each commit of an import has changed. All methods run within a transaction. */
export class ImportJournal implements Journals {
  readonly #count;
  readonly #noteStation;
  readonly #insert;
  readonly #newest;
  readonly #remove;
  readonly #setCounts;
  readonly #counts;

  constructor(database: Database) {
    this.#count = database
      .prepare<[{ number: number; rows: number; bytes: number }], number>(
        `UPDATE file_import SET rows = rows + @rows, bytes = bytes + iif(forgotten, 0, @bytes)
         WHERE number = @number AND ended_at IS NULL AND undo_started_at IS NULL RETURNING forgotten`,
      )
      .pluck();
    this.#noteStation = database.prepare(
      'INSERT INTO import_station (import, station) VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
    this.#insert = database.prepare('INSERT INTO import_journal (import, rows, data) VALUES (?, ?, ?)');
    this.#newest = database.prepare<[number], JournalEntry>(
      'SELECT id, rows, data FROM import_journal WHERE import = ? ORDER BY id DESC LIMIT 1',
    );
    this.#remove = database.prepare('DELETE FROM import_journal WHERE id = ?');
    this.#setCounts = database.prepare(
      'UPDATE file_import SET bytes = bytes - ?, undo_counts = ? WHERE number = ?',
    );
    this.#counts = database
      .prepare<[number], string | null>('SELECT undo_counts FROM file_import WHERE number = ?')
      .pluck();
  }

  /** @throws ClosedImportError */
  add(number: number, parts: readonly JournalPart[]): void {
    const rows = parts.reduce((sum, { from, to }) => sum + to - from, 0);
    const data = encodeJournal(number, parts);
    const forgotten = this.#count.get({ number, rows, bytes: data.length });
    if (forgotten === undefined) throw new ClosedImportError(`import ${number} is not open`);
    for (const { station } of parts) this.#noteStation.run(number, station);
    if (forgotten === 0) this.#insert.run(number, rows, data);
  }

  newest(number: number): JournalEntry | undefined {
    return this.#newest.get(number);
  }

  remove({ id }: JournalEntry): void {
    this.#remove.run(id);
  }

  counts(number: number): UndoCounts | undefined {
    const text = this.#counts.get(number) ?? null;
    return text === null ? undefined : (JSON.parse(text) as UndoCounts);
  }

  /** @param bytes size of the entries that were removed */
  setCounts(number: number, counts: UndoCounts, bytes: number): void {
    this.#setCounts.run(bytes, JSON.stringify(counts), number);
  }
}

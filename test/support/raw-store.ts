import { join } from 'node:path';
import pg from 'pg';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import type { Place } from './place.js';

type Row = Readonly<Record<string, unknown>>;

/** Direct access to the tables of a SQLite or PostgreSQL store, without the service. */
export class RawStore {
  readonly #place: Place;
  readonly isSqlite: boolean;

  constructor(place: Place) {
    this.#place = place;
    this.isSqlite = place.databaseUrl.startsWith('sqlite');
  }

  /** Runs a SQL statement that both databases support. `?` is a parameter; `@` before a table name stands for the schema. */
  async run(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    if (this.isSqlite) {
      const database = new Sqlite(join(this.#place.folder, 'weatherd.db'));
      try {
        const statement = database.prepare(text.replaceAll('@', ''));
        if (!statement.reader) statement.run(...values);
        return statement.reader ? (statement.all(...values) as Row[]) : [];
      } finally {
        database.close();
      }
    }
    const client = new pg.Client(this.#place.databaseUrl);
    await client.connect();
    try {
      let number = 0;
      const statement = text.replaceAll('@', 'weatherd.').replace(/\?/g, () => `$${(number += 1)}`);
      return (await client.query<Row>(statement, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  /** Changes the blobs in the matching rows of a table. @returns the number of rows */
  async change(table: string, where: string, edit: (blob: Buffer) => Buffer): Promise<number> {
    const rows = await this.run(`SELECT data FROM @${table} WHERE ${where}`);
    for (const { data } of rows) {
      const blob = Buffer.from(data as Buffer);
      await this.run(`UPDATE @${table} SET data = ? WHERE data = ?`, [edit(Buffer.from(blob)), blob]);
    }
    return rows.length;
  }

  async count(table: string): Promise<number> {
    const [row] = await this.run(`SELECT count(*) AS count FROM @${table}`);
    return Number(row?.['count']);
  }
}

/** Flips the last bit of a blob. */
export function flipped(blob: Buffer): Buffer {
  blob.writeUInt8(blob.readUInt8(blob.length - 1) ^ 1, blob.length - 1);
  return blob;
}

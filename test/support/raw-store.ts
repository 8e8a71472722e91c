import { join } from 'node:path';
import pg from 'pg';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import type { Place } from './place.js';

type Row = Readonly<Record<string, unknown>>;

/** The tables of a store, without the service: SQLite or PostgreSQL. */
export class RawStore {
  readonly #place: Place;
  readonly isSqlite: boolean;

  constructor(place: Place) {
    this.#place = place;
    this.isSqlite = place.databaseUrl.startsWith('sqlite');
  }

  /** Runs a statement of SQL that both databases know. `?` are parameters, and `@` before a name is the schema. */
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

  /** Changes the blobs of the rows of a table. @returns their number */
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

/** Changes the last bit of a blob. */
export function flipped(blob: Buffer): Buffer {
  blob.writeUInt8(blob.readUInt8(blob.length - 1) ^ 1, blob.length - 1);
  return blob;
}

import type { OverruleStore } from '#application/ports/overrule-store.js';
import type { Overrule } from '#domain/weather/quality/overrule.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import { isStorable } from '../database/query.js';
import { addRequests } from './judging-requests.js';

const COLUMNS = `id, station, variable, from_time AS "from", to_time AS "to", verdict, reason, made_by AS "madeBy",
  made_at AS "madeAt"`;

/** Overrules in PostgreSQL. */
export class PostgresOverruleStore implements OverruleStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async add(overrule: Overrule): Promise<void> {
    const { id, station, variable, from, to, verdict, reason, madeBy, madeAt } = overrule;
    await this.#database.transaction(async (query) => {
      await query(
        `INSERT INTO weatherd.overrule (id, station, variable, from_time, to_time, verdict, reason, made_by, made_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [id, station, variable, from, to, verdict, reason, madeBy, madeAt],
      );
      await addRequests(query, [{ ...overrule, spreads: false }]);
    });
  }

  async list(station: number): Promise<readonly Overrule[]> {
    const { rows } = await this.#database.query<Overrule>(
      `SELECT ${COLUMNS} FROM weatherd.overrule WHERE station = $1 ORDER BY made_at, id COLLATE "C"`,
      [station],
    );
    return rows;
  }

  async remove(station: number, id: string): Promise<Overrule | undefined> {
    if (!isStorable(id)) return undefined;
    return await this.#database.transaction(async (query) => {
      const { rows } = await query<Overrule>(
        `DELETE FROM weatherd.overrule WHERE station = $1 AND id = $2 RETURNING ${COLUMNS}`,
        [station, id],
      );
      const [removed] = rows;
      if (removed !== undefined) await addRequests(query, [{ ...removed, spreads: false }]);
      return removed;
    });
  }
}

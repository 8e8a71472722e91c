import type { Database } from 'better-sqlite3';
import type { Overrule } from '#domain/weather/quality/overrule.js';
import { judgingRequests } from './judging-operations.js';

const COLUMNS = `id, station, variable, from_time AS "from", to_time AS "to", verdict, reason, made_by AS madeBy,
  made_at AS madeAt`;

/** The statements behind SqliteOverruleStore. They run in the thread that owns the file. */
export function overruleOperations(database: Database) {
  const insert = database.prepare<Overrule>(
    `INSERT INTO overrule (id, station, variable, from_time, to_time, verdict, reason, made_by, made_at)
     VALUES (@id, @station, @variable, @from, @to, @verdict, @reason, @madeBy, @madeAt)`,
  );
  const list = database.prepare<[number], Overrule>(
    `SELECT ${COLUMNS} FROM overrule WHERE station = ? ORDER BY made_at, id`,
  );
  const remove = database.prepare<[number, string], Overrule>(
    `DELETE FROM overrule WHERE station = ? AND id = ? RETURNING ${COLUMNS}`,
  );
  const request = judgingRequests(database);
  const add = database.transaction((overrule: Overrule) => {
    insert.run(overrule);
    request([{ ...overrule, spreads: false }]);
  });
  const removeOne = database.transaction((station: number, id: string): Overrule | undefined => {
    const removed = remove.get(station, id);
    if (removed !== undefined) request([{ ...removed, spreads: false }]);
    return removed;
  });
  return {
    addOverrule: (overrule: Overrule): void => add.immediate(overrule),
    overrules: (station: number): Overrule[] => list.all(station),
    removeOverrule: (station: number, id: string): Overrule | undefined => removeOne.immediate(station, id),
  };
}

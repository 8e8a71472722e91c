import type { OverruleStore } from '#application/ports/overrule-store.js';
import type { Overrule } from '#domain/weather/quality/overrule.js';
import { isStorable } from '../columns.js';
import { rowFrom, rowsFrom, send } from '../operation.js';
import { both, CODE_POINTS, sql } from '../sql.js';
import { type OperationsOf, present, transaction } from '../store-operations.js';
import { addRequests } from './judging-requests.js';

const COLUMNS =
  both(`id, station, variable, from_time AS "from", to_time AS "to", verdict, reason, made_by AS "madeBy",
  made_at AS "madeAt"`);

export const OVERRULES: OperationsOf<OverruleStore> = {
  add: transaction(function* (overrule) {
    const { id, station, variable, from, to, verdict, reason, madeBy, madeAt } = overrule;
    yield* send(
      sql`INSERT INTO weatherd.overrule (id, station, variable, from_time, to_time, verdict, reason, made_by, made_at)
          VALUES (${id}, ${station}, ${variable}, ${from}, ${to}, ${verdict}, ${reason}, ${madeBy}, ${madeAt})`,
    );
    yield* addRequests([{ ...overrule, spreads: false }]);
  }),

  list: present(function* (station) {
    return yield* rowsFrom<Overrule>(
      sql`SELECT ${COLUMNS} FROM weatherd.overrule WHERE station = ${station} ORDER BY made_at, id ${CODE_POINTS}`,
    );
  }),

  remove: transaction(function* (station, id) {
    if (!isStorable(id)) return undefined;
    const removed = yield* rowFrom<Overrule>(
      sql`DELETE FROM weatherd.overrule WHERE station = ${station} AND id = ${id} RETURNING ${COLUMNS}`,
    );
    if (removed !== undefined) yield* addRequests([{ ...removed, spreads: false }]);
    return removed;
  }),
};

import type { OverrideStore } from '#application/ports/override-store.js';
import type { QualityOverride } from '#domain/weather/quality/override.js';
import { isStorable } from '../columns.js';
import { rowFrom, rowsFrom, send } from '../run-operation.js';
import { both, CODE_POINTS, rowsOf, sql, sqlValues } from '../sql.js';
import { type OperationsOf, present, transaction } from '../store-operations.js';
import { addRequests } from './recheck-requests.js';

const COLUMNS =
  both(`id, station, variable, from_time AS "from", to_time AS "to", verdict, reason, made_by AS "madeBy",
  made_at AS "madeAt"`);

const IDS = sqlValues('id', 'text');
const ADDED = rowsOf({
  id: 'text',
  station: 'integer',
  variable: 'integer',
  from_time: 'bigint',
  to_time: 'bigint',
  verdict: 'text',
  reason: 'text',
  made_by: 'text',
  made_at: 'bigint',
});

export const OVERRIDES: OperationsOf<OverrideStore> = {
  add: transaction(function* (override) {
    const { id, station, variable, from, to, verdict, reason, madeBy, madeAt } = override;
    yield* send(
      sql`INSERT INTO weatherd.overrule (id, station, variable, from_time, to_time, verdict, reason, made_by, made_at)
          VALUES (${id}, ${station}, ${variable}, ${from}, ${to}, ${verdict}, ${reason}, ${madeBy}, ${madeAt})`,
    );
    yield* addRequests([{ ...override, spreads: false }]);
  }),

  replace: transaction(function* ({ station, removed, added, ranges }) {
    if (removed.length > 0)
      yield* send(
        sql`DELETE FROM weatherd.overrule WHERE station = ${station} AND id IN (SELECT id FROM ${IDS(removed)})`,
      );
    const rows = added.map(({ from, to, madeBy, madeAt, ...override }) => ({
      ...override,
      from_time: from,
      to_time: to,
      made_by: madeBy,
      made_at: madeAt,
    }));
    if (rows.length > 0)
      yield* send(
        sql`INSERT INTO weatherd.overrule (id, station, variable, from_time, to_time, verdict, reason, made_by, made_at)
            SELECT id, station, variable, from_time, to_time, verdict, reason, made_by, made_at FROM ${ADDED(rows)}
            WHERE TRUE ON CONFLICT (id) DO NOTHING`,
      );
    yield* addRequests(ranges.map((range) => ({ ...range, station, spreads: false })));
  }),

  list: present(function* (station) {
    return yield* rowsFrom<QualityOverride>(
      sql`SELECT ${COLUMNS} FROM weatherd.overrule WHERE station = ${station} ORDER BY made_at, id ${CODE_POINTS}`,
    );
  }),

  remove: transaction(function* (station, id) {
    if (!isStorable(id)) return undefined;
    const removed = yield* rowFrom<QualityOverride>(
      sql`DELETE FROM weatherd.overrule WHERE station = ${station} AND id = ${id} RETURNING ${COLUMNS}`,
    );
    if (removed !== undefined) yield* addRequests([{ ...removed, spreads: false }]);
    return removed;
  }),
};

import { rulesOf } from '../../../domain/weather/quality/station-rules.js';
import type { Station } from '../../../domain/weather/station.js';
import type { Query } from '../database/query.js';
import type { Rules } from '../../packed-store/run-commit.js';

/** The rules of all stations that exist. They are read again after a change of any station. */
export class StationRulesCache {
  #known: { readonly version: number; readonly rules: Rules } | undefined;

  async read(query: Query): Promise<Rules> {
    // The version is read first. If a station changes in between, the next call reads the rules again.
    const { rows: versions } = await query<{ version: number }>(
      'SELECT version FROM weatherd.station_version',
    );
    const version = versions[0]?.version ?? 0;
    if (this.#known?.version === version) return this.#known.rules;
    const { rows } = await query<
      Pick<Station, 'number' | 'limits' | 'reportingInterval'> & {
        readonly steps: Station['steps'] | null;
        readonly persistence: Station['persistence'] | null;
        readonly removed: number | null;
      }
    >(
      `SELECT number, limits, steps, persistence, reporting_interval AS "reportingInterval", (
         SELECT max(month_end) FROM weatherd.removed_month WHERE station = number) AS removed
       FROM weatherd.station`,
    );
    const rules = new Map(
      rows.map(({ removed, steps, persistence, ...row }) => {
        const own = rulesOf({ ...row, ...(steps && { steps }), ...(persistence && { persistence }) });
        return [row.number, removed === null ? own : { ...own, removedUntil: removed }] as const;
      }),
    );
    this.#known = { version, rules };
    return rules;
  }
}

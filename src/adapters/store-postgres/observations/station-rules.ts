import { rulesOf } from '#domain/weather/quality/station-rules.js';
import { readSettings, type StoredStation } from '#domain/weather/stations/stored-station.js';
import type { Query } from '../database/query.js';
import type { Rules } from '#adapters/packed-store/run-commit.js';

/**
 * The rules of all stations that exist. They are read again after a change of any station. Settings that cannot be read are
 * those of the catalogue: the rows are kept, and are judged again when the station is repaired.
 */
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
      Pick<StoredStation, 'limits' | 'steps' | 'persistence'> & {
        readonly number: number;
        readonly reportingInterval: number | null;
        readonly removed: number | null;
      }
    >(
      `SELECT number, limits, steps, persistence, reporting_interval AS "reportingInterval", (
         SELECT max(month_end) FROM weatherd.removed_month WHERE station = number) AS removed
       FROM weatherd.station`,
    );
    const rules = new Map(
      rows.map(({ number, removed, ...row }) => {
        const own = rulesOf({ limits: {}, reportingInterval: null, ...readSettings(row).fields });
        return [number, removed === null ? own : { ...own, removedUntil: removed }] as const;
      }),
    );
    this.#known = { version, rules };
    return rules;
  }
}

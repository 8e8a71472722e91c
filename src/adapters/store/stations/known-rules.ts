import type { Rules } from '#adapters/packed-store/run-commit.js';
import { seriesOf } from '#adapters/packed-store/days/daily-series.js';
import { rulesOf } from '#domain/weather/quality/station-rules.js';
import { readSettings, type StoredStation } from '#domain/weather/stations/stored-station.js';
import { fromJson } from '../columns.js';
import { type Operation, rowsFrom } from '../run-operation.js';
import { sql } from '../sql.js';
import { versionOf } from '../versions.js';

interface RulesRow extends Pick<StoredStation, 'limits' | 'steps' | 'persistence' | 'reportingInterval'> {
  readonly number: number;
  /**
   * End of the last expired month of the station, in milliseconds since 1970-01-01T00:00:00Z; null if no month has expired. A
   * month has expired if its rows were removed because of their age.
   */
  readonly removed: number | null;
}

/**
 * The rules by which quality control checks the rows of each existing station, by number of the series: the reports and the daily
 * values of a station have the same rules. The rules are read again after a change of any station.
 * If the settings of a station cannot be read, its rows are checked by the default rules of the catalog of variables, and are
 * checked again after the station is repaired.
 */
export class KnownRules {
  #known: { readonly version: string; readonly rules: Rules } | undefined;

  *read(): Operation<Rules> {
    // The version is read before the rules. If a station changes between these reads, the next call reads the rules again.
    const version = yield* versionOf('stations');
    if (this.#known?.version === version) return this.#known.rules;
    const rows = yield* rowsFrom<RulesRow>(
      sql`SELECT number, limits, steps, persistence, reporting_interval AS "reportingInterval",
            (SELECT max(month_end) FROM weatherd.removed_month WHERE station = number) AS removed
          FROM weatherd.station`,
    );
    const rules = new Map(
      rows.flatMap(({ number, removed, ...row }) => {
        const read = rulesOf({ limits: {}, reportingInterval: null, ...readSettings(row, fromJson).fields });
        const own = removed === null ? read : { ...read, expiredUntil: removed };
        return seriesOf([number]).map((series) => [series, own] as const);
      }),
    );
    this.#known = { version, rules };
    return rules;
  }
}

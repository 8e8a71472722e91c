import type { Database } from 'better-sqlite3';
import { fromJson } from '#adapters/store/columns.js';
import { rulesOf, type StationRules } from '#domain/weather/quality/station-rules.js';
import { readSettings } from '#domain/weather/stations/stored-station.js';

interface RulesRow {
  readonly number: number;
  readonly limits: string;
  readonly steps: string | null;
  readonly persistence: string | null;
  readonly reportingInterval: number | null;
  /** As `StationRules.removedUntil`. */
  readonly removed: number | null;
}

/**
 * The rules of all stations that exist. They are read again after a change of any station. Settings that cannot be read are
 * those of the catalogue: the rows are kept, and are judged again when the station is repaired.
 */
export function stationRules(database: Database): () => ReadonlyMap<number, StationRules> {
  const version = database.prepare<[], number>('SELECT version FROM station_version').pluck();
  const select = database.prepare<[], RulesRow>(
    `SELECT number, limits, steps, persistence, reporting_interval AS reportingInterval,
       (SELECT max(month_end) FROM removed_month WHERE station = number) AS removed
     FROM station`,
  );
  let cached: { readonly version: number | undefined; readonly rules: Map<number, StationRules> } | undefined;
  return () => {
    const current = version.get();
    if (cached?.version === current) return cached?.rules as ReadonlyMap<number, StationRules>;
    const rules = new Map(
      select.all().map(({ number, removed, ...row }) => {
        const own = rulesOf({ limits: {}, reportingInterval: null, ...readSettings(row, fromJson).fields });
        return [number, removed === null ? own : { ...own, removedUntil: removed }] as const;
      }),
    );
    cached = { version: current, rules };
    return rules;
  };
}

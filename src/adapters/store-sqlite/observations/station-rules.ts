import type { Database } from 'better-sqlite3';
import { rulesOf, type StationRules } from '../../../domain/weather/quality/station-rules.js';
import type { Station } from '../../../domain/weather/station.js';

interface RulesRow {
  readonly number: number;
  readonly limits: string;
  readonly steps: string | null;
  readonly persistence: string | null;
  readonly reporting_interval: number | null;
  /** As `StationRules.removedUntil`. */
  readonly removed: number | null;
}

/** The rules of all stations that exist. They are read again after a change of any station. */
export function stationRules(database: Database): () => ReadonlyMap<number, StationRules> {
  const version = database.prepare<[], number>('SELECT version FROM station_version').pluck();
  const select = database.prepare<[], RulesRow>(
    `SELECT number, limits, steps, persistence, reporting_interval, (SELECT max(month_end) FROM removed_month WHERE station = number) AS removed
     FROM station`,
  );
  let cached: { readonly version: number | undefined; readonly rules: Map<number, StationRules> } | undefined;
  return () => {
    const current = version.get();
    if (cached?.version === current) return cached?.rules as ReadonlyMap<number, StationRules>;
    const rules = new Map(
      select
        .all()
        .map(({ number, limits, steps, persistence, reporting_interval: reportingInterval, removed }) => {
          const own = rulesOf({
            limits: JSON.parse(limits) as Station['limits'],
            ...(steps !== null && { steps: JSON.parse(steps) as NonNullable<Station['steps']> }),
            ...(persistence !== null && {
              persistence: JSON.parse(persistence) as NonNullable<Station['persistence']>,
            }),
            reportingInterval,
          });
          return [number, removed === null ? own : { ...own, removedUntil: removed }] as const;
        }),
    );
    cached = { version: current, rules };
    return rules;
  };
}

import type { Database } from 'better-sqlite3';

/** How long rows are kept. It runs in the thread that owns the file. */
export function retentionOperations(database: Database) {
  const all = database.prepare<[], { station: number; period: number | null }>(
    'SELECT station, period FROM retention ORDER BY station',
  );
  const put = database.prepare(
    'INSERT INTO retention (station, period) VALUES (?, ?) ON CONFLICT DO UPDATE SET period = excluded.period',
  );
  const remove = database.prepare('DELETE FROM retention WHERE station = ?');
  return {
    retentionPeriods: () => all.all().map(({ station, period }) => [station, period] as const),
    setRetentionPeriod: (station: number, period: number | null | undefined): void => {
      if (period === undefined) remove.run(station);
      else put.run(station, period);
    },
  };
}

import { orderRows } from '../../../domain/weather/row-order.js';
import { type ObservationBatch, type Series, sliceSeries } from '../../../domain/weather/series.js';
import type { Partitions } from '../database/partitions.js';
import type { PostgresDatabase } from '../database/postgres-database.js';
import type { Query } from '../database/query.js';
import { insertRows } from './observation-rows.js';
import { lockStates, putStates, type StoredState } from './station-states.js';

/** Adds judged rows in one transaction. @returns as `ObservationStore.append` */
export async function appendRows(
  database: PostgresDatabase,
  partitions: Partitions,
  batch: ObservationBatch,
): Promise<boolean> {
  try {
    await partitions.make(database.query, [batch.times]);
    return await database.transaction((query) => append(query, batch));
  } catch (error) {
    partitions.forget();
    throw error;
  }
}

async function append(query: Query, batch: ObservationBatch): Promise<boolean> {
  const { groups } = orderRows(batch);
  if (groups.length === 0) return true;
  const states = await lockStates(
    query,
    groups.map(({ station }) => station),
  );
  const parts = new Map<number, Series>();
  const changed = new Map<number, StoredState>();
  for (const { station, from, to } of groups) {
    const stored = states.get(station);
    const series = sliceSeries(batch, from, to);
    const first = series.times[0] as number;
    if (stored === undefined || first <= stored.state.lastSeen) return false;
    stored.state.advance(series);
    stored.first ??= first;
    stored.count += series.times.length;
    parts.set(station, series);
    changed.set(station, stored);
  }
  await insertRows(query, parts);
  await putStates(query, changed);
  return true;
}

import { STEP_REACH } from '../../../domain/weather/quality-control.js';
import { lowerBound, type Series, sliceSeries } from '../../../domain/weather/series.js';
import { VARIABLES } from '../../../domain/weather/variables.js';
import type { Query } from '../database/query.js';
import { toBatch } from './observation-rows.js';

/** Sent rows of a station that are close together in time. */
export interface Cluster {
  readonly station: number;
  readonly series: Series;
}

/**
 * Number of rows before a cluster that are read at first. In most cases the row before has a passing value of each
 * variable.
 */
const ROWS_BEFORE = 8;
/**
 * Number of clusters in a statement. It limits memory for a batch whose rows are spread over years: the stored rows
 * around them are read in parts and then released.
 */
const MAX_CLUSTERS = 1024;

const NAMES = VARIABLES.map(({ name }) => name).join(', ');

/**
 * Reads the stored rows around each cluster on which the result of `writeSeries` depends:
 *
 *    |<--- STEP_REACH --->|<--- cluster --->|
 *    |           . . . . .| x  .  x  .  .  x|          x sent row   . stored row
 *                 rows read                           time ->
 *
 * Within the cluster every stored row is read. Before it, the last `ROWS_BEFORE` rows are enough if they have a passing
 * value of each variable with a step check; otherwise all rows within STEP_REACH are read.
 *
 * Yields each cluster with its stored rows, in the same order.
 */
export async function* readNeighbourhoods(
  query: Query,
  clusters: readonly Cluster[],
): AsyncGenerator<readonly [cluster: Cluster, stored: Series]> {
  for (let from = 0; from < clusters.length; from += MAX_CLUSTERS) {
    const group = clusters.slice(from, from + MAX_CLUSTERS);
    const stored = await readAround(query, group, ROWS_BEFORE);
    const incomplete = [...group.keys()].filter(
      (index) => !isSufficient(group[index] as Cluster, stored[index] as Series),
    );
    if (incomplete.length > 0) {
      const complete = await readAround(
        query,
        incomplete.map((index) => group[index] as Cluster),
        null,
      );
      for (const [position, index] of incomplete.entries()) stored[index] = complete[position] as Series;
    }
    for (const [index, cluster] of group.entries()) yield [cluster, stored[index] as Series];
  }
}

/**
 * Reads the rows around all clusters in one statement. The planner cannot merge either branch of the union into the
 * outer query, so it must look up each cluster in the primary key and cannot scan a station.
 *
 * @param limit number of rows before the cluster, or null for all within STEP_REACH
 */
async function readAround(
  query: Query,
  clusters: readonly Cluster[],
  limit: number | null,
): Promise<Series[]> {
  const { rows } = await query<Record<string, number | Buffer | null>>(
    `SELECT cluster.number AS cluster, stored.*
     FROM unnest($1::integer[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS cluster (station, first, last, number)
     CROSS JOIN LATERAL (
       (SELECT station, time, ${NAMES}, flags FROM weatherd.observation
        WHERE station = cluster.station AND time >= cluster.first - ${STEP_REACH} AND time < cluster.first
        ORDER BY time DESC LIMIT $4)
       UNION ALL
       (SELECT station, time, ${NAMES}, flags FROM weatherd.observation
        WHERE station = cluster.station AND time >= cluster.first AND time <= cluster.last)
     ) AS stored
     ORDER BY cluster.number, stored.time`,
    [
      clusters.map(({ station }) => station),
      clusters.map(({ series }) => series.times[0] as number),
      clusters.map(({ series }) => series.times.at(-1) as number),
      limit,
    ],
  );
  return seriesOf(rows, clusters.length);
}

/** Rows of a station from one time to another, both included. */
export interface StationSpan {
  readonly station: number;
  readonly first: number;
  readonly last: number;
}

/** Reads all rows of each span. */
export async function readSpans(query: Query, spans: readonly StationSpan[]): Promise<Series[]> {
  const found: Series[] = [];
  for (let from = 0; from < spans.length; from += MAX_CLUSTERS) {
    const group = spans.slice(from, from + MAX_CLUSTERS);
    const { rows } = await query<Record<string, number | Buffer | null>>(
      `SELECT span.number AS cluster, stored.*
       FROM unnest($1::integer[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS span (station, first, last, number)
       CROSS JOIN LATERAL (
         SELECT station, time, ${NAMES}, flags FROM weatherd.observation
         WHERE station = span.station AND time >= span.first AND time <= span.last OFFSET 0
       ) AS stored
       ORDER BY span.number, stored.time`,
      [group.map(({ station }) => station), group.map(({ first }) => first), group.map(({ last }) => last)],
    );
    found.push(...seriesOf(rows, group.length));
  }
  return found;
}

/** Splits rows by their column `cluster`, whose numbers rise from 1. */
function seriesOf(rows: readonly Record<string, number | Buffer | null>[], clusters: number): Series[] {
  const { times, values, flags } = toBatch(rows, VARIABLES);
  let at = 0;
  return Array.from({ length: clusters }, (_, index) => {
    const from = at;
    while (rows[at]?.['cluster'] === index + 1) at += 1;
    return sliceSeries({ times, values, flags }, from, at);
  });
}

/**
 * Whether the rows that were read before the cluster are sufficient: they are all rows within STEP_REACH, or they have
 * a passing value of each variable with a step check, because a value is compared with the last one that passed.
 */
function isSufficient({ series: added }: Cluster, stored: Series): boolean {
  const before = lowerBound(stored.times, added.times[0] as number);
  if (before < ROWS_BEFORE) return true;
  return VARIABLES.every(({ number, step }) => {
    if (step === undefined) return true;
    const column = stored.values.get(number);
    if (!hasValue(added.values.get(number), 0) && !hasValue(column, before)) return true;
    const flags = stored.flags.get(number);
    const passed = (value: number, row: number) => !Number.isNaN(value) && (flags?.[row] ?? 0) === 0;
    return column?.subarray(0, before).some(passed) ?? false;
  });
}

function hasValue(column: Float64Array | undefined, from: number): boolean {
  return column?.subarray(from).some((value) => !Number.isNaN(value)) ?? false;
}

import { STEP_REACH } from '../../../domain/weather/quality-control.js';
import { lowerBound, type Series, sliceSeries } from '../../../domain/weather/series.js';
import { VARIABLES } from '../../../domain/weather/variables.js';
import type { Query } from '../database/query.js';
import { toBatch } from './observation-rows.js';

/** Sent rows of a station, close together in time. */
export interface Cluster {
  readonly station: number;
  readonly series: Series;
}

/** Rows before a cluster that are read at first: of most variables the row before has a value that passed. */
const FEW = 8;
/**
 * Clusters of one statement. It bounds the memory of a batch whose rows are scattered over years: what is stored around them is
 * read part by part, and nobody keeps it.
 */
const MAX_CLUSTERS = 1024;

const NAMES = VARIABLES.map(({ name }) => name).join(', ');

/**
 * What is stored around each cluster, as much of it as the result of `writeSeries` depends on:
 *
 *        STEP_REACH          cluster
 *   |------------------|x----x--x-----x|
 *     the last few rows    every row
 *     before it, or all
 *
 * Yields each cluster with a series, in the same order.
 */
export async function* readNeighbourhoods(
  query: Query,
  clusters: readonly Cluster[],
): AsyncGenerator<readonly [cluster: Cluster, stored: Series]> {
  for (let from = 0; from < clusters.length; from += MAX_CLUSTERS) {
    const some = clusters.slice(from, from + MAX_CLUSTERS);
    const stored = await readAround(query, some, FEW);
    const short = [...some.keys()].filter(
      (index) => !isEnough(some[index] as Cluster, stored[index] as Series),
    );
    if (short.length > 0) {
      const whole = await readAround(
        query,
        short.map((index) => some[index] as Cluster),
        null,
      );
      for (const [place, index] of short.entries()) stored[index] = whole[place] as Series;
    }
    for (const [index, cluster] of some.entries()) yield [cluster, stored[index] as Series];
  }
}

/**
 * One statement for all clusters. Neither branch of the union can be merged into the outer query, so the planner must ask the
 * primary key for each cluster and cannot scan a station.
 *
 * @param most rows before the cluster, or null for all within STEP_REACH
 */
async function readAround(
  query: Query,
  clusters: readonly Cluster[],
  most: number | null,
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
      most,
    ],
  );
  const { times, values, flags } = toBatch(rows, VARIABLES);
  let at = 0;
  return clusters.map((_cluster, index) => {
    const from = at;
    while (rows[at]?.['cluster'] === index + 1) at += 1;
    return sliceSeries({ times, values, flags }, from, at);
  });
}

/**
 * Whether the rows that were read before the cluster are all there are within STEP_REACH, or have a value that passed of each
 * variable whose steps are judged: a value is compared with the last that passed.
 */
function isEnough({ series: added }: Cluster, stored: Series): boolean {
  const before = lowerBound(stored.times, added.times[0] as number);
  if (before < FEW) return true;
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

import { type Damage, missingRun } from '#adapters/packed-store/damage.js';

/**
 * Finds the first missing run. A run is a blob with rows of one commit. A run may only disappear when its rows were merged into
 * other blobs, or when it was moved to the table `damaged`; otherwise it is missing.
 *
 * The search ends with the first missing run, because a second one would add nothing: it is not known which stations had rows in
 * the run, so one missing run already affects all stations.
 *
 * @param ids ids of the existing runs, without duplicates
 */
export function missingRuns(
  ids: readonly number[],
  aside: readonly Damage[],
  merged: number,
  last: number,
): Damage[] {
  // In the usual case no run is missing: there is a run for each id after `merged`, the last run whose rows were merged into
  // other blobs.
  if (ids.length === last - merged && ids.every((id, index) => id === merged + 1 + index)) return [];
  const lost = aside.filter(({ kind }) => kind === 'run');
  if (lost.some(({ stations }) => stations === null)) return [];
  const known = new Set([...ids, ...lost.map(({ key }) => key)]);
  for (let id = merged + 1; id <= last; id += 1) if (!known.has(id)) return [missingRun(id)];
  return [];
}

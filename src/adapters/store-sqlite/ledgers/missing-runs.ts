import { type Damage, missingRun } from '#adapters/packed-store/damage.js';

/**
 * Finds the first missing run of a commit: a run that does not exist, but was neither merged nor set aside. Further missing runs
 * are not searched. The stations of a missing run are unknown, so one missing run already affects all stations.
 *
 * @param ids ids of the existing runs, without duplicates
 */
export function missingRuns(
  ids: readonly number[],
  aside: readonly Damage[],
  merged: number,
  last: number,
): Damage[] {
  // In the usual case no run is missing: all runs after the last merged run exist.
  if (ids.length === last - merged && ids.every((id, index) => id === merged + 1 + index)) return [];
  const lost = aside.filter(({ kind }) => kind === 'run');
  if (lost.some(({ stations }) => stations === null)) return [];
  const known = new Set([...ids, ...lost.map(({ key }) => key)]);
  for (let id = merged + 1; id <= last; id += 1) if (!known.has(id)) return [missingRun(id)];
  return [];
}

import { type Damage, missingRun } from '#adapters/packed-store/damage.js';

/**
 * Finds the first run that does not exist, was not merged and was not set aside. Further runs are not searched, because one such
 * run already hides the rows of all stations.
 *
 * @param ids ids of the existing runs, without duplicates
 */
export function missingRuns(
  ids: readonly number[],
  aside: readonly Damage[],
  merged: number,
  last: number,
): Damage[] {
  // In the usual case, the ids of all runs after the merged ones exist.
  if (ids.length === last - merged && ids.every((id, index) => id === merged + 1 + index)) return [];
  const lost = aside.filter(({ kind }) => kind === 'run');
  if (lost.some(({ stations }) => stations === null)) return [];
  const known = new Set([...ids, ...lost.map(({ key }) => key)]);
  for (let id = merged + 1; id <= last; id += 1) if (!known.has(id)) return [missingRun(id)];
  return [];
}

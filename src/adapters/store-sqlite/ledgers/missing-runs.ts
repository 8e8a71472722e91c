import { type Damage, missingRun } from '#adapters/packed-store/damage.js';

/**
 * The first run that is neither there nor merged nor put aside. One hides the rows of all stations already.
 *
 * @param ids without those that come twice
 */
export function missingRuns(
  ids: readonly number[],
  aside: readonly Damage[],
  merged: number,
  last: number,
): Damage[] {
  // The usual case.
  if (ids.length === last - merged && ids.every((id, index) => id === merged + 1 + index)) return [];
  const lost = aside.filter(({ kind }) => kind === 'run');
  if (lost.some(({ stations }) => stations === null)) return [];
  const known = new Set([...ids, ...lost.map(({ key }) => key)]);
  for (let id = merged + 1; id <= last; id += 1) if (!known.has(id)) return [missingRun(id)];
  return [];
}

import { type Damage, missingRun } from '#adapters/packed-store/damage.js';

/** The first run that is neither there nor merged nor put aside. One hides the rows of all stations already. */
export function missingRuns(
  ids: readonly number[],
  aside: readonly Damage[],
  merged: number,
  last: number,
): Damage[] {
  // The usual case, without a look at each.
  if (ids.length === last - merged && (ids[0] ?? last + 1) === merged + 1) return [];
  const lost = aside.filter(({ kind }) => kind === 'run');
  if (lost.some(({ stations }) => stations === null)) return [];
  const known = new Set([...ids, ...lost.map(({ key }) => key)]);
  for (let id = merged + 1; id <= last; id += 1) if (!known.has(id)) return [missingRun(id)];
  return [];
}

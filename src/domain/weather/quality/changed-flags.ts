import { lowerBound, type Series } from '../series.js';

/**
 * The values in `[from, to)` whose flags differ from their stored flags, with their new flags. Other values are absent.
 *
 * @param stored rows with their stored flags
 * @param flags the new flags, for each row of `stored`
 * @returns undefined if no flag differs
 */
export function changedFlags(
  stored: Series,
  flags: ReadonlyMap<number, Uint8Array>,
  { from, to }: { readonly from: number; readonly to: number },
): Series | undefined {
  const [first, end] = [lowerBound(stored.times, from), lowerBound(stored.times, to)];
  const changed = new Map<number, Set<number>>();
  const rows = new Set<number>();
  for (const [variable, column] of stored.values) {
    const [before, after] = [stored.flags.get(variable), flags.get(variable)];
    if (before === undefined && after === undefined) continue;
    for (let row = first; row < end; row += 1) {
      if ((before?.[row] ?? 0) === (after?.[row] ?? 0) || Number.isNaN(column[row])) continue;
      const own = changed.get(variable) ?? new Set();
      changed.set(variable, own.add(row));
      rows.add(row);
    }
  }
  if (rows.size === 0) return undefined;
  const sorted = [...rows].sort((a, b) => a - b);
  const pick = (column: ArrayLike<number> | undefined, own: ReadonlySet<number>, absent: number) =>
    sorted.map((row) => (own.has(row) ? (column?.[row] ?? 0) : absent));
  return {
    times: Float64Array.from(sorted, (row) => stored.times[row] as number),
    values: new Map(
      [...changed].map(([variable, own]) => {
        return [variable, Float64Array.from(pick(stored.values.get(variable), own, Number.NaN))] as const;
      }),
    ),
    flags: new Map(
      [...changed].map(
        ([variable, own]) => [variable, Uint8Array.from(pick(flags.get(variable), own, 0))] as const,
      ),
    ),
  };
}

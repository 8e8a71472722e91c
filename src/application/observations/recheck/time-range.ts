/** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Joins ranges that overlap or touch. */
export function joined(ranges: readonly TimeRange[]): TimeRange[] {
  const all: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}

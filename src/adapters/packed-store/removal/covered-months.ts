/** A month that has a table of days. */
interface Month {
  readonly start: number;
  readonly end: number;
}

/** Whether months follow each other without a gap from `from` to `to`. @param months in the order of time */
export function areCovered(months: readonly Month[], from: number, to: number): boolean {
  let next = from;
  for (const { start, end } of months) {
    if (start !== next) return false;
    next = end;
  }
  return next === to;
}

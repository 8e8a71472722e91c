/** A month that has daily aggregates. */
interface Month {
  readonly start: number;
  readonly end: number;
}

/** Whether months cover the time from `from` to `to` without a gap. @param months in the order of time */
export function areCovered(months: readonly Month[], from: number, to: number): boolean {
  let next = from;
  for (const { start, end } of months) {
    if (start !== next) return false;
    next = end;
  }
  return next === to;
}

import { MILLISECONDS } from '#domain/time.js';
import type { Notice } from './notice.js';
import { NOTICE_CHECKS } from './notice-checks.js';
import type { NoticeInput } from './notice-check.js';

/** Hours before the last hour with a value. A finding that reaches into them has not ended. */
const ONGOING = 24;

/**
 * Runs all checks of notices over the hours of a station.
 *
 * @param range only notices that touch `[from, to)` are returned, in milliseconds since 1970-01-01T00:00:00Z
 * @returns the notices in order of their begin
 */
export function findNotices(
  input: NoticeInput,
  range: { readonly from: number; readonly to: number } = { from: -Infinity, to: Infinity },
): Notice[] {
  const { begin } = input.own;
  const last = lastHourOf(input);
  return NOTICE_CHECKS.flatMap(({ kind, find }) =>
    find(input).map(({ variable, from, to, facts, comparedWith }): Notice => {
      const until = to > last - ONGOING ? null : begin + to * MILLISECONDS.hour;
      return { kind, variable, since: begin + from * MILLISECONDS.hour, until, facts, comparedWith };
    }),
  )
    .filter(({ since, until }) => since < range.to && (until ?? Infinity) > range.from)
    .sort((a, b) => a.since - b.since || a.variable - b.variable);
}

/** The last hour with any value; -Infinity if there is none. */
function lastHourOf({ own, published }: NoticeInput): number {
  let last = -Infinity;
  for (const column of own.columns.values())
    last = Math.max(
      last,
      column.findLastIndex((value) => !Number.isNaN(value)),
    );
  for (const [, day] of published)
    last = Math.max(last, (day * MILLISECONDS.day - own.begin) / MILLISECONDS.hour + 23);
  return last;
}

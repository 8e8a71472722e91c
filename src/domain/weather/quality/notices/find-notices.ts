import { MILLISECONDS } from '#domain/time.js';
import { hourOfDay } from './day-findings.js';
import { type Notice, touches } from './notice.js';
import { NOTICE_CHECKS } from './notice-checks.js';
import type { NoticeInput, NoticeSpan } from './notice-check.js';

/** Hours before the last hour with a value. A finding that reaches into them has not ended. */
const ONGOING = 24;

/** Everything on which the notices of a range depend. It is plain data, so that a thread can find them. */
export interface NoticeSearch {
  readonly input: NoticeInput;
  /** Only notices that touch `[from, to)` are returned, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly range: { readonly from: number; readonly to: number };
  /** Which checks are run: those that compare weeks, or those that compare years. */
  readonly span: NoticeSpan;
}

/**
 * Runs the checks of notices over the hours of a station.
 *
 * @returns the notices in order of their begin
 */
export function findNotices({ input, range, span }: NoticeSearch): Notice[] {
  const { begin } = input.own;
  const last = lastHourOf(input);
  return NOTICE_CHECKS.filter((check) => check.span === span)
    .flatMap(({ kind, find }) =>
      find(input).map(({ variable, from, to, facts, comparedWith }): Notice => {
        const until = to > last - ONGOING ? null : begin + to * MILLISECONDS.hour;
        return { kind, variable, since: begin + from * MILLISECONDS.hour, until, facts, comparedWith };
      }),
    )
    .filter((notice) => touches(notice, range))
    .sort((a, b) => a.since - b.since || a.variable - b.variable);
}

/** The last hour with any value; -Infinity if there is none. */
function lastHourOf({ own, published }: NoticeInput): number {
  const lastOf = (columns: ReadonlyMap<number, Float64Array>) =>
    Math.max(
      -1,
      ...[...columns.values()].map((column) => column.findLastIndex((value) => !Number.isNaN(value))),
    );
  const [hour, day] = [lastOf(own.columns), lastOf(published.columns)];
  const endOfDay = day < 0 ? -Infinity : hourOfDay(published, own.begin, day) + 23;
  return Math.max(hour < 0 ? -Infinity : hour, endOfDay);
}

import { MILLISECONDS } from '#domain/time.js';
import type { NoticeSpan } from './notice-check.js';
import { NOTICE_CHECKS } from './notice-checks.js';
import { type Notice, touches } from './notice.js';

/** A search of notices. All times are in milliseconds since 1970-01-01T00:00:00Z. */
export interface Searched {
  /** The range `[from, to)` whose notices were searched. */
  readonly range: { readonly from: number; readonly to: number };
  /** Begin of the first hour that the search has used, which is before `range.from`. */
  readonly begin: number;
  readonly spans: readonly NoticeSpan[];
}

/** A notice that begins within this number of ms after the first used hour may have begun before it. */
const CUT = 2 * MILLISECONDS.day;

/**
 * Replaces the notices that touch a searched range.
 *
 * A cause that lasts longer than the search has looked back keeps its begin: it is the begin of the former notice.
 *
 * @returns the notices in order of their begin
 */
export function renewedNotices(
  before: readonly Notice[],
  found: readonly Notice[],
  { range, begin, spans }: Searched,
): Notice[] {
  const searchedKinds = new Set(
    NOTICE_CHECKS.filter(({ span }) => spans.includes(span)).map(({ kind }) => kind),
  );
  const kept = before.filter((notice) => !searchedKinds.has(notice.kind) || !touches(notice, range));
  const renewed = found.map((notice) => {
    if (notice.since > begin + CUT) return notice;
    const former = before.find(
      ({ kind, variable, since, until }) =>
        kind === notice.kind &&
        variable === notice.variable &&
        since < notice.since &&
        (until ?? Infinity) >= notice.since,
    );
    return former === undefined ? notice : { ...notice, since: former.since };
  });
  return [...kept, ...renewed].sort((a, b) => a.since - b.since || a.variable - b.variable);
}

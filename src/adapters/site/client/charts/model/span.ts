import { MILLISECONDS } from '#domain/time.js';
import { addDays, isDate, localTime, startOfDay } from './zone.js';

/** The half-open interval `[from, to)` that the charts show, in ms since 1970. */
export interface ShownRange {
  readonly from: number;
  readonly to: number;
}

export const SPANS = ['24h', '7d', '30d', 'year', 'all'] as const;
export const DEFAULT_SPAN: SpanName = '7d';
export type SpanName = (typeof SPANS)[number];

/** The view of the charts that the visitor has chosen. The URL contains the view, so that a link shows the same charts. */
export type View =
  /**
   * A span of whole local days, such as `7d`. Its end depends on `at`:
   *
   * - If `at` is a date, the span ends with this day.
   * - If `at` is undefined, the span ends now, and `24h` means the last 24 hours instead of a whole day. If the station has sent
   *   nothing for a day, the span ends with the last day that has observations.
   *
   * The span `all` begins with the first observation of the station.
   */
  { readonly span: SpanName; readonly at: string | undefined } | ShownRange;

/** The clock and the station, on which the range of a view depends. */
export interface ViewContext {
  /** Current time in ms since 1970. */
  readonly now: number;
  /** Time of the first observation of the station in ms since 1970. */
  readonly first: number | undefined;
  /** Time of the last observation of the station in ms since 1970. */
  readonly last: number | undefined;
  readonly zone: string;
}

const DAYS: Readonly<Record<Exclude<SpanName, 'all'>, number>> = { '24h': 1, '7d': 7, '30d': 30, year: 365 };
const SHORTEST = MILLISECONDS.hour;
/** Longest range in ms. The API replies with at most 200,000 intervals, and 100 years have 5218 weeks. */
const LONGEST = 100 * 366 * MILLISECONDS.day;
/** If the last observation is older than this time in ms, the charts show the last day with observations. */
const SILENCE = MILLISECONDS.day;

export const isSpan = (view: View): view is Extract<View, { span: SpanName }> => 'span' in view;

/** Reads the view from the query of a URL. Invalid parameters are ignored. */
export function readView(query: URLSearchParams): View {
  const [from, to] = ['from', 'to'].map((name) => Date.parse(query.get(name) ?? ''));
  if (from !== undefined && to !== undefined && to > from) return { from, to: Math.min(to, from + LONGEST) };
  const at = query.get('at') ?? '';
  const span = SPANS.find((name) => name === query.get('span')) ?? DEFAULT_SPAN;
  return { span, at: isDate(at) ? at : undefined };
}

/** Writes the view into a copy of a query. Other parameters stay unchanged. */
export function writeView(view: View, query: URLSearchParams): URLSearchParams {
  const written = new URLSearchParams(query);
  for (const name of ['span', 'at', 'from', 'to']) written.delete(name);
  if (isSpan(view)) {
    written.set('span', view.span);
    if (view.at !== undefined) written.set('at', view.at);
  } else {
    written.set('from', instantText(view.from));
    written.set('to', instantText(view.to));
  }
  return written;
}

/** Formats an instant for the API and for URLs, in whole seconds. */
export function instantText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Whether the view ends now, so that new values appear in it. */
export function isLive(view: View, context: ViewContext): boolean {
  return isSpan(view) && lastDate(view, context) === undefined;
}

export function shownRangeOf(view: View, context: ViewContext): ShownRange {
  if (!isSpan(view)) return view;
  const date = lastDate(view, context);
  const { now, zone } = context;
  const days = daysOf(view.span, date ?? localTime(now, zone).date, context);
  if (date === undefined) {
    if (view.span === '24h') return { from: now - MILLISECONDS.day, to: now };
    return { from: startOfDay(addDays(localTime(now, zone).date, 1 - days), zone), to: now };
  }
  return { from: startOfDay(addDays(date, 1 - days), zone), to: startOfDay(addDays(date, 1), zone) };
}

/** Number of local days of a span that ends with the date `last`. */
function daysOf(span: SpanName, last: string, { first, zone }: ViewContext): number {
  if (span !== 'all') return DAYS[span];
  const begin = first === undefined ? last : localTime(first, zone).date;
  return Math.max(1, Math.round((Date.parse(last) - Date.parse(begin)) / MILLISECONDS.day) + 1);
}

/** The last local date of a span of whole days; undefined if the span ends now. */
function lastDate({ at }: { readonly at: string | undefined }, context: ViewContext): string | undefined {
  if (at !== undefined) return at;
  const { last, zone } = context;
  return last !== undefined && isSilent(context) ? localTime(last, zone).date : undefined;
}

/** The last local date in the range of a view. */
export function shownDateOf(view: View, context: ViewContext): string {
  return localTime(shownRangeOf(view, context).to - 1, context.zone).date;
}

/** The view with another span that ends at the same time. */
export function withSpan(view: View, span: SpanName, context: ViewContext): View {
  if (span === 'all' || isLive(view, context)) return { span, at: undefined };
  if (isSpan(view)) return { span, at: view.at };
  return { span, at: shownDateOf(view, context) };
}

/**
 * The view of the local dates from `first` to `last`. If the view has the length of a span, the view is this span, which ends now
 * if `last` is today.
 */
export function viewOfDates(first: string, last: string, { now, zone }: ViewContext): View {
  const today = localTime(now, zone).date;
  const days = Math.round((Date.parse(last) - Date.parse(first)) / MILLISECONDS.day) + 1;
  const span = SPANS.find((name) => name !== 'all' && DAYS[name] === days);
  if (span !== undefined) return { span, at: last === today && span !== '24h' ? undefined : last };
  return {
    from: startOfDay(first, zone),
    to: Math.min(startOfDay(addDays(last, 1), zone), Math.max(now, startOfDay(addDays(first, 1), zone))),
  };
}

/** The view of the local day or month of a time. @param time in ms since 1970 */
export function openedView(unit: 'day' | 'month', time: number, context: ViewContext): View {
  const { date } = localTime(time, context.zone);
  if (unit === 'day') return { span: '24h', at: date };
  const first = `${date.slice(0, 7)}-01`;
  return viewOfDates(first, addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1), context);
}

/** The view that Escape and a double click show: the last chosen span at its latest position. */
export function resetView(span: SpanName): View {
  return { span, at: undefined };
}

/**
 * Page Up and Page Down move the range by this share of its length, so that a part of the range stays visible: one day of a week.
 */
export const PAGE = 0.9;

/**
 * Moves a view in time.
 *
 * @param share distance as a share of the length of the range. The distance of a view of whole days is rounded to whole days
 * @returns the earlier or later view; the latest view ends now
 */
export function shiftView(view: View, direction: -1 | 1, context: ViewContext, share = 1): View {
  const { from, to } = shownRangeOf(view, context);
  if (!isSpan(view)) {
    const distance = direction * (to - from) * share;
    return roundToSeconds({ from: from + distance, to: to + distance });
  }
  const date = shownDateOf(view, context);
  const isPartOfDay = direction === -1 && isLive(view, context) && view.span === '24h';
  const days = daysOf(view.span, date, context);
  const at = addDays(date, direction * (isPartOfDay ? 1 : Math.round(days * share)));
  const today = localTime(context.now, context.zone).date;
  return { span: view.span, at: at >= today && !isSilent(context) ? undefined : at };
}

function isSilent({ last, now }: ViewContext): boolean {
  return last !== undefined && now - last > SILENCE;
}

/**
 * Changes the length of a view.
 *
 * @param factor factor of the length: 0.5 shows half of the time
 * @param cursor time in ms that keeps its position in the chart. If this time is not in the range, the middle of the range keeps
 * its position
 */
export function zoomView(view: View, factor: number, context: ViewContext, cursor?: number): View {
  const { from, to } = shownRangeOf(view, context);
  const length = Math.min(LONGEST, Math.max(SHORTEST, (to - from) * factor));
  const anchor = cursor !== undefined && cursor >= from && cursor <= to ? cursor : (from + to) / 2;
  const after = ((to - anchor) / (to - from)) * length;
  const end = Math.min(anchor + after, Math.max(context.now, to));
  return roundToSeconds({ from: end - length, to: end });
}

/** The view of a range that the visitor selected in a chart, at least a quarter of an hour long. */
export function selectedView({ from, to }: ShownRange): View {
  const length = Math.max(SHORTEST / 4, to - from);
  return roundToSeconds({ from: (from + to - length) / 2, to: (from + to + length) / 2 });
}

/** Rounds both bounds to whole seconds. */
function roundToSeconds({ from, to }: ShownRange): ShownRange {
  const whole = (time: number) => Math.round(time / MILLISECONDS.second) * MILLISECONDS.second;
  return { from: whole(from), to: whole(to) };
}

/** Whether the station has observations before a range. */
export function hasEarlier({ from }: ShownRange, { first }: ViewContext): boolean {
  return first !== undefined && first < from;
}

/** Whether the station can have observations after a range. */
export function hasLater({ to }: ShownRange, { last, now }: ViewContext): boolean {
  return to < Math.min(now, (last ?? now) + 1);
}

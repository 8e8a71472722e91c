import { MILLISECONDS } from '#domain/time.js';
import { addDays, isDate, localTime, startOfDay } from './zone.js';

/** The time that the charts show, in ms since 1970. `to` is not included. */
export interface ShownRange {
  readonly from: number;
  readonly to: number;
}

export const SPANS = ['24h', '7d', '30d', 'year'] as const;
export type SpanName = (typeof SPANS)[number];

/** What the visitor chose. It is in the address, so that a link shows the same. */
export type View =
  /** Whole local days up to and including the date `at`. Without `at` up to now, for `24h` the last 24 hours. */
  { readonly span: SpanName; readonly at: string | undefined } | ShownRange;

/** What a view depends on. */
export interface Surroundings {
  /** ms since 1970. */
  readonly now: number;
  /** The first and the last observation of the station, in ms since 1970. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  readonly zone: string;
}

const DAYS: Readonly<Record<SpanName, number>> = { '24h': 1, '7d': 7, '30d': 30, year: 365 };
const SHORTEST = MILLISECONDS.hour;
const LONGEST = 10 * 366 * MILLISECONDS.day;
/** A station that is silent for longer shows its last day instead of an empty chart. */
const SILENCE = MILLISECONDS.day;

export const isSpan = (view: View): view is Extract<View, { span: SpanName }> => 'span' in view;

/** The view of an address. Parameters that cannot be read are left out. */
export function readView(query: URLSearchParams): View {
  const [from, to] = ['from', 'to'].map((name) => Date.parse(query.get(name) ?? ''));
  if (from !== undefined && to !== undefined && to > from) return { from, to: Math.min(to, from + LONGEST) };
  const at = query.get('at') ?? '';
  const span = SPANS.find((name) => name === query.get('span')) ?? '24h';
  return { span, at: isDate(at) ? at : undefined };
}

/** A query with the view, and with what else `query` has. */
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

/** An instant for the API and for addresses, in whole seconds. */
export function instantText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Whether the view ends now, so that new values appear in it. */
export function isLive(view: View, around: Surroundings): boolean {
  return isSpan(view) && lastDate(view, around) === undefined;
}

export function shownRangeOf(view: View, around: Surroundings): ShownRange {
  if (!isSpan(view)) return view;
  const days = DAYS[view.span];
  const date = lastDate(view, around);
  const { now, zone } = around;
  if (date === undefined) {
    if (view.span === '24h') return { from: now - MILLISECONDS.day, to: now };
    return { from: startOfDay(addDays(localTime(now, zone).date, 1 - days), zone), to: now };
  }
  return { from: startOfDay(addDays(date, 1 - days), zone), to: startOfDay(addDays(date, 1), zone) };
}

/** The last local date of a span of whole days; undefined if it ends now. */
function lastDate({ at }: { readonly at: string | undefined }, around: Surroundings): string | undefined {
  if (at !== undefined) return at;
  const { last, zone } = around;
  return last !== undefined && isSilent(around) ? localTime(last, zone).date : undefined;
}

/** The last local date that is shown. */
export function shownDateOf(view: View, around: Surroundings): string {
  return localTime(shownRangeOf(view, around).to - 1, around.zone).date;
}

/** Another length of time with the same end. */
export function withSpan(view: View, span: SpanName, around: Surroundings): View {
  if (isLive(view, around)) return { span, at: undefined };
  if (isSpan(view)) return { span, at: view.at };
  return { span, at: shownDateOf(view, around) };
}

/** The days that end with `date`. */
export function withDate(view: View, date: string): View {
  return { span: isSpan(view) ? view.span : '24h', at: date };
}

/** What Page Up and Page Down move by, so that a part of what was shown stays: a day of a week. */
export const PAGE = 0.9;

/**
 * @param share of the length by which the view moves, in whole days for a span
 * @returns the view before or after this one; the last view ends now
 */
export function shifted(view: View, direction: -1 | 1, around: Surroundings, share = 1): View {
  const { from, to } = shownRangeOf(view, around);
  if (!isSpan(view)) {
    const distance = direction * (to - from) * share;
    return seconds({ from: from + distance, to: to + distance });
  }
  const date = shownDateOf(view, around);
  const isPartOfDay = direction === -1 && isLive(view, around) && view.span === '24h';
  const at = addDays(date, direction * (isPartOfDay ? 1 : Math.round(DAYS[view.span] * share)));
  const today = localTime(around.now, around.zone).date;
  return { span: view.span, at: at >= today && !isSilent(around) ? undefined : at };
}

function isSilent({ last, now }: Surroundings): boolean {
  return last !== undefined && now - last > SILENCE;
}

/**
 * @param factor of the length: 0.5 shows half of the time
 * @param cursor a time that stays where it is in the chart; without one that is shown, the middle stays
 */
export function zoomed(view: View, factor: number, around: Surroundings, cursor?: number): View {
  const { from, to } = shownRangeOf(view, around);
  const length = Math.min(LONGEST, Math.max(SHORTEST, (to - from) * factor));
  const kept = cursor !== undefined && cursor >= from && cursor <= to ? cursor : (from + to) / 2;
  const after = ((to - kept) / (to - from)) * length;
  const end = Math.min(kept + after, Math.max(around.now, to));
  return seconds({ from: end - length, to: end });
}

/** Part of a chart that was chosen by hand. */
export function chosen({ from, to }: ShownRange): View {
  const length = Math.max(SHORTEST / 4, to - from);
  return seconds({ from: (from + to - length) / 2, to: (from + to + length) / 2 });
}

function seconds({ from, to }: ShownRange): ShownRange {
  const whole = (time: number) => Math.round(time / MILLISECONDS.second) * MILLISECONDS.second;
  return { from: whole(from), to: whole(to) };
}

/** Whether there may be observations before or after a range. */
export function hasEarlier({ from }: ShownRange, { first }: Surroundings): boolean {
  return first !== undefined && first < from;
}

export function hasLater({ to }: ShownRange, { last, now }: Surroundings): boolean {
  return to < Math.min(now, (last ?? now) + 1);
}

/** Length of the intervals of amounts: about 24 to 370 bars. */
export function barInterval({ from, to }: ShownRange): 'hour' | 'day' {
  return to - from <= 8 * MILLISECONDS.day ? 'hour' : 'day';
}

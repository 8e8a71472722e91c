import { MILLISECONDS } from '#domain/time.js';
import type { ShownRequest } from './snippets.js';

/** The requests of the panel. */
export const KINDS = {
  stations: 'Stations',
  latest: 'Newest values',
  observations: 'Observations of a span',
  summaries: 'Summaries by hour, day or month',
  usual: 'What is usual for the date',
} as const;
export type Kind = keyof typeof KINDS;

/** Lengths of the span in days, with their names in the parameter `last`. */
export const SPANS = {
  '24h': ['Last 24 hours', 1],
  '7d': ['Last 7 days', 7],
  '30d': ['Last 30 days', 30],
  '365d': ['Last 365 days', 365],
} as const;
export type Span = keyof typeof SPANS;

export const INTERVALS = ['hour', 'day', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

export const UNITS = { '': 'Metric', imperial: 'Imperial' } as const;

export interface Choice {
  readonly kind: Kind;
  readonly station: string;
  readonly variables: readonly string[];
  readonly span: Span;
  readonly interval: Interval;
  readonly units: keyof typeof UNITS;
}

/** A station whose newest value is older than this reports no more: its last days are shown in place of the present ones. */
const MAX_AGE = 2 * MILLISECONDS.day;

/**
 * The request of a choice.
 *
 * @param newest time of the newest value of the station in ms since 1970, if it is known
 * @param now in ms since 1970
 */
export function requestOf(choice: Choice, newest: number | undefined, now: number): ShownRequest {
  const { kind, station, variables, span, interval, units } = choice;
  if (kind === 'stations') return { path: '/v1/stations', params: {}, query: {} };
  const chosen = {
    ...(variables.length > 0 && { variables: variables.join() }),
    ...(units !== '' && { units }),
  };
  const params = { id: station };
  if (kind === 'latest')
    return { path: '/v1/stations/{id}/observations/latest', params, query: units === '' ? {} : { units } };
  if (kind === 'usual') return { path: '/v1/stations/{id}/climate/usual', params, query: chosen };
  const times = spanOf(span, newest, now);
  if (kind === 'observations')
    return { path: '/v1/stations/{id}/observations', params, query: { ...times, ...chosen } };
  return { path: '/v1/stations/{id}/summaries', params, query: { interval, ...times, ...chosen } };
}

function spanOf(span: Span, newest: number | undefined, now: number): Readonly<Record<string, string>> {
  if (newest === undefined || newest > now - MAX_AGE) return { last: span };
  // `to` is not part of the span, and times have whole seconds.
  const to = newest + MILLISECONDS.second;
  return { from: written(to - SPANS[span][1] * MILLISECONDS.day), to: written(to) };
}

const written = (time: number) => new Date(time).toISOString().replace('.000', '');

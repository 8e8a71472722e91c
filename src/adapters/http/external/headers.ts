import type { IncomingMessage } from 'node:http';
import { MILLISECONDS } from '#domain/time.js';
import type { Headers } from '../core/reply/reply.js';
import { RefusedOrigins } from './refused-origins.js';

export interface ExternalHeaderSettings {
  /** Origins of web pages that may call the API, as browsers send them, or `*` for any. */
  readonly allowedOrigins: readonly string[];
  /** Called once for each origin that is refused. */
  readonly onRefused?: (origin: string) => void;
  /** Whether callers reach the API over TLS, which this service or a proxy provides. */
  readonly tls: boolean;
}

const TWO_YEARS = (730 * MILLISECONDS.day) / 1000;
const PREFLIGHT_LIFETIME = 600;

/**
 * Returns the headers that depend on the origin of the request (CORS, Fetch standard) and on TLS (RFC 6797). The result is
 * undefined if there are no such headers, as in most replies, because an empty object would cost time in each reply.
 */
export function externalHeaders(
  settings: ExternalHeaderSettings,
): (message: IncomingMessage) => Headers | undefined {
  const { allowedOrigins, tls, onRefused = () => undefined } = settings;
  const always = tls ? { 'strict-transport-security': `max-age=${TWO_YEARS}` } : undefined;
  const closed = allowedOrigins.length === 0 ? always : { ...always, vary: 'Origin' };
  const origins = new Set(allowedOrigins);
  const any = origins.has('*');
  const refused = new RefusedOrigins(onRefused);
  return ({ method, headers }) => {
    const { origin } = headers;
    if (origin === undefined) return closed;
    if (!(any || origins.has(origin))) {
      refused.add(origin, headers.host);
      return closed;
    }
    const preflight = method === 'OPTIONS' && 'access-control-request-method' in headers;
    return {
      ...closed,
      'access-control-allow-origin': any ? '*' : origin,
      ...(preflight
        ? PREFLIGHT
        : { 'access-control-expose-headers': 'ETag, Link, Retry-After, X-Request-Id' }),
    };
  };
}

const PREFLIGHT: Headers = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID',
  'access-control-max-age': String(PREFLIGHT_LIFETIME),
};

import type { IncomingMessage } from 'node:http';
import { MILLISECONDS } from '../../../domain/time.js';
import type { Headers } from '../core/reply/reply.js';

export interface ExternalHeaderSettings {
  /** Origins of web pages that may call the API, as browsers send them, or `*` for any. */
  readonly allowedOrigins: readonly string[];
  /** Whether callers reach the API over TLS, here or at a proxy. */
  readonly tls: boolean;
}

const TWO_YEARS = (730 * MILLISECONDS.day) / 1000;
const PREFLIGHT_LIFETIME = 600;

/** Headers that depend on the origin of the request (CORS, Fetch standard) and on TLS (RFC 6797). */
export function externalHeaders(
  settings: ExternalHeaderSettings,
): ((message: IncomingMessage) => Headers) | undefined {
  const { allowedOrigins, tls } = settings;
  const always: Headers = tls ? { 'strict-transport-security': `max-age=${TWO_YEARS}` } : {};
  if (allowedOrigins.length === 0) return tls ? () => always : undefined;
  const origins = new Set(allowedOrigins);
  const any = origins.has('*');
  return (message) => {
    const { origin } = message.headers;
    const varying = { ...always, vary: 'Origin' };
    if (origin === undefined || !(any || origins.has(origin))) return varying;
    const preflight = message.method === 'OPTIONS' && 'access-control-request-method' in message.headers;
    return {
      ...varying,
      'access-control-allow-origin': any ? '*' : origin,
      ...(preflight
        ? PREFLIGHT
        : { 'access-control-expose-headers': 'ETag, Link, Retry-After, X-Request-Id' }),
    };
  };
}

const PREFLIGHT: Headers = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
  'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match',
  'access-control-max-age': String(PREFLIGHT_LIFETIME),
};

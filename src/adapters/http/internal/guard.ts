import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ProtocolError } from '../core/errors.js';

export interface InternalGuardSettings {
  /** The secret that callers must send as a bearer token; undefined if no secret is required. */
  readonly secret: string | undefined;
  /** Host names and addresses of this API, without port. */
  readonly hosts: readonly string[];
  /** Host names that the operator has allowed. Web pages of these hosts, on any port, may call this API. */
  readonly allowedHosts: readonly string[];
}

const BEARER = /^Bearer +(\S+)$/i;
const CHALLENGE = { 'www-authenticate': 'Bearer' };

/**
 * Refuses callers that may not use the internal API.
 *
 * A web page in a browser on this machine is refused because of its `Origin`, even if the page comes from another port of the
 * same host. If the page has made its own host name resolve to this machine (DNS rebinding), the page is refused because of the
 * `Host` that the browser sends.
 */
export function internalGuard(settings: InternalGuardSettings): (message: IncomingMessage) => void {
  const allowed = new Set(settings.allowedHosts.map((host) => host.toLowerCase()));
  const hosts = new Set([...settings.hosts.map((host) => host.toLowerCase()), ...allowed]);
  const secret = settings.secret === undefined ? undefined : digest(settings.secret);
  return ({ headers }) => {
    if (headers.host !== undefined && !hosts.has(hostName(headers.host))) {
      throw new ProtocolError(
        'HOST_NOT_ALLOWED',
        'This API does not answer under this host name. WEATHERD_INTERNAL_ALLOWED_HOSTS lists the allowed ones.',
      );
    }
    if (headers.origin !== undefined && !isOwnOrigin(headers.origin, headers.host, allowed)) {
      throw new ProtocolError('ORIGIN_NOT_ALLOWED', 'Web pages of other origins may not call this API.');
    }
    if (secret === undefined) return;
    const token = BEARER.exec(headers.authorization ?? '')?.[1];
    if (token === undefined || !timingSafeEqual(digest(token), secret)) {
      throw new ProtocolError('AUTH_TOKEN_INVALID', 'The internal secret is missing or wrong.', CHALLENGE);
    }
  };
}

/** Hashes a text, so that texts of any length can be compared in constant time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** `localhost:8081` → `localhost`, `[::1]:8081` → `::1`. */
function hostName(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}

/** Whether an origin is this API itself or a host that the operator has allowed. */
function isOwnOrigin(origin: string, host: string | undefined, allowed: ReadonlySet<string>): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: originHost } = new URL(origin);
  if (allowed.has(hostName(originHost))) return true;
  const own = `${protocol}//${host ?? ''}`;
  return host !== undefined && URL.canParse(own) && new URL(own).host === originHost;
}

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ProtocolError } from '../core/errors.js';

export interface InternalGuardSettings {
  /** The secret that callers must send as a bearer token; undefined where none is needed. */
  readonly secret: string | undefined;
  /** Host names and addresses, without port, by which this API is called. */
  readonly hosts: readonly string[];
  /** Host names that the operator has added. Web pages from these hosts, on any port, may call this API. */
  readonly allowedHosts: readonly string[];
}

const BEARER = /^Bearer +(\S+)$/i;
const CHALLENGE = { 'www-authenticate': 'Bearer' };

/**
 * Lets in those who may call the internal API. A page in a browser on this machine is kept out twice: by its `Origin`,
 * and, where it has made its own name point here (DNS rebinding), by the `Host` that it must send. Another port of the same
 * host is another origin.
 */
export function internalGuard(settings: InternalGuardSettings): (message: IncomingMessage) => void {
  const allowed = new Set(settings.allowedHosts.map((host) => host.toLowerCase()));
  const hosts = new Set([...settings.hosts.map((host) => host.toLowerCase()), ...allowed]);
  const secret = settings.secret === undefined ? undefined : digest(settings.secret);
  return ({ headers }) => {
    if (headers.host !== undefined && !hosts.has(hostName(headers.host))) {
      throw new ProtocolError('HOST_NOT_ALLOWED', 'This API is not known by that host name.');
    }
    if (headers.origin !== undefined && !isOwnOrigin(headers.origin, headers.host, allowed)) {
      throw new ProtocolError('ORIGIN_NOT_ALLOWED', 'This API is not for pages of other origins.');
    }
    if (secret === undefined) return;
    const given = BEARER.exec(headers.authorization ?? '')?.[1];
    if (given === undefined || !timingSafeEqual(digest(given), secret)) {
      throw new ProtocolError('AUTH_TOKEN_INVALID', 'The internal secret is missing or wrong.', CHALLENGE);
    }
  };
}

/** Equal lengths for the comparison, whatever was sent. */
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

/** Whether a page comes from this API itself or from a host that the operator has allowed. */
function isOwnOrigin(origin: string, host: string | undefined, allowed: ReadonlySet<string>): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: originHost } = new URL(origin);
  if (allowed.has(hostName(originHost))) return true;
  const own = `${protocol}//${host ?? ''}`;
  return host !== undefined && URL.canParse(own) && new URL(own).host === originHost;
}

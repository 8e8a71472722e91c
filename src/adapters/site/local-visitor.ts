import type { IncomingHttpHeaders } from 'node:http';

const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
/** Headers that proxies add. */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Whether a request comes from the machine of the service, if the service listens on loopback only. A proxy on it passes requests of
 * strangers on, and adds a header or keeps the name by which they know the service.
 */
export function isLocalVisitor(headers: IncomingHttpHeaders): boolean {
  return LOCAL_HOST.test(headers.host ?? '') && FORWARDING.every((name) => headers[name] === undefined);
}

import type { IncomingHttpHeaders } from 'node:http';

const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
/** Headers that proxies add. */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Whether a request comes from the machine on which the service runs. Call this function only if the service listens on loopback
 * only, so that other machines cannot send requests directly.
 *
 * A reverse proxy on this machine can still forward requests of other machines. Such a request has a header that proxies add, or
 * a host name that is not local. The result is then false.
 */
export function isLocalVisitor(headers: IncomingHttpHeaders): boolean {
  return LOCAL_HOST.test(headers.host ?? '') && FORWARDING.every((name) => headers[name] === undefined);
}

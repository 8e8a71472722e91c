import type { IncomingHttpHeaders } from 'node:http';

const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
/** Headers that proxies add. */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Whether a request comes from the machine of the service, if the service listens on loopback only. A reverse proxy on this machine
 * forwards requests of other machines. It is detected by a header that it adds, or by a host name that is not local.
 */
export function isLocalVisitor(headers: IncomingHttpHeaders): boolean {
  return LOCAL_HOST.test(headers.host ?? '') && FORWARDING.every((name) => headers[name] === undefined);
}

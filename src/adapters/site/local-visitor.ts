import type { IncomingHttpHeaders } from 'node:http';

const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
/** Headers that proxies add. */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

/**
 * Whether a request comes from the machine of the service. The service must listen on loopback only. A reverse proxy on this
 * machine can forward requests of other machines. Such a request has a header that proxies add, or a host name that is not local.
 */
export function isLocalVisitor(headers: IncomingHttpHeaders): boolean {
  return LOCAL_HOST.test(headers.host ?? '') && FORWARDING.every((name) => headers[name] === undefined);
}

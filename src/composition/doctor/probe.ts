import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { type TLSSocket } from 'node:tls';
import { MILLISECONDS } from '#domain/time.js';
import { socketPath } from '../settings/settings.js';

const TIMEOUT = 5 * MILLISECONDS.second;
/**
 * Largest number of characters of a reply that are read. The limit is necessary, because another program may listen on the
 * address and send a long reply.
 */
const MAX_REPLY = 100_000;

/** The address of a listener of the service, which may not be running. */
export interface ProbedAddress {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** A secret that is sent as a bearer token. */
  readonly secret?: string | undefined;
}

export interface ProbeReply {
  readonly status: number;
  readonly body: string;
  /** The SHA-256 fingerprint of the certificate; undefined without TLS. */
  readonly fingerprint: string | undefined;
}

/** The text of an address in messages: `127.0.0.1:8080`, `[::1]:8080`, `/run/weatherd/internal.sock`. */
export function addressText({ host, port }: ProbedAddress): string {
  return socketPath(host) ?? (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);
}

/**
 * Sends a GET request.
 *
 * @returns undefined if no program listens on the address; 'no answer' if a program listens, but does not reply with HTTP in time
 */
export async function probeService(
  address: ProbedAddress,
  path: string,
): Promise<ProbeReply | 'no answer' | undefined> {
  const socket = socketPath(address.host);
  const target =
    socket === undefined ? { host: reachable(address.host), port: address.port } : { socketPath: socket };
  const secret = address.secret === undefined ? {} : { authorization: `Bearer ${address.secret}` };
  const options = {
    ...target,
    path,
    headers: { ...(socket !== undefined && { host: 'localhost' }), ...secret, accept: 'application/json' },
    // A certificate that is expired or that does not contain this address must not stop this request. Another check examines the
    // certificate.
    rejectUnauthorized: false,
    agent: false,
    timeout: TIMEOUT,
  };
  return await new Promise((resolve) => {
    const sent = (address.isSecure ? secureRequest : plainRequest)(options, (response) => {
      const peer = address.isSecure ? (response.socket as TLSSocket).getPeerCertificate() : undefined;
      const end = (body: string) =>
        resolve({ status: response.statusCode ?? 0, body, fingerprint: peer?.fingerprint256 });
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
        if (body.length > MAX_REPLY) sent.destroy();
      });
      response.once('close', () => end(body));
    });
    sent.once('timeout', () => sent.destroy());
    sent.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'ECONNREFUSED' || code === 'ENOENT' ? undefined : 'no answer'),
    );
    // If the promise is already resolved with a reply, this call of `resolve` has no effect.
    sent.once('close', () => resolve('no answer'));
    sent.end();
  });
}

/**
 * Returns an address to which a client can connect. A listener on `0.0.0.0` or `::` listens on all addresses, so the loopback
 * address is returned.
 */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

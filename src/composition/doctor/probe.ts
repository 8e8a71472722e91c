import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { type TLSSocket } from 'node:tls';
import { MILLISECONDS } from '#domain/time.js';
import { socketPath } from '../settings/settings.js';

const TIMEOUT = 5 * MILLISECONDS.second;
/** Characters of a reply that are read at most. Another program may listen there. */
const MAX_REPLY = 100_000;

/** Where a listener of the service is, or would be. */
export interface ProbedAddress {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** Sent as a bearer token. */
  readonly secret?: string | undefined;
}

export interface ProbeReply {
  readonly status: number;
  readonly body: string;
  /** The SHA-256 fingerprint of the certificate, with TLS. */
  readonly fingerprint: string | undefined;
}

/** The text of an address, as in messages: `127.0.0.1:8080`, `[::1]:8080`, `/run/weatherd/internal.sock`. */
export function placeText({ host, port }: ProbedAddress): string {
  return socketPath(host) ?? (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);
}

/**
 * Sends a GET request.
 *
 * @returns undefined if nobody listens there; 'no answer' if somebody does, but not with HTTP, or not in time
 */
export async function askService(
  place: ProbedAddress,
  path: string,
): Promise<ProbeReply | 'no answer' | undefined> {
  const socket = socketPath(place.host);
  const where =
    socket === undefined ? { host: reachable(place.host), port: place.port } : { socketPath: socket };
  const secret = place.secret === undefined ? {} : { authorization: `Bearer ${place.secret}` };
  const options = {
    ...where,
    path,
    headers: { ...(socket !== undefined && { host: 'localhost' }), ...secret, accept: 'application/json' },
    // The certificate is examined on its own; the name in it is not this address.
    rejectUnauthorized: false,
    agent: false,
    timeout: TIMEOUT,
  };
  return await new Promise((resolve) => {
    const sent = (place.isSecure ? secureRequest : plainRequest)(options, (response) => {
      const peer = place.isSecure ? (response.socket as TLSSocket).getPeerCertificate() : undefined;
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
    // After an answer, resolving again has no effect.
    sent.once('close', () => resolve('no answer'));
    sent.end();
  });
}

/** An address that leads to a listener on all addresses. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

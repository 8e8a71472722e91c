import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { DeliveryOutcome, FailedDelivery } from '#application/ports/delivery.js';
import { MILLISECONDS } from '#domain/time.js';
import { isPrivateLiteral, PrivateAddressError, publicLookup } from './public-address.js';

/** Statuses of replies that refuse this message permanently. Other statuses may be due to a fault that is repaired later. */
const PERMANENT: ReadonlySet<number> = new Set([400, 410, 413, 415, 422]);

/** The outcome of a delivery, by the status of the reply. */
export function outcomeOf(reply: { status: number; retryAfter: number | undefined }): DeliveryOutcome {
  const { status, retryAfter } = reply;
  if (status >= 200 && status < 300) return 'delivered';
  const isRedirect = status >= 300 && status < 400;
  return {
    failed: `The target answered with status ${status}.${isRedirect ? ' Redirects are not followed; change the URL.' : ''}`,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(PERMANENT.has(status) ? { permanent: true } : {}),
  };
}

/**
 * The seconds of a `Retry-After` header, which is a number of seconds or a date (RFC 9110, section 10.2.3).
 *
 * @param now milliseconds since 1970-01-01T00:00:00Z
 * @returns undefined if there is no header, or its value is neither a number nor a date
 */
export function retryAfterOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const time = /^[A-Z][a-z]{2,8},? /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - now) / MILLISECONDS.second));
}

/** Maximum duration of an exchange in milliseconds: name lookup, connection, request and reply. */
const TIMEOUT = 10 * MILLISECONDS.second;
/** Maximum number of bytes of a reply that are read. */
const MAX_REPLY = 4096;
const MAX_HEADERS = 16_384;

export interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly allowPrivate: boolean;
}

export interface DeliveryReply {
  readonly status: number;
  /** Seconds of `Retry-After`; undefined without a valid header. */
  readonly retryAfter: number | undefined;
  /** The beginning of the reply. */
  readonly text: string;
}

interface ExchangeOptions {
  readonly timeout?: number;
  /** Lookup function for the host names of targets that must have a public address. */
  readonly lookup?: LookupFunction;
  /** Whether every target may have a private address. */
  readonly allowPrivate?: boolean;
}

/** Sends requests of hooks. It does not follow redirects, so it only connects to the address that was checked. */
export class HttpDelivery {
  readonly #timeout: number;
  readonly #lookup: LookupFunction;
  readonly #allowPrivate: boolean;

  constructor({ timeout = TIMEOUT, lookup = publicLookup(), allowPrivate = false }: ExchangeOptions = {}) {
    this.#timeout = timeout;
    this.#lookup = lookup;
    this.#allowPrivate = allowPrivate;
  }

  /**
   * The reason why a URL is refused: its host is an address that is not public, and private addresses are not allowed. Undefined if
   * the URL is accepted. A host name is always accepted here.
   */
  refusalOf(url: URL, allowPrivate: boolean): string | undefined {
    return !this.#allowPrivate && !allowPrivate && isPrivateLiteral(url.hostname) ? NOT_PUBLIC : undefined;
  }

  /** Sends a message. The field `text` of the result is the beginning of the reply; it is empty if there is no reply. */
  async deliver(
    outgoing: Outgoing,
    signal: AbortSignal,
  ): Promise<{ readonly outcome: DeliveryOutcome; readonly text: string }> {
    const reply = await this.send(outgoing, signal);
    return 'failed' in reply ? { outcome: reply, text: '' } : { outcome: outcomeOf(reply), text: reply.text };
  }

  /** Sends a request. Never rejects. A reply counts even if only its beginning has arrived. */
  send(outgoing: Outgoing, signal: AbortSignal): Promise<DeliveryReply | FailedDelivery> {
    const { method, url, headers = {}, body, allowPrivate } = outgoing;
    const refusal = this.refusalOf(url, allowPrivate);
    if (refusal !== undefined) return Promise.resolve({ failed: refusal });
    const options = {
      method,
      headers: {
        'user-agent': 'weatherd',
        accept: '*/*',
        ...headers,
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      // Each request opens its own connection. A connection of an earlier request may lead to a private address, because some
      // targets may have private addresses. Other targets must not use this connection.
      agent: false,
      maxHeaderSize: MAX_HEADERS,
      ...(allowPrivate || this.#allowPrivate ? {} : { lookup: this.#lookup }),
    } as const;
    return new Promise((resolve) => {
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options);
      request.on('error', (error) => interrupt(reasonOf(error)));
      const end = (outcome: DeliveryReply | FailedDelivery) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        request.destroy();
        resolve(outcome);
      };
      let interrupt = (failed: string) => end({ failed });
      const timer = setTimeout(
        () => interrupt(`The target did not answer within ${this.#timeout / MILLISECONDS.second} s.`),
        this.#timeout,
      );
      const onAbort = () => end({ failed: 'The service stops.' });
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) return onAbort();
      request.on('response', (response) => {
        const read = readBeginning(response, () => interrupt(''));
        interrupt = () => end({ ...headOf(response), text: read() });
      });
      request.on('upgrade', () => interrupt('The target has changed to another protocol.'));
      sendBody(request, body);
    });
  }
}

function sendBody(request: ClientRequest, body: string | undefined): void {
  if (body === undefined) request.end();
  else request.end(body);
}

/** Reads a response until its end, or until `MAX_REPLY` bytes. @returns a function that returns the text that was read */
function readBeginning(response: IncomingMessage, onEnd: () => void): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_REPLY) onEnd();
  });
  response.on('close', onEnd);
  response.on('error', onEnd);
  return () => Buffer.concat(chunks).subarray(0, MAX_REPLY).toString('utf8');
}

function headOf({ statusCode = 0, headers }: IncomingMessage): Omit<DeliveryReply, 'text'> {
  return { status: statusCode, retryAfter: retryAfterOf(headers['retry-after'], Date.now()) };
}

const NOT_PUBLIC =
  'The host has no public address. Add the target on the command line with --allow-private if this is meant, or set ' +
  'WEATHERD_HOOKS_ALLOW_PRIVATE=true for all targets.';

/** The reason of a failure. Error messages contain addresses, so for an unknown error only its code is shown. */
function reasonOf(error: Error): string {
  if (error instanceof PrivateAddressError) return NOT_PUBLIC;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return REASONS[code] ?? `The target could not be reached (${code}).`;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'The name of the target has no address.',
  EAI_AGAIN: 'The name of the target could not be resolved.',
  ECONNREFUSED: 'The target refused the connection.',
  ECONNRESET: 'The target closed the connection before it answered.',
  EPIPE: 'The target closed the connection before it answered.',
  ETIMEDOUT: 'The target did not accept the connection.',
  CERT_HAS_EXPIRED: 'The certificate of the target has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the target is not signed by a known authority.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the target is not signed by a known authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate of the target is not signed by a known authority.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the target is for another name.',
};

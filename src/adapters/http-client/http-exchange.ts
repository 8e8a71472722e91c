import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { MILLISECONDS } from '#domain/time.js';
import {
  type AddressRule,
  isAllowed,
  isLiteral,
  lookupFor,
  RefusedAddressError,
  type Resolve,
} from './address-rules.js';

const MAX_HEADERS = 16_384;

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly rule: AddressRule;
  /** Maximum duration in milliseconds: name lookup, connection, request and reply. */
  readonly timeout: number;
  /** Maximum number of bytes of the reply that are read. */
  readonly maxReply: number;
}

export interface HttpReply {
  readonly status: number;
  /** Names in lower case. Only headers that occur once, and the first of others. */
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds of `Retry-After`; undefined without a valid header. */
  readonly retryAfter: number | undefined;
  readonly bytes: Buffer;
  /** Whether the reply is longer than `maxReply`, or the connection ended before its end. */
  readonly isCut: boolean;
  /** Why a cut reply was not read to its end; undefined if it is too long, or if the connection was closed. */
  readonly cutBy?: HttpFailure;
}

/** Why there is no reply. `code` is the code of an error of a socket, for example `ECONNREFUSED`. */
export type HttpFailure =
  | { readonly failure: 'address' | 'timeout' | 'aborted' | 'upgrade' }
  | { readonly failure: 'error'; readonly code: string };

/**
 * Sends a request and reads the reply. Redirects are not followed, so that only the checked address is reached, and each request has
 * a connection of its own, because a kept connection may lead to an address that another rule allows. Never rejects.
 *
 * @param resolve finds the addresses of names; tests replace it
 */
export function exchangeHttp(
  { method, url, headers = {}, body, rule, timeout, maxReply }: HttpRequest,
  signal: AbortSignal,
  resolve?: Resolve,
): Promise<HttpReply | HttpFailure> {
  if (isLiteral(url.hostname) && !isAllowed(url.hostname, rule))
    return Promise.resolve({ failure: 'address' });
  const lookup = lookupFor(rule, resolve);
  const options = {
    method,
    headers: {
      'user-agent': 'weatherd',
      accept: '*/*',
      ...headers,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    agent: false,
    maxHeaderSize: MAX_HEADERS,
    ...(lookup && { lookup }),
  } as const;
  return new Promise((settle) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options);
    const end = (outcome: HttpReply | HttpFailure) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      request.destroy();
      settle(outcome);
    };
    let interrupt = (failure: HttpFailure) => end(failure);
    request.on('error', (error) => interrupt(failureOf(error)));
    const timer = setTimeout(() => interrupt({ failure: 'timeout' }), timeout);
    const onAbort = () => end({ failure: 'aborted' });
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) return onAbort();
    request.on('response', (response) => {
      const read = readBeginning(response, maxReply, () => end({ ...headOf(response), ...read() }));
      // What has arrived counts, even if the rest is late.
      interrupt = (cutBy) => end({ ...headOf(response), ...read(), cutBy });
    });
    request.on('upgrade', () => interrupt({ failure: 'upgrade' }));
    sendBody(request, body);
  });
}

function sendBody(request: ClientRequest, body: string | Uint8Array | undefined): void {
  if (body === undefined) request.end();
  else request.end(body);
}

/** Reads a response until its end, or until `max` bytes. @returns a function that returns the bytes so far */
function readBeginning(
  response: IncomingMessage,
  max: number,
  onEnd: () => void,
): () => Pick<HttpReply, 'bytes' | 'isCut'> {
  const chunks: Buffer[] = [];
  let length = 0;
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= max) onEnd();
  });
  response.on('close', onEnd);
  response.on('error', onEnd);
  return () => ({
    bytes: Buffer.concat(chunks).subarray(0, max),
    isCut: length > max || !response.complete,
  });
}

function headOf({
  statusCode = 0,
  headers,
}: IncomingMessage): Pick<HttpReply, 'status' | 'headers' | 'retryAfter'> {
  const first = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    (Array.isArray(value) ? value[0] : value) ?? '',
  ]);
  return {
    status: statusCode,
    headers: Object.fromEntries(first),
    retryAfter: retryAfterOf(headers['retry-after'], Date.now()),
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

function failureOf(error: Error): HttpFailure {
  if (error instanceof RefusedAddressError) return { failure: 'address' };
  return {
    failure: 'error',
    code: 'code' in error && typeof error.code === 'string' ? error.code : error.name,
  };
}

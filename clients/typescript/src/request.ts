import type { ErrorCode, Method } from './types.js';

/** A refusal by the service, or a failure to reach it. */
export class WeatherdError extends Error {
  override readonly name = 'WeatherdError';
  /** UNREACHABLE: there was no reply. UNREADABLE: the reply is not from weatherd, but from a proxy, for example. */
  readonly code: ErrorCode | 'UNREACHABLE' | 'UNREADABLE';
  /** The HTTP status; 0 without a reply. */
  readonly status: number;
  /** Seconds after which the service expects a new request, if it said so. */
  readonly retryAfter: number | undefined;

  constructor(
    code: WeatherdError['code'],
    message: string,
    status: number,
    retryAfter?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** Options of any request, without the types of its operation. */
export interface AnyOptions {
  readonly path?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** The path with its parameters and query. */
export function targetOf(path: string, { path: values = {}, query = {} }: AnyOptions): string {
  const filled = path.replace(/\{(\w+)\}/g, (_name, name: string) =>
    encodeURIComponent(String(values[name])),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const texts = given.map(([name, value]): [string, string] => [name, String(value)]);
  const search = new URLSearchParams(texts).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/** Sends one request. @throws WeatherdError if it is refused or gets no reply */
export async function send(
  url: string,
  method: Method,
  { body, signal }: AnyOptions,
  headers: Readonly<Record<string, string>>,
  fetcher: typeof fetch,
): Promise<Response> {
  const isText = typeof body === 'string';
  const init: RequestInit = { method: method.toUpperCase(), headers };
  if (signal) init.signal = signal;
  if (body !== undefined) {
    init.body = isText ? body : JSON.stringify(body);
    init.headers = { ...headers, 'content-type': isText ? 'text/csv' : 'application/json' };
  }
  const response = await fetcher(url, init).catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause;
    throw new WeatherdError('UNREACHABLE', `${url} cannot be reached.`, 0, undefined, { cause });
  });
  if (response.ok || response.status === 304) return response;
  const { status } = response;
  const wait = response.headers.get('retry-after') ?? '';
  const retryAfter = /^\d+$/.test(wait) ? Number(wait) : undefined;
  const refusal = (await response.json().catch(() => undefined)) as
    { readonly error?: ErrorCode; readonly message?: string } | undefined;
  throw refusal?.error === undefined
    ? new WeatherdError('UNREADABLE', `HTTP status ${status}`, status, retryAfter)
    : new WeatherdError(refusal.error, String(refusal.message), status, retryAfter);
}

/** Waits, and fails as `fetch` does when `signal` is aborted. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

import type { components } from './schema.js';
import { targetOf } from './target.js';
import type { Method, Options, PathOf, Reply } from './types.js';

type Refusal = components['schemas']['Error'];

/** Error: the service has refused a request, or the client could not reach the service. */
export class WeatherdError extends Error {
  override readonly name = 'WeatherdError';
  /**
   * The error code of the service, or a code of the client: UNREACHABLE if there was no reply, and UNREADABLE if the reply is not
   * from weatherd, but for example from a proxy.
   */
  declare readonly code: Refusal['error'] | 'UNREACHABLE' | 'UNREADABLE';
  /** HTTP status; 0 if there was no reply. */
  declare readonly status: number;
  /** Seconds to wait before the next request, if the reply has the header `Retry-After`. */
  declare readonly retryAfter?: number | undefined;

  constructor(
    message: string,
    facts: Pick<WeatherdError, 'code' | 'status' | 'retryAfter'>,
    cause?: unknown,
  ) {
    super(message, { cause });
    Object.assign(this, facts);
  }
}

type AnyOptions = {
  path?: unknown;
  query?: unknown;
  header?: Record<string, string> | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
};

/** Sends requests to a weatherd service and reads the replies. */
export class Requests {
  /** The token or the upload key that is sent with each request, or a function that returns the current token or key. */
  token: string | (() => string | undefined) | undefined;

  readonly get = this.#caller('get');
  readonly put = this.#caller('put');
  readonly post = this.#caller('post');
  readonly delete = this.#caller('delete');

  readonly #base: string;
  readonly #fetch: typeof fetch;

  /** @param url URL of the service, such as `https://weather.example.org` @param fetcher replaces the global `fetch` */
  constructor(url: string | URL, fetcher = fetch) {
    this.#base = new URL(url).href.replace(/\/$/, '');
    this.#fetch = (...request) => fetcher(...request);
  }

  /** Requests a reply of any media type, such as a CSV file. The body can be read while it arrives. @throws WeatherdError */
  response<P extends PathOf<'get'>>(path: P, ...[options]: Options<P, 'get'>): Promise<Response> {
    return this.#ask('get', path, options);
  }

  /** Sends a request. Resolves with the reply, also if its status is an error. */
  protected send(url: URL, request: RequestInit): Promise<Response> {
    return this.#fetch(url, request);
  }

  /** Creates a function that sends requests of one HTTP method. The function resolves with the JSON of a successful reply. */
  #caller<M extends Method>(method: M) {
    return <P extends PathOf<M>>(path: P, ...[options]: Options<P, M, 'json'>) =>
      this.#json(method, path, options) as Promise<Reply<P, M>>;
  }

  async #json(method: Method, path: string, options?: AnyOptions): Promise<unknown> {
    const response = await this.#ask(method, path, options);
    try {
      const text = await response.text();
      return text === '' ? undefined : JSON.parse(text);
    } catch (cause) {
      if (options?.signal?.aborted === true) throw cause;
      const { status, url } = response;
      throw new WeatherdError(`The reply from ${url} is not JSON.`, { code: 'UNREADABLE', status }, cause);
    }
  }

  /** Sends a request and checks the status of the reply. @throws WeatherdError if the request is refused or has no reply */
  async #ask(method: Method, path: string, options: AnyOptions = {}): Promise<Response> {
    const { body, signal } = options;
    const address = this.#base + targetOf(path, options);
    const url = new URL(address);
    if (url.href !== address)
      throw new TypeError(`${address} is not a URL of the service. Check the path and its parameters.`);
    const token = typeof this.token === 'function' ? this.token() : this.token;
    const [type, text] =
      typeof body === 'string' ? ['text/csv', body] : ['application/json', JSON.stringify(body)];
    const headers = {
      ...options.header,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(text !== undefined && { 'content-type': type }),
    };
    const request = { method: method.toUpperCase(), headers, body: text ?? null, signal: signal ?? null };
    const response = await this.send(url, request).catch((cause: unknown) => {
      if (signal?.aborted === true) throw cause;
      throw new WeatherdError(
        `There was no reply from ${address}.`,
        { code: 'UNREACHABLE', status: 0 },
        cause,
      );
    });
    if (response.ok) return response;
    const { status } = response;
    const retryAfter = retryAfterOf(response);
    const refusal = (await response.json().catch(() => ({}))) as Partial<Refusal>;
    const { error: code = 'UNREADABLE', message = `The reply has the HTTP status ${status}.` } = refusal;
    throw new WeatherdError(message, { code, status, retryAfter: retryAfter >= 0 ? retryAfter : undefined });
  }
}

/** Returns the seconds in the header `Retry-After`; NaN if the header is missing. */
export function retryAfterOf({ headers }: Response): number {
  return Number(headers.get('retry-after') ?? Number.NaN);
}

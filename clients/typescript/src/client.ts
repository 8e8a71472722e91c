import { readBlocks, sleep } from './event-blocks.js';
import type { components } from './schema.js';
import type { EventQuery, Method, Options, PagedPath, PathOf, Reply, WeatherEvent } from './types.js';

export type { components, operations, paths } from './schema.js';
export type * from './types.js';

type Refusal = components['schemas']['Error'];

/** A refusal by the service, or a failure to reach it. */
export class WeatherdError extends Error {
  override readonly name = 'WeatherdError';
  /** UNREACHABLE: there was no reply. UNREADABLE: the reply is not from weatherd, but from a proxy, for example. */
  readonly code: Refusal['error'] | 'UNREACHABLE' | 'UNREADABLE';
  /** The HTTP status; 0 without a reply. */
  readonly status: number;
  /** Seconds after which the service expects a new request, if it said so. */
  readonly retryAfter?: number | undefined;

  constructor(
    message: string,
    facts: Pick<WeatherdError, 'code' | 'status' | 'retryAfter'>,
    cause?: unknown,
  ) {
    super(message, { cause });
    ({ code: this.code, status: this.status, retryAfter: this.retryAfter } = facts);
  }
}

type AnyOptions = { path?: unknown; query?: unknown; body?: unknown; signal?: AbortSignal | undefined };

/** Calls the external API of a weatherd service. */
export class WeatherdClient {
  /** A token or an upload key. It is sent with each request. */
  token: string | undefined;
  /** Number of times a request is sent again after 429 or 503 with `Retry-After`. */
  retries = 2;
  /** The longest wait in seconds. A request that would have to wait longer fails at once. */
  longestWait = 30;

  readonly get = this.#caller('get');
  readonly put = this.#caller('put');
  readonly post = this.#caller('post');
  readonly delete = this.#caller('delete');

  readonly #base: string;
  readonly #fetch: typeof fetch;

  /** @param url of the service, such as `https://weather.example.org` @param fetcher replaces the global `fetch` */
  constructor(url: string | URL, fetcher = fetch) {
    this.#base = new URL(url).href.replace(/\/$/, '');
    this.#fetch = (...request) => fetcher(...request);
  }

  /** A reply in any form, such as a file of CSV, which can be read while it is received. */
  response<P extends PathOf<'get'>>(path: P, ...[options]: Options<P, 'get'>): Promise<Response> {
    return this.#send('get', path, options);
  }

  /** The pages of a reply, from the first or from `cursor` to the last. */
  async *pages<P extends PagedPath>(path: P, ...[options]: Options<P, 'get', 'json'>) {
    for (let query: object = { ...options?.query }; ;) {
      const page = (await this.#json('get', path, { ...options, query })) as Reply<P, 'get'> & {
        next: string | null;
      };
      yield page;
      if (page.next === null) return;
      query = { ...query, cursor: page.next };
    }
  }

  /**
   * Follows changes of observations. After a broken line it goes on with the next event. It ends when `signal` is aborted or
   * the loop is left, and fails if the service refuses.
   */
  async *events(query: EventQuery = {}, { signal }: { signal?: AbortSignal } = {}) {
    let [last_event_id, pause] = [query.last_event_id, 3];
    for (;;) {
      try {
        const options = { query: { ...query, last_event_id }, signal };
        const { body } = await this.#send('get', '/v1/events', options);
        for await (const { id, event, data, retry } of readBlocks(body)) {
          [last_event_id, pause] = [id ?? last_event_id, retry === undefined ? pause : Number(retry) / 1000];
          if (data !== undefined) yield { ...JSON.parse(data), type: event, id } as WeatherEvent;
        }
      } catch (error) {
        // A refusal would come again. Other errors are those of a line that broke, or of a proxy whose service is away.
        const isRefusal = error instanceof WeatherdError && !error.code.startsWith('UNREA');
        if (isRefusal && error.retryAfter === undefined) throw error;
      }
      if (signal?.aborted === true) return;
      await sleep(Math.min(pause, this.longestWait), signal);
    }
  }

  /** Makes the function for the routes of a method. It resolves with the JSON of a success. */
  #caller<M extends Method>(method: M) {
    return async <P extends PathOf<M>>(path: P, ...[options]: Options<P, M, 'json'>) =>
      (await this.#json(method, path, options)) as Reply<P, M>;
  }

  async #json(method: Method, path: string, options?: AnyOptions): Promise<unknown> {
    const response = await this.#send(method, path, options);
    try {
      const text = await response.text();
      return text === '' ? undefined : JSON.parse(text);
    } catch (cause) {
      if (options?.signal?.aborted === true) throw cause;
      const { status, url } = response;
      throw new WeatherdError(`${url} sent no whole JSON.`, { code: 'UNREADABLE', status }, cause);
    }
  }

  /** Sends a request, again if the service asks for that. @throws WeatherdError if it is refused or gets no reply */
  async #send(method: Method, path: string, options: AnyOptions = {}, attempt = 0): Promise<Response> {
    const { body, signal } = options;
    let target = path;
    for (const [name, value] of Object.entries(options.path ?? {}))
      target = target.replace(`{${name}}`, encodeURIComponent(value));
    const url = new URL(this.#base + target);
    if (url.href !== this.#base + target) throw new TypeError(`${target} is no path of the service.`);
    for (const [name, value] of Object.entries(options.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, value);
    const [type, text] =
      typeof body === 'string' ? ['text/csv', body] : ['application/json', JSON.stringify(body)];
    const headers = {
      ...(this.token !== undefined && { authorization: `Bearer ${this.token}` }),
      ...(text !== undefined && { 'content-type': type }),
    };
    const request = { method: method.toUpperCase(), headers, body: text ?? null, signal: signal ?? null };
    const response = await this.#fetch(url, request).catch((cause: unknown) => {
      if (signal?.aborted === true) throw cause;
      throw new WeatherdError(`${url.href} cannot be reached.`, { code: 'UNREACHABLE', status: 0 }, cause);
    });
    if (response.ok) return response;
    const { status } = response;
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
    // A POST that ended with 503 may have been carried out.
    const mayRepeat = status === 429 || (status === 503 && method !== 'post');
    if (mayRepeat && attempt < this.retries && retryAfter <= this.longestWait) {
      await sleep(retryAfter, signal);
      return this.#send(method, path, options, attempt + 1);
    }
    const refusal = (await response.json().catch(() => ({}))) as Partial<Refusal>;
    const { error: code = 'UNREADABLE', message = `HTTP status ${status}` } = refusal;
    throw new WeatherdError(message, { code, status, retryAfter: retryAfter >= 0 ? retryAfter : undefined });
  }
}

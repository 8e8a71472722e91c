import { EventLines } from './event-lines.js';
import { type AnyOptions, send, sleep, targetOf, WeatherdError } from './request.js';
import type {
  Arguments,
  EventQuery,
  Format,
  Method,
  OperationOf,
  Options,
  PagedPath,
  PathOf,
  Reply,
  WeatherEvent,
} from './types.js';

export type { components, operations, paths } from './schema.js';
export { WeatherdError } from './request.js';
export type * from './types.js';

export interface ClientSettings {
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** A basic token from an earlier sign-in, or an upload key. */
  readonly token?: string;
  /** Number of times a request is sent again after 429 or 503 with `Retry-After`. Default: 2 */
  readonly retries?: number;
  /** The longest wait in seconds. A request that would have to wait longer fails at once. Default: 30 */
  readonly longestWait?: number;
  /** Number of replies that are kept to ask only whether they have changed (`ETag`). Default: 0 */
  readonly cachedReplies?: number;
}

/** Calls the external API of a weatherd service. */
export class WeatherdClient {
  readonly #base: string;
  readonly #settings: ClientSettings;
  readonly #cache = new Map<
    string,
    { readonly etag: string; readonly text: string; readonly isJson: boolean }
  >();
  #token: string | undefined;
  #elevated: { readonly token: string; readonly until: number } | undefined;

  /** @param url of the service, such as `https://weather.example.org` */
  constructor(url: string | URL, settings: ClientSettings = {}) {
    this.#base = String(url).replace(/\/$/, '');
    this.#settings = settings;
    this.#token = settings.token;
  }

  get<P extends PathOf<'get'>, F extends Format = 'json'>(
    path: P,
    ...[options]: Arguments<Options<OperationOf<P, 'get'>, F>>
  ): Promise<Reply<OperationOf<P, 'get'>, F>> {
    return this.#read('get', path, options);
  }

  put<P extends PathOf<'put'>>(path: P, options: Options<OperationOf<P, 'put'>>) {
    return this.#read<Reply<OperationOf<P, 'put'>>>('put', path, options);
  }

  post<P extends PathOf<'post'>>(path: P, ...[options]: Arguments<Options<OperationOf<P, 'post'>>>) {
    return this.#read<Reply<OperationOf<P, 'post'>>>('post', path, options);
  }

  delete<P extends PathOf<'delete'>>(path: P, options: Options<OperationOf<P, 'delete'>>) {
    return this.#read<Reply<OperationOf<P, 'delete'>>>('delete', path, options);
  }

  /** The pages of a reply, from the first or from `cursor` to the last. */
  async *pages<P extends PagedPath>(
    path: P,
    ...[options]: Arguments<Options<OperationOf<P, 'get'>, 'json'>>
  ) {
    const first = (options ?? {}) as AnyOptions;
    let { cursor } = first.query ?? {};
    do {
      const query = { ...first.query, cursor };
      const page = await this.#read<Reply<OperationOf<P, 'get'>>>('get', path, { ...first, query });
      yield page;
      cursor = (page as unknown as { readonly next: string | null }).next;
    } while (cursor !== null);
  }

  /** Signs in. Further requests have the token, which is returned so that it can be kept. */
  async signIn(username: string, password: string): Promise<string> {
    const { token } = await this.post('/v1/auth/authenticate/', {
      body: { username, email: null, password },
    });
    this.#become(token);
    return token;
  }

  /** Gets an elevated token, which requests have until it expires. */
  async elevate(password: string, duration: number | null = null): Promise<void> {
    this.#elevated = undefined;
    const { token, info } = await this.post('/v1/auth/elevate/', { body: { password, duration } });
    this.#elevated = { token, until: Date.now() + info.token_duration * 1000 };
  }

  /** Ends the session and forgets its tokens. */
  async signOut(): Promise<void> {
    await this.post('/v1/auth/revoke/', { body: { scope: 'session' } });
    this.#become(undefined);
  }

  /**
   * Follows changes of observations. After a broken line it goes on with the next event. It ends when `signal` is aborted or
   * the loop is left, and fails if the service refuses.
   *
   * @param lastEventId the id of an earlier event, to go on after it
   */
  async *events(
    query: EventQuery = {},
    { signal, lastEventId }: { readonly signal?: AbortSignal; readonly lastEventId?: string } = {},
  ): AsyncGenerator<WeatherEvent, void, undefined> {
    const { longestWait = 30 } = this.#settings;
    const lines = new EventLines(lastEventId ?? query.last_event_id);
    for (let failures = 0; ; failures += 1) {
      try {
        const asked = { ...query, last_event_id: lines.lastId };
        const { body } = await this.#send('get', '/v1/events', { query: asked, signal });
        for await (const event of lines.read(body as ReadableStream<Uint8Array>)) {
          failures = 0;
          yield event;
        }
        await sleep(lines.retry, signal);
      } catch (error) {
        if (signal?.aborted === true) return;
        const { code, retryAfter } = error as Partial<WeatherdError>;
        // A refusal would come again. An error without a code is that of a line which broke.
        if (error instanceof WeatherdError && code !== 'UNREACHABLE' && retryAfter === undefined) throw error;
        const wait = Math.max(lines.retry * 2 ** Math.min(failures, 5), (retryAfter ?? 0) * 1000);
        await sleep(Math.min(wait, longestWait * 1000), signal).catch(() => undefined);
      }
    }
  }

  #become(token: string | undefined): void {
    this.#token = token;
    this.#elevated = undefined;
    this.#cache.clear();
  }

  /** The body of a success. */
  async #read<T>(method: Method, path: string, options: AnyOptions = {}): Promise<T> {
    const { cachedReplies = 0 } = this.#settings;
    const key = targetOf(path, options);
    const cached = method === 'get' ? this.#cache.get(key) : undefined;
    const response = await this.#send(method, path, options, cached?.etag);
    const type = response.headers.get('content-type') ?? '';
    const isUnchanged = response.status === 304 && cached !== undefined;
    const kept = isUnchanged ? cached : { text: await response.text(), isJson: /[/+]json\b/.test(type) };
    const etag = response.headers.get('etag');
    this.#cache.delete(key);
    if (method === 'get' && etag !== null) this.#cache.set(key, { ...kept, etag });
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size > cachedReplies) this.#cache.delete(oldest);
    }
    if (kept.text === '') return undefined as T;
    return kept.isJson ? (JSON.parse(kept.text) as T) : (kept.text as T);
  }

  /** Sends a request, again if the service asks for that. */
  async #send(method: Method, path: string, options: AnyOptions, etag?: string): Promise<Response> {
    const { retries = 2, longestWait = 30, fetch: fetcher = fetch } = this.#settings;
    for (let attempt = 0; ; attempt += 1) {
      const token =
        (this.#elevated && this.#elevated.until > Date.now() && this.#elevated.token) || this.#token;
      const headers = {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(etag !== undefined && { 'if-none-match': etag }),
      };
      try {
        return await send(`${this.#base}${targetOf(path, options)}`, method, options, headers, fetcher);
      } catch (error) {
        if (!(error instanceof WeatherdError)) throw error;
        const { status, retryAfter = Infinity } = error;
        // A POST that ended with 503 may have been carried out.
        const mayRepeat = status === 429 || (status === 503 && method !== 'post');
        if (!mayRepeat || attempt >= retries || retryAfter > longestWait) throw error;
        await sleep(retryAfter * 1000, options.signal);
      }
    }
  }
}

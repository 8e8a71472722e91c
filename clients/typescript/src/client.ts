import { readBlocks, sleep } from './event-blocks.js';
import { Requests, retryAfterOf, WeatherdError } from './requests.js';
import type { EventQuery, Options, PagedPath, Reply, WeatherEvent } from './types.js';

export { WeatherdError } from './requests.js';
export type { components, operations, paths } from './schema.js';
export type * from './types.js';

/** Calls the external API of a weatherd service. */
export class WeatherdClient extends Requests {
  /** Maximum number of times that a request is sent again after 429 or 503 with `Retry-After`. */
  retries = 2;
  /** Maximum wait in seconds before a request is sent again. A request that would have to wait longer fails immediately. */
  longestWait = 30;

  /**
   * Reads a reply page by page: from the page at `cursor`, or from the first page, to the last page. A reply without `next` is the
   * last page.
   *
   * @throws WeatherdError
   */
  async *pages<P extends PagedPath>(path: P, ...[options]: Options<P, 'get', 'json'>) {
    const cursors = new Set<string>();
    for (let query: object = { ...options?.query }; ;) {
      const parameters = [{ ...options, query }] as unknown as Options<P, 'get', 'json'>;
      const page = (await this.get(path, ...parameters)) as Reply<P, 'get'> & { next?: string | null };
      const { next } = page;
      if (next != null && cursors.has(next)) throw repeatedPage(path);
      yield page;
      // JavaScript can name a route whose replies have no pages, and thus no field `next`.
      if (next == null) return;
      cursors.add(next);
      query = { ...query, cursor: next };
    }
  }

  /**
   * Yields changes of observations. After a broken connection, the function connects again and continues with the next event. The
   * function ends when `signal` is aborted or the caller leaves the loop.
   *
   * @throws WeatherdError if the service refuses the request and the reply has no header `Retry-After`
   */
  async *events(query: EventQuery = {}, { signal }: { signal?: AbortSignal } = {}) {
    let [last_event_id, pause] = [query.last_event_id, 3];
    for (;;) {
      try {
        const { body } = await this.response('/v1/events', { query: { ...query, last_event_id }, signal });
        for await (const { id, event, data, retry } of readBlocks(body)) {
          [last_event_id, pause] = [id ?? last_event_id, retry === undefined ? pause : Number(retry) / 1000];
          if (data !== undefined) yield { ...JSON.parse(data), type: event, id } as WeatherEvent;
        }
      } catch (error) {
        // After a refusal by weatherd the client does not connect again, because the service would refuse the same request again.
        // If the refusal has the header `Retry-After`, the client connects again. It also connects again after all other errors:
        // they come from a broken connection, or from a proxy that cannot reach the service.
        const isRefusal = error instanceof WeatherdError && !error.code.startsWith('UNREA');
        if (isRefusal && error.retryAfter === undefined) throw error;
      }
      if (signal?.aborted === true) return;
      await sleep(Math.min(pause, this.longestWait), signal);
    }
  }

  protected override async send(url: URL, request: RequestInit): Promise<Response> {
    for (let attempt = 0; ; attempt += 1) {
      const response = await super.send(url, request);
      const retryAfter = retryAfterOf(response);
      // A POST is not repeated after 503, because the service may already have performed the request.
      const mayRepeat = response.status === 429 || (response.status === 503 && request.method !== 'POST');
      if (!mayRepeat || attempt === this.retries || !(retryAfter <= this.longestWait)) return response;
      await sleep(retryAfter, request.signal ?? undefined);
    }
  }
}

function repeatedPage(path: string): WeatherdError {
  const message = `${path} returned a cursor for the second time, so its pages would never end.`;
  return new WeatherdError(message, { code: 'UNREADABLE', status: 200 });
}

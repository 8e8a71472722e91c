import { readBlocks, sleep } from './event-blocks.js';
import { Requests, retryAfterOf, WeatherdError } from './requests.js';
import type { EventQuery, Options, PagedPath, Reply, WeatherEvent } from './types.js';

export { WeatherdError } from './requests.js';
export type { components, operations, paths } from './schema.js';
export type * from './types.js';

/** Calls the external API of a weatherd service. */
export class WeatherdClient extends Requests {
  /** Number of times a request is sent again after 429 or 503 with `Retry-After`. */
  retries = 2;
  /** The longest wait in seconds. A request that would have to wait longer fails at once. */
  longestWait = 30;

  /** The pages of a reply, from the first or from `cursor` to the last. */
  async *pages<P extends PagedPath>(path: P, ...[options]: Options<P, 'get', 'json'>) {
    for (let query: object = { ...options?.query }; ;) {
      const asked = [{ ...options, query }] as unknown as Options<P, 'get', 'json'>;
      const page = (await this.get(path, ...asked)) as Reply<P, 'get'> & { next: string | null };
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
        const { body } = await this.response('/v1/events', { query: { ...query, last_event_id }, signal });
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

  protected override async send(url: URL, request: RequestInit): Promise<Response> {
    for (let attempt = 0; ; attempt += 1) {
      const response = await super.send(url, request);
      const retryAfter = retryAfterOf(response);
      // A POST that ended with 503 may have been carried out.
      const mayRepeat = response.status === 429 || (response.status === 503 && request.method !== 'POST');
      if (!mayRepeat || attempt === this.retries || !(retryAfter <= this.longestWait)) return response;
      await sleep(retryAfter, request.signal ?? undefined);
    }
  }
}

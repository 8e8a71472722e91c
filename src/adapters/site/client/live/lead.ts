import { MILLISECONDS } from '#domain/time.js';
import { readBlocks } from '../../../../../clients/typescript/src/event-blocks.js';
import { type Api, type ApiError, type Newest, target, type TodayRain } from '../api.js';
import type { Connection } from './connection.js';

/** An `observation` event of `GET /v1/events`. */
export interface Change {
  readonly station: string;
  readonly from: string;
  readonly to: string;
  readonly last_seen: string | null;
  readonly latest: Newest;
  /** With `include=today`. */
  readonly today?: TodayRain;
}

/** What the browser learns of new values. It is passed between windows. */
export type News =
  | { readonly kind: 'change'; readonly change: Change }
  /** Changes may have been missed: everything must be read again. */
  | { readonly kind: 'reread' }
  | { readonly kind: 'connection'; readonly connection: Connection };

export interface Lead {
  readonly api: Api;
  /** The query of `GET /v1/events`. */
  readonly scope: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly tell: (news: News) => void;
  /** Reads the newest values again. @throws ApiError */
  readonly reread: () => Promise<void>;
  /** Ends after this time, or earlier if the network comes back or `signal` is aborted. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** A stream without a block for three times the interval of its comments (15 s) is broken. */
const SILENCE = 45 * MILLISECONDS.second;
const AFTER_BREAK = 3 * MILLISECONDS.second;
const POLLING = MILLISECONDS.minute;
const OFFLINE_RETRY = 10 * MILLISECONDS.second;

/**
 * Follows the stream of events until `signal` is aborted. Without a stream the newest values are read each minute, and the
 * stream is tried again.
 */
export async function lead({ api, scope, signal, tell, reread, wait }: Lead): Promise<void> {
  let lastId: string | undefined;
  while (!signal.aborted) {
    let opened = false;
    try {
      for await (const item of readStream(api, { ...scope, last_event_id: lastId }, signal)) {
        if (!opened) {
          opened = true;
          tell({ kind: 'connection', connection: { state: 'live' } });
          // Values may have come between the first screen and the stream.
          if (lastId === undefined) tell({ kind: 'reread' });
        }
        lastId = item.lastId ?? lastId;
        if (item.news !== undefined) tell(item.news);
      }
    } catch {
      // Whether the service can be reached is found out below.
    }
    if (signal.aborted) return;
    if (opened) {
      await wait(AFTER_BREAK);
      continue;
    }
    lastId = undefined;
    const next = await poll(reread);
    if (signal.aborted) return;
    tell({ kind: 'connection', connection: next });
    await wait(next.state === 'offline' ? OFFLINE_RETRY : POLLING);
  }
}

async function poll(reread: () => Promise<void>): Promise<Connection> {
  try {
    await reread();
  } catch (error) {
    if ((error as Partial<ApiError>).code === 'UNREACHABLE') return { state: 'offline', since: Date.now() };
  }
  return { state: 'polling' };
}

interface Item {
  readonly lastId: string | undefined;
  readonly news?: News;
}

/**
 * The first item comes as soon as the stream is open. `EventSource` is not used, because it can neither send a token nor tell
 * why a stream was refused.
 */
async function* readStream(
  { stream }: Api,
  query: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  if (stream === undefined) return;
  const broken = new AbortController();
  const either = AbortSignal.any([signal, broken.signal]);
  const blocks = readBlocks(await stream(target('/v1/events', query), either));
  try {
    yield { lastId: undefined };
    for (;;) {
      const silence = setTimeout(() => broken.abort(), SILENCE);
      const { done, value: block } = await blocks.next().finally(() => clearTimeout(silence));
      if (done === true) return;
      const { id: lastId, event, data } = block;
      if (event === 'observation' && data !== undefined)
        yield { lastId, news: { kind: 'change', change: JSON.parse(data) as Change } };
      else if (event === 'reset' && data !== undefined) yield { lastId, news: { kind: 'reread' } };
      else yield { lastId };
    }
  } finally {
    broken.abort();
  }
}

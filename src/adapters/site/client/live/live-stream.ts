import { MILLISECONDS } from '#domain/time.js';
import { readBlocks } from '../../../../../clients/typescript/src/event-blocks.js';
import { isUnreachable, type RecentParts, type WeatherEvent } from '../api.js';
import type { LiveConnection } from './connection.js';
import { currentTime } from './server-clock.js';

type Observation = Extract<WeatherEvent, { type: 'observation' }>;
/** An `observation` event of `GET /v1/events`. The parameter `include` adds the optional parts. */
export type LiveChange = Pick<Observation, 'station' | 'from' | 'to' | 'last_seen' | 'latest'> &
  Partial<Pick<Observation, 'units' | 'derived' | 'alarms'>> &
  RecentParts;

/** A message about new values. The window that reads the event stream sends this message to the other windows. */
export type LiveMessage =
  | { readonly kind: 'change'; readonly change: LiveChange }
  /** A new forecast of a station. */
  | { readonly kind: 'forecast' }
  /** Changes may have been missed: all values must be read again. */
  | { readonly kind: 'reread' }
  | { readonly kind: 'connection'; readonly connection: LiveConnection };

export interface StreamOptions {
  /** Opens the event stream after the event with the id `lastId`. @throws WeatherdError */
  readonly open:
    | ((lastId: string | undefined, signal: AbortSignal) => Promise<Response> | undefined)
    | undefined;
  readonly signal: AbortSignal;
  /** Sends a message to this window and the other windows. */
  readonly send: (changed: LiveMessage) => void;
  /** Reads the newest values again. @throws WeatherdError */
  readonly reread: () => Promise<void>;
  /** Waits for the given time, or until the network returns or `signal` is aborted. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/**
 * An event stream counts as broken if neither an event nor a comment arrives for this time in ms. The service sends a comment
 * every 15 s; this time is three times as long.
 */
const SILENCE = 45 * MILLISECONDS.second;
const AFTER_BREAK = 3 * MILLISECONDS.second;
const POLLING = MILLISECONDS.minute;
const OFFLINE_RETRY = 10 * MILLISECONDS.second;

/**
 * Reads the event stream until `signal` is aborted. If the stream cannot be opened, the newest values are read instead. The
 * stream is tried again after a minute, or after 10 seconds if the service cannot be reached.
 */
export async function readStreamOrPoll({ open, signal, send, reread, wait }: StreamOptions): Promise<void> {
  let lastId: string | undefined;
  while (!signal.aborted) {
    let opened = false;
    try {
      for await (const { id, event, data } of readStream(open, lastId, signal)) {
        if (!opened) {
          opened = true;
          send({ kind: 'connection', connection: { state: 'live' } });
          // Reads all values again, because values may have arrived between the first screen and the start of the stream.
          if (lastId === undefined) send({ kind: 'reread' });
        }
        lastId = id ?? lastId;
        if (event === 'reset') send({ kind: 'reread' });
        if (event === 'forecast') send({ kind: 'forecast' });
        if (event === 'observation')
          send({ kind: 'change', change: JSON.parse(data as string) as LiveChange });
      }
    } catch {
      // If the stream did not open, the poll below finds out whether the service can be reached.
    }
    if (signal.aborted) return;
    if (opened) {
      await wait(AFTER_BREAK);
      continue;
    }
    lastId = undefined;
    const next = await poll(reread);
    if (signal.aborted) return;
    send({ kind: 'connection', connection: next });
    await wait(next.state === 'offline' ? OFFLINE_RETRY : POLLING);
  }
}

async function poll(reread: () => Promise<void>): Promise<LiveConnection> {
  try {
    await reread();
  } catch (error) {
    if (isUnreachable(error)) return { state: 'offline', since: currentTime() };
  }
  return { state: 'polling' };
}

/**
 * Yields the blocks of the event stream: each event or comment is a block. An additional empty block comes first, as soon as the
 * stream is open.
 */
async function* readStream(open: StreamOptions['open'], lastId: string | undefined, signal: AbortSignal) {
  const broken = new AbortController();
  const response = await open?.(lastId, AbortSignal.any([signal, broken.signal]));
  if (response?.status !== 200) return;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const listen = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => broken.abort(), SILENCE);
  };
  try {
    listen();
    yield {} as Partial<Record<string, string>>;
    for await (const block of readBlocks(response.body)) {
      listen();
      yield block;
    }
  } finally {
    clearTimeout(silence);
    broken.abort();
  }
}

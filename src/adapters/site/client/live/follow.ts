import { type ApiClient, type EventQuery, targetOf } from '../api.js';
import { connection, recheckConnection, onRecheck, setConnection } from './connection.js';
import { type LiveChange, readStreamOrPoll, type StreamOptions, type LiveMessage } from './live-stream.js';
import { runInOneWindow } from './one-window.js';
import { unlessRefused } from '../unless-refused.js';

export interface Follower {
  /** Called with each change. */
  readonly changed: (change: LiveChange) => void;
  /** Called when a station of the scope has a new forecast. */
  readonly forecast?: () => void;
  /** Reads the newest values again. @throws WeatherdError */
  readonly reread: () => Promise<void>;
}

/**
 * Messages between windows. `ask` requests the state from the window that reads the event stream. `doubt` makes that window open
 * the stream again.
 */
type Message = LiveMessage | { readonly kind: 'ask' } | { readonly kind: 'doubt' };

/**
 * Follows the newest values while the page is visible. Windows that follow the same stations share one event stream: the window
 * that holds a lock reads the stream and forwards its events. Without a lock, each window reads its own stream: locks need a
 * secure context, and browsers refuse them to a frame of another site if they block its storage.
 *
 * @param scope the query of `GET /v1/events`
 * @returns a function that stops following
 */
export function follow(api: ApiClient, scope: EventQuery, follower: Follower): () => void {
  const name = `weatherd ${targetOf('/v1/events', { query: scope })}`;
  let session: AbortController | undefined;

  const handle = (changed: LiveMessage): void => {
    if (changed.kind === 'change') follower.changed(changed.change);
    else if (changed.kind === 'forecast') follower.forecast?.();
    else if (changed.kind === 'connection') setConnection(changed.connection);
    else void follower.reread().catch(() => undefined);
  };

  const begin = (): void => {
    session = new AbortController();
    const { signal } = session;
    const channel = unlessRefused(() => new BroadcastChannel(name));
    const post = (message: Message): void => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no parameter for it
      if (!signal.aborted) channel?.postMessage(message);
    };
    let isLeader = false;
    channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'ask') {
        if (isLeader) post({ kind: 'connection', connection: connection.value });
      } else if (data.kind === 'doubt') {
        if (isLeader) recheckConnection();
      } else handle(data);
    });
    const removeListener = onRecheck(() => {
      if (!isLeader) post({ kind: 'doubt' });
    });
    signal.addEventListener('abort', () => {
      removeListener();
      channel?.close();
    });
    const run = async (): Promise<void> => {
      isLeader = true;
      await readStreamOrPoll({
        open: isOneOfMany() ? undefined : opener(api, scope),
        signal,
        reread: () => {
          post({ kind: 'reread' });
          return follower.reread();
        },
        send: (changed) => {
          if (signal.aborted) return;
          post(changed);
          handle(changed);
        },
        wait: (milliseconds) => waitForNetwork(milliseconds, signal),
      });
    };
    post({ kind: 'ask' });
    // Windows without a channel cannot share a stream.
    const locks = isSecureContext && channel ? navigator.locks : undefined;
    void runInOneWindow(locks, name, signal, run);
  };
  const end = (): void => {
    session?.abort();
    session = undefined;
  };
  const update = (): void => {
    if (document.hidden) return end();
    if (session !== undefined) return;
    begin();
    // Changes were missed while the page was hidden, so the values are read again. The window that gets the lock, and reads the
    // event stream, does this anyway. All other windows need this call.
    if (wasHidden) void follower.reread().catch(() => undefined);
    wasHidden = true;
  };
  let wasHidden = false;
  document.addEventListener('visibilitychange', update);
  update();
  return () => {
    document.removeEventListener('visibilitychange', update);
    end();
    setConnection({ state: 'none' });
  };
}

/**
 * A frame reads an event stream only if its page has at most this many frames. Over HTTP/1.1, a browser opens at most 6
 * connections to a service for all frames of a page, and each stream uses one connection.
 */
const MAX_FRAMES = 4;

/** Whether the page has so many frames that their streams would leave no connection for other requests. */
function isOneOfMany(): boolean {
  return parent !== self && parent.length > MAX_FRAMES;
}

/** Returns a function that opens streams. A stream is closed as soon as another request cannot reach the service. */
function opener(api: ApiClient, scope: EventQuery): StreamOptions['open'] {
  return (lastId, signal) => {
    const doubted = new AbortController();
    signal.addEventListener(
      'abort',
      onRecheck(() => doubted.abort()),
    );
    const query = { ...scope, last_event_id: lastId };
    return api.response?.('/v1/events', { query, signal: AbortSignal.any([signal, doubted.signal]) });
  };
}

/** Waits for the given time, or until the network returns or `signal` is aborted. */
function waitForNetwork(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}

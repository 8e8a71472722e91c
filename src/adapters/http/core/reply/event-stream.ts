import type { IncomingMessage } from 'node:http';
import { chunks, EventBody, type EventFeed } from './event-body.js';
import { type Reply, streamReply } from './reply.js';

/** A reply of server-sent events (WHATWG HTML, section 9.2). The reply does not end, and each event is a few lines of text. */
export interface EventsSuccess {
  readonly kind: 'events';
  readonly status: number;
  readonly description: string;
  readonly example: string;
}

export const EVENT_STREAM_TYPE = 'text/event-stream';

/** Milliseconds that a client waits after the end of the connection, before it connects again. */
const RETRY = 3000;

/** Fields of an event. If an event has no data, a client uses only its id. */
export interface EventFields {
  readonly id?: string | undefined;
  readonly event?: string;
  /** A text without line ends. */
  readonly data?: string;
}

/** Writes one event. */
export function eventText({ id, event, data }: EventFields): string {
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}${data === undefined ? '' : `data: ${data}\n`}\n`;
}

/**
 * The first text of a stream. It contains the time after which a client reconnects, and an id, which identifies a position in the
 * sequence of all events. A client that reconnects sends the last id that it has received, and gets the events after this
 * position.
 */
export function openingText(id: string): string {
  return `retry: ${RETRY}\n${eventText({ id })}`;
}

/**
 * A comment that keeps the connection open. If the position of the stream in the sequence of all events has changed, the comment
 * is followed by the id of the new position; see `openingText`.
 */
export function keepAliveText(id: string | undefined): string {
  return `:\n${eventText({ id })}`;
}

/** Makes proxies pass events on at once. Without this header, nginx buffers replies. */
const NO_BUFFERING = { 'x-accel-buffering': 'no' };

/** Compiles a function that builds the reply of an event stream. */
export function compileEventStream(status: number) {
  const chunkOf = chunks();
  return (feed: EventFeed, { headers: sent }: IncomingMessage, headers: Record<string, string>): Reply => {
    Object.assign(headers, NO_BUFFERING);
    const body = new EventBody(feed, [sent['last-event-id']].flat()[0], chunkOf);
    return streamReply(status, EVENT_STREAM_TYPE, body, headers);
  };
}

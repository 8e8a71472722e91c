import type { IncomingMessage } from 'node:http';
import { chunks, EventBody, type EventFeed } from './event-body.js';
import { type Reply, streamReply } from './reply.js';

/** Server-sent events (WHATWG HTML, section 9.2): a reply without an end, in which each event is a few lines of text. */
export interface EventsSuccess {
  readonly kind: 'events';
  readonly status: number;
  readonly description: string;
  readonly example: string;
}

export const EVENT_STREAM_TYPE = 'text/event-stream';

/** Time in milliseconds after which a client connects again. */
const RETRY = 3000;

/** Fields of an event. A client ignores an event without data, apart from its id. */
export interface EventFields {
  readonly id?: string | undefined;
  readonly event?: string;
  /** One line. */
  readonly data?: string;
}

/** Writes one event. */
export function eventText({ id, event, data }: EventFields): string {
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}${data === undefined ? '' : `data: ${data}\n`}\n`;
}

/** The beginning of a stream. */
export function openingText(id: string): string {
  return `retry: ${RETRY}\n${eventText({ id })}`;
}

/** A comment, and the id if it is given. */
export function keepAliveText(id: string | undefined): string {
  return `:\n${eventText({ id })}`;
}

/** A proxy must pass events on at once: nginx collects replies without this header. */
const NO_BUFFERING = { 'x-accel-buffering': 'no' };

/** Compiles a function that makes the reply of an event stream. */
export function compileEventStream(status: number) {
  const chunkOf = chunks();
  return (feed: EventFeed, { headers: sent }: IncomingMessage, headers: Record<string, string>): Reply => {
    Object.assign(headers, NO_BUFFERING);
    const body = new EventBody(feed, [sent['last-event-id']].flat()[0], chunkOf);
    return streamReply(status, EVENT_STREAM_TYPE, body, headers);
  };
}

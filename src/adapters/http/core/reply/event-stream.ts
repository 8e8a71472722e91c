import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { type Reply, streamReply } from './reply.js';

/** Server-sent events (WHATWG HTML, section 9.2): a reply without an end, in which each event is a few lines of text. */
export interface EventsSuccess {
  readonly kind: 'events';
  readonly status: number;
  readonly description: string;
  readonly example: string;
}

/** The connection of an event stream. */
export interface EventSink {
  /** @returns false if nothing more should be written until `pull` is called */
  write(bytes: Uint8Array): boolean;
  /** Ends the body after what was written. */
  end(): void;
  /** Closes the connection at once. */
  cut(): void;
}

/** Writes the events of one stream. */
export interface EventFeed {
  /**
   * Begins the stream. Its result is told when the connection takes more, and when it has closed.
   *
   * @param lastEventId the header `Last-Event-ID`
   */
  open(sink: EventSink, lastEventId: string | undefined): { pull(): void; close(): void };
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

export function eventStreamReply(
  status: number,
  feed: EventFeed,
  { headers: sent }: IncomingMessage,
  headers: Record<string, string>,
): Reply {
  Object.assign(headers, NO_BUFFERING);
  const lastEventId = sent['last-event-id'];
  return streamReply(status, EVENT_STREAM_TYPE, new EventBody(feed, [lastEventId].flat()[0]), headers);
}

/** The body of an event stream. It holds one piece beyond its buffer at most: the feed waits when it is full. */
class EventBody extends Readable {
  readonly #stream: ReturnType<EventFeed['open']>;

  constructor(feed: EventFeed, lastEventId: string | undefined) {
    super();
    const sink: EventSink = {
      write: (bytes) => this.push(bytes),
      end: () => void this.push(null),
      cut: () => void this.destroy(),
    };
    this.#stream = feed.open(sink, lastEventId);
  }

  override _read(): void {
    this.#stream.pull();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#stream.close();
    done(error);
  }
}

import type { LiveReader } from './live-reader.js';

/**
 * Time between two visits of a reader, in milliseconds. A visit sends bytes that keep the connection alive; see
 * `LiveReader.visit`. The time is well below the idle timeouts of the server and of proxies.
 */
const VISIT_INTERVAL = 15_000;
/**
 * Number of groups into which the readers (event streams of clients) are divided. One group is visited at a time, so that
 * thousands of readers do not block the event loop.
 */
const GROUPS = 30;

/**
 * Visits each reader, which is the event stream of a client, every 15 s. A visit keeps the connection alive, or ends a stream
 * that has expired or accepts no data; see `LiveReader.visit`.
 */
export class ReaderRounds {
  readonly #visit: (readers: Iterable<LiveReader>) => void;
  readonly #groups = Array.from({ length: GROUPS }, () => new Set<LiveReader>());
  #timer: NodeJS.Timeout | undefined;
  #turn = 0;

  constructor(visit: (readers: Iterable<LiveReader>) => void) {
    this.#visit = visit;
  }

  /** Adds a reader, which is the event stream of a client. Its first visit (see `LiveReader.visit`) is 14.5 to 15 s later. */
  add(reader: LiveReader): void {
    this.#groupAt(this.#turn).add(reader);
    this.#timer ??= setInterval(() => this.#next(), VISIT_INTERVAL / GROUPS).unref();
  }

  delete(reader: LiveReader): void {
    for (const group of this.#groups) if (group.delete(reader)) return;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #next(): void {
    this.#turn = (this.#turn + 1) % GROUPS;
    // The group is copied, because a reader may leave during its visit.
    this.#visit([...this.#groupAt(this.#turn)]);
  }

  #groupAt(turn: number): Set<LiveReader> {
    return this.#groups[turn] as Set<LiveReader>;
  }
}

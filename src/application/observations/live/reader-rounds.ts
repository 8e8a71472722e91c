import type { LiveReader } from './live-reader.js';

/** Time between two visits of a reader in milliseconds: well below the idle time-outs of the server and of proxies. */
const VISIT_INTERVAL = 15_000;
/** Readers are visited in groups, so that thousands of them do not hold the event loop. */
const GROUPS = 30;

/** Visits each reader every 15 s. */
export class ReaderRounds {
  readonly #visit: (readers: Iterable<LiveReader>) => void;
  readonly #groups = Array.from({ length: GROUPS }, () => new Set<LiveReader>());
  #timer: NodeJS.Timeout | undefined;
  #turn = 0;

  constructor(visit: (readers: Iterable<LiveReader>) => void) {
    this.#visit = visit;
  }

  /** The first visit is 15 s later, or up to half a second before that. */
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
    // A reader may leave while it is visited.
    this.#visit([...this.#groupAt(this.#turn)]);
  }

  #groupAt(turn: number): Set<LiveReader> {
    return this.#groups[turn] as Set<LiveReader>;
  }
}

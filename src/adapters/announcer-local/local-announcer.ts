import type { Announcement, Announcer, Subscriber } from '../../application/ports/announcer.js';

/** Announcements that may wait to be delivered: a hundred commits a second for ten seconds. */
const MOST_WAITING = 1000;

/** Tells subscribers in this process, in a later turn of the event loop. */
export class LocalAnnouncer implements Announcer {
  readonly #mostWaiting: number;
  readonly #subscribers = new Set<Subscriber>();
  #waiting: Announcement[] = [];
  #isScheduled = false;

  constructor(mostWaiting = MOST_WAITING) {
    this.#mostWaiting = mostWaiting;
  }

  announce(announcement: Announcement): void {
    if (this.#subscribers.size === 0) return;
    if (this.#waiting.length >= this.#mostWaiting) this.#waiting = [{ kind: 'missed' }];
    else this.#waiting.push(announcement);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#deliver());
  }

  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => void this.#subscribers.delete(subscriber);
  }

  #deliver(): void {
    this.#isScheduled = false;
    const announcements = this.#waiting;
    this.#waiting = [];
    for (const announcement of announcements)
      for (const subscriber of this.#subscribers) void settle(subscriber, announcement);
  }
}

/** Calls a subscriber. It has its own ways to report a failure; the others must not notice. */
async function settle(subscriber: Subscriber, announcement: Announcement): Promise<void> {
  try {
    await subscriber(announcement);
  } catch {
    // Nothing depends on it: what it missed is in the store.
  }
}

import type {
  Announcement,
  AnnouncementKind,
  Announcer,
  Subscriber,
} from '../../application/ports/announcer.js';

/** Announcements that may wait to be delivered: a hundred commits a second for ten seconds. */
const MOST_WAITING = 1000;

interface Subscription {
  readonly kinds: ReadonlySet<Announcement['kind']>;
  readonly subscriber: Subscriber;
}

/** Tells subscribers in this process, in a later turn of the event loop. */
export class LocalAnnouncer implements Announcer {
  readonly #mostWaiting: number;
  readonly #subscriptions = new Set<Subscription>();
  #waiting: Announcement[] = [];
  #isScheduled = false;

  constructor(mostWaiting = MOST_WAITING) {
    this.#mostWaiting = mostWaiting;
  }

  announce(announcement: Announcement): void {
    if (!this.#isWanted(announcement)) return;
    if (this.#waiting.length >= this.#mostWaiting) this.#waiting = [{ kind: 'missed' }];
    else this.#waiting.push(announcement);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#deliver());
  }

  subscribe(kinds: readonly AnnouncementKind[], subscriber: Subscriber): () => void {
    const subscription = { kinds: new Set<Announcement['kind']>([...kinds, 'missed']), subscriber };
    this.#subscriptions.add(subscription);
    return () => void this.#subscriptions.delete(subscription);
  }

  #isWanted({ kind }: Announcement): boolean {
    for (const { kinds } of this.#subscriptions) if (kinds.has(kind)) return true;
    return false;
  }

  #deliver(): void {
    this.#isScheduled = false;
    const announcements = this.#waiting;
    this.#waiting = [];
    for (const announcement of announcements)
      for (const { kinds, subscriber } of this.#subscriptions)
        if (kinds.has(announcement.kind)) void settle(subscriber, announcement);
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

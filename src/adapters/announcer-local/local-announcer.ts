import type { Announcement, AnnouncementKind, Announcer, Subscriber } from '#application/ports/announcer.js';

/**
 * Maximum number of announcements that wait for delivery. With 100 commits a second, this number is reached after ten seconds. If
 * more announcements wait, one announcement `missed` replaces all of them.
 */
const MAX_WAITING = 1000;

interface Subscription {
  readonly kinds: ReadonlySet<Announcement['kind']>;
  readonly subscriber: Subscriber;
}

/** Passes announcements to the subscribers in this process, in a later turn of the event loop. */
export class LocalAnnouncer implements Announcer {
  readonly #maxWaiting: number;
  readonly #subscriptions = new Set<Subscription>();
  #waiting: Announcement[] = [];
  #isScheduled = false;

  constructor(maxWaiting = MAX_WAITING) {
    this.#maxWaiting = maxWaiting;
  }

  announce(announcement: Announcement): void {
    if (!this.#isWanted(announcement)) return;
    if (this.#waiting.length >= this.#maxWaiting) this.#waiting = [{ kind: 'missed' }];
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
        if (kinds.has(announcement.kind)) void callSubscriber(subscriber, announcement);
  }
}

/** Calls a subscriber. A failure of the subscriber does not affect the other subscribers. */
async function callSubscriber(subscriber: Subscriber, announcement: Announcement): Promise<void> {
  try {
    await subscriber(announcement);
  } catch {
    // The error is ignored, because the subscriber itself reports it. No data are lost: the announced data are already in the
    // store.
  }
}

import type { Announcement } from '#application/ports/announcer.js';
import type { Channel } from './channel.js';

/** Name of the messages. */
export const ANNOUNCE = 'announce';
/** Largest number of announcements that have not left this process. One of 1,000 stations has 28 KB. */
const MAX_WAITING = 100;

/** Sends announcements to another process. If it does not read them, it gets `missed` in their place when it reads again. */
export class AnnouncementOutbox {
  readonly #channel: Pick<Channel, 'notify'>;
  #waiting = 0;
  #hasMissed = false;

  constructor(channel: Pick<Channel, 'notify'>) {
    this.#channel = channel;
  }

  send(announcement: Announcement): void {
    if (this.#waiting >= MAX_WAITING) {
      this.#hasMissed = true;
      return;
    }
    this.#waiting += 1;
    this.#channel.notify(ANNOUNCE, announcement, () => this.#sent());
  }

  /** Sends what may have been left out. To be called before the connection is closed. */
  flush(): void {
    if (this.#hasMissed) this.#channel.notify(ANNOUNCE, { kind: 'missed' } satisfies Announcement);
    this.#hasMissed = false;
  }

  #sent(): void {
    this.#waiting -= 1;
    if (this.#waiting > 0 || !this.#hasMissed) return;
    this.#hasMissed = false;
    this.send({ kind: 'missed' });
  }
}

import type { Announcement } from '#application/ports/announcer.js';
import type { Channel } from './channel.js';

/** Name of the messages that carry announcements. An announcement tells another process which data have changed. */
export const ANNOUNCE = 'announce';
/**
 * Maximum number of announcements that wait to be sent. An announcement tells another process which data have changed. An
 * announcement about 1,000 stations is 28 KB long.
 */
const MAX_WAITING = 100;

/**
 * Sends announcements to another process. An announcement tells the other process which data have changed.
 *
 * If the other process does not read, and too many announcements already wait, further announcements are dropped. When the other
 * process reads again, it gets the announcement `missed`, which means that any data may have changed.
 */
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

  /**
   * If announcements of changes were dropped, sends the announcement `missed`, which means that any data may have changed. Call
   * it before the connection is closed.
   */
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

import type { Announcement } from '#application/ports/announcer.js';
import type { Channel } from './channel.js';

/** Name of the messages that carry announcements. An announcement tells another process which data have changed. */
export const ANNOUNCE = 'announce';
/**
 * Maximum number of announcements that wait to be sent. An announcement tells which data have changed. If data of 1,000 stations
 * have changed, it is 28 KB long.
 */
const MAX_WAITING = 100;

/**
 * Sends announcements to another process, which tell it which data have changed. If the other process does not read, further
 * announcements are dropped. When the other process reads again, it gets the announcement `missed`, which means that any data may
 * have changed.
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

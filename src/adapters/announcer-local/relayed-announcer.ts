import type { AnnouncementExchange } from '#application/ports/announcement-exchange.js';
import type { Announcement, AnnouncementKind, Announcer, Subscriber } from '#application/ports/announcer.js';

/** Announces changes in this process and, if other instances can use the same data, to the other instances. */
export class RelayedAnnouncer implements Announcer {
  readonly #local: Announcer;
  readonly #exchange: AnnouncementExchange | undefined;

  constructor(local: Announcer, exchange: AnnouncementExchange | undefined) {
    this.#local = local;
    this.#exchange = exchange;
  }

  announce(announcement: Announcement): void {
    this.#local.announce(announcement);
    this.#exchange?.send(announcement);
  }

  subscribe(kinds: readonly AnnouncementKind[], subscriber: Subscriber): () => void {
    return this.#local.subscribe(kinds, subscriber);
  }

  /**
   * Begins to announce in this process the changes that other instances announce. The service calls this method. A command does
   * not call it, because a command only runs for a short time.
   */
  listen(): void {
    this.#exchange?.listen((announcement) => this.#local.announce(announcement));
  }
}

import type { AnnouncementExchange } from '#application/ports/announcement-exchange.js';
import type { Announcement, AnnouncementKind, Announcer, Subscriber } from '#application/ports/announcer.js';

/** Announces changes in this process and, where other instances can use the same data, to them. */
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

  /** Begins to announce here what other instances announce. Only the service does it; a command ends too soon. */
  listen(): void {
    this.#exchange?.listen((announcement) => this.#local.announce(announcement));
  }
}

import type { Announcement } from './announcer.js';

/**
 * Exchanges announcements with the other instances on the same data. An announcement arrives after its commit, usually within
 * milliseconds. If announcements may have been lost, `missed` arrives.
 */
export interface AnnouncementExchange {
  /** Returns at once and never throws. */
  send(announcement: Announcement): void;
  /** @param receiver gets the announcements of other instances until the stores are closed */
  listen(receiver: (announcement: Announcement) => void): void;
}

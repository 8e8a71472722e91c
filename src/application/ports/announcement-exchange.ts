import type { Announcement } from './announcer.js';

/**
 * Takes announcements to the other instances on the same data, and brings theirs. An announcement arrives after its commit
 * and usually within milliseconds; what may have been lost arrives as `missed`.
 */
export interface AnnouncementExchange {
  /** Returns at once and never throws. */
  send(announcement: Announcement): void;
  /** @param receiver gets the announcements of other instances until the stores are closed */
  listen(receiver: (announcement: Announcement) => void): void;
}

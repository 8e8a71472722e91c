import type { Announcement } from './announcer.js';

/**
 * Exchanges announcements with the other instances on the same data. An announcement says which data a commit has changed. It
 * arrives after its commit, usually within milliseconds. If announcements may have been lost, the announcement `missed` arrives.
 */
export interface AnnouncementExchange {
  /** Sends an announcement to the other instances. Returns at once and never throws. */
  send(announcement: Announcement): void;
  /** @param receiver gets the announcements of other instances until the stores are closed */
  listen(receiver: (announcement: Announcement) => void): void;
}

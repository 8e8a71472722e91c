import type { ObservationChanges } from '../../domain/weather/changed-rows.js';

/** What has just been committed. */
export type Announcement =
  | { readonly kind: 'observations'; readonly changes: ObservationChanges }
  /** Stations were made, changed, removed or restored. */
  | { readonly kind: 'stations' }
  /** Announcements were dropped because too many waited: anything may have changed. */
  | { readonly kind: 'missed' };

export type AnnouncementKind = Exclude<Announcement['kind'], 'missed'>;

/**
 * Called with one announcement after the other, in order, after the commit. A promise that it returns is not awaited. What it
 * throws or rejects with is ignored.
 */
export type Subscriber = (announcement: Announcement) => unknown;

/**
 * Tells subscribers in this process what has changed. Other processes change data too (an import beside the service, another
 * instance on the same database): whoever must not be out of date still asks the store.
 */
export interface Announcer {
  /**
   * Returns at once and never throws: subscribers are called later. Does nothing where nobody has subscribed to the kind.
   * Announcements that wait are bounded in number; beyond the bound they are dropped and subscribers get `missed` instead.
   */
  announce(announcement: Announcement): void;
  /**
   * @param kinds of announcements that the subscriber gets; it gets `missed` too
   * @returns the function that ends the subscription
   */
  subscribe(kinds: readonly AnnouncementKind[], subscriber: Subscriber): () => void;
}

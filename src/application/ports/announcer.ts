import type { ObservationChanges } from '#domain/weather/changed-rows.js';

/** A change that has just been committed. */
export type Announcement =
  | { readonly kind: 'observations'; readonly changes: ObservationChanges }
  /** Stations were created, changed, removed or restored. */
  | { readonly kind: 'stations' }
  /** A forecast was issued. `station` is `Station.number`; `issued` is in milliseconds since 1970-01-01T00:00:00Z. */
  | { readonly kind: 'forecast'; readonly station: number; readonly issued: number }
  /** Announcements were dropped because too many were waiting. Any data may have changed. */
  | { readonly kind: 'missed' };

export type AnnouncementKind = Exclude<Announcement['kind'], 'missed'>;

/**
 * Called after the commit with one announcement at a time, in order. A returned promise is not awaited, and errors are
 * ignored.
 */
export type Subscriber = (announcement: Announcement) => unknown;

/**
 * Announces changes to subscribers in this process. Other processes, for example another instance on the same database, also
 * change the data. So code that needs the current state must still read it from the store.
 */
export interface Announcer {
  /**
   * Returns at once and never throws; subscribers are called later. Does nothing if the kind has no subscriber. The number of
   * waiting announcements is limited. Announcements beyond the limit are dropped, and subscribers get the announcement `missed`
   * instead.
   */
  announce(announcement: Announcement): void;
  /**
   * @param kinds announcements that the subscriber gets, in addition to `missed`
   * @returns the function that ends the subscription
   */
  subscribe(kinds: readonly AnnouncementKind[], subscriber: Subscriber): () => void;
}

import { MILLISECONDS } from '#domain/time.js';

/** Milliseconds for which a sender of rain is remembered. */
const MAX_AGE = MILLISECONDS.day;
/** Maximum number of remembered stations. */
const MAX_STATIONS = 10_000;
/** Maximum number of remembered senders of a station. */
const MAX_SENDERS = 8;

/**
 * Remembers which sources (devices that send rain) have recently stored rain of each station in this process. If two sources
 * store the rain of a station, the rain is counted twice.
 */
export class RainSenders {
  /** For each station id, the `Clock.uptime` of the last rain of each source. The station with the most recent rain is last. */
  readonly #stations = new Map<string, Map<string, number>>();

  /** Notes that a source has stored rain. @returns the other sources that have recently stored rain of the station */
  note(station: string, source: string, now: number): readonly string[] {
    const senders = this.#stations.get(station) ?? new Map<string, number>();
    for (const [other, at] of senders) if (now - at > MAX_AGE) senders.delete(other);
    if (senders.has(source) || senders.size < MAX_SENDERS) senders.set(source, now);
    this.#stations.delete(station);
    this.#stations.set(station, senders);
    const [oldest] = this.#stations.keys();
    if (oldest !== undefined && this.#stations.size > MAX_STATIONS) this.#stations.delete(oldest);
    return [...senders.keys()].filter((other) => other !== source);
  }
}

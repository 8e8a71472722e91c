import { MILLISECONDS } from '#domain/time.js';

/** Milliseconds for which a sender of rain is remembered. */
const MAX_AGE = MILLISECONDS.day;
/** Largest numbers of stations, and of senders of each, that are remembered. */
const MAX_STATIONS = 10_000;
const MAX_SENDERS = 8;

/** The sources that have lately stored rain of each station, as far as this process has seen. Amounts of several add up. */
export class RainSenders {
  /** By id of the station, then `Clock.uptime` by source. The station that was seen last comes last. */
  readonly #stations = new Map<string, Map<string, number>>();

  /** Notes that a source has stored rain. @returns the other sources that have */
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

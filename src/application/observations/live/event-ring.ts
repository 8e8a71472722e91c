import { MILLISECONDS } from '#domain/time.js';
import type { Newest } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';
import { LiveEvent, type LiveExtras } from './live-event.js';

/** Maximum age of an event, in milliseconds. */
export const MAX_EVENT_AGE = 15 * MILLISECONDS.minute;
/** Maximum number of events. An event with 12 variables and its encoded bytes take about 2 KB. */
const RING_EVENTS = 10_000;

/**
 * The newest events, in a ring buffer: if the ring is full, a new event replaces the oldest event. Each event has a sequence
 * number, which is 1 higher than the sequence number of the event before it. Events are found by this number.
 */
export class EventRing {
  readonly #capacity: number;
  /** The event with the sequence number s is at index s modulo the capacity. */
  readonly #events: (LiveEvent | undefined)[] = [];
  /** Sequence number of the newest event of each station, by `Station.number`. */
  readonly #newest = new Map<number, number>();
  #first = 1;
  #last = 0;

  constructor(capacity = RING_EVENTS) {
    this.#capacity = capacity;
  }

  /** Sequence number of the last event; 0 before the first event. */
  get last(): number {
    return this.#last;
  }

  /** Whether the ring still has all events after the event with this sequence number. */
  hasAllAfter(sequence: number): boolean {
    return sequence >= this.#first - 1 && sequence <= this.#last;
  }

  /** The event with this sequence number. @returns undefined if the event is no longer in the ring */
  at(sequence: number): LiveEvent | undefined {
    if (sequence < this.#first || sequence > this.#last) return undefined;
    return this.#events[sequence % this.#capacity];
  }

  /** Whether the ring has no later event of the same station. */
  isNewest({ station, sequence }: LiveEvent): boolean {
    return this.#newest.get(station.number) === sequence;
  }

  /** Adds an event for a change of a station. @param now in milliseconds since 1970-01-01T00:00:00Z */
  add(
    station: Station,
    range: { readonly from: number; readonly to: number },
    newest: Newest,
    now: number,
    extras?: LiveExtras,
  ): LiveEvent {
    const previous = this.#newest.get(station.number) ?? 0;
    const event = new LiveEvent(this.#last + 1, previous, now, station, range, newest, extras);
    if (event.sequence - this.#first >= this.#capacity) this.#dropFirst();
    this.#last = event.sequence;
    this.#events[event.sequence % this.#capacity] = event;
    this.#newest.set(station.number, event.sequence);
    return event;
  }

  /** Drops the events older than `MAX_EVENT_AGE`. @param now in milliseconds since 1970-01-01T00:00:00Z */
  dropOld(now: number): void {
    for (let event = this.at(this.#first); event !== undefined; event = this.at(this.#first)) {
      if (event.time > now - MAX_EVENT_AGE) return;
      this.#dropFirst();
    }
  }

  /**
   * Drops all events, because changes after them were missed. One sequence number is skipped; it stands for the missed changes.
   * So a client that reconnects with the number of an event from before this call cannot resume its stream, and is told to read
   * the data again.
   */
  skip(): void {
    this.#events.length = 0;
    this.#newest.clear();
    this.#last += 1;
    this.#first = this.#last + 1;
  }

  #dropFirst(): void {
    const index = this.#first % this.#capacity;
    const event = this.#events[index];
    if (event !== undefined && this.isNewest(event)) this.#newest.delete(event.station.number);
    this.#events[index] = undefined;
    this.#first += 1;
  }
}

import type { Station } from '#domain/weather/station.js';
import type { EventRing } from './event-ring.js';
import type { LiveEncoder, LiveEvent, ResetReason, LiveStationChange } from './live-event.js';
import type { WantedStations } from './wanted-stations.js';

/** The connection of a reader. */
export interface LiveSink {
  /** @returns false if nothing more should be written until `LiveReader.pull` is called */
  write(bytes: Uint8Array): boolean;
  /** Ends the stream after what was written. */
  end(): void;
  /** Ends the stream at once. */
  cut(): void;
}

/** What readers share. */
export interface LiveSource {
  readonly ring: EventRing;
  /** Makes the position of a sequence. */
  readonly positionOf: (sequence: number) => string;
  /** A station as it is now; undefined if it has been removed. */
  readonly present: (station: Station) => Station | undefined;
}

/** Number of events that are written in one piece when a reader catches up. */
const EVENTS_AT_ONCE = 64;
/** Number of visits, 15 s apart, after which a reader that is behind and takes nothing is cut off. */
const MAX_STALLED = 2;

/**
 * One reader of events. While it is in step, each event is written when it happens. A reader that does not read in time
 * falls behind. It then takes events from the ring at its own speed, of each station only the newest one:
 *
 *     sequence  1 2 3 4 5 6 7 8 9
 *     station   a b a c a b c a b     the reader got 1 and 2, then fell behind: a8 (for 3, 5, 8), c7 (for 4, 7), b9 (for 6, 9)
 *
 * These events have no position, because after a broken line the reader would not learn of what was left out. A reader that
 * falls out of the ring is cut off, and gets a reset when it returns.
 */
export class LiveReader {
  readonly #wanted: WantedStations;
  readonly #encoder: LiveEncoder;
  readonly #sink: LiveSink;
  readonly #source: LiveSource;
  /** Whether the connection takes more. */
  #isReady = true;
  #isBehind = false;
  /** Sequence up to which the reader has all it needs, as far as it is known: exact while it is behind. */
  #seen: number;
  /** Up to this sequence it gets each event, with its position. */
  #replayUntil = 0;
  /** The sequence at which it fell behind. */
  #behindSince = 0;
  #stalled = 0;
  #visits: number;

  /** @param visits after which the stream ends; undefined for a stream without an end */
  constructor(
    wanted: WantedStations,
    encoder: LiveEncoder,
    sink: LiveSink,
    source: LiveSource,
    visits = Infinity,
  ) {
    this.#wanted = wanted;
    this.#encoder = encoder;
    this.#sink = sink;
    this.#source = source;
    this.#visits = visits;
    this.#seen = source.ring.last;
  }

  get encoder(): LiveEncoder {
    return this.#encoder;
  }

  /** Begins the stream with the events after this sequence, all of which the ring must have. */
  begin(after: number): void {
    const { ring, positionOf } = this.#source;
    this.#write(this.#encoder.opening(positionOf(after)));
    if (after === ring.last) return;
    this.#isBehind = true;
    this.#seen = after;
    this.#replayUntil = ring.last;
    this.#behindSince = ring.last;
    this.#catchUp();
  }

  /** Begins the stream at present, and tells the reader that it may have missed changes. */
  beginAnew(reason: ResetReason): void {
    const position = this.#source.positionOf(this.#source.ring.last);
    this.#write(Buffer.concat([this.#encoder.opening(position), this.#encoder.reset(reason, position)]));
  }

  /** Continues after the connection has taken what was written. */
  pull(): void {
    this.#isReady = true;
    this.#stalled = 0;
    if (this.#isBehind) this.#catchUp();
  }

  /**
   * Offers bytes that belong to the sequences after `before`, up to `last`.
   *
   * @param bytes of the events among them that the reader wants
   */
  offer(bytes: Uint8Array, before: number, last: number): void {
    if (this.#isBehind || this.#seen >= last) return;
    if (this.#isReady) this.#write(bytes);
    else this.#fallBehind(before);
  }

  /** To be called every 15 s. @param bytes that show that the connection works */
  visit(bytes: Uint8Array): void {
    this.#visits -= 1;
    if (this.#visits <= 0) this.end();
    else if (this.#isReady && !this.#isBehind) this.#write(bytes);
    else if (this.#isBehind && (this.#stalled += 1) >= MAX_STALLED) this.#sink.cut();
  }

  /** Ends the stream: in order if the connection takes what was written. */
  end(): void {
    if (!this.#isReady) return this.#sink.cut();
    this.#isReady = false;
    this.#sink.end();
  }

  #write(bytes: Uint8Array): void {
    this.#isReady = this.#sink.write(bytes);
  }

  #fallBehind(at: number): void {
    this.#isBehind = true;
    this.#seen = at;
    this.#behindSince = at;
  }

  #catchUp(): void {
    const { ring, positionOf } = this.#source;
    while (this.#isReady && this.#isBehind) {
      if (!ring.hasAllAfter(this.#seen)) return this.#sink.cut();
      const pieces = this.#take();
      if (this.#seen === ring.last) {
        this.#isBehind = false;
        if (this.#seen > this.#replayUntil) pieces.push(this.#encoder.keepAlive(positionOf(this.#seen)));
      }
      if (pieces.length > 0) this.#write(joinPieces(pieces));
    }
  }

  /** The bytes of the next events. */
  #take(): Uint8Array[] {
    const { ring, positionOf, present } = this.#source;
    const pieces: Uint8Array[] = [];
    while (pieces.length < EVENTS_AT_ONCE && this.#seen < ring.last) {
      this.#seen += 1;
      const event = ring.at(this.#seen);
      const station = event && present(event.station);
      if (event === undefined || station === undefined || !this.#wanted.matches(station)) continue;
      if (event.sequence <= this.#replayUntil)
        pieces.push(event.bytes(this.#encoder, positionOf(event.sequence)));
      else if (ring.isNewest(event)) pieces.push(this.#encoder.change(this.#together(event), undefined));
    }
    return pieces;
  }

  /** The event with the ranges of those before it that were left out. */
  #together(event: LiveEvent): LiveStationChange {
    let { from, to } = event;
    let earlier = this.#source.ring.at(event.previous);
    while (earlier !== undefined && earlier.sequence > this.#behindSince) {
      from = Math.min(from, earlier.from);
      to = Math.max(to, earlier.to);
      earlier = this.#source.ring.at(earlier.previous);
    }
    const { station, revision, lastSeen, each, today } = event;
    return { station, from, to, revision, lastSeen, each, today };
  }
}

/** Joins the bytes of several events. Those of one event are shared and not copied. */
export function joinPieces(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  return first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces);
}

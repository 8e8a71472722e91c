import type { Station } from '#domain/weather/station.js';
import type { EventRing } from './event-ring.js';
import type { LiveEncoder, LiveEvent, ResetReason, LiveStationChange } from './live-event.js';
import type { WantedStations } from './wanted-stations.js';

/** The connection to a client, to which its events are written. */
export interface LiveSink {
  /** @returns false if the caller must wait for `LiveReader.pull` before it writes more */
  write(bytes: Uint8Array): boolean;
  /** Ends the stream after the bytes that are already written. */
  end(): void;
  /** Closes the connection at once. */
  cut(): void;
}

/** The objects that the event streams of all clients share. */
export interface LiveSource {
  readonly ring: EventRing;
  /** Formats the sequence number of an event as a position in the stream, which is the id of the event. */
  readonly positionOf: (sequence: number) => string;
  /** The current settings of a station; undefined if the station was removed. */
  readonly present: (station: Station) => Station | undefined;
}

/** Maximum number of events that are written together to a client that has not received all earlier events yet. */
const EVENTS_AT_ONCE = 64;
/**
 * Number of calls of `visit`, 15 s apart, after which a client is disconnected if events wait for it and its connection accepts
 * no data.
 */
const MAX_STALLED = 2;

/**
 * A reader: the event stream of one client. The newest events are stored in a ring buffer (`EventRing`). Each event has a
 * sequence number, and its position in the stream, made from this number, is sent as the id of the event. A client that
 * reconnects sends the last position that it received, and resumes the stream there.
 *
 * While the reader is up to date, each event is written when it happens. A reader that does not accept the data in time falls
 * behind. It then gets the events from the ring at its own speed, and only the newest event of each station:
 *
 *     sequence  1 2 3 4 5 6 7 8 9
 *     station   a b a c a b c a b     the reader got 1 and 2, then fell behind: a8 (for 3, 5, 8), c7 (for 4, 7), b9 (for 6, 9)
 *
 * These events are sent without a position, because a client that resumed from such a position would miss the events that were
 * skipped. A reader whose next event is no longer in the ring is disconnected. When its client reconnects, it is told to read the
 * data again.
 */
export class LiveReader {
  readonly #wanted: WantedStations;
  readonly #encoder: LiveEncoder;
  readonly #sink: LiveSink;
  readonly #source: LiveSource;
  /** Whether the connection accepts more data. */
  #isReady = true;
  #isBehind = false;
  /**
   * While the client has not received all earlier events yet: sequence number of the last event that was sent or skipped. When
   * the client is up to date, the number is not changed any more.
   */
  #seen: number;
  /**
   * For a client that resumes an earlier stream and has missed events: sequence number of the last event when the new stream
   * began. Up to this event, the client gets every event that it missed, each with its position. Of later events, a client that
   * reads too slowly gets only the newest event of each station.
   *
   * 0 for other clients.
   */
  #replayUntil = 0;
  /**
   * Sequence number of the last event before the reader fell behind, because its client read more slowly than events happened;
   * for a resumed stream, the last event before the stream began.
   */
  #behindSince = 0;
  #stalled = 0;
  #visits: number;

  /** @param visits number of calls of `visit`, 15 s apart, after which the stream ends; undefined for a stream without an end */
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

  /** Begins the stream with the events after a sequence number. The ring must still have all these events. */
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

  /** Begins the stream after the last event, and tells the client that it may have missed changes. */
  beginAnew(reason: ResetReason): void {
    const position = this.#source.positionOf(this.#source.ring.last);
    this.#write(Buffer.concat([this.#encoder.opening(position), this.#encoder.reset(reason, position)]));
  }

  /** Continues after the connection has sent the written bytes. */
  pull(): void {
    this.#isReady = true;
    this.#stalled = 0;
    if (this.#isBehind) this.#catchUp();
  }

  /**
   * Writes the given new events if the reader is up to date and its connection accepts data. If the connection accepts no data,
   * the reader falls behind, and later gets the events from the ring. Does nothing if the reader is behind or has these events
   * already.
   *
   * @param bytes the encoded events that the reader wants, from the events with the sequence numbers `before + 1` to `last`
   */
  offer(bytes: Uint8Array, before: number, last: number): void {
    if (this.#isBehind || this.#seen >= last) return;
    if (this.#isReady) this.#write(bytes);
    else this.#fallBehind(before);
  }

  /** Writes a message without a position, unless the reader has fallen behind or its connection accepts no data. */
  tell(bytes: Uint8Array): void {
    if (this.#isReady && !this.#isBehind) this.#write(bytes);
  }

  /**
   * Keeps the stream alive, or ends a stream that has expired or accepts no data. Must be called every 15 s.
   *
   * @param bytes a message that keeps the connection alive
   */
  visit(bytes: Uint8Array): void {
    this.#visits -= 1;
    if (this.#visits <= 0) this.end();
    else if (this.#isReady && !this.#isBehind) this.#write(bytes);
    else if (this.#isBehind && (this.#stalled += 1) >= MAX_STALLED) this.#sink.cut();
  }

  /**
   * Ends the stream. If the connection accepts data, the bytes that are already written are sent first. Otherwise the connection
   * is closed at once.
   */
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
      const pieces = this.#nextPieces();
      if (this.#seen === ring.last) {
        this.#isBehind = false;
        if (this.#seen > this.#replayUntil) pieces.push(this.#encoder.keepAlive(positionOf(this.#seen)));
      }
      if (pieces.length > 0) this.#write(joinPieces(pieces));
    }
  }

  /** Encodes the next stored events that must be sent to the client, at most `EVENTS_AT_ONCE`. */
  #nextPieces(): Uint8Array[] {
    const { ring, positionOf, present } = this.#source;
    const pieces: Uint8Array[] = [];
    while (pieces.length < EVENTS_AT_ONCE && this.#seen < ring.last) {
      this.#seen += 1;
      const event = ring.at(this.#seen);
      const station = event && present(event.station);
      if (event === undefined || station === undefined || !this.#wanted.matches(station)) continue;
      if (event.sequence <= this.#replayUntil)
        pieces.push(event.bytes(this.#encoder, positionOf(event.sequence)));
      else if (ring.isNewest(event)) pieces.push(this.#encoder.change(this.#merged(event), undefined));
    }
    return pieces;
  }

  /**
   * Returns the change that is sent for an event to a reader that has fallen behind. Earlier events of the station were skipped
   * for this reader, so the range of changed times (`from` to `to`) also includes the ranges of the skipped events.
   */
  #merged(event: LiveEvent): LiveStationChange {
    let { from, to } = event;
    let earlier = this.#source.ring.at(event.previous);
    while (earlier !== undefined && earlier.sequence > this.#behindSince) {
      from = Math.min(from, earlier.from);
      to = Math.max(to, earlier.to);
      earlier = this.#source.ring.at(earlier.previous);
    }
    const { station, revision, lastSeen, each, recent, rain, alarms } = event;
    return { station, from, to, revision, lastSeen, each, recent, rain, alarms };
  }
}

/** Joins the bytes of several events. A single piece is returned without a copy, so that all readers share the same bytes. */
export function joinPieces(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  return first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces);
}

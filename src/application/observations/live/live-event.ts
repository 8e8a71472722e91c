import type { Today } from '#domain/weather/current/today.js';
import type { Newest } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';

/** What a reader is told about a change of a station. */
export interface LiveStationChange {
  readonly station: Station;
  /** First and last time of the changed rows, both included, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /** `Newest.revision` after the change. */
  readonly revision: string;
  /** Time of the newest row, or null if there is none that can be read. */
  readonly lastSeen: number | null;
  /** Calls `visit` for the newest value of each variable, by rising number of the variable. */
  readonly each: Newest['each'];
  /** The values of the local day of the station, if a reader wants them and they can be read. */
  readonly today?: Today | undefined;
}

/** Why a reader may have missed changes. */
export type ResetReason =
  /** The position is not one of this process, or is ahead of its last event. */
  | 'unknown_position'
  /** The changes after the position are no longer kept. */
  | 'too_old'
  /** The service itself may have missed changes. */
  | 'missed';

/** Writes what a reader receives. */
export interface LiveEncoder {
  /** Equal for encoders that write the same bytes. */
  readonly key: string;
  /** @param position to resume from after this event; undefined if the reader must resume from an earlier one */
  change(change: LiveStationChange, position: string | undefined): Uint8Array;
  /** Tells the reader to read the data again. */
  reset(reason: ResetReason, position: string): Uint8Array;
  /** The beginning of a stream. */
  opening(position: string): Uint8Array;
  /** Shows that the connection still works. @param position the new one, if it is known */
  keepAlive(position: string | undefined): Uint8Array;
}

/** Numbers that a value takes in `LiveEvent.#values`: variable, time, value, flags. */
const FIELDS = 4;

/** A change in the ring, with a copy of the newest values of its station at that time. */
export class LiveEvent implements LiveStationChange {
  /** Rises by 1 with each event of the ring. */
  readonly sequence: number;
  /** Sequence of the event before it of the same station, or 0. It may be no longer in the ring. */
  readonly previous: number;
  readonly time: number;
  readonly station: Station;
  readonly from: number;
  readonly to: number;
  readonly revision: string;
  readonly lastSeen: number | null;
  readonly today: Today | undefined;
  readonly #values: Float64Array;
  /** The bytes that were written first. Nearly all readers ask for the same ones. */
  #written: { readonly key: string; readonly bytes: Uint8Array } | undefined;

  /** @param time when the event was made, in milliseconds since 1970-01-01T00:00:00Z */
  constructor(
    sequence: number,
    previous: number,
    time: number,
    station: Station,
    range: { readonly from: number; readonly to: number },
    newest: Newest,
    today?: Today,
  ) {
    this.sequence = sequence;
    this.previous = previous;
    this.time = time;
    this.station = station;
    this.from = range.from;
    this.to = range.to;
    this.revision = newest.revision;
    this.lastSeen = newest.lastSeen;
    this.today = today;
    const values: number[] = [];
    newest.each((variable, at, value, flags) => values.push(variable, at, value, flags));
    this.#values = new Float64Array(values);
  }

  readonly each: Newest['each'] = (visit) => {
    const values = this.#values;
    for (let at = 0; at < values.length; at += FIELDS)
      visit(
        values[at] as number,
        values[at + 1] as number,
        values[at + 2] as number,
        values[at + 3] as number,
      );
  };

  /** The bytes of this event, made once for all readers with the same encoder. */
  bytes(encoder: LiveEncoder, position: string): Uint8Array {
    if (this.#written?.key === encoder.key) return this.#written.bytes;
    const bytes = encoder.change(this, position);
    this.#written ??= { key: encoder.key, bytes };
    return bytes;
  }
}

import type { AlarmOfStation } from '#domain/alarms/alarm.js';
import type { Newest } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';
import type { Recent } from '../read/current/read-recent.js';
import type { RainSums } from '../read/current/sum-rain.js';

/** The data that clients can request in addition to the newest values. Data that could not be read are absent. */
export interface LiveExtras {
  /** Totals of the local day and trends of the last hours. */
  readonly recent?: Recent | undefined;
  /** Sums of precipitation of the local month and year. */
  readonly rain?: RainSums | undefined;
  /** The raised alarms, in order of their names. */
  readonly alarms?: readonly AlarmOfStation[] | undefined;
}

/** A change of a station, with the data that clients receive. */
export interface LiveStationChange extends LiveExtras {
  readonly station: Station;
  /** First and last time of the changed rows, both included, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
  /**
   * The revision of the station after the change: a text that changes whenever data of the station change; see `Newest.revision`.
   */
  readonly revision: string;
  /** Time of the newest row; null if there is no readable row. */
  readonly lastSeen: number | null;
  /** Calls `visit` for the newest value of each variable, in rising order of the variable numbers. */
  readonly each: Newest['each'];
}

/**
 * The reason why a client may have missed changes. A client that reconnects sends the id of the last event that it received. This
 * id is its position in the stream.
 */
export type ResetReason =
  /** The client has sent a position that another process has assigned, or that is later than the last event of this process. */
  | 'unknown_position'
  /** The events after the position that the client has sent are no longer stored; see `EventRing`. */
  | 'too_old'
  /** The service itself may have missed changes, so that no events were created for them. */
  | 'missed'
  /** A station of the stream was removed, hidden from the client, or moved out of the requested area. */
  | 'removed';

/**
 * Encodes events and control messages for clients. A position is the id of an event; a client that reconnects sends it to resume
 * the stream after this event.
 */
export interface LiveEncoder {
  /** Encoders with equal keys write the same bytes. */
  readonly key: string;
  /**
   * Encodes a change. @param position the id of the event, where a client that reconnects resumes the stream; undefined if the
   * client must resume after an earlier event
   */
  change(change: LiveStationChange, position: string | undefined): Uint8Array;
  /** A message that tells the client to read all data again, because it may have missed changes. */
  reset(reason: ResetReason, position: string): Uint8Array;
  /**
   * A message that a forecast was issued. It has no position: a client that reconnects reads the newest forecast.
   *
   * @param issued milliseconds since 1970-01-01T00:00:00Z
   */
  forecast(station: Station, issued: number): Uint8Array;
  /** The first bytes of a stream. @param position the position at which the stream begins */
  opening(position: string): Uint8Array;
  /** A message that keeps the connection alive. @param position the current position, if it is known */
  keepAlive(position: string | undefined): Uint8Array;
}

/** Number of array elements per value in `LiveEvent.#values`: variable, time, value, flags. */
const FIELDS = 4;

/**
 * One change of a station as it is stored in the `EventRing`, with a copy of the newest values that the station had at the time
 * of the change.
 */
export class LiveEvent implements LiveStationChange {
  /** Sequence number of the event. It is 1 higher than the sequence number of the event before it, whatever their stations. */
  readonly sequence: number;
  /** Sequence number of the previous event of the same station; 0 if there is none. That event may have been dropped already. */
  readonly previous: number;
  readonly time: number;
  readonly station: Station;
  readonly from: number;
  readonly to: number;
  readonly revision: string;
  readonly lastSeen: number | null;
  readonly recent: Recent | undefined;
  readonly rain: RainSums | undefined;
  readonly alarms: readonly AlarmOfStation[] | undefined;
  readonly #values: Float64Array;
  /**
   * The event in the encoding that was requested first. Nearly all clients use the same encoding, so only one encoding is kept.
   */
  #written: { readonly key: string; readonly bytes: Uint8Array } | undefined;

  /** @param time creation time of the event, in milliseconds since 1970-01-01T00:00:00Z */
  constructor(
    sequence: number,
    previous: number,
    time: number,
    station: Station,
    range: { readonly from: number; readonly to: number },
    newest: Newest,
    { recent, rain, alarms }: LiveExtras = {},
  ) {
    this.sequence = sequence;
    this.previous = previous;
    this.time = time;
    this.station = station;
    this.from = range.from;
    this.to = range.to;
    this.revision = newest.revision;
    this.lastSeen = newest.lastSeen;
    this.recent = recent;
    this.rain = rain;
    this.alarms = alarms;
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

  /**
   * Encodes the event. The result of the first call is kept. Later calls with an equal encoder return the same bytes, so that the
   * clients share them.
   */
  bytes(encoder: LiveEncoder, position: string): Uint8Array {
    if (this.#written?.key === encoder.key) return this.#written.bytes;
    const bytes = encoder.change(this, position);
    this.#written ??= { key: encoder.key, bytes };
    return bytes;
  }
}

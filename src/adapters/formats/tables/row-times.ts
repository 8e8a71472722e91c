import { quoted } from '#domain/quoted.js';
import { endOfInterval } from '#domain/time.js';
import type { FilePlan, FileRecord } from '../files/file-plan.js';
import { fileTimes } from './file-times.js';
import type { Fields } from './line-fields.js';
import { say } from '../files/sentences.js';
import { dayEnds, type LocalTimes, localZone, type LocalZone } from './local-zone.js';
import type { FaultReason, ReadNotes } from './read-notes.js';
import { isMet } from './row-conditions.js';
import { type Ambiguous, TimeOrder } from './time-order.js';

export interface ReadContext {
  /**
   * The id of the station of a row; undefined if the row belongs to a station that is not imported.
   *
   * @param code the code in the file; undefined if the file names no station
   */
  readonly stationOf: (code: string | undefined) => string | undefined;
  /** The time zone of a station, as `Station.timeZone`. */
  readonly zoneOf: (id: string) => string;
  readonly calendar: LocalTimes & { format(time: number, timeZone: string): string };
  /** Meters of a station above mean sea level, or null if unknown. */
  readonly elevationOf?: (id: string) => number | null;
  /**
   * The reason why a time cannot be stored; undefined if the time can be stored. `RowTimes` calls this function, because only
   * `RowTimes` knows the text of the time for the message.
   */
  readonly timeFault?: (time: number) => string | undefined;
  /** How to choose between the two instants of a local time that occurs twice. */
  readonly ambiguous: Ambiguous;
}

const TIME_OF_DAY = /[T ]\d\d:\d\d(?::\d\d)?$/;

/** Determines the stations and times of the records of a file. */
export class RowTimes {
  readonly #plan: FilePlan;
  readonly #context: ReadContext;
  readonly #notes: ReadNotes;
  readonly #times: ReturnType<typeof fileTimes>;
  readonly #zones = new Map<string, { readonly zone: LocalZone; readonly days: LocalZone }>();
  /** The time of the previous row, by station. */
  readonly #last = new Map<string, number>();
  /** The reason why the time of the last record is refused, although it is readable. */
  #outside: string | undefined;
  #order = new TimeOrder('order', []);

  constructor(plan: FilePlan, context: ReadContext, notes: ReadNotes) {
    this.#plan = plan;
    this.#context = context;
    this.#notes = notes;
    this.#times = fileTimes(plan.time.formats);
  }

  /** Whether the newest row comes first. */
  get isNewestFirst(): boolean {
    return this.#order.isNewestFirst;
  }

  /** Determines the order of the rows from the first records. */
  begin(records: readonly FileRecord[]): void {
    const timed = records.flatMap(({ fields, fault }) => {
      if (fault !== undefined) return [];
      const station = this.stationOf(fields) ?? '';
      return [{ station, instants: this.#instantsOf(fields, station) }];
    });
    this.#order = new TimeOrder(this.#context.ambiguous, timed);
  }

  /** The id of the station of a record; undefined if the record belongs to a station that is not imported. */
  stationOf(fields: Fields): string | undefined {
    const { station } = this.#plan;
    if (station === undefined) return this.#context.stationOf(undefined);
    const text = fields.at(station.at)?.trim() ?? '';
    return this.#context.stationOf(station.rename?.(text) ?? text);
  }

  /**
   * Returns the time of the next record of a station. If the file has the start of the interval that the values describe, such as
   * an hour, the result is the end of this interval. The function must be called for every record, in order.
   *
   * @returns undefined if the record has no valid time
   */
  next(fields: Fields, station: string): number | undefined {
    this.#outside = undefined;
    const instants = this.#instantsOf(fields, station);
    if (instants.length > 1) this.#notes.ambiguous += 1;
    const stamp = this.#order.choose({ station, instants });
    if (stamp === undefined) return undefined;
    const isDay = this.#isDay(fields);
    const time = isDay ? stamp : endOfInterval(stamp, this.#plan.time.interval ?? 0);
    this.#outside = this.#context.timeFault?.(time);
    if (this.#outside !== undefined) return undefined;
    // If only some rows describe a whole day, the order of these rows is not checked. Files may have such a row between the rows
    // of the hours of that day, or after them.
    if (isDay && this.#plan.time.days !== 'all') return time;
    const before = this.#last.get(station);
    if (before !== undefined && (this.isNewestFirst ? time > before : time < before)) {
      this.#notes.outOfOrder += 1;
    }
    this.#last.set(station, time);
    return time;
  }

  /** The reason why the record of the last call of `next` has no time. */
  fault(fields: Fields, station: string): FaultReason {
    const text = this.#textOf(fields);
    const shown = quoted(text);
    if (this.#outside === undefined) return this.#times.fault(text, this.#zoneOf(fields, station), shown);
    return say('time-refused', { text: shown, fault: this.#outside });
  }

  #instantsOf(fields: Fields, station: string): readonly number[] {
    return this.#times.instants(this.#textOf(fields), this.#zoneOf(fields, station));
  }

  #textOf(fields: Fields): string {
    const { at, date } = this.#plan.time;
    if (at.length === 1 && date === undefined) {
      const text = fields.at(at[0] as number)?.trim() ?? '';
      return this.#isDay(fields) && this.#plan.time.days !== 'all'
        ? text.replace(TIME_OF_DAY, 'T00:00:00')
        : text;
    }
    const texts = at.map((place) => fields.at(place)?.trim() ?? '');
    return [...(date === undefined ? [] : [date]), ...texts].join(' ');
  }

  #isDay(fields: Fields): boolean {
    const { days } = this.#plan.time;
    return days === 'all' || (days !== undefined && isMet(days, fields));
  }

  /**
   * The time zone of a record. For a record of a whole day, the returned zone converts a date to the end of that day; see
   * `dayEnds`.
   */
  #zoneOf(fields: Fields, station: string): LocalZone {
    let zones = this.#zones.get(station);
    if (zones === undefined) {
      const { calendar, zoneOf } = this.#context;
      const zone = localZone(this.#plan.time.zone, zoneOf(station), calendar);
      this.#zones.set(station, (zones = { zone, days: dayEnds(zone) }));
    }
    return this.#isDay(fields) ? zones.days : zones.zone;
  }
}

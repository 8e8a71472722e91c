import { DomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { dateText } from '#domain/weather/climate/climate-days.js';
import { localDays, startBefore } from '#domain/weather/indices/index-rows.js';
import type {
  IndexOfDays,
  IndexOfHours,
  IndexRows,
  StationIndex,
  YearStart,
} from '#domain/weather/indices/station-index.js';
import type { Station } from '#domain/weather/station.js';
import { dateOf } from '../../date-of.js';
import type { Calendar } from '../../ports/calendar.js';
import type { StationSnapshot } from '../read/describe-station.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import { type ObservationRange, type RangeRequest, rangeOf } from '../read/observation-query.js';
import { zoneOf } from '../../asked-zone.js';
import { MAX_BUCKETS } from '../read/summary-parts.js';
import type { ReadIndexDays } from './read-index-days.js';
import type { ReadIndexHours } from './read-index-hours.js';

export interface StationIndexInput<Options> extends Omit<RangeRequest, 'dayStart'> {
  readonly index: StationIndex<Options>;
  readonly options: Options;
  /** The date at which sums begin, for an index with `hasStart`. */
  readonly start?: YearStart | undefined;
  readonly quality: 'all' | 'pass';
}

/** The rows of an index whose begin is in the range. */
export interface StationIndexPage extends ObservationRange, IndexRows {
  readonly station: Station;
  readonly timeZone: string;
  /** Begin of each row: the time of the hour, or the start of the local day, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly times: Float64Array;
  /** Formats the begin of a row: a date for days, a time with the offset of the zone for hours. */
  readonly format: (time: number) => string;
}

/** Computes an index of the hours or days of a station, for example its fire weather. */
export class ComputeStationIndex {
  readonly #calendar: Calendar;
  readonly #hours: ReadIndexHours;
  readonly #days: ReadIndexDays;

  constructor(calendar: Calendar, hours: ReadIndexHours, days: ReadIndexDays) {
    this.#calendar = calendar;
    this.#hours = hours;
    this.#days = days;
  }

  /**
   * Computes the rows of a range. Without a begin, the range begins at most `MAX_BUCKETS` rows before its end.
   *
   * @throws DomainError REQUEST_INVALID for more than `MAX_BUCKETS` hours or days in the reply; otherwise as `Summarize` and
   *   `ReadClimateDays`
   */
  async execute<Options>(
    described: StationSnapshot,
    input: StationIndexInput<Options>,
    permit: Permit = UNLIMITED,
  ): Promise<StationIndexPage> {
    const { station, inventory, asOf } = described;
    const timeZone = zoneOf(this.#calendar, station, input.timeZone);
    const { index } = input;
    const whole = rangeOf(this.#calendar, station, inventory, input, asOf);
    const longest = MAX_BUCKETS * (index.gives === 'hours' ? MILLISECONDS.hour : MILLISECONDS.day);
    const range =
      input.from === undefined ? { ...whole, from: Math.max(whole.from, whole.to - longest) } : whole;
    if (range.to - range.from > longest)
      throw new DomainError(
        'REQUEST_INVALID',
        `A reply has at most ${MAX_BUCKETS} ${index.gives}: use a shorter range.`,
      );
    const following = (index.followingHours ?? 0) * MILLISECONDS.hour;
    const read = { from: this.#beginOf(range.from, timeZone, input), to: range.to + following };
    const place = { described, timeZone, read, quality: input.quality, permit };
    const found =
      index.reads === 'hours'
        ? await this.#ofHours(index, input.options, place)
        : await this.#ofDays(index, input.options, place);
    const format = (time: number) => {
      const text = this.#calendar.format(time, timeZone);
      return index.gives === 'days' ? text.slice(0, DATE_LENGTH) : text;
    };
    return { station, ...range, timeZone, format, ...rowsIn(found, range) };
  }

  /** The time from which values are read, so that the first row of the range is right. */
  #beginOf<Options>(
    from: number,
    timeZone: string,
    { index, start }: Pick<StationIndexInput<Options>, 'index' | 'start'>,
  ): number {
    const date = dateOf(this.#calendar, from, timeZone);
    const first = index.hasStart && start !== undefined ? startBefore(date, start) : date;
    return this.#startOfDay(first - index.leadDays, timeZone);
  }

  /** The first instant of a date, or of the next date if clocks skip the whole date. */
  #startOfDay(date: number, timeZone: string): number {
    return this.#calendar.startOfDay(dateText(date), timeZone, 0);
  }

  async #ofHours<Options>(
    index: IndexOfHours<Options>,
    options: Options,
    { described, timeZone, read, quality, permit }: Place,
  ): Promise<FoundRows> {
    const input = { ...read, timeZone, inputs: index.inputs, quality };
    const hours = await this.#hours.execute(described, input, permit);
    const rows = index.compute(hours, options);
    if (index.gives === 'hours') return { ...rows, times: hours.starts };
    const days = localDays(hours.dates);
    return {
      ...rows,
      times: this.#startsOf(
        days.map(({ date }) => date),
        timeZone,
      ),
    };
  }

  async #ofDays<Options>(
    index: IndexOfDays<Options>,
    options: Options,
    { described, timeZone, read, quality, permit }: Place,
  ): Promise<FoundRows> {
    const input = { ...read, timeZone, inputs: index.inputs, quality };
    const days = await this.#days.execute(described, input, permit);
    return { ...index.compute(days, options), times: this.#startsOf(days.dates, timeZone) };
  }

  /** The first instants of dates in order. Asking the calendar for all days at once takes a hundredth of the time of asking for each. */
  #startsOf(dates: ArrayLike<number>, timeZone: string): Float64Array {
    const { length } = dates;
    if (length === 0) return new Float64Array();
    const [first, last] = [dates[0], dates[length - 1]] as [number, number];
    const [from, to] = [this.#startOfDay(first, timeZone), this.#startOfDay(last + 1, timeZone)];
    const days = this.#calendar.buckets('day', timeZone, 0, from, to);
    const starts = new Map(days.map(({ start }) => [dateOf(this.#calendar, start, timeZone), start]));
    return Float64Array.from(dates, (date) => starts.get(date) ?? this.#startOfDay(date, timeZone));
  }
}

const DATE_LENGTH = '2024-02-29'.length;

interface Place {
  readonly described: StationSnapshot;
  readonly timeZone: string;
  readonly read: ObservationRange;
  readonly quality: 'all' | 'pass';
  readonly permit: Permit;
}

interface FoundRows extends IndexRows {
  readonly times: Float64Array;
}

/** The rows that begin in the range, and the row that contains its begin. */
function rowsIn({ times, columns, missing, valid }: FoundRows, { from, to }: ObservationRange): FoundRows {
  const after = times.findIndex((time) => time > from);
  const first = Math.max(0, (after === -1 ? times.length : after) - 1);
  const beyond = times.findIndex((time) => time >= to);
  // An empty range has no rows, although it begins within one.
  const last = from === to ? first : beyond === -1 ? times.length : beyond;
  const cut = <Column extends Float64Array | Int32Array | Uint8Array>(column: Column) =>
    column.subarray(first, last) as Column;
  return { times: cut(times), columns: columns.map(cut), missing: cut(missing), valid: cut(valid) };
}

import { MILLISECONDS } from '#domain/time.js';
import { type DayQuantity, dateText } from '#domain/weather/climate/climate-days.js';
import { referenceEvapotranspiration } from '#domain/weather/derived/evapotranspiration/reference-evapotranspiration.js';
import type { DailyInput, IndexDays } from '#domain/weather/indices/station-index.js';
import { dateOf } from '../../date-of.js';
import type { Calendar } from '../../ports/calendar.js';
import type { ReadClimateDays } from '../climate/read-climate-days.js';
import type { DerivePeriods } from '../read/derived/derive-periods.js';
import type { StationSnapshot } from '../read/describe-station.js';
import type { Permit } from '../read/gate/permit.js';
import type { ObservationRange } from '../read/observation-query.js';
import { MAX_BUCKETS } from '../read/summary-parts.js';

export interface IndexDaysInput extends ObservationRange {
  readonly timeZone: string;
  readonly inputs: readonly DailyInput[];
  readonly quality: 'all' | 'pass';
}

/** Length in ms of the days whose evapotranspiration is computed at a time: nearly as many as one reply of summaries may have. */
const PIECE = (MAX_BUCKETS - 10) * MILLISECONDS.day;

/**
 * Reads values of the local days of a station: published daily values where it has some, otherwise values that are computed from its
 * observations. Values of incomplete days are left out.
 */
export class ReadIndexDays {
  readonly #calendar: Calendar;
  readonly #days: ReadClimateDays;
  readonly #periods: DerivePeriods;

  constructor(calendar: Calendar, days: ReadClimateDays, periods: DerivePeriods) {
    this.#calendar = calendar;
    this.#days = days;
    this.#periods = periods;
  }

  /** Reads the days of a range that are over. @throws DomainError as `ReadClimateDays` and `Summarize` */
  async execute(
    described: StationSnapshot,
    { from, to, timeZone, inputs, quality }: IndexDaysInput,
    permit: Permit,
  ): Promise<IndexDays> {
    const first = dateOf(this.#calendar, from, timeZone);
    const last = dateOf(this.#calendar, to - 1, timeZone);
    const end = Math.min(last + 1, this.#days.today(described, { timeZone, dayStart: 0 }));
    const dates = this.#datesOf(first, end, timeZone);
    const rows = new Map(Array.from(dates, (date, row) => [date, row]));
    const values = new Map<DailyInput, Float64Array>(
      inputs.map((one) => [one, new Float64Array(dates.length).fill(Number.NaN)]),
    );
    const put = (one: DailyInput, date: number, value: number) => {
      const [column, row] = [values.get(one), rows.get(date)];
      if (column !== undefined && row !== undefined) column[row] = value;
    };
    const quantities = inputs.filter((one): one is DailyInput & DayQuantity => one !== 'evapotranspiration');
    const years = { from: yearOf(first), to: yearOf(Math.max(first, end - 1)) };
    const asked = { years, dayStart: 0, timeZone, source: 'both' } as const;
    const found = await this.#days.find(described, asked, quantities, permit);
    for (const one of quantities)
      for (const [row, value] of found?.days.known(one).entries() ?? [])
        put(one, found?.days.dates[row] as number, value);
    if (inputs.includes('evapotranspiration') && dates.length > 0)
      for (let begin = from; begin < to; begin += PIECE) {
        const piece = { from: begin, to: Math.min(to, begin + PIECE), timeZone, quality };
        // oxlint-disable-next-line no-await-in-loop -- only the sums of one piece are in memory at a time
        for (const [time, value] of await this.#evapotranspiration(described, piece, permit))
          put('evapotranspiration', dateOf(this.#calendar, time, timeZone), value);
      }
    return {
      dates,
      of: (one) => {
        const column = values.get(one);
        if (column === undefined) throw new Error(`the days have no ${one}`);
        return column;
      },
    };
  }

  /** The dates before `end`, without those that the zone skipped, such as 2011-12-30 in Samoa. */
  #datesOf(first: number, end: number, timeZone: string): Int32Array {
    const [from, to] = [first, Math.max(first, end)].map((date) =>
      this.#calendar.startOfDay(dateText(date), timeZone, 0),
    ) as [number, number];
    const days = this.#calendar.buckets('day', timeZone, 0, from, to);
    return Int32Array.from(days, ({ start }) => dateOf(this.#calendar, start, timeZone));
  }

  /** The reference evapotranspiration of each day that overlaps a range, with the start of the day. */
  async #evapotranspiration(
    described: StationSnapshot,
    range: Omit<IndexDaysInput, 'inputs'>,
    permit: Permit,
  ): Promise<readonly (readonly [time: number, value: number])[]> {
    const variables = [referenceEvapotranspiration.name];
    const days = { ...range, interval: 'day', variables, limit: MAX_BUCKETS, cursor: undefined } as const;
    const { parts } = await this.#periods.execute(described, days, permit);
    return parts.flatMap(({ times, values }) =>
      Array.from(times, (time, row) => [time, values.get(0)?.[row] ?? Number.NaN] as const),
    );
  }
}

const yearOf = (date: number) => new Date(date * MILLISECONDS.day).getUTCFullYear();

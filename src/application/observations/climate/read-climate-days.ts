import { DomainError } from '../../../domain/domain-error.js';
import { MILLISECONDS } from '../../../domain/time.js';
import { yearLabel } from '../../../domain/weather/climate/calendar-rows.js';
import {
  ClimateDays,
  type ClimateQuantity,
  QUANTITIES_OF_DAY,
  dateNumber,
  type DayColumn,
  type DayQuantity,
  sourcesOf,
} from '../../../domain/weather/climate/day-values.js';
import type { YearSpan } from '../../../domain/weather/climate/normals.js';
import type { Calendar } from '../../ports/calendar.js';
import type { AddUpTables } from '../read/add-up-tables.js';
import type { DescribedStation } from '../read/describe-station.js';
import { extentOf } from '../read/observation-query.js';
import type { Reader } from '../read/read-gate.js';
import type { Summarize, SummaryPage } from '../read/summarize.js';
import { withRemoved } from '../read/summary-parts.js';
import { summaryValue } from './summary-values.js';

/** Largest number of years of a reply. */
export const MAX_YEARS = 200;
/** Years that are read at a time. Between them, other reads continue. */
const PIECE = 10;

/** Parameters of every question about the climate of a station. */
export interface ClimateInput {
  /** Undefined means all years with observations. */
  readonly years?: YearSpan | undefined;
  /** Minutes after midnight at which days begin. */
  readonly dayStart: number;
}

export interface ClimateDaysInput {
  /** Both included. */
  readonly years: YearSpan;
  /** Minutes after midnight at which days begin. */
  readonly dayStart: number;
  readonly quantities: readonly DayQuantity[];
  /** The rows of the table; days unless it is given. */
  readonly interval?: 'day' | 'month' | 'year';
}

/** The days of the years of a request in which a station has observations. */
export interface FoundDays {
  readonly years: YearSpan;
  readonly days: ClimateDays;
}

/** Reads tables of the days of a station, in its own calendar, from its summaries. Only values that passed quality control count. */
export class ReadClimateDays {
  readonly #calendar: Calendar;
  readonly #summarize: Summarize;
  readonly #tables: AddUpTables;

  constructor(calendar: Calendar, summarize: Summarize, tables: AddUpTables) {
    this.#calendar = calendar;
    this.#summarize = summarize;
    this.#tables = tables;
  }

  /**
   * Reads the days that some quantities need.
   *
   * @returns undefined without observations in the years
   * @throws DomainError as `yearsOf` and `Summarize`
   */
  async find(
    described: DescribedStation,
    { years: asked, dayStart }: ClimateInput,
    quantities: readonly ClimateQuantity[],
    reader?: Reader,
  ): Promise<FoundDays | undefined> {
    const years = await this.yearsOf(described, dayStart, asked);
    if (years === undefined) return undefined;
    const input = { years, dayStart, quantities: sourcesOf(quantities) };
    return { years, days: await this.execute(described, input, reader) };
  }

  /**
   * The years of `asked` in which the station has observations, without those before the first and after the last.
   *
   * @returns undefined without observations
   * @throws DomainError REQUEST_INVALID for more than `MAX_YEARS`
   */
  async yearsOf(
    { station, inventory }: DescribedStation,
    dayStart: number,
    asked?: YearSpan,
  ): Promise<YearSpan | undefined> {
    const removed = await this.#tables.removedMonths(station);
    const { first, last } = extentOf(withRemoved(inventory, removed));
    if (first === null || last === null) return undefined;
    const [begin, end] = [first, last].map((time) => this.#yearOf(time, station.timeZone, dayStart)) as [
      number,
      number,
    ];
    const years = {
      from: Math.max(begin, asked?.from ?? begin),
      to: Math.min(end, asked?.to ?? end),
    };
    if (years.to - years.from < MAX_YEARS) return years.from > years.to ? undefined : years;
    throw new DomainError(
      'REQUEST_INVALID',
      `At most ${MAX_YEARS} years at a time: ask for some with years=${end - 99}-${end}.`,
    );
  }

  #yearOf(time: number, timeZone: string, dayStart: number): number {
    return Number(this.#calendar.format(time - dayStart * MILLISECONDS.minute, timeZone).slice(0, 4));
  }

  /** @throws DomainError as `Summarize` */
  async execute(described: DescribedStation, input: ClimateDaysInput, reader?: Reader): Promise<ClimateDays> {
    const { years, quantities } = input;
    const dates: number[] = [];
    const columns = quantities.map(() => new GrowingColumn());
    for (let from = years.from; from <= years.to; from += PIECE) {
      const piece = { from, to: Math.min(from + PIECE - 1, years.to) };
      // oxlint-disable-next-line no-await-in-loop -- the read gate admits one piece after the other
      const page = await this.#read(described, { ...input, years: piece }, reader);
      try {
        for (const row of page.rows) {
          dates.push(dateNumber(page.format(row.start)));
          for (const [index, quantity] of quantities.entries())
            columns[index]?.push(summaryValue(row, page.variables, quantity));
        }
      } finally {
        page.place.leave();
      }
    }
    const made = columns.map((column, index) => [quantities[index] as DayQuantity, column.take()] as const);
    return new ClimateDays(Int32Array.from(dates), new Map(made));
  }

  #read(
    described: DescribedStation,
    { years, dayStart, quantities, interval = 'day' }: ClimateDaysInput,
    reader?: Reader,
  ): Promise<SummaryPage> {
    const variables = quantities.map((quantity) => QUANTITIES_OF_DAY[quantity].variable);
    return this.#summarize.execute(
      described,
      {
        interval,
        timeZone: 'station',
        dayStart,
        from: `${yearLabel(years.from)}-01-01`,
        to: `${yearLabel(years.to + 1)}-01-01`,
        variables: [...new Set<string>(variables)],
        quality: 'pass',
      },
      reader,
    );
  }
}

class GrowingColumn {
  readonly #values: number[] = [];
  readonly #times: number[] = [];
  readonly #complete: number[] = [];

  push({ value, time, complete }: ReturnType<typeof summaryValue>): void {
    this.#values.push(value);
    this.#times.push(time);
    this.#complete.push(complete ? 1 : 0);
  }

  take(): DayColumn {
    return {
      values: Float64Array.from(this.#values),
      times: Float64Array.from(this.#times),
      complete: Uint8Array.from(this.#complete),
    };
  }
}

import { reportingIntervalAt } from '../../../domain/weather/station-history.js';
import type { Station } from '../../../domain/weather/station.js';
import { type CalendarInterval, isOfClock } from '../../../domain/weather/summaries/bucket.js';
import type { MonthRule } from '../../../domain/weather/summaries/completeness.js';
import { type DayMean, type DegreeDayBases, USUAL_BASES } from '../../../domain/weather/summaries/of-days.js';
import { Summaries } from '../../../domain/weather/summaries/summaries.js';
import { type Variable, variableNumbered } from '../../../domain/weather/variables.js';
import type { Calendar } from '../../ports/calendar.js';
import type { MonthRange } from '../../ports/day-table-store.js';
import type { Inventory, ObservationStore } from '../../ports/observation-store.js';
import type { AddUpTables } from './add-up-tables.js';
import type { DescribedStation } from './describe-station.js';
import {
  type AskedRange,
  expectedRows,
  type Range,
  rangeOf,
  variablesNamed,
  zoneOf,
} from './observation-query.js';
import { type Place, type Reader, type ReadGate, UNLIMITED } from './read-gate.js';
import {
  intervalsOf,
  partsOf,
  rangeOfStretch,
  type Stretch,
  type SummaryParts,
  withFirstAmount,
  withoutEmptyEnd,
  withoutEmptyStart,
  withRemoved,
} from './summary-parts.js';
import { type SummaryRow, summaryRows, withPartners, withTraces } from './summary-rows.js';

/** Memory of the statistics of one variable in one interval, in cells of the read gate. */
export const CELLS_OF_BUCKET = 8;

/** A date in `from` or `to` means the day that begins at `dayStart`, for example at 06:00. */
export interface SummarizeInput extends AskedRange {
  readonly interval: CalendarInterval;
  readonly timeZone: string;
  readonly dayStart: number;
  /** Names. Undefined means all variables that have a value in the range. */
  readonly variables: readonly string[] | undefined;
  readonly quality: 'all' | 'pass';
  /** When the mean of a month is valid; undefined means `wmo_1203`. */
  readonly monthRule?: MonthRule | undefined;
  /** Of degree days, in °C; undefined means `USUAL_BASES`. */
  readonly bases?: Partial<DegreeDayBases> | undefined;
  /** The temperature of a day in degree days; undefined means `mean`. */
  readonly dayMean?: DayMean | undefined;
  /** Whether a long range may have several pages. */
  readonly isPaged?: boolean;
}

/** `from` and `to` are the requested range. The first interval may begin before it, and the last may end after it. */
export interface SummaryPage extends Range {
  readonly station: Station;
  readonly timeZone: string;
  readonly variables: readonly Variable[];
  /** Created during iteration, because all rows together take more memory than the statistics they come from. */
  readonly rows: Iterable<SummaryRow>;
  /** Formats an instant with the UTC offset of `timeZone`. */
  readonly format: (time: number) => string;
  /** The place at the read gate. The caller must leave it when the page has been sent. */
  readonly place: Place;
  /** Start of the first interval of the next page; null at the end. */
  readonly next: number | null;
}

/**
 * Computes statistics of a station for intervals of the calendar. Those longer than a day are added up from the sums of their
 * days, which a store may have in tables.
 */
export class Summarize {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;
  readonly #gate: ReadGate;
  readonly #tables: AddUpTables;

  constructor(calendar: Calendar, observations: ObservationStore, gate: ReadGate, tables: AddUpTables) {
    this.#calendar = calendar;
    this.#observations = observations;
    this.#gate = gate;
    this.#tables = tables;
  }

  /**
   * @param reader the caller, as the read gate counts it; without it the read has no limit
   * @throws DomainError REQUEST_INVALID for an unknown variable or time zone, or more than `MAX_BUCKETS` intervals;
   *   RATE_LIMITED or SERVICE_UNAVAILABLE at the gate
   */
  async execute(
    { station, inventory, asOf }: DescribedStation,
    input: SummarizeInput,
    reader?: Reader,
  ): Promise<SummaryPage> {
    const removed = await this.#tables.removedMonths(station);
    const extent = withRemoved(inventory, removed);
    const range = rangeOf(this.#calendar, station, extent, input, asOf);
    const timeZone = zoneOf(this.#calendar, station, input.timeZone);
    const named = input.variables && variablesNamed(input.variables);
    const stored = inventory.variables.map(variableNumbered);
    const covered =
      input.from === undefined && input.last === undefined
        ? withFirstAmount(range, input.interval, named ?? stored)
        : range;
    const { intervals, next } = intervalsOf(this.#calendar, { ...input, timeZone }, covered);
    // All pages have the same variables.
    const asked = named ?? (next === null ? undefined : stored);
    const summarised = asked && withTraces(asked, inventory);
    const parts = partsOf(this.#calendar, intervals, { ...input, timeZone }, extent);
    const columns = (summarised && withPartners(summarised).length) ?? inventory.variables.length;
    const found = { station, inventory, extent, removed, parts };
    const work = { ...found, asked: summarised, input, timeZone, columns, reader };
    const { summaries, place } = await this.#sums(work);
    const summed = asked ?? summaries.variables.map(variableNumbered);
    const { interval, monthRule = 'wmo_1203', bases, dayMean = 'mean' } = input;
    const rules = { interval, monthRule, bases: { ...USUAL_BASES, ...bases }, dayMean };
    const isEmpty = ([begin, end]: Stretch) =>
      summed.every(({ number }) => summaries.statistics(number, begin, end).count === 0);
    const begun = withoutEmptyStart(parts, range, isEmpty);
    const kept = withoutEmptyEnd(begun, range, extent, isEmpty);
    const rows = summaryRows(station, kept, summed, summaries, rules);
    const format = (time: number) => this.#calendar.format(time, timeZone);
    return { station, ...range, timeZone, variables: summed, rows, format, place, next };
  }

  /** The sums of all parts, with the place at the gate for what they need. */
  async #sums(work: Work): Promise<{ readonly summaries: Summaries; readonly place: Place }> {
    const { inventory, parts, columns, reader } = work;
    const own = columns * parts.parts.length * CELLS_OF_BUCKET;
    const enter = (cells: number) => (reader ? this.#gate.enter(reader, cells) : Promise.resolve(UNLIMITED));
    const cellsOf = (rest: readonly Stretch[]) =>
      columns *
      rest.reduce((sum, stretch) => sum + expectedRows(inventory, rangeOfStretch(parts, stretch)), 0);
    let place = await enter(this.#mayHaveTables(work) ? own : own + cellsOf([[0, parts.parts.length]]));
    try {
      let { summaries, rest } = await this.#fromTables(work);
      const rows = cellsOf(rest);
      if (this.#mayHaveTables(work) && rows > own) {
        // The rows that must be read after all take more than was asked for.
        place.leave();
        place = await enter(own + rows);
        ({ summaries, rest } = await this.#fromTables(work));
      }
      for (const stretch of rest) await this.#addRows(work, summaries, stretch, place);
      return { summaries, place };
    } catch (error) {
      place.leave();
      throw error;
    }
  }

  /** Tables have the days of the station, in its zone from midnight on, of values that passed quality control. */
  #mayHaveTables({ station, extent, input, timeZone, parts }: Work): boolean {
    const { interval, dayStart, quality } = input;
    const isOfStation = timeZone === station.timeZone && dayStart === 0 && quality === 'pass';
    // Where rows are damaged, the read of the rows says so.
    const isWhole = extent.last !== null && extent.damaged === undefined;
    return isOfStation && isWhole && !isOfClock(interval) && parts.parts.length > 0;
  }

  async #fromTables(work: Work): Promise<{ summaries: Summaries; rest: readonly Stretch[] }> {
    const { station, extent, removed, asked, input } = work;
    const { parts } = work.parts;
    const variables = asked?.map(({ number }) => number);
    const summaries = new Summaries(parts, {
      variables,
      includeAll: input.quality === 'all',
      reportingInterval: (start) => reportingIntervalAt(station, start),
    });
    if (extent.last === null || !this.#mayHaveTables(work))
      return { summaries, rest: parts.length === 0 ? [] : [[0, parts.length]] };
    const rest = await this.#tables.execute(station, parts, summaries, extent.last, removed);
    return { summaries, rest };
  }

  async #addRows(
    { station, asked, parts, reader }: Work,
    summaries: Summaries,
    stretch: Stretch,
    place: Place,
  ): Promise<void> {
    const { from, to } = rangeOfStretch(parts, stretch);
    // An amount belongs to the interval that ends at its time, so a value at `to` counts as well.
    const range = { stations: [station.number], from, to: to + 1 };
    const variables = asked && withPartners(asked);
    for await (const series of this.#observations.read(variables ? { ...range, variables } : range)) {
      reader?.signal.throwIfAborted();
      summaries.add(series, ...stretch);
      await place.turn();
    }
  }

  /**
   * All intervals of a range, page by page. The caller must leave the place of each page.
   *
   * @throws DomainError as `execute`, for more than `MAX_INTERVALS`
   */
  async *pages(
    described: DescribedStation,
    input: SummarizeInput,
    reader?: Reader,
  ): AsyncGenerator<SummaryPage, undefined> {
    let page = await this.execute(described, { ...input, isPaged: true }, reader);
    yield page;
    const variables = page.variables.map(({ name }) => name);
    const { to } = page;
    while (page.next !== null) {
      page = await this.execute(
        described,
        { ...input, isPaged: true, variables, from: page.next, to, last: undefined },
        reader,
      );
      yield page;
    }
  }
}

/** A request as far as it is understood. */
interface Work {
  readonly station: Station;
  readonly inventory: Inventory;
  /** As `inventory`, from the first of the months whose rows were removed. */
  readonly extent: Inventory;
  readonly removed: MonthRange | undefined;
  readonly parts: SummaryParts;
  /** Those that are summarised; undefined means all. */
  readonly asked: readonly Variable[] | undefined;
  readonly input: SummarizeInput;
  readonly timeZone: string;
  /** Number of variables that are read. */
  readonly columns: number;
  readonly reader: Reader | undefined;
}

import { DomainError } from '../../../domain/domain-error.js';
import { MILLISECONDS } from '../../../domain/time.js';
import type { Station } from '../../../domain/weather/station.js';
import { type Bucket, isComplete, type Statistics, Summaries } from '../../../domain/weather/summaries.js';
import { V, type Variable, variableNumbered } from '../../../domain/weather/variables.js';
import type { Calendar, CalendarInterval } from '../../ports/calendar.js';
import type { ObservationStore } from '../../ports/observation-store.js';
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

/** Largest number of intervals in a reply: more than a year of hours. */
export const MAX_BUCKETS = 10_000;
/** Lower estimates of the mean length, in ms. They bound the number of intervals before the calendar computes them. */
const LENGTHS: Readonly<Record<CalendarInterval, number>> = {
  hour: MILLISECONDS.hour,
  day: MILLISECONDS.day,
  month: 28 * MILLISECONDS.day,
  year: 365 * MILLISECONDS.day,
};
/** Memory of the statistics of one variable in one interval, in cells of the read gate. */
const CELLS_OF_BUCKET = 6;

/** A date in `from` or `to` means the day that begins at `dayStart`, for example at 06:00. */
export interface SummarizeInput extends AskedRange {
  readonly interval: CalendarInterval;
  readonly timeZone: string;
  readonly dayStart: number;
  /** Names. Undefined means all variables that have a value in the range. */
  readonly variables: readonly string[] | undefined;
  readonly quality: 'all' | 'pass';
}

export interface SummaryRow extends Bucket {
  /** Whether every variable has enough values; null if the expected number is unknown. */
  readonly complete: boolean | null;
  /** In the order of `variables`. */
  readonly statistics: readonly Statistics[];
  /** Expected number of values of each variable, or null if the reporting interval is unknown. */
  readonly expected: number | null;
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
}

/** Computes statistics of a station for calendar hours, days, months or years. */
export class Summarize {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;
  readonly #gate: ReadGate;

  constructor(calendar: Calendar, observations: ObservationStore, gate: ReadGate) {
    this.#calendar = calendar;
    this.#observations = observations;
    this.#gate = gate;
  }

  /**
   * @param reader the caller, as the read gate counts it; without it the read has no limit
   * @throws DomainError REQUEST_INVALID for an unknown variable or time zone, or more than `MAX_BUCKETS` intervals;
   *   RATE_LIMITED or SERVICE_UNAVAILABLE at the gate
   */
  async execute(
    { station, inventory }: DescribedStation,
    input: SummarizeInput,
    reader?: Reader,
  ): Promise<SummaryPage> {
    const range = rangeOf(this.#calendar, station, inventory, input);
    const timeZone = zoneOf(this.#calendar, station, input.timeZone);
    const asked = input.variables && variablesNamed(input.variables);
    const buckets = this.#buckets(timeZone, input, range);
    const needed = asked && [...new Set([...asked.map(({ number }) => number), ...partners(asked)])];
    const variables = (needed ?? inventory.variables).length;
    const cells = variables * (expectedRows(inventory, range) + buckets.length * CELLS_OF_BUCKET);
    const place = reader ? await this.#gate.enter(reader, cells) : UNLIMITED;
    try {
      const summaries = new Summaries(
        buckets,
        asked?.map(({ number }) => number),
        input.quality === 'all',
      );
      await this.#sumUp(station, summaries, buckets, needed, place, reader?.signal);
      const summed = asked ?? summaries.variables.map(variableNumbered);
      const rows = rowsOf(station, buckets, summed, summaries);
      const format = (time: number) => this.#calendar.format(time, timeZone);
      return { station, ...range, timeZone, variables: summed, rows, format, place };
    } catch (error) {
      place.leave();
      throw error;
    }
  }

  async #sumUp(
    station: Station,
    summaries: Summaries,
    buckets: readonly Bucket[],
    variables: readonly number[] | undefined,
    place: Place,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const [first, last] = [buckets[0], buckets.at(-1)];
    if (first === undefined || last === undefined) return;
    // An amount belongs to the interval that ends at its time, so a value at `last.end` counts as well.
    const range = { stations: [station.number], from: first.start, to: last.end + 1 };
    for await (const series of this.#observations.read(variables ? { ...range, variables } : range)) {
      signal?.throwIfAborted();
      summaries.add(series);
      await place.turn();
    }
  }

  #buckets(timeZone: string, { interval, dayStart }: SummarizeInput, { from, to }: Range): readonly Bucket[] {
    const most = (to - from) / LENGTHS[interval];
    const buckets =
      most > MAX_BUCKETS + 2 ? [] : this.#calendar.buckets(interval, timeZone, dayStart, from, to);
    if (most <= MAX_BUCKETS + 2 && buckets.length <= MAX_BUCKETS) return buckets;
    throw new DomainError(
      'REQUEST_INVALID',
      `At most ${MAX_BUCKETS} intervals at a time: ask for a shorter range.`,
    );
  }
}

function rowsOf(
  station: Station,
  buckets: readonly Bucket[],
  variables: readonly Variable[],
  summaries: Summaries,
): Iterable<SummaryRow> {
  return {
    *[Symbol.iterator]() {
      for (const [index, bucket] of buckets.entries()) {
        yield summaryOf(station, bucket, index, variables, summaries);
      }
    },
  };
}

/** Further variables that the statistics need: the mean of wind direction is weighted by wind speed. */
function partners(variables: readonly Variable[]): number[] {
  return variables.some(({ aggregation }) => aggregation === 'direction') ? [V.windSpeed] : [];
}

function summaryOf(
  { reportingInterval }: Station,
  bucket: Bucket,
  index: number,
  variables: readonly Variable[],
  summaries: Summaries,
): SummaryRow {
  const expected =
    reportingInterval === null ? null : Math.round((bucket.end - bucket.start) / 1000 / reportingInterval);
  const statistics = variables.map(({ number }) => summaries.statistics(number, index));
  const complete = statistics.map(({ count }, column) =>
    isComplete(variables[column] as Variable, count, expected),
  );
  return {
    ...bucket,
    expected,
    statistics,
    complete: complete.includes(null) || complete.length === 0 ? null : complete.every(Boolean),
  };
}

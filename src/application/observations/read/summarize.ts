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

/** Most intervals in a reply: more than a year of hours. */
export const MAX_BUCKETS = 10_000;
/** Mean lengths, rather short, by which the number is judged before the calendar is asked. */
const LENGTHS: Readonly<Record<CalendarInterval, number>> = {
  hour: MILLISECONDS.hour,
  day: MILLISECONDS.day,
  month: 28 * MILLISECONDS.day,
  year: 365 * MILLISECONDS.day,
};
/** Cells that the statistics of a variable over an interval take. */
const CELLS_OF_BUCKET = 6;

/** A date means the day that `dayStart` defines: with 06:00 it begins at six o'clock. */
export interface SummarizeInput extends AskedRange {
  readonly interval: CalendarInterval;
  readonly timeZone: string;
  readonly dayStart: number;
  /** Names; all that have a value in the range when undefined. */
  readonly variables: readonly string[] | undefined;
  readonly quality: 'all' | 'pass';
}

export interface SummaryRow extends Bucket {
  /** Whether there are enough values of every variable; null where nobody knows how many to expect. */
  readonly complete: boolean | null;
  /** In the order of `variables`. */
  readonly statistics: readonly Statistics[];
  /** Values that should be there of each variable, or null. */
  readonly expected: number | null;
}

/** `from` and `to` are what was asked for; the first and the last interval may reach beyond. */
export interface SummaryPage extends Range {
  readonly station: Station;
  readonly timeZone: string;
  readonly variables: readonly Variable[];
  /** Made while it is iterated: thousands of rows of many variables take more memory than what they are made from. */
  readonly rows: Iterable<SummaryRow>;
  /** An instant with the offset of `timeZone`. */
  readonly format: (time: number) => string;
  /** Held until the page has been sent: whoever gets the page leaves it. */
  readonly place: Place;
}

/** Sums up observations of a station over hours, days, months or years of the calendar. */
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
   * @param reader who waits at the gate; without one the read is neither counted nor bounded
   * @throws DomainError REQUEST_INVALID for what is unknown, and for more than `MAX_BUCKETS` intervals;
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
    // An amount at the very end still belongs to the last interval.
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

/** The wind's direction is weighted by its speed. */
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

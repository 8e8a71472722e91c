import { DomainError } from '../domain/domain-error.js';
import { DAY } from '../domain/observations.js';
import type { Station } from '../domain/station.js';
import { type Bucket, isComplete, type Statistics, Summaries } from '../domain/summaries.js';
import { V, type Variable, variableNumbered } from '../domain/variables.js';
import { findStation } from './find-station.js';
import { type AskedRange, rangeOf, variablesNamed } from './observation-query.js';
import type { Calendar, CalendarInterval } from './ports/calendar.js';
import type { ObservationStore } from './ports/observation-store.js';
import type { StationStore } from './ports/station-store.js';

/** Most intervals in a reply: more than a year of hours. */
export const MAX_BUCKETS = 10_000;
/** Lengths by which the number is judged before the calendar is asked. */
const SHORTEST: Readonly<Record<CalendarInterval, number>> = {
  hour: DAY / 24,
  day: DAY - DAY / 24,
  month: 28 * DAY,
  year: 365 * DAY,
};

export interface SummarizeInput extends AskedRange {
  readonly station: string;
  readonly interval: CalendarInterval;
  /** IANA name, or `station` for the station's own. */
  readonly timeZone: string;
  /** Minutes after midnight at which a day begins. */
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

export interface SummaryPage {
  readonly station: Station;
  readonly timeZone: string;
  readonly variables: readonly Variable[];
  readonly rows: readonly SummaryRow[];
  /** An instant with the offset of `timeZone`. */
  readonly format: (time: number) => string;
}

/** Sums up observations of a station over hours, days, months or years of the calendar. */
export class Summarize {
  readonly #stations: StationStore;
  readonly #observations: ObservationStore;
  readonly #calendar: Calendar;

  constructor(stations: StationStore, observations: ObservationStore, calendar: Calendar) {
    this.#stations = stations;
    this.#observations = observations;
    this.#calendar = calendar;
  }

  /** @throws DomainError STATION_UNKNOWN; REQUEST_INVALID for what is unknown, and for more than `MAX_BUCKETS` intervals */
  async execute(input: SummarizeInput, signal?: AbortSignal): Promise<SummaryPage> {
    const station = await findStation(this.#stations, input.station);
    const timeZone = input.timeZone === 'station' ? station.timeZone : input.timeZone;
    if (!this.#calendar.hasZone(timeZone)) {
      throw new DomainError('REQUEST_INVALID', `There is no time zone ${JSON.stringify(timeZone)}.`);
    }
    const buckets = await this.#buckets(station, timeZone, input);
    const asked = input.variables && variablesNamed(input.variables);
    const summaries = new Summaries(
      buckets,
      asked?.map(({ number }) => number),
      input.quality === 'all',
    );
    const needed = asked && [...new Set([...asked.map(({ number }) => number), ...partners(asked)])];
    const [first, last] = [buckets[0], buckets.at(-1)];
    if (first !== undefined && last !== undefined) {
      // An amount at the very end still belongs to the last interval.
      const range = { stations: [station.number], from: first.start, to: last.end + 1 };
      const query = needed === undefined ? range : { ...range, variables: needed };
      for await (const series of this.#observations.read(query)) {
        signal?.throwIfAborted();
        summaries.add(series);
      }
    }
    const variables = asked ?? summaries.variables.map(variableNumbered);
    const rows = buckets.map((bucket, index) => summaryOf(station, bucket, index, variables, summaries));
    const format = (time: number) => this.#calendar.format(time, timeZone);
    return { station, timeZone, variables, rows, format };
  }

  async #buckets(station: Station, timeZone: string, input: SummarizeInput): Promise<readonly Bucket[]> {
    const { from, to } = await rangeOf(this.#observations, station, input);
    const most = (to - from) / SHORTEST[input.interval];
    const buckets =
      most > MAX_BUCKETS + 2
        ? []
        : this.#calendar.buckets(input.interval, timeZone, input.dayStart, from, to);
    if (most <= MAX_BUCKETS + 2 && buckets.length <= MAX_BUCKETS) return buckets;
    throw new DomainError(
      'REQUEST_INVALID',
      `At most ${MAX_BUCKETS} intervals at a time: ask for a shorter range.`,
    );
  }
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

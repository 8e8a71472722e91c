import { DomainError } from '#domain/domain-error.js';
import { maxThinnedRows } from '#domain/weather/charts/thinned.js';
import type { Calendar } from '#application/ports/calendar.js';
import type { ChartObservations } from '../charts/chart-observations.js';
import type { StationSnapshot } from '../describe-station.js';
import { expectedRows, rangeOf } from '../observation-query.js';
import { type Permit, UNLIMITED } from '../gate/permit.js';
import {
  type ObservationPage,
  type ReadInput,
  type ReadObservations,
  ROW_LIMITS,
} from '../read-observations.js';

/** Start of the next page. */
export interface ManyCursor {
  /** `Station.number` of the first station of the page. */
  readonly station: number;
  /** Time at which the rows of this station begin, in milliseconds since 1970-01-01T00:00:00Z; null for the start of the range. */
  readonly time: number | null;
}

export interface ReadManyInput extends Omit<ReadInput, 'cursor'> {
  /** Number of chart columns for each station. If it is given, the reply is a chart of the whole range and not a page. */
  readonly points: number | undefined;
  readonly cursor: ManyCursor | undefined;
}

export interface ManyPage {
  /** The stations in order, each with its own rows. A station whose rows continue on the next page is on both pages. */
  readonly stations: readonly ObservationPage[];
  readonly next: ManyCursor | null;
}

/** Reads observations of many stations. */
export class ReadMany {
  readonly #calendar: Calendar;
  readonly #read: ReadObservations;
  readonly #chart: ChartObservations;

  constructor(
    calendar: Calendar,
    { read, chart }: { readonly read: ReadObservations; readonly chart: ChartObservations },
  ) {
    this.#calendar = calendar;
    this.#read = read;
    this.#chart = chart;
  }

  /**
   * @param found the stations, from `FindMany`
   * @param input.limit largest number of rows of all stations together
   * @throws DomainError as `ReadObservations`; REQUEST_INVALID if `points` may give more than `ROW_LIMITS.max` rows, or for a
   *   cursor whose station is not in `found`
   */
  async execute(
    found: readonly StationSnapshot[],
    input: ReadManyInput,
    permit: Permit = UNLIMITED,
  ): Promise<ManyPage> {
    const begin = input.cursor === undefined ? 0 : indexOfCursor(found, input.cursor);
    const stations = found.slice(begin);
    const { points, limit, cursor } = input;
    if (points !== undefined) assertSize(points, stations, input);
    await permit.acquire(this.#cells(stations, input));
    const pages: ObservationPage[] = [];
    let [rows, cells] = [0, 0];
    // The call of `permit.acquire` above has already admitted the expected number of values of all stations. So the reads of the
    // single stations wait for nothing more: their `acquire` does nothing. Their `charge` corrects the expected number: it adds
    // the real number of values of a station to that of the earlier stations.
    const own: Permit = {
      ...permit,
      acquire: () => Promise.resolve(),
      charge: (count) => permit.charge(cells + count),
    };
    for (const [index, described] of stations.entries()) {
      const { number } = described.station;
      if (points === undefined && rows >= limit)
        return { stations: pages, next: { station: number, time: null } };
      const from = index === 0 ? (cursor?.time ?? undefined) : undefined;
      const page = await (points === undefined
        ? this.#read.execute(described, { ...input, cursor: from, limit: limit - rows }, own)
        : this.#chart.execute(described, { ...input, points }, own));
      const count = page.parts.reduce((sum, { times }) => sum + times.length, 0);
      rows += count;
      cells += count * page.variables.length;
      permit.charge(cells);
      pages.push(page);
      if (page.next !== null) return { stations: pages, next: { station: number, time: page.next } };
    }
    return { stations: pages, next: null };
  }

  /** Estimated number of cells (values) in the rows of the page, or in all rows that are read for the chart. */
  #cells(stations: readonly StationSnapshot[], input: ReadManyInput): number {
    let remaining = input.points === undefined ? input.limit : Infinity;
    let cells = 0;
    for (const { station, inventory, asOf } of stations) {
      const range = rangeOf(this.#calendar, station, inventory, input, asOf);
      const rows = Math.min(remaining, expectedRows(inventory, range));
      remaining -= rows;
      cells += rows * (input.variables ?? inventory.variables).length;
    }
    return cells;
  }
}

function indexOfCursor(found: readonly StationSnapshot[], { station: number }: ManyCursor): number {
  const index = found.findIndex(({ station }) => station.number === number);
  if (index !== -1) return index;
  throw new DomainError(
    'REQUEST_INVALID',
    'The station of cursor is not in this request: use cursor with the same stations as before.',
  );
}

function assertSize(
  points: number,
  stations: readonly StationSnapshot[],
  { variables }: Pick<ReadInput, 'variables'>,
): void {
  const rows = (columns: number) =>
    stations.reduce(
      (sum, { inventory }) => sum + maxThinnedRows(columns, (variables ?? inventory.variables).length),
      0,
    );
  if (rows(points) <= ROW_LIMITS.max) return;
  throw new DomainError(
    'REQUEST_INVALID',
    `points=${points} of ${stations.length} stations may give more than ${ROW_LIMITS.max} rows: use ` +
      `points=${Math.floor(ROW_LIMITS.max / rows(1))} or less, or name fewer stations or variables.`,
  );
}

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

/** Where the next page begins. */
export interface ManyCursor {
  /** `Station.number`. */
  readonly station: number;
  /** Milliseconds since 1970-01-01T00:00:00Z; null for the beginning of the range. */
  readonly time: number | null;
}

export interface ReadManyInput extends Omit<ReadInput, 'cursor'> {
  /** Number of columns of a chart for each station, in permit of pages. */
  readonly points: number | undefined;
  readonly cursor: ManyCursor | undefined;
}

export interface ManyPage {
  /** One after the other, each with its own rows. A station whose rows do not fit on one page is on both. */
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
   * @throws DomainError as `ReadObservations`; REQUEST_INVALID if `points` may give more than
   *   `ROW_LIMITS.max` rows, or for a cursor of a station that is not among these
   */
  async execute(
    found: readonly StationSnapshot[],
    input: ReadManyInput,
    permit: Permit = UNLIMITED,
  ): Promise<ManyPage> {
    const begin = input.cursor === undefined ? 0 : placeOf(found, input.cursor);
    const stations = found.slice(begin);
    const { points, limit, cursor } = input;
    if (points !== undefined) assertSize(points, stations, input);
    await permit.acquire(this.#cells(stations, input));
    const pages: ObservationPage[] = [];
    let [rows, cells] = [0, 0];
    // What a station needs is part of what all need. Its rows are counted beside those of the stations before it.
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

  /** Estimated number of cells: of a page those of its rows, of a chart those of all rows that are read for it. */
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

function placeOf(found: readonly StationSnapshot[], { station: number }: ManyCursor): number {
  const index = found.findIndex(({ station }) => station.number === number);
  if (index !== -1) return index;
  throw new DomainError('REQUEST_INVALID', 'cursor is of a station that this request does not name.');
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
    `points=${points} of ${stations.length} stations may give more than ${ROW_LIMITS.max} rows: ask for ` +
      `points=${Math.floor(ROW_LIMITS.max / rows(1))}, or name fewer stations or variables.`,
  );
}

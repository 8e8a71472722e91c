import { DomainError } from '#domain/domain-error.js';
import { withOpenGaps } from '#domain/weather/charts/open-gaps.js';
import {
  type ChartColumns,
  maxThinnedRows,
  thinned,
  withoutRepeated,
} from '#domain/weather/charts/thinned.js';
import { concatenate } from '#domain/weather/merge-series.js';
import { EMPTY_SERIES, type Series } from '#domain/weather/series.js';
import { variableNumbered } from '#domain/weather/variables.js';
import type { Calendar } from '#application/ports/calendar.js';
import type { Inventory, ObservationStore } from '#application/ports/observation-store.js';
import type { StationSnapshot } from '../describe-station.js';
import { expectedRows, rangeOf, variablesNamed } from '../observation-query.js';
import { type Permit, UNLIMITED } from '../gate/permit.js';
import {
  type ObservationPage,
  passing,
  type ReadInput,
  ROW_LIMITS,
  rowsOfDescription,
} from '../read-observations.js';

/** Limits for the number of columns of a chart: from a small picture to twice the width of the largest screens. */
export const CHART_LIMITS = { min: 16, max: 10_000 } as const;

export interface ChartInput extends Omit<ReadInput, 'limit' | 'cursor'> {
  /** Number of columns. All columns cover the same length of time. */
  readonly points: number;
}

/** Reads the observations that a line chart of a range can show: at most a few rows for each column of the chart. */
export class ChartObservations {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;

  constructor(calendar: Calendar, observations: ObservationStore) {
    this.#calendar = calendar;
    this.#observations = observations;
  }

  /**
   * Reads the whole range as one page. Rows that a chart does not need are removed (`thinned`, `withoutRepeated`), and a row
   * without values is added to each long gap (`withOpenGaps`).
   *
   * @throws DomainError as `ReadObservations`; REQUEST_INVALID if the reply may have more rows than `ROW_LIMITS.max`
   */
  async execute(
    described: StationSnapshot,
    input: ChartInput,
    permit: Permit = UNLIMITED,
  ): Promise<ObservationPage> {
    const { station, inventory, asOf } = described;
    const range = rangeOf(this.#calendar, station, inventory, input, asOf);
    const named = input.variables && variablesNamed(input.variables);
    const variables = named ?? inventory.variables.map(variableNumbered);
    assertSize(input.points, variables.length);
    // The permit (see `Permit`) counts the values of all rows of the range, because all of them are read, although only a few are
    // in memory at a time.
    await permit.acquire(expectedRows(inventory, range) * variables.length);
    const columns = { ...range, count: input.points };
    const query = { stations: [station.number], ...range, variables: variables.map(({ number }) => number) };
    const isSilent = variables.length === 0 && inventory.damaged === undefined;
    const batches = isSilent
      ? []
      : (rowsOfDescription(described, query, named !== undefined) ??
        this.#observations.read({ ...query, columns }));
    const thinnedParts: Series[] = [];
    for await (const { times, values, flags } of batches) {
      permit.signal?.throwIfAborted();
      const all = { times, values, flags };
      thinnedParts.push(thinned(input.quality === 'pass' ? passing(all) : all, columns));
      await permit.turn();
    }
    const joined = chartRows(thinnedParts, columns);
    const series = withOpenGaps(joined, columns, station, meanInterval(inventory));
    return { station, ...range, variables, parts: [series], series, next: null };
  }
}

function chartRows(thinnedParts: readonly Series[], columns: ChartColumns): Series {
  if (thinnedParts.length === 0) return EMPTY_SERIES;
  return withoutRepeated(thinned(concatenate(thinnedParts), columns), columns);
}

/** Mean time between two rows of a station, in ms. */
function meanInterval({ first, last, count }: Inventory): number {
  return first === null || last === null || count < 2 ? 0 : (last - first) / (count - 1);
}

/** @throws DomainError REQUEST_INVALID if the chart may have more rows than `ROW_LIMITS.max` */
function assertSize(points: number, variables: number): void {
  if (maxThinnedRows(points, variables) <= ROW_LIMITS.max) return;
  const maxPoints = Math.floor(ROW_LIMITS.max / maxThinnedRows(1, variables));
  throw new DomainError(
    'REQUEST_INVALID',
    `points=${points} of ${variables} variables may give more than ${ROW_LIMITS.max} rows: use points=${maxPoints} or less, or name fewer variables.`,
  );
}

import { concatenate } from '#domain/weather/merge-series.js';
import { EMPTY_SERIES } from '#domain/weather/series.js';
import { reportingIntervalAt } from '#domain/weather/station-history.js';
import { REACH, type ValueAtTimes, valuesAtTimes } from '#domain/weather/summaries/at-times.js';
import { variableNumbered } from '#domain/weather/variables.js';
import type { StationSnapshot } from './describe-station.js';
import { type Permit, UNLIMITED } from './gate/permit.js';
import { expectedRows } from './observation-query.js';
import { type ReadObservations, ROW_LIMITS } from './read-observations.js';

/** Times with one distance from each to the next. */
export interface TimeAxis {
  /** In ascending order, in milliseconds since 1970-01-01T00:00:00Z. */
  readonly times: Float64Array;
  /** Milliseconds between two times. */
  readonly step: number;
}

/** Reads the values of a station at regular times, such as whole hours, from observations that passed quality control. */
export class ReadAtTimes {
  readonly #read: ReadObservations;

  constructor(read: ReadObservations) {
    this.#read = read;
  }

  /**
   * @returns the columns, in the order of `wanted`; NaN for missing values
   * @throws DomainError as `ReadObservations`
   */
  async execute(
    described: StationSnapshot,
    { times, step }: TimeAxis,
    wanted: readonly ValueAtTimes[],
    permit: Permit = UNLIMITED,
  ): Promise<readonly Float64Array[]> {
    const columns = wanted.map(() => new Float64Array(times.length).fill(Number.NaN));
    const [first, last] = [times[0], times.at(-1)];
    if (first === undefined || last === undefined || wanted.length === 0) return columns;
    const variables = [...new Set(wanted.map(({ variable }) => variableNumbered(variable).name))];
    await permit.acquire(times.length * wanted.length);
    // The rows are read in parts, so that a long range takes the memory of one part.
    const rows = expectedRows(described.inventory, { from: first, to: last + step });
    const atOnce = Math.max(1, Math.floor((times.length * ROW_LIMITS.atOnce) / Math.max(1, rows)));
    for (let begin = 0; begin < times.length; begin += atOnce) {
      const part = times.subarray(begin, begin + atOnce);
      const before = Math.max(step, ...wanted.map(({ maxAge = REACH }) => maxAge));
      const [from, to] = [(part[0] as number) - before, (part.at(-1) as number) + REACH + 1];
      const series = await this.#rows(described, { from, to, variables }, permit);
      const interval = reportingIntervalAt(described.station, from);
      valuesAtTimes(series, part, step, wanted, interval).forEach((column, index) =>
        columns[index]?.set(column, begin),
      );
      await permit.turn();
      permit.signal?.throwIfAborted();
    }
    return columns;
  }

  async #rows(
    described: StationSnapshot,
    range: { readonly from: number; readonly to: number; readonly variables: readonly string[] },
    permit: Permit,
  ) {
    const { short: _short, ...withoutRows } = described;
    const input = { ...range, quality: 'pass', limit: ROW_LIMITS.max, cursor: undefined } as const;
    const parts = [];
    for await (const page of this.#read.pages(withoutRows, input, permit)) parts.push(...page.parts);
    return parts.length === 0 ? EMPTY_SERIES : concatenate(parts);
  }
}

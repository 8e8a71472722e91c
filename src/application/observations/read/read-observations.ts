import { isDomainError } from '#domain/domain-error.js';
import { concatenate } from '#domain/weather/merge-series.js';
import { EMPTY_SERIES, type Series, sliceSeries } from '#domain/weather/series.js';
import type { Station } from '#domain/weather/station.js';
import { type Variable, variableNumbered } from '#domain/weather/variables.js';
import type { Calendar } from '../../ports/calendar.js';
import type { ObservationQuery, ObservationStore } from '../../ports/observation-store.js';
import type { StationSnapshot } from './describe-station.js';
import {
  type RangeRequest,
  expectedRows,
  type ObservationRange,
  rangeOf,
  variablesNamed,
} from './observation-query.js';
import { type Permit, UNLIMITED } from './gate/permit.js';

/** Number of rows in a reply: the default and the maximum. A reply with all rows of a range reads `atOnce` rows at a time. */
export const ROW_LIMITS = { default: 10_000, max: 100_000, atOnce: 20_000 } as const;

export interface ReadInput extends RangeRequest {
  /** Names of the variables. Undefined means all variables of the station; then every page has the same variables. */
  readonly variables: readonly string[] | undefined;
  /** `pass` omits values that did not pass quality control. */
  readonly quality: 'all' | 'pass';
  readonly limit: number;
  /** Time at which the page begins, if it is later than `from`. */
  readonly cursor: number | undefined;
}

export interface ObservationPage extends ObservationRange {
  readonly station: Station;
  /** The variables in the order of the request, or in rising order of their numbers if the request names none. */
  readonly variables: readonly Variable[];
  /** The rows in consecutive pieces, as the store returned them. A copy in one piece would double the memory. */
  readonly parts: readonly Series[];
  /** The same rows in one series, joined at the first access. */
  readonly series: Series;
  /** Time at which the next page begins; null at the end. */
  readonly next: number | null;
}

/** A request after its names and dates were resolved. */
interface ResolvedPage {
  readonly range: ObservationRange;
  /** The range from the cursor to the end of the requested range. */
  readonly page: ObservationRange;
  readonly variables: readonly Variable[];
}

type PageRows = Pick<ObservationPage, 'parts' | 'next'>;

/** Reads observations, oldest first. */
export class ReadObservations {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;

  constructor(calendar: Calendar, observations: ObservationStore) {
    this.#calendar = calendar;
    this.#observations = observations;
  }

  /**
   * Reads one page completely before it returns, so that damaged data fail the call and do not break a reply that is being sent.
   *
   * @param described the station; if it includes the rows of `input`, they are not read again
   * @param permit limits the reads of the request; see `Permit`
   * @throws DomainError REQUEST_INVALID for an unknown variable or time zone, or if `to` is before `from`; DATA_DAMAGED;
   *   RATE_LIMITED or SERVICE_UNAVAILABLE if there are too many reads (`Permit.acquire`)
   */
  async execute(
    described: StationSnapshot,
    input: ReadInput,
    permit: Permit = UNLIMITED,
  ): Promise<ObservationPage> {
    const resolved = this.#resolve(described, input);
    const rows = Math.min(input.limit, expectedRows(described.inventory, resolved.page));
    await permit.acquire(rows * resolved.variables.length);
    return await this.#read(permit, described, input, resolved);
  }

  /**
   * Reads all rows from the cursor to the end, in pages of `limit` rows.
   *
   * @throws DomainError as `execute`; after the first page only DATA_DAMAGED and errors of the store
   */
  async *pages(
    described: StationSnapshot,
    input: ReadInput,
    permit: Permit = UNLIMITED,
  ): AsyncGenerator<ObservationPage, undefined> {
    let page = await this.execute(described, input, permit);
    yield page;
    while (page.next !== null) {
      page = await this.execute(described, { ...input, cursor: page.next }, permit);
      yield page;
    }
  }

  #resolve({ station, inventory, asOf }: StationSnapshot, input: ReadInput): ResolvedPage {
    const range = rangeOf(this.#calendar, station, inventory, input, asOf);
    const variables = input.variables
      ? variablesNamed(input.variables)
      : inventory.variables.map(variableNumbered);
    const page = { from: Math.max(range.from, input.cursor ?? -Infinity), to: range.to };
    return { range, page, variables };
  }

  async #read(
    permit: Permit,
    described: StationSnapshot,
    input: ReadInput,
    { range, page, variables }: ResolvedPage,
  ): Promise<ObservationPage> {
    const { station, inventory } = described;
    const query = { stations: [station.number], ...page, variables: variables.map(({ number }) => number) };
    const describedRows = rowsOfDescription(described, query, input.variables !== undefined);
    const read = (rows: number) =>
      collect(describedRows ?? this.#observations.read({ ...query, rows }), input, variables.length, permit);
    // A station without variables has no rows to read. But if the station has damaged rows, they are read, so that the read fails.
    const isSilent = variables.length === 0 && inventory.damaged === undefined;
    const { parts, next } = isSilent ? { parts: [], next: null } : await upToDamage(read, input.limit);
    let series: Series | undefined;
    return {
      station,
      ...range,
      variables,
      parts,
      next,
      get series() {
        return (series ??= parts.length === 0 ? EMPTY_SERIES : concatenate(parts));
      },
    };
  }
}

/** The rows of the snapshot if they are exactly the rows of the query, otherwise undefined. */
export function rowsOfDescription(
  { short }: StationSnapshot,
  { from, to, variables }: ObservationQuery,
  areNamed: boolean,
): readonly Series[] | undefined {
  if (short === undefined || short.range.from !== from || short.range.to !== to) return undefined;
  const numbers = short.range.variables;
  const isSame = areNamed ? String(numbers) === String(variables) : numbers === undefined;
  return isSame ? [short.rows] : undefined;
}

/**
 * Reads one row more than the limit, because the time of this extra row is the start of the next page. If the extra row is
 * damaged, the page is returned without it. Then the next page begins 1 ms after the last row of this page, and reading it fails.
 */
async function upToDamage(read: (rows: number) => Promise<PageRows>, limit: number): Promise<PageRows> {
  try {
    return await read(limit + 1);
  } catch (error) {
    if (!isDomainError(error, 'DATA_DAMAGED')) throw error;
    const { parts } = await read(limit);
    const rows = parts.reduce((sum, { times }) => sum + times.length, 0);
    const last = parts.at(-1)?.times.at(-1);
    if (rows < limit || last === undefined) throw error;
    return { parts, next: last + 1 };
  }
}

/** Collects rows up to the limit. @param batches the rows in order of time */
async function collect(
  batches: readonly Series[] | AsyncIterable<Series>,
  { limit, quality }: ReadInput,
  variables: number,
  permit: Permit,
): Promise<PageRows> {
  const parts: Series[] = [];
  let rows = 0;
  let next: number | null = null;
  for await (const { times, values, flags } of batches) {
    permit.signal?.throwIfAborted();
    const remaining = limit - rows;
    if (times.length > remaining) next = times[remaining] as number;
    if (remaining > 0) {
      const part = { times, values, flags };
      const rowsInLimit = next === null ? part : sliceSeries(part, 0, remaining);
      parts.push(quality === 'pass' ? passing(rowsInLimit) : rowsInLimit);
      rows += rowsInLimit.times.length;
      permit.charge(rows * variables);
    }
    if (next !== null) break;
  }
  return { parts, next };
}

/** The series without values that did not pass quality control. */
export function passing({ times, values, flags }: Series): Series {
  const passed = [...values].map(([variable, column]): [number, Float64Array] => {
    const bytes = flags.get(variable);
    return [
      variable,
      bytes === undefined ? column : column.map((value, row) => (bytes[row] === 0 ? value : Number.NaN)),
    ];
  });
  return { times, values: new Map(passed), flags: new Map() };
}

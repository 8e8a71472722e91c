import { concatenate } from '../../../domain/weather/merge-series.js';
import { EMPTY_SERIES, type Series, sliceSeries } from '../../../domain/weather/series.js';
import type { Station } from '../../../domain/weather/station.js';
import { type Variable, variableNumbered } from '../../../domain/weather/variables.js';
import type { ObservationQuery, ObservationStore } from '../../ports/observation-store.js';
import { type AskedRange, expectedRows, type Range, variablesNamed } from './observation-query.js';
import { type Place, type Reader, type ReadGate, UNLIMITED } from './read-gate.js';
import type { StationRanges } from './station-ranges.js';

/** Number of rows in a reply: the default and the maximum. */
export const ROW_LIMITS = { usual: 10_000, max: 100_000 } as const;

export interface ReadInput extends AskedRange {
  readonly station: string;
  /** Names. Undefined means all variables of the station, the same ones on every page. */
  readonly variables: readonly string[] | undefined;
  /** `pass` leaves out the values that did not pass quality control. */
  readonly quality: 'all' | 'pass';
  readonly limit: number;
  /** Time at which the page begins, in place of `from`. */
  readonly cursor: number | undefined;
}

export interface ObservationPage extends Range {
  readonly station: Station;
  /** In the order of the request, or of their numbers where the request names none. */
  readonly variables: readonly Variable[];
  /** The rows in consecutive pieces, as the store gave them. Joining them takes as much memory again. */
  readonly parts: readonly Series[];
  /** The same rows in one series, joined at the first access. */
  readonly series: Series;
  /** Time at which the next page begins, or null at the end. */
  readonly next: number | null;
  /** The place at the read gate. The caller must leave it when the page has been sent. */
  readonly place: Place;
}

/** Reads observations, oldest first. */
export class ReadObservations {
  readonly #ranges: StationRanges;
  readonly #observations: ObservationStore;
  readonly #gate: ReadGate;

  constructor(ranges: StationRanges, observations: ObservationStore, gate: ReadGate) {
    this.#ranges = ranges;
    this.#observations = observations;
    this.#gate = gate;
  }

  /**
   * One page, which is read whole before it is returned: a fault in the data fails the call, not a reply that has begun.
   *
   * @param reader who waits at the gate; without one the read is neither counted nor bounded
   * @throws DomainError STATION_UNKNOWN; REQUEST_INVALID for an unknown variable or a range that is none; DATA_DAMAGED;
   *   RATE_LIMITED or SERVICE_UNAVAILABLE at the gate
   */
  async execute(input: ReadInput, reader?: Reader): Promise<ObservationPage> {
    const { station, inventory, range } = await this.#ranges.of(input);
    const named = input.variables && variablesNamed(input.variables);
    const variables = named ?? inventory.variables.map(variableNumbered);
    const page = { from: Math.max(range.from, input.cursor ?? -Infinity), to: range.to };
    const rows = Math.min(input.limit, expectedRows(inventory, page));
    const place = reader ? await this.#gate.enter(reader, rows * variables.length) : UNLIMITED;
    try {
      const query = { stations: [station.number], ...page, variables: variables.map(({ number }) => number) };
      // A station without variables has no rows, unless its rows are damaged: then the read must fail.
      const isSilent = variables.length === 0 && inventory.damaged === undefined;
      const { parts, next } = isSilent
        ? { parts: [], next: null }
        : await this.#collect(query, input, place, reader?.signal);
      let series: Series | undefined;
      return {
        station,
        ...range,
        variables,
        parts,
        next,
        place,
        get series() {
          return (series ??= parts.length === 0 ? EMPTY_SERIES : concatenate(parts));
        },
      };
    } catch (error) {
      place.leave();
      throw error;
    }
  }

  async #collect(
    query: ObservationQuery & { readonly variables: readonly number[] },
    { limit, quality }: ReadInput,
    place: Place,
    signal: AbortSignal | undefined,
  ): Promise<Pick<ObservationPage, 'parts' | 'next'>> {
    const parts: Series[] = [];
    let rows = 0;
    let next: number | null = null;
    // One row more than the limit tells where the next page begins.
    for await (const { times, values, flags } of this.#observations.read({ ...query, rows: limit + 1 })) {
      signal?.throwIfAborted();
      const remaining = limit - rows;
      if (times.length > remaining) next = times[remaining] as number;
      if (remaining > 0) {
        const part = { times, values, flags };
        const taken = next === null ? part : sliceSeries(part, 0, remaining);
        parts.push(quality === 'pass' ? passing(taken) : taken);
        rows += taken.times.length;
        place.charge(rows * query.variables.length);
      }
      if (next !== null) break;
    }
    return { parts, next };
  }
}

/** The series without the values that did not pass quality control. */
export function passing({ times, values, flags }: Series): Series {
  const kept = [...values].map(([variable, column]): [number, Float64Array] => {
    const found = flags.get(variable);
    return [
      variable,
      found === undefined ? column : column.map((value, row) => (found[row] === 0 ? value : Number.NaN)),
    ];
  });
  return { times, values: new Map(kept), flags: new Map() };
}

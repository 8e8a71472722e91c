import { DomainError } from '../domain/domain-error.js';
import { layered } from '../domain/merge-series.js';
import { EMPTY_SERIES, type ObservationBatch, type Series, sliceSeries } from '../domain/observations.js';
import type { Station } from '../domain/station.js';
import { isVariable, type Variable, variableNumbered } from '../domain/variables.js';
import { findStation } from './find-station.js';
import { type AskedRange, type Range, rangeOf, variablesNamed } from './observation-query.js';
import type { Inventory, ObservationStore } from './ports/observation-store.js';
import type { StationStore } from './ports/station-store.js';
import { assertNumbers, type StationDirectory } from './station-directory.js';

/** Most rows in a reply, and how many where nobody says. */
export const ROW_LIMITS = { usual: 10_000, max: 100_000 } as const;

export interface ReadInput extends AskedRange {
  readonly station: string;
  /** Names; all that have a value in the range when undefined. */
  readonly variables: readonly string[] | undefined;
  /** `pass`: values that did not pass are absent. */
  readonly quality: 'all' | 'pass';
  readonly limit: number;
  /** Time at which the page begins, in place of `from`. */
  readonly cursor: number | undefined;
}

export interface ObservationPage extends Range {
  readonly station: Station;
  /** In the order of their numbers, or in that which was asked for. */
  readonly variables: readonly Variable[];
  readonly series: Series;
  /** Time at which the next page begins, or null at the end. */
  readonly next: number | null;
}

/** By numbers; all stations and all variables where none are given. */
export interface NumberedQuery {
  readonly stations: readonly number[] | undefined;
  readonly variables: readonly number[] | undefined;
  /** `[from, to)` in milliseconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
}

/** Reads observations, oldest first. */
export class ReadObservations {
  readonly #stations: StationStore;
  readonly #directory: StationDirectory;
  readonly #observations: ObservationStore;

  constructor(stations: StationStore, directory: StationDirectory, observations: ObservationStore) {
    this.#stations = stations;
    this.#directory = directory;
    this.#observations = observations;
  }

  /** @throws DomainError STATION_UNKNOWN; REQUEST_INVALID for an unknown variable or a range that is none */
  async execute(input: ReadInput, signal?: AbortSignal): Promise<ObservationPage> {
    const station = await findStation(this.#stations, input.station);
    const asked = input.variables && variablesNamed(input.variables);
    const range = await rangeOf(this.#observations, station, input);
    const { series, next } = await this.#collect(station, range, input, asked, signal);
    const names = asked ?? present(series);
    return { station, ...range, variables: names, series, next };
  }

  /** The names of all variables that a station has. @throws DomainError STATION_UNKNOWN */
  async variablesOf(id: string): Promise<string[]> {
    const { number } = await findStation(this.#stations, id);
    const [inventory] = await this.#observations.inventory([number]);
    return (inventory as Inventory).variables.map((variable) => variableNumbered(variable).name);
  }

  /**
   * Rows of many stations by (station, time), in batches of bounded size. Rows in which no variable that is asked for has a
   * value are left out.
   *
   * @throws DomainError STATION_UNKNOWN or REQUEST_INVALID for a number that nothing has, before the first batch
   */
  async *ofMany(query: NumberedQuery): AsyncGenerator<ObservationBatch> {
    const { stations, variables, from, to } = query;
    const directory = await this.#directory.current();
    if (stations !== undefined) assertNumbers(directory, stations);
    const unknown = variables?.find((number) => !isVariable(number));
    if (unknown !== undefined) {
      throw new DomainError('REQUEST_INVALID', `There is no variable with the number ${unknown}.`);
    }
    if (from > to) throw new DomainError('REQUEST_INVALID', 'to lies before from.');
    yield* this.#observations.read({
      // By number in any case: a removed station still has its observations.
      stations: [...new Set(stations ?? directory.byNumber.keys())],
      ...(variables && { variables }),
      from,
      to,
    });
  }

  async #collect(
    station: Station,
    range: Range,
    { cursor, limit, quality }: ReadInput,
    variables: readonly Variable[] | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Pick<ObservationPage, 'series' | 'next'>> {
    const query = {
      stations: [station.number],
      from: Math.max(range.from, cursor ?? -Infinity),
      to: range.to,
      ...(variables && { variables: variables.map(({ number }) => number) }),
    };
    const parts: Series[] = [];
    let rows = 0;
    let next: number | null = null;
    for await (const { times, values, flags } of this.#observations.read(query)) {
      signal?.throwIfAborted();
      const room = limit - rows;
      if (times.length > room) next = times[room] as number;
      parts.push(
        times.length > room ? sliceSeries({ times, values, flags }, 0, room) : { times, values, flags },
      );
      rows += times.length;
      if (next !== null) break;
    }
    const series = parts.length === 0 ? EMPTY_SERIES : layered(parts);
    return { series: quality === 'pass' ? passing(series) : series, next };
  }
}

function present({ values }: Series): Variable[] {
  const numbers = [...values].filter(([, column]) => column.some((value) => !Number.isNaN(value)));
  return numbers.map(([number]) => variableNumbered(number)).sort((a, b) => a.number - b.number);
}

/** Without the values that did not pass. */
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

import { isDomainError } from '../../../domain/domain-error.js';
import { concatenate } from '../../../domain/weather/merge-series.js';
import { EMPTY_SERIES, type Series, sliceSeries } from '../../../domain/weather/series.js';
import type { Station } from '../../../domain/weather/station.js';
import { type Variable, variableNumbered } from '../../../domain/weather/variables.js';
import type { Calendar } from '../../ports/calendar.js';
import type { ObservationQuery, ObservationStore } from '../../ports/observation-store.js';
import type { DescribedStation } from './describe-station.js';
import { type AskedRange, expectedRows, type Range, rangeOf, variablesNamed } from './observation-query.js';
import { type Place, type Reader, type ReadGate, UNLIMITED } from './read-gate.js';

/** Number of rows in a reply: the default and the maximum. */
export const ROW_LIMITS = { usual: 10_000, max: 100_000 } as const;

export interface ReadInput extends AskedRange {
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

type PageRows = Pick<ObservationPage, 'parts' | 'next'>;

/** Reads observations, oldest first. */
export class ReadObservations {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;
  readonly #gate: ReadGate;

  constructor(calendar: Calendar, observations: ObservationStore, gate: ReadGate) {
    this.#calendar = calendar;
    this.#observations = observations;
    this.#gate = gate;
  }

  /**
   * One page, which is read whole before it is returned: a fault in the data fails the call, not a reply that has begun.
   *
   * @param described the station; its rows are not read again where they are what `input` asks for
   * @param reader who waits at the gate; without one the read is neither counted nor bounded
   * @throws DomainError REQUEST_INVALID for an unknown variable or time zone, and for a range that ends before it begins;
   *   DATA_DAMAGED; RATE_LIMITED or SERVICE_UNAVAILABLE at the gate
   */
  async execute(described: DescribedStation, input: ReadInput, reader?: Reader): Promise<ObservationPage> {
    const { station, inventory } = described;
    const range = rangeOf(this.#calendar, station, inventory, input);
    const named = input.variables && variablesNamed(input.variables);
    const variables = named ?? inventory.variables.map(variableNumbered);
    const page = { from: Math.max(range.from, input.cursor ?? -Infinity), to: range.to };
    const rows = Math.min(input.limit, expectedRows(inventory, page));
    const place = reader ? await this.#gate.enter(reader, rows * variables.length) : UNLIMITED;
    try {
      const query = { stations: [station.number], ...page, variables: variables.map(({ number }) => number) };
      const known = knownRows(described, query, named !== undefined);
      const read = (most: number) =>
        collect(
          known ?? this.#observations.read({ ...query, rows: most }),
          input,
          variables.length,
          place,
          reader?.signal,
        );
      // A station without variables has no rows, unless its rows are damaged: then the read must fail.
      const isSilent = variables.length === 0 && inventory.damaged === undefined;
      const { parts, next } = isSilent ? { parts: [], next: null } : await upToDamage(read, input.limit);
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
}

/** The rows that were read with the station, where they are those of the query. */
function knownRows(
  { short }: DescribedStation,
  { from, to, variables }: ObservationQuery,
  areNamed: boolean,
): readonly Series[] | undefined {
  if (short === undefined || short.range.from !== from || short.range.to !== to) return undefined;
  const known = short.range.variables;
  const isSame = areNamed ? String(known) === String(variables) : known === undefined;
  return isSame ? [short.rows] : undefined;
}

/**
 * One row more than the limit tells where the next page begins. Where that row is damaged, a full page can be given without
 * it; the next page then begins behind the last row of this one, and fails.
 */
async function upToDamage(read: (most: number) => Promise<PageRows>, limit: number): Promise<PageRows> {
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

/** @param batches the rows in order */
async function collect(
  batches: readonly Series[] | AsyncIterable<Series>,
  { limit, quality }: ReadInput,
  variables: number,
  place: Place,
  signal: AbortSignal | undefined,
): Promise<PageRows> {
  const parts: Series[] = [];
  let rows = 0;
  let next: number | null = null;
  for await (const { times, values, flags } of batches) {
    signal?.throwIfAborted();
    const remaining = limit - rows;
    if (times.length > remaining) next = times[remaining] as number;
    if (remaining > 0) {
      const part = { times, values, flags };
      const taken = next === null ? part : sliceSeries(part, 0, remaining);
      parts.push(quality === 'pass' ? passing(taken) : taken);
      rows += taken.times.length;
      place.charge(rows * variables);
    }
    if (next !== null) break;
  }
  return { parts, next };
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

import { MILLISECONDS } from '#domain/time.js';
import { assertReadable } from '#domain/weather/stations/stored-station.js';
import type { Station } from '#domain/weather/station.js';
import type { Calendar } from '../../ports/calendar.js';
import type { EraseRange, ObservationStore } from '../../ports/observation-store.js';
import { unknownStation } from '../../stations/find-station.js';
import { assertKnown } from '../read/describe-station.js';
import { expectedRows, readableSpan, rangeOf, variablesNamed } from '../read/observation-query.js';

/** A request to remove values of one station. */
export interface RemovalRequest {
  /** The start of the range, in milliseconds since 1970-01-01T00:00:00Z. A date means the first instant of that day. */
  readonly from: number | string;
  /** The end of the range, in the form of `from`. The end itself is not in the range. */
  readonly to: number | string;
  /** Time zone of dates: an IANA name, an offset, or `station` (the default) for the zone of the station. */
  readonly timeZone?: string | undefined;
  /** Names of variables; undefined means all. */
  readonly variables?: readonly string[] | undefined;
}

export interface FoundValues {
  readonly station: Station;
  /** The range in parts, so that progress can be shown. */
  readonly ranges: readonly EraseRange[];
  /** Approximate number of rows in the ranges. */
  readonly expected: number;
}

/** Maximum number of parts into which a range is divided. */
const MAX_PARTS = 100;

/** Finds the ranges of a station from which a request removes values. */
export class FindValues {
  readonly #calendar: Calendar;
  readonly #observations: ObservationStore;

  constructor(calendar: Calendar, observations: ObservationStore) {
    this.#calendar = calendar;
    this.#observations = observations;
  }

  /** @throws DomainError STATION_UNKNOWN; REQUEST_INVALID for invalid times or variables; DATA_DAMAGED */
  async execute(id: string, { variables, ...asked }: RemovalRequest): Promise<FoundValues> {
    const described = await this.#observations.describe(id);
    if (described === undefined) throw unknownStation(id);
    const { station, inventory } = described;
    assertReadable(station);
    assertKnown(station, inventory);
    const numbers = variables && variablesNamed(variables).map(({ number }) => number);
    const range = rangeOf(this.#calendar, station, inventory, asked);
    const { first, last } = readableSpan(inventory);
    if (first === null || last === null) return { station, ranges: [], expected: 0 };
    const end = Math.min(range.to, last + 1);
    const begin = Math.max(range.from, first);
    const days = Math.ceil((end - begin) / MAX_PARTS / MILLISECONDS.day);
    const ranges: EraseRange[] = [];
    for (let from = begin; from < end;) {
      const to = Math.min(end, from + days * MILLISECONDS.day);
      ranges.push({ station: station.number, from, to, variables: numbers });
      from = to;
    }
    return { station, ranges, expected: expectedRows(inventory, range) };
  }
}

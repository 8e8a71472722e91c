import { monthsOf } from '#domain/weather/climate/calendar-rows.js';
import { type RecordElement, type RecordRow, RECORDS, recordsOf } from '#domain/weather/climate/records.js';
import { type Streak, type StreakElement, STREAKS, streaksOf } from '#domain/weather/climate/streaks.js';
import type { StationSnapshot } from '../read/describe-station.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import { type ClimateTable, sourcesOfElements } from './climate-table.js';
import { usedZone } from '../../asked-zone.js';
import type { ClimateInput, ReadClimateDays } from './read-climate-days.js';

export interface RecordTable extends Pick<
  ClimateTable,
  'station' | 'timeZone' | 'years' | 'source' | 'sources'
> {
  /**
   * The records of the table, such as the highest temperature. A record is left out if the station has never observed its
   * quantity.
   */
  readonly elements: readonly RecordElement[];
  /** One row for each calendar month and one for all months; empty without observations. */
  readonly rows: readonly RecordRow[];
  /** The longest runs of days, without the kinds of days whose quantity the station has never observed. */
  readonly streaks: readonly (readonly [StreakElement, Streak])[];
}

/** Finds the records of each calendar month and of all time, and the longest runs of days. */
export class FindRecords {
  readonly #days: ReadClimateDays;

  constructor(days: ReadClimateDays) {
    this.#days = days;
  }

  /** @throws DomainError as `ReadClimateDays` */
  async execute(
    described: StationSnapshot,
    input: ClimateInput,
    permit: Permit = UNLIMITED,
  ): Promise<RecordTable> {
    const { station } = described;
    const common = { station, timeZone: usedZone(station, input.timeZone) };
    const quantities = RECORDS.map(({ quantity }) => quantity);
    const found = await this.#days.find(described, input, quantities, permit);
    if (found === undefined)
      return {
        ...common,
        years: undefined,
        source: undefined,
        sources: new Map(),
        elements: [],
        rows: [],
        streaks: [],
      };
    const { years, days, source } = found;
    const rows = recordsOf(days, monthsOf(days.dates), RECORDS);
    const observed = RECORDS.map(({ quantity }) => days.isObserved(quantity));
    const kinds = STREAKS.filter(({ quantity }) => days.isObserved(quantity));
    const runs = streaksOf(days, kinds);
    const isKept = (_one: unknown, index: number) => observed[index] === true;
    return {
      ...common,
      years,
      source,
      sources: sourcesOfElements(days, [...RECORDS.filter(isKept), ...kinds]),
      elements: RECORDS.filter(isKept),
      rows: rows.map(({ label, records }) => ({ label, records: records.filter(isKept) })),
      streaks: kinds.map((kind, index) => [kind, runs[index] as Streak] as const),
    };
  }
}

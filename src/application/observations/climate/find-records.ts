import { monthsOf } from '../../../domain/weather/climate/calendar-rows.js';
import type { YearSpan } from '../../../domain/weather/climate/normals.js';
import {
  type RecordElement,
  type RecordRow,
  RECORDS,
  recordsOf,
} from '../../../domain/weather/climate/records.js';
import type { Station } from '../../../domain/weather/station.js';
import type { DescribedStation } from '../read/describe-station.js';
import type { Reader } from '../read/read-gate.js';
import type { ClimateInput, ReadClimateDays } from './read-climate-days.js';

export interface RecordTable {
  readonly station: Station;
  /** Undefined without observations. */
  readonly years: YearSpan | undefined;
  /** Those that have a record. */
  readonly elements: readonly RecordElement[];
  /** The months of the year, and all of them; none without observations. */
  readonly rows: readonly RecordRow[];
}

/** Finds the records of each month of the year and of all time. */
export class FindRecords {
  readonly #days: ReadClimateDays;

  constructor(days: ReadClimateDays) {
    this.#days = days;
  }

  /** @throws DomainError as `ReadClimateDays` */
  async execute(described: DescribedStation, input: ClimateInput, reader?: Reader): Promise<RecordTable> {
    const { station } = described;
    const quantities = RECORDS.map(({ quantity }) => quantity);
    const found = await this.#days.find(described, input, quantities, reader);
    if (found === undefined) return { station, years: undefined, elements: [], rows: [] };
    const { years, days } = found;
    const rows = recordsOf(days, monthsOf(days.dates), RECORDS);
    const kept = RECORDS.map(({ quantity }) => days.isObserved(quantity));
    const keep = (_one: unknown, index: number) => kept[index] === true;
    return {
      station,
      years,
      elements: RECORDS.filter(keep),
      rows: rows.map(({ label, records }) => ({ label, records: records.filter(keep) })),
    };
  }
}

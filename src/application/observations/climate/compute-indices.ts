import { monthsOf, yearsOf } from '#domain/weather/climate/calendar-rows.js';
import type { ClimateQuantity } from '#domain/weather/climate/climate-days.js';
import type { ClimateIndex, Frequency } from '#domain/weather/climate/indices/definitions.js';
import { indexFigures, indicesOf } from '#domain/weather/climate/indices/index-figures.js';
import { observedRows } from '#domain/weather/climate/month-figures.js';
import type { YearSpan } from '#domain/weather/climate/normals.js';
import type { StationSnapshot } from '../read/describe-station.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import { type ClimateTable, climateTable } from './climate-table.js';
import type { ClimateInput, ReadClimateDays } from './read-climate-days.js';

export interface IndicesInput extends ClimateInput {
  readonly frequency: Frequency;
  /** Threshold of the index `Rnnmm`, in mm. */
  readonly threshold: number;
}

export interface IndicesTable extends ClimateTable {
  readonly elements: readonly ClimateIndex[];
}

const INPUTS: readonly ClimateQuantity[] = ['midrange', 'precipitation'];

/** Computes the climate indices of the ETCCDI that do not need a base period. */
export class ComputeIndices {
  readonly #days: ReadClimateDays;

  constructor(days: ReadClimateDays) {
    this.#days = days;
  }

  /** @throws DomainError as `ReadClimateDays` */
  async execute(
    described: StationSnapshot,
    input: IndicesInput,
    permit: Permit = UNLIMITED,
  ): Promise<IndicesTable> {
    const { dayStart, timeZone, source, frequency, threshold } = input;
    const { station } = described;
    const indices = indicesOf(frequency);
    // All years are read, because a spell (for example of dry days) may cross the end of a year. So the values of a year do not
    // depend on the years that are requested.
    const found = await this.#days.find(described, { dayStart, timeZone, source }, INPUTS, permit);
    const years = found && commonYears(found.years, input.years);
    if (found === undefined || years === undefined)
      return climateTable(station, input, undefined, indices, { [`${frequency}s`]: [] });
    const { days, today } = found;
    const isNorthern = station.latitude >= 0;
    const rows = indexFigures(days, yearsOf(monthsOf(days.dates)), indices, {
      frequency,
      isNorthern,
      threshold,
      today,
    });
    const asked = observedRows(days, rows).filter(({ label }) => {
      const year = Number(label.slice(0, 4));
      return year >= years.from && year <= years.to;
    });
    return climateTable(station, input, { ...found, years }, indices, { [`${frequency}s`]: asked });
  }
}

/** The years that are in both spans; undefined if no year is in both. */
function commonYears(known: YearSpan, asked: YearSpan = known): YearSpan | undefined {
  const years = { from: Math.max(known.from, asked.from), to: Math.min(known.to, asked.to) };
  return years.from > years.to ? undefined : years;
}

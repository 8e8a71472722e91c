import { DomainError } from '#domain/domain-error.js';
import { monthsOf, yearsOf } from '#domain/weather/climate/calendar-rows.js';
import type { ClimateQuantity } from '#domain/weather/climate/climate-days.js';
import { type ClimateIndex, type Frequency, INDICES } from '#domain/weather/climate/indices/definitions.js';
import { indexFigures, indicesOf } from '#domain/weather/climate/indices/index-figures.js';
import { observedRows } from '#domain/weather/climate/month-figures.js';
import { percentileIndices } from '#domain/weather/climate/indices/percentile-indices.js';
import { lengthOf, type YearSpan } from '#domain/weather/climate/normals.js';
import { pause } from '../../pause.js';
import type { StationSnapshot } from '../read/describe-station.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import { type ClimateTable, climateTable } from './climate-table.js';
import type { ClimateInput, ReadClimateDays } from './read-climate-days.js';

export interface IndicesInput extends ClimateInput {
  readonly frequency: Frequency;
  /** Threshold of the index `Rnnmm`, in mm. */
  readonly threshold: number;
  /** The base period of the indices of percentiles, which are left out without it. */
  readonly base?: YearSpan | undefined;
}

/** Fewest and most years of a base period. The time of the bootstrap grows with the third power of the number of years. */
export const BASE_YEARS = { min: 10, max: 40 };

export interface IndicesTable extends ClimateTable {
  readonly elements: readonly ClimateIndex[];
}

const INPUTS: readonly ClimateQuantity[] = ['midrange', 'precipitation'];

/** Computes the climate indices of the ETCCDI. */
export class ComputeIndices {
  readonly #days: ReadClimateDays;

  constructor(days: ReadClimateDays) {
    this.#days = days;
  }

  /** @throws DomainError REQUEST_INVALID for a base period with too few or too many years (`BASE_YEARS`); otherwise as `ReadClimateDays` */
  async execute(
    described: StationSnapshot,
    input: IndicesInput,
    permit: Permit = UNLIMITED,
  ): Promise<IndicesTable> {
    const { dayStart, timeZone, source, frequency, threshold, base } = input;
    const { station } = described;
    if (base !== undefined && (lengthOf(base) < BASE_YEARS.min || lengthOf(base) > BASE_YEARS.max))
      throw new DomainError(
        'REQUEST_INVALID',
        `The base period has ${lengthOf(base)} years, but must have ${BASE_YEARS.min} to ${BASE_YEARS.max}.`,
      );
    const ofBase = base === undefined ? [] : percentileIndices(base);
    const indices = indicesOf(frequency, [...INDICES, ...ofBase]);
    // All years are read, because a spell (for example of dry days) may cross the end of a year. So the values of a year do not
    // depend on the years that are requested.
    const around = input.years && hullOf(input.years, base);
    const all = { dayStart, timeZone, source, around };
    const found = await this.#days.find(described, all, INPUTS, permit);
    const years = found && commonYears(found.years, input.years);
    if (found === undefined || years === undefined)
      return climateTable(station, input, undefined, indices, { [`${frequency}s`]: [] });
    const { days, today } = found;
    const isNorthern = station.latitude >= 0;
    const calendarYears = yearsOf(monthsOf(days.dates));
    const compute = (some: readonly ClimateIndex[]) =>
      indexFigures(days, calendarYears, some, { frequency, isNorthern, threshold, today });
    let rows = compute(indices.filter((index) => !ofBase.includes(index)));
    for (const index of indices.filter((one) => ofBase.includes(one))) {
      // The bootstrap of an index takes some 10 ms, so other requests have their turn in between.
      // oxlint-disable-next-line no-await-in-loop -- the pause is between two computations
      await pause();
      const column = compute([index]);
      rows = rows.map((row, at) => ({ ...row, figures: [...row.figures, ...(column[at]?.figures ?? [])] }));
    }
    const asked = observedRows(days, rows).filter(({ label }) => {
      const year = Number(label.slice(0, 4));
      return year >= years.from && year <= years.to;
    });
    return climateTable(station, input, { ...found, years }, indices, { [`${frequency}s`]: asked });
  }
}

/** The years that are in both spans; undefined if no year is in both. */
export function commonYears(known: YearSpan, asked: YearSpan = known): YearSpan | undefined {
  const years = { from: Math.max(known.from, asked.from), to: Math.min(known.to, asked.to) };
  return years.from > years.to ? undefined : years;
}

/** The shortest span with all years of two spans. */
export function hullOf(one: YearSpan, other: YearSpan = one): YearSpan {
  return { from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) };
}

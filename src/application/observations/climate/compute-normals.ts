import { DomainError } from '#domain/domain-error.js';
import { ELEMENTS } from '#domain/weather/climate/elements.js';
import {
  MIN_YEARS,
  lengthOf,
  normalsOf,
  YEARS_OF_NORMAL,
  type YearSpan,
} from '#domain/weather/climate/normals.js';
import { yearsNeeded } from '#domain/weather/climate/validity.js';
import type { StationSnapshot } from '../read/describe-station.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import { climateTable, type ElementTable } from './climate-table.js';
import { climateMonths, type MonthsInput } from './list-climate-months.js';
import { MAX_YEARS, type ReadClimateDays } from './read-climate-days.js';

/**
 * The climate elements (such as the mean temperature) that can be averaged. `FindRecords` reports the other elements, which are
 * extremes.
 */
export const AVERAGED = ELEMENTS.filter(({ statistic }) => statistic !== 'highest' && statistic !== 'lowest');

/** The period of an average. */
export interface Period {
  readonly period: YearSpan;
  readonly kind: 'normal' | 'period_average';
  /** Minimum number of years with data for the average of a month. */
  readonly yearsNeeded: number;
}

export interface NormalsTable extends ElementTable, Period {}

/** @throws DomainError REQUEST_INVALID for a period of fewer than `MIN_YEARS` or more than `MAX_YEARS` years */
export function periodOf(period: YearSpan): Period {
  const length = lengthOf(period);
  if (length < MIN_YEARS || length > MAX_YEARS)
    throw new DomainError(
      'REQUEST_INVALID',
      `The period has ${length} years, but must have ${MIN_YEARS} to ${MAX_YEARS}.`,
    );
  const kind = length === YEARS_OF_NORMAL ? 'normal' : 'period_average';
  return { period, kind, yearsNeeded: yearsNeeded(length) };
}

/** Averages the climate of a station over a period of years. */
export class ComputeNormals {
  readonly #days: ReadClimateDays;

  constructor(days: ReadClimateDays) {
    this.#days = days;
  }

  /**
   * @throws DomainError as `periodOf` and `ReadClimateDays`
   */
  async execute(
    described: StationSnapshot,
    period: YearSpan,
    input: Omit<MonthsInput, 'years'>,
    permit: Permit = UNLIMITED,
  ): Promise<NormalsTable> {
    const checked = periodOf(period);
    const quantities = AVERAGED.map(({ quantity }) => quantity);
    const found = await this.#days.find(described, { ...input, years: period }, quantities, permit);
    const { months } = climateMonths(found, AVERAGED, input.rule);
    const statistics = AVERAGED.map(({ statistic }) => statistic);
    const normals = found && normalsOf(period, statistics, months);
    const sections = { months: normals?.months ?? [], year: normals ? [normals.year] : [] };
    return { ...climateTable(described.station, input, found, AVERAGED, sections), ...checked };
  }
}

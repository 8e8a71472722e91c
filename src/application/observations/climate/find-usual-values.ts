import {
  DATES_OF_YEAR,
  COMPARED_QUANTITIES,
  type UsualValues,
  usualValues,
  type UsualVariable,
} from '#domain/weather/climate/usual.js';
import type { DayQuantity } from '#domain/weather/climate/climate-days.js';
import type { MeasuredElement } from '#domain/weather/climate/elements.js';
import type { StationSnapshot } from '../read/describe-station.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import { type ClimateTable, climateTable } from './climate-table.js';
import type { ClimateInput, ReadClimateDays } from './read-climate-days.js';

export interface UsualInput extends ClimateInput {
  /** The requested variables; undefined means all variables that the station has observed. */
  readonly variables?: readonly UsualVariable[] | undefined;
  /** First and last date in the form `MM-DD`, both included. If `to` is before `from`, the dates go on in the next year. */
  readonly from: string;
  readonly to: string;
}

/** A variable with the daily quantity that is compared. */
interface UsualElement extends MeasuredElement {
  readonly name: UsualVariable;
  readonly quantity: DayQuantity;
}

export interface UsualTable extends Omit<ClimateTable, 'sections' | 'elements'> {
  readonly elements: readonly UsualElement[];
  /** Dates in the form `MM-DD`, in the order of the request. */
  readonly dates: readonly string[];
  /** The usual values of each date, by variable. */
  readonly usual: ReadonlyMap<UsualVariable, readonly UsualValues[]>;
}

/** Finds the usual values of dates at a station: percentiles of the daily values of all its years. */
export class FindUsualValues {
  readonly #days: ReadClimateDays;

  constructor(days: ReadClimateDays) {
    this.#days = days;
  }

  /** @throws DomainError as `ReadClimateDays` */
  async execute(
    described: StationSnapshot,
    input: UsualInput,
    permit: Permit = UNLIMITED,
  ): Promise<UsualTable> {
    const names = input.variables ?? (Object.keys(COMPARED_QUANTITIES) as UsualVariable[]);
    const elements = names.map((name): UsualElement => ({
      name,
      variable: name,
      quantity: COMPARED_QUANTITIES[name],
    }));
    const quantities = elements.map(({ quantity }) => quantity);
    const found = await this.#days.find(described, input, quantities, permit);
    const table = climateTable(described.station, input, found, elements, {});
    const dates = datesBetween(input.from, input.to);
    const usual = table.elements.map(({ name, quantity }) => {
      const { days } = found as NonNullable<typeof found>;
      return [name, usualValues(days.dates, days.known(quantity), dates)] as const;
    });
    return { ...table, dates, usual: new Map(usual) };
  }
}

/** The dates of a leap year from one date to another, both included. */
function datesBetween(from: string, to: string): readonly string[] {
  const [first, last] = [DATES_OF_YEAR.indexOf(from), DATES_OF_YEAR.indexOf(to)];
  if (first <= last) return DATES_OF_YEAR.slice(first, last + 1);
  return [...DATES_OF_YEAR.slice(first), ...DATES_OF_YEAR.slice(0, last + 1)];
}

import { monthsOf, yearsOf } from '#domain/weather/climate/calendar-rows.js';
import {
  type ExtremeElement,
  EXTREMES,
  type ReturnLevels,
  returnLevels,
} from '#domain/weather/climate/extremes/return-levels.js';
import { pause } from '../../pause.js';
import type { StationSnapshot } from '../read/describe-station.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import { usedZone } from '../../asked-zone.js';
import { type ClimateTable, sourcesOfElements } from './climate-table.js';
import type { ClimateInput, ReadClimateDays } from './read-climate-days.js';

export interface ReturnLevelTable extends Pick<
  ClimateTable,
  'station' | 'timeZone' | 'years' | 'source' | 'sources'
> {
  /** The elements that the station has observed. */
  readonly elements: readonly ExtremeElement[];
  /** The levels of each element, in the order of `elements`. */
  readonly rows: readonly ReturnLevels[];
}

/** Estimates the return levels of the daily rain and of the wind. */
export class FindReturnLevels {
  readonly #days: ReadClimateDays;

  constructor(days: ReadClimateDays) {
    this.#days = days;
  }

  /** @throws DomainError as `ReadClimateDays` */
  async execute(
    described: StationSnapshot,
    input: ClimateInput,
    permit: Permit = UNLIMITED,
  ): Promise<ReturnLevelTable> {
    const { station } = described;
    const quantities = EXTREMES.map(({ quantity }) => quantity);
    const found = await this.#days.find(described, input, quantities, permit);
    const elements = EXTREMES.filter(({ quantity }) => found?.days.isObserved(quantity) === true);
    const years = found === undefined ? [] : yearsOf(monthsOf(found.days.dates));
    const rows: ReturnLevels[] = [];
    for (const { quantity } of elements) {
      if (found === undefined) break;
      // The samples of an element take some 10 ms, so other requests have their turn in between.
      // oxlint-disable-next-line no-await-in-loop -- the pause is between two computations
      await pause();
      rows.push(returnLevels(found.days, years, quantity, found.today));
    }
    const zone = usedZone(station, input.timeZone);
    const sources = sourcesOfElements(found?.days, elements);
    return { station, timeZone: zone, years: found?.years, source: found?.source, sources, elements, rows };
  }
}

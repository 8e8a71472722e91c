import { DomainError } from '#domain/domain-error.js';
import {
  DROUGHT,
  type DroughtIndex,
  type DroughtIndexName,
  droughtMonths,
  droughtProvenance,
  MIN_REFERENCE,
  type Scale,
} from '#domain/weather/climate/drought/drought.js';
import { observedRows } from '#domain/weather/climate/month-figures.js';
import { lengthOf, type YearSpan } from '#domain/weather/climate/normals.js';
import { usedZone } from '../../asked-zone.js';
import type { StationSnapshot } from '../read/describe-station.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import type { ClimateTable } from './climate-table.js';
import { commonYears, hullOf } from './compute-indices.js';
import type { ClimateInput, ReadClimateDays } from './read-climate-days.js';

export interface DroughtInput extends ClimateInput {
  readonly index: DroughtIndexName;
  readonly scale: Scale;
  /** The years of the reference; undefined means all years of the station. */
  readonly reference?: YearSpan | undefined;
}

export interface DroughtTable extends ClimateTable {
  readonly index: DroughtIndex;
  readonly elements: DroughtIndex['elements'];
}

/** Computes an index of drought (SPI or SPEI) for the months of a station. */
export class ComputeDrought {
  readonly #days: ReadClimateDays;

  constructor(days: ReadClimateDays) {
    this.#days = days;
  }

  /** @throws DomainError REQUEST_INVALID for a reference of fewer than `MIN_REFERENCE` years; otherwise as `ReadClimateDays` */
  async execute(
    described: StationSnapshot,
    input: DroughtInput,
    permit: Permit = UNLIMITED,
  ): Promise<DroughtTable> {
    const { station } = described;
    const { dayStart, timeZone, source, reference, scale } = input;
    if (reference !== undefined && lengthOf(reference) < MIN_REFERENCE)
      throw new DomainError(
        'REQUEST_INVALID',
        `The reference has ${lengthOf(reference)} years, but must have at least ${MIN_REFERENCE}.`,
      );
    const index = DROUGHT[input.index];
    // All years are read: the reference may be other years than the requested ones, and a sum may begin in the year before.
    const around = input.years && hullOf(input.years, reference);
    const asked = { dayStart, timeZone, source, around };
    const found = await this.#days.find(described, asked, index.quantities, permit);
    const years = found && commonYears(found.years, input.years);
    const common = { station, timeZone: usedZone(station, timeZone), index };
    const isObserved = index.quantities.every((quantity) => found?.days.isObserved(quantity) === true);
    if (found === undefined || years === undefined || !isObserved)
      return {
        ...common,
        years,
        source: found?.source,
        sources: new Map(),
        elements: [],
        sections: { months: [] },
      };
    const { days, today } = found;
    const rows = droughtMonths(days, { index: input.index, scale, reference, site: station, today });
    const months = observedRows(days, rows).filter(({ label }) => {
      const year = Number(label.slice(0, 4));
      return year >= years.from && year <= years.to;
    });
    const { source: from } = droughtProvenance(days, input.index);
    const sources = new Map(index.elements.map(({ name }) => [name, from]));
    return {
      ...common,
      years,
      source: found.source,
      sources,
      elements: index.elements,
      sections: { months },
    };
  }
}

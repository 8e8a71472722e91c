import { anomaliesOf, type AnomalyElement, anomalyElements } from '#domain/weather/climate/anomalies.js';
import { observedRows } from '#domain/weather/climate/month-figures.js';
import { normalsOf, type YearSpan } from '#domain/weather/climate/normals.js';
import type { StationSnapshot } from '../read/describe-station.js';
import { type Permit, UNLIMITED } from '../read/gate/permit.js';
import { type ClimateTable, climateTable } from './climate-table.js';
import { AVERAGED, type Period, periodOf } from './compute-normals.js';
import { climateMonths, type MonthsInput } from './list-climate-months.js';
import type { ReadClimateDays } from './read-climate-days.js';

export interface AnomalyTable extends ClimateTable, Period {
  readonly elements: readonly AnomalyElement[];
}

const ELEMENTS = anomalyElements(AVERAGED);

/** Compares the months and years of a station with the averages of a period. */
export class ComputeAnomalies {
  readonly #days: ReadClimateDays;

  constructor(days: ReadClimateDays) {
    this.#days = days;
  }

  /** @throws DomainError as `ComputeNormals` */
  async execute(
    described: StationSnapshot,
    period: YearSpan,
    input: MonthsInput,
    permit: Permit = UNLIMITED,
  ): Promise<AnomalyTable> {
    const checked = periodOf(period);
    const quantities = AVERAGED.map(({ quantity }) => quantity);
    const ofPeriod = await this.#days.find(described, { ...input, years: period }, quantities, permit);
    const statistics = AVERAGED.map(({ statistic }) => statistic);
    const normals = normalsOf(period, statistics, climateMonths(ofPeriod, AVERAGED, input.rule).months);
    const found = await this.#days.find(described, input, quantities, permit);
    const { months, years } = climateMonths(found, AVERAGED, input.rule);
    const sections = {
      months: anomaliesOf(ELEMENTS, observedRows(found?.days, months), normals),
      years: anomaliesOf(ELEMENTS, observedRows(found?.days, years), normals),
    };
    return { ...climateTable(described.station, input, found, ELEMENTS, sections), ...checked };
  }
}

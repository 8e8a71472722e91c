import { ComputeAnomalies } from '#application/observations/climate/compute-anomalies.js';
import { ComputeDrought } from '#application/observations/climate/compute-drought.js';
import { ComputeIndices } from '#application/observations/climate/compute-indices.js';
import { ComputeNormals } from '#application/observations/climate/compute-normals.js';
import { FindRecords } from '#application/observations/climate/find-records.js';
import { FindReturnLevels } from '#application/observations/climate/find-return-levels.js';
import { ListClimateMonths } from '#application/observations/climate/list-climate-months.js';
import { FindUsualValues } from '#application/observations/climate/find-usual-values.js';
import { MakeNoaaReport } from '#application/observations/climate/make-noaa-report.js';
import { ComputeStationIndex } from '#application/observations/indices/compute-station-index.js';
import { ReadIndexDays } from '#application/observations/indices/read-index-days.js';
import { ReadIndexHours } from '#application/observations/indices/read-index-hours.js';
import { FindFacts } from '#application/observations/now/find-facts.js';
import { FindLastRain } from '#application/observations/now/find-last-rain.js';
import { ReadClimateDays } from '#application/observations/climate/read-climate-days.js';
import { SumDegreeDays } from '#application/observations/climate/sum-degree-days.js';
import { DerivePeriods } from '#application/observations/read/derived/derive-periods.js';
import { SumFromAggregates } from '#application/observations/read/sum-from-aggregates.js';
import { Summarize } from '#application/observations/read/summarize.js';
import * as t from './tokens.js';
import { useCase, type Wiring } from './wiring.js';

/** The classes that compute the climate of stations and compare the present weather with it. */
export function climateWirings(): readonly Wiring[] {
  return [
    useCase(ReadClimateDays, [t.Calendar, Summarize, SumFromAggregates]),
    useCase(ListClimateMonths, [ReadClimateDays]),
    useCase(ComputeNormals, [ReadClimateDays]),
    useCase(ComputeAnomalies, [ReadClimateDays]),
    useCase(ComputeDrought, [ReadClimateDays]),
    useCase(FindRecords, [ReadClimateDays]),
    useCase(FindReturnLevels, [ReadClimateDays]),
    useCase(ComputeIndices, [ReadClimateDays]),
    useCase(SumDegreeDays, [ReadClimateDays]),
    useCase(FindUsualValues, [ReadClimateDays, Summarize]),
    useCase(MakeNoaaReport, [t.Calendar, ReadClimateDays]),
    useCase(ReadIndexHours, [t.Calendar, Summarize]),
    useCase(ReadIndexDays, [t.Calendar, ReadClimateDays, DerivePeriods]),
    useCase(ComputeStationIndex, [t.Calendar, ReadIndexHours, ReadIndexDays]),
    useCase(FindLastRain, [t.Calendar, t.ObservationStore, Summarize]),
    useCase(FindFacts, [t.Calendar, t.ObservationStore, ReadClimateDays, FindLastRain]),
  ];
}

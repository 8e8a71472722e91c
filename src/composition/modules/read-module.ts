import { ChartObservations } from '#application/observations/read/charts/chart-observations.js';
import { CountWinds } from '#application/observations/read/charts/count-winds.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { GetLatest } from '#application/observations/read/get-latest.js';
import { ListLatest } from '#application/observations/read/list-latest.js';
import { FindMany } from '#application/observations/read/many/find-many.js';
import { ReadMany } from '#application/observations/read/many/read-many.js';
import { SummarizeMany } from '#application/observations/read/many/summarize-many.js';
import { ReadRecent } from '#application/observations/read/present/read-recent.js';
import { SumRain } from '#application/observations/read/present/sum-rain.js';
import { ReadObservations } from '#application/observations/read/read-observations.js';
import { Summarize } from '#application/observations/read/summarize.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import * as t from './tokens.js';
import { useCase, type Wiring } from './wiring.js';

/** The reads that front-ends are made of, each with the sources of its constructor parameters. */
export function readWirings(): readonly Wiring[] {
  return [
    useCase(ChartObservations, [t.Calendar, t.ObservationStore]),
    useCase(CountWinds, [t.Calendar, t.ObservationStore]),
    useCase(FindMany, [t.Clock, StationDirectory, t.StationSearch, t.ObservationStore]),
    useCase(ReadMany, [t.Calendar, { read: ReadObservations, chart: ChartObservations }]),
    useCase(SummarizeMany, [t.Calendar, Summarize]),
    useCase(ReadRecent, [t.Calendar, t.ObservationStore]),
    useCase(SumRain, [t.Calendar, DescribeStation, Summarize]),
    useCase(GetLatest, [t.Clock, t.StationStore, t.ObservationStore, { recent: ReadRecent, rain: SumRain }]),
    useCase(ListLatest, [t.Clock, t.StationSearch, t.ObservationStore, ReadRecent]),
  ];
}

import { SumFromAggregates } from '#application/observations/read/sum-from-aggregates.js';
import { BulkGate } from '#adapters/http/internal/bulk-gate.js';
import { ChartObservations } from '#application/observations/read/charts/chart-observations.js';
import { CountWinds } from '#application/observations/read/charts/count-winds.js';
import { Derive } from '#application/observations/read/derived/derive.js';
import { DerivePeriods } from '#application/observations/read/derived/derive-periods.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { MonthFiles } from '#application/observations/files/month-files.js';
import { ReadSettledMonths } from '#application/observations/files/read-settled-months.js';
import { FindMany } from '#application/observations/read/many/find-many.js';
import { GetLatest } from '#application/observations/read/get-latest.js';
import { GetNewestRows } from '#application/observations/read/get-newest-rows.js';
import { MaintainDailyAggregates } from '#application/observations/read/maintain-daily-aggregates.js';
import { ListLatest } from '#application/observations/read/list-latest.js';
import { ListVariables } from '#application/observations/read/list-variables.js';
import { ReadGate } from '#application/observations/read/gate/read-gate.js';
import { ReadMany } from '#application/observations/read/many/read-many.js';
import { ReadAtTimes } from '#application/observations/read/read-at-times.js';
import { ReadObservations } from '#application/observations/read/read-observations.js';
import { RainTotals } from '#application/observations/read/current/rain-totals.js';
import { ReadSums } from '#application/observations/read/current/read-sums.js';
import { ReadRecent } from '#application/observations/read/current/read-recent.js';
import { RenewAggregates } from '#application/observations/read/aggregates/renew-aggregates.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { StreamObservations } from '#application/observations/read/stream-observations.js';
import { SumRain } from '#application/observations/read/current/sum-rain.js';
import { Summarize } from '#application/observations/read/summarize.js';
import { SummarizeMany } from '#application/observations/read/many/summarize-many.js';
import { TextThreads } from '#adapters/http/external/observations/text-threads.js';
import { CardPainter } from '#adapters/site/card/card-painter.js';
import { packageFile } from '../package-info.js';
import * as t from './tokens.js';
import { constant, useCase, type Wiring } from './wiring.js';

/** The classes that read observations. */
export function readingWirings(): readonly Wiring[] {
  return [
    useCase(ReadGate, []),
    useCase(BulkGate, []),
    useCase(TextThreads, [], (threads) => threads.close()),
    useCase(CardPainter, [constant(packageFile('dist/site/card/'))], (painter) => painter.close()),
    useCase(DescribeStation, [t.Clock, t.ObservationStore]),
    useCase(ReadObservations, [t.Calendar, t.ObservationStore]),
    useCase(ReadSettledMonths, [t.Clock, t.Calendar, t.RecheckStore, ReadObservations]),
    useCase(MonthFiles, []),
    useCase(StreamObservations, [StationDirectory, t.ObservationStore]),
    useCase(GetNewestRows, [StationDirectory, t.ObservationStore]),
    useCase(MaintainDailyAggregates, [t.Calendar, t.ObservationStore, t.DailyAggregateStore]),
    useCase(SumFromAggregates, [t.Calendar, t.DailyAggregateStore, MaintainDailyAggregates]),
    useCase(Summarize, [t.Calendar, t.ObservationStore, SumFromAggregates]),
    useCase(RenewAggregates, [t.Calendar, t.StationStore, t.DailyAggregateStore, MaintainDailyAggregates]),
    useCase(ReadAtTimes, [ReadObservations]),
    useCase(Derive, [ReadObservations]),
    useCase(DerivePeriods, [t.Calendar, Summarize]),
    useCase(ListVariables, []),
    useCase(ChartObservations, [t.Calendar, t.ObservationStore]),
    useCase(CountWinds, [t.Calendar, t.ObservationStore]),
    useCase(FindMany, [t.Clock, StationDirectory, t.StationSearch, t.ObservationStore]),
    useCase(ReadMany, [t.Calendar, { read: ReadObservations, chart: ChartObservations }]),
    useCase(SummarizeMany, [t.Calendar, Summarize]),
    useCase(ReadRecent, [t.Calendar, t.ObservationStore]),
    useCase(ReadSums, [t.Calendar, t.ObservationStore]),
    useCase(SumRain, [t.Calendar, DescribeStation, Summarize]),
    useCase(RainTotals, [SumRain]),
    useCase(GetLatest, [t.Clock, t.StationStore, t.ObservationStore, { recent: ReadRecent, rain: SumRain }]),
    useCase(ListLatest, [t.Clock, t.StationSearch, t.ObservationStore, ReadRecent]),
  ];
}

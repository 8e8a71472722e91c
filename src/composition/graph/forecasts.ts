import { DemoFile } from '#adapters/demo-file/demo-file.js';
import { forecastProviders } from '#adapters/forecast-providers/forecast-providers.js';
import { AuditTrail } from '#application/accounts/audit-trail.js';
import { SimulatedProvider } from '#application/demo/simulated-provider.js';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { IssueForecast } from '#application/forecast/issue-forecast.js';
import { LearnForecasts } from '#application/forecast/learn-forecasts.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { FetchForecast } from '#application/forecast/manage/fetch-forecast.js';
import { ListForecasts } from '#application/forecast/manage/list-forecasts.js';
import { RemoveForecast } from '#application/forecast/manage/remove-forecast.js';
import { TrainForecast } from '#application/forecast/manage/train-forecast.js';
import { ForecastProviders } from '#application/forecast/providers.js';
import { ScoreForecasts } from '#application/forecast/score-forecasts.js';
import { GetForecast } from '#application/forecast/read/get-forecast.js';
import { GetForecastCases } from '#application/forecast/read/get-forecast-cases.js';
import { GetVerification } from '#application/forecast/read/get-verification.js';
import { FindShownSeries } from '#application/forecast/read/shown-series.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import type { Config } from '../config.js';
import { PACKAGE_INFO } from '../package-info.js';
import * as t from './tokens.js';
import { useCase, wireFactory, wireValue, type Wiring } from './wiring.js';

/** The classes that ask for forecasts, learn from them and show them. */
export function forecastWirings(config: Config): readonly Wiring[] {
  const providers = forecastProviders({
    version: PACKAGE_INFO.version,
    contact: config.FORECAST_CONTACT,
    apiKey: config.FORECAST_API_KEY,
    openMeteoUrl: config.FORECAST_OPEN_METEO_URL,
    previousRunsUrl: config.FORECAST_PREVIOUS_RUNS_URL,
    metNorwayUrl: config.FORECAST_MET_NORWAY_URL,
  });
  return [
    wireFactory(t.DemoRecording, (calendar) => new DemoFile(calendar), [t.Calendar]),
    wireFactory(
      t.ForecastProviderList,
      (clock, recording) => [...providers, new SimulatedProvider(clock, recording)],
      [t.Clock, t.DemoRecording],
    ),
    wireValue(t.ForecastSettings, { decimals: config.FORECAST_DECIMALS }),
    useCase(ForecastProviders, [t.ForecastProviderList]),
    useCase(ForecastOrders, [t.RecordStore]),
    useCase(ForecastRecords, [t.RecordStore]),
    useCase(LearnForecasts, [t.ObservationStore, ForecastRecords]),
    useCase(ScoreForecasts, [t.ObservationStore, t.StationStore, ForecastRecords]),
    useCase(IssueForecast, [
      {
        clock: t.Clock,
        network: t.SourceNetwork,
        observations: t.ObservationStore,
        records: ForecastRecords,
        learn: LearnForecasts,
        settings: t.ForecastSettings,
      },
    ]),
    useCase(AddForecast, [t.Clock, t.StationStore, ForecastOrders, ForecastProviders, AuditTrail]),
    useCase(RemoveForecast, [t.StationStore, ForecastOrders, AuditTrail]),
    useCase(ListForecasts, [StationDirectory, ForecastOrders]),
    useCase(FetchForecast, [t.StationStore, ForecastOrders, ForecastProviders, IssueForecast, t.Announcer]),
    useCase(TrainForecast, [
      {
        clock: t.Clock,
        stations: t.StationStore,
        orders: ForecastOrders,
        providers: ForecastProviders,
        records: ForecastRecords,
        issue: IssueForecast,
        learn: LearnForecasts,
        score: ScoreForecasts,
        announcer: t.Announcer,
        audit: AuditTrail,
      },
    ]),
    useCase(FindShownSeries, [ForecastOrders, ForecastProviders, ForecastRecords]),
    useCase(GetForecast, [
      {
        clock: t.Clock,
        calendar: t.Calendar,
        stations: t.StationStore,
        observations: t.ObservationStore,
        records: ForecastRecords,
        shown: FindShownSeries,
      },
    ]),
    useCase(GetVerification, [t.StationStore, FindShownSeries, ForecastRecords]),
    useCase(GetForecastCases, [
      {
        clock: t.Clock,
        calendar: t.Calendar,
        stations: t.StationStore,
        observations: t.ObservationStore,
        records: ForecastRecords,
        shown: FindShownSeries,
      },
    ]),
  ];
}

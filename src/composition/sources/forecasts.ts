import type { Log } from '#adapters/log-pino/logger.js';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { IssueForecast } from '#application/forecast/issue-forecast.js';
import { ForecastProviders } from '#application/forecast/providers.js';
import { FORECASTS_INTERVAL, RunForecasts } from '#application/forecast/run-forecasts.js';
import { ScoreForecasts } from '#application/forecast/score-forecasts.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Config } from '../config.js';
import * as t from '../graph/tokens.js';
import { useCase, wireFactory, wireValue, type Wiring } from '../graph/wiring.js';
import { reasonOf } from '../reason.js';
import { periodic, type Runnable } from '../runnables.js';

/** Asks for forecasts while the service runs. If several instances use the same data, only one of them asks. */
export function forecastAsker(config: Config): readonly Wiring[] {
  return [
    wireValue(t.ForecastTimes, {
      every: config.FORECAST_EVERY * MILLISECONDS.second,
      retention: config.FORECAST_RETENTION * MILLISECONDS.second,
    }),
    wireFactory(t.ForecastLease, (leases) => leases('forecast-asker'), [t.Leases]),
    useCase(RunForecasts, [
      {
        clock: t.Clock,
        orders: ForecastOrders,
        providers: ForecastProviders,
        records: ForecastRecords,
        issue: IssueForecast,
        score: ScoreForecasts,
        directory: StationDirectory,
        announcer: t.Announcer,
        lease: t.ForecastLease,
        telemetry: t.Telemetry,
        settings: t.ForecastTimes,
      },
    ]),
    wireFactory(t.Runnable, asker, [RunForecasts, t.Log]),
  ];
}

function asker(forecasts: RunForecasts, { logger }: Log): Runnable {
  const rounds = periodic({
    name: 'forecasts',
    work: () => forecasts.execute(),
    onFailure: (error) => logger.error({ reason: reasonOf(error) }, 'forecasts could not be asked for'),
    defect: () => describeFailing(forecasts),
    interval: FORECASTS_INTERVAL,
    atOnce: true,
  });
  return {
    ...rounds,
    stop: async (deadline) => {
      await rounds.stop(deadline);
      await forecasts.close();
      return undefined;
    },
  };
}

/** A sentence about the stations that get no forecast; undefined if there are none. */
export function describeFailing({ failing }: Pick<RunForecasts, 'failing'>): string | undefined {
  const [first, ...others] = failing;
  if (first === undefined) return undefined;
  const more =
    others.length === 0
      ? ''
      : ` ${others.length} more ${others.length === 1 ? 'station has' : 'stations have'} none.`;
  return `The station ${first.id} has got no forecast since ${new Date(first.since).toISOString()}: ${first.reason}${more}`;
}

import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { TrainForecast } from '#application/forecast/manage/train-forecast.js';
import type { UseCaseOf } from '#application/use-cases.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { PutStations } from '#application/stations/put-stations.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { Forecast } from '#domain/forecast/forecast.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { simulatedForecast } from '#domain/forecast/simulated-forecast.js';
import { MILLISECONDS } from '#domain/time.js';
import type { StationDraft } from '#domain/weather/station.js';

const HOUR = MILLISECONDS.hour;
/** Hours between two forecasts, and of a forecast. */
const [STEP, LENGTH] = [6, 240];

/** What is observed at an hour: a cold garden with wet spells. Some values are missing, and one in 500 is not plausible. */
const WEATHER: Readonly<Record<string, (hour: number) => number>> = {
  air_temperature: (hour) =>
    hour % 500 === 77 ? 90 : 2 + 5 * Math.sin((2 * Math.PI * hour) / 24) + 4 * Math.sin(hour / 61),
  wind_speed: (hour) => 4 + 2 * Math.sin(hour / 13) + Math.cos(hour / 7),
  air_pressure_at_mean_sea_level: (hour) => 1013 + 9 * Math.sin(hour / 47),
  precipitation_amount: (hour) => (Math.sin(hour / 19) > 0.7 && hour % 3 > 0 ? 0.6 : 0),
};
const NUMBERS: Readonly<Record<string, number>> = {
  air_temperature: F.temperature,
  wind_speed: F.wind,
  air_pressure_at_mean_sea_level: F.pressure,
  precipitation_amount: F.rain,
};
const valueAt = (name: string, time: number) => {
  const hour = Math.round(time / HOUR);
  // A day in ten has no values between 4 and 9 o'clock UTC.
  if (Math.floor(hour / 24) % 10 === 3 && hour % 24 >= 4 && hour % 24 < 9) return Number.NaN;
  return Number((WEATHER[name] as (hour: number) => number)(hour).toFixed(1));
};

export interface ForecastHistory {
  /** Days of observations and forecasts. */
  readonly days: number;
  readonly now: number;
  /** Names of the variables of the forecasts. By default all of `WEATHER`. */
  readonly variables?: readonly string[];
  readonly isObserved?: boolean;
  readonly station?: Partial<StationDraft>;
}

/** Adds a station with hourly observations, and imported forecasts of a model with a bias, which the station has learned from. */
export async function addForecastHistory(
  get: UseCaseOf,
  id: string,
  { days, now, variables = Object.keys(WEATHER), isObserved = true, station = {} }: ForecastHistory,
): Promise<void> {
  const draft: StationDraft = {
    id,
    name: id,
    latitude: 52.1,
    longitude: 5.2,
    elevation: 4,
    timeZone: 'Europe/Amsterdam',
    reportingInterval: 3600,
    identifiers: {},
    limits: {},
    ...station,
  };
  await get(PutStations).execute([draft], COMMAND_LINE);
  const last = Math.floor(now / HOUR) * HOUR;
  const times = Float64Array.from({ length: 24 * days }, (_, index) => last - (24 * days - 1 - index) * HOUR);
  if (isObserved) {
    const columns = Object.keys(WEATHER).map((variable) => ({
      variable,
      values: times.map((time) => valueAt(variable, time)),
    }));
    await get(RecordObservations).execute({ stations: id, times, columns }, COMMAND_LINE);
  }
  await get(AddForecast).execute([id], 'open-meteo', COMMAND_LINE);
  const forecasts: Forecast[] = [];
  for (let issued = times[0] as number; issued <= last; issued += STEP * HOUR) {
    const hours = Float64Array.from({ length: LENGTH }, (_, index) => issued + index * HOUR);
    const outcomes = new Map(
      variables.map((name) => [
        NUMBERS[name] as number,
        hours.map((time) => {
          const value = valueAt(name, time);
          return value > 60 && value < 100 ? 10 : Number.isNaN(value) ? 5 : value;
        }),
      ]),
    );
    forecasts.push(
      simulatedForecast(issued, hours, outcomes, { seed: 3, bias: 1, changesEvery: 400 * MILLISECONDS.day }),
    );
  }
  const parts = (async function* () {
    yield forecasts;
  })();
  await get(TrainForecast).import(id, parts, COMMAND_LINE, {
    provider: 'open-meteo',
    signal: new AbortController().signal,
  });
}

import { ForecastRecords, type ForecastSeries } from '#application/forecast/forecast-records.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { uncorrected } from '#domain/forecast/forecast.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { NINETY_PERCENT } from '#domain/forecast/scores.js';
import { MILLISECONDS } from '#domain/time.js';
import type { World } from './world.js';

/** Orders forecasts for a station, and stores one of 48 hours that was issued now. */
export async function orderForecast(world: World, id: string): Promise<void> {
  await world.get(AddForecast).execute([id], 'open-meteo', COMMAND_LINE);
  const values = Array.from({ length: 48 }, (_, hour) => 10 + (hour % 24) / 10);
  await issueTemperatures(world, id, values, { deviation: undefined });
}

/**
 * Stores a forecast of the temperatures of the next hours, which was issued now.
 *
 * @param deviation standard deviation in °C, from which the bounds follow; undefined for a forecast without bounds
 */
export async function issueTemperatures(
  world: World,
  id: string,
  temperatures: readonly number[],
  { deviation }: { readonly deviation: number | undefined } = { deviation: 1 },
): Promise<void> {
  const station = await world.stores.stations.find(id);
  const series = { station: station?.number ?? 0, provider: 'open-meteo' };
  await storeTemperatures(world.get(ForecastRecords), series, world.clock.now(), temperatures, deviation);
}

/** Stores a forecast of the temperatures of the hours after its issue. */
export async function storeTemperatures(
  records: ForecastRecords,
  series: ForecastSeries,
  issued: number,
  temperatures: readonly number[],
  deviation: number | undefined,
): Promise<void> {
  const first = Math.ceil(issued / MILLISECONDS.hour);
  const times = Float64Array.from(temperatures, (_, hour) => (first + hour) * MILLISECONDS.hour);
  const values = Float64Array.from(temperatures);
  const bound = (side: number) =>
    deviation === undefined
      ? new Map<number, Float64Array>()
      : new Map([[F.temperature, values.map((value) => value + side * NINETY_PERCENT * deviation)]]);
  const forecast = {
    ...uncorrected({ issued, times, values: new Map([[F.temperature, values]]) }),
    low: bound(-1),
    high: bound(1),
    isImported: false,
  };
  await records.add(series, [forecast]);
}

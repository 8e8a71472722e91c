import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { uncorrected } from '#domain/forecast/forecast.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { MILLISECONDS } from '#domain/time.js';
import { CALLER, type World } from './world.js';

/** Orders forecasts for a station, and stores one of 48 hours that was issued now. */
export async function orderForecast(world: World, id: string): Promise<void> {
  await world.get(AddForecast).execute([id], 'open-meteo', CALLER);
  const station = await world.stores.stations.find(id);
  const issued = world.clock.now();
  const first = Math.ceil(issued / MILLISECONDS.hour);
  const times = Float64Array.from({ length: 48 }, (_, hour) => (first + hour) * MILLISECONDS.hour);
  const values = new Map([[F.temperature, times.map((_, hour) => 10 + (hour % 24) / 10)]]);
  const forecast = { ...uncorrected({ issued, times, values }), isImported: false };
  await world.get(ForecastRecords).add({ station: station?.number ?? 0, provider: 'open-meteo' }, [forecast]);
}

import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { uncorrected } from '#domain/forecast/forecast.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { MILLISECONDS } from '#domain/time.js';
import { sentColumns, addStation } from './weather-world.js';
import { CALLER, type World } from './world.js';

const { minute, hour, day } = MILLISECONDS;

/** Days of observations before the present. */
const DAYS = 5;

/** A temperature with one decimal, different at each time, with a daily cycle. @param time milliseconds since 1970-01-01T00:00:00Z */
export const temperatureAt = (time: number): number =>
  Number((5 + 4 * Math.sin((2 * Math.PI * time) / day) + ((time / (10 * minute)) % 7) / 10).toFixed(1));

/** A station of ten-minute reports up to the present, with a forecast of three days from the present on. */
export async function addForecastStation(world: World, id = 'JFK'): Promise<void> {
  await addStation(world, { id, reportingInterval: 600 });
  const now = world.clock.now();
  const first = Math.floor((now - DAYS * day) / (10 * minute)) * 10 * minute;
  const times = Float64Array.from(
    { length: Math.floor((now - first) / (10 * minute)) + 1 },
    (_, row) => first + row * 10 * minute,
  );
  const column = (of: (row: number, time: number) => number) =>
    Array.from(times, (time, row) => of(row, time));
  const columns = sentColumns({
    air_temperature: column((_, time) => temperatureAt(time)),
    relative_humidity: column((row) => 60.4 + (row % 10)),
    wind_speed: column((row) => 2 + (row % 5)),
    wind_from_direction: column((row) => (row * 7) % 360),
    wind_speed_of_gust: column((row) => 5 + (row % 6)),
    precipitation_amount: column((row) => (row % 36 === 0 ? 0.4 : 0)),
    surface_air_pressure: column((row) => 1000 + (row % 9) / 10),
    mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air: column((row) => 3 + (row % 4)),
  });
  await world.get(RecordObservations).execute({ stations: id, times, columns }, CALLER);
}

/** Orders forecasts for a station, and stores one of three days that is issued now. */
export async function addIssuedForecast(world: World, id = 'JFK'): Promise<void> {
  await world.get(AddForecast).execute([id], 'open-meteo', CALLER);
  const issued = world.clock.now();
  const first = Math.ceil(issued / hour) * hour;
  const times = Float64Array.from({ length: 72 }, (_, index) => first + index * hour);
  const values = new Map([
    [F.temperature, times.map((_, index) => 20 + (index % 24) / 10)],
    [F.humidity, times.map(() => 81)],
    [F.wind, times.map(() => 4)],
    [F.rain, times.map((_, index) => (index % 6 === 0 ? 1.5 : 0))],
    [F.rainChance, times.map((_, index) => index)],
    [F.weatherCode, times.map((_, index) => (index % 6 === 0 ? 61 : 3))],
  ]);
  const forecast = { ...uncorrected({ issued, times, values }), isImported: false };
  const station = await world.stores.stations.find(id);
  await world.get(ForecastRecords).add({ station: station?.number ?? 0, provider: 'open-meteo' }, [forecast]);
}

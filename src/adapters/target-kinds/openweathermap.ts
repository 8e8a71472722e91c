import type { SentWeather, TargetExchange, TargetKind } from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';
import { MILLISECONDS } from '#domain/time.js';
import { assertNoPage } from './writing/no-page.js';
import {
  asNumbers,
  assertAnyValue,
  DEW_POINT,
  SEA_LEVEL_PRESSURE,
  type SentField,
  sentFields,
  sentNumber,
} from './writing/quantities.js';

const ADDRESS = 'https://api.openweathermap.org/data/3.0';
/** Key of `TargetExchange.memory`: the id that OpenWeatherMap has given the station. */
const STATION = 'station';
const JSON_BODY = { 'content-type': 'application/json' };

const FIELDS: readonly SentField[] = [
  ['temperature', ['air_temperature'], '°C', 2],
  ['dew_point', DEW_POINT, '°C', 2],
  ['humidity', ['relative_humidity'], '%', 0],
  ['pressure', SEA_LEVEL_PRESSURE, 'hPa', 1],
  ['wind_speed', ['wind_speed'], 'm/s', 2],
  ['wind_gust', ['wind_speed_of_gust'], 'm/s', 2],
  ['wind_deg', ['wind_from_direction'], undefined, 0],
  ['visibility_distance', ['visibility_in_air'], 'km', 3],
];

/**
 * OpenWeatherMap, stations API 3.0 (https://openweathermap.org/stations). The account is an id of the operator's choice (`external_id`),
 * and the secret is the API key (`appid`). The station is created with the first upload, and is found by its `external_id` later.
 */
export const openweathermap: TargetKind = {
  name: 'openweathermap',
  title: 'OpenWeatherMap',
  settings: { account: true, secret: true, url: false },
  weather: {
    interval: 60,
    send: async (weather, to) => {
      const values = [
        ...sentFields(weather, FIELDS),
        ...sentNumber('rain_1h', weather.rain.hour, 2),
        ...sentNumber('rain_24h', weather.rain.twentyFourHours, 2),
      ];
      assertAnyValue('OpenWeatherMap', values);
      const station = to.memory.get(STATION) ?? (await registered(weather.station, to));
      to.memory.set(STATION, station);
      const dt = Math.floor(weather.time / MILLISECONDS.second);
      try {
        const reply = await to.fetch({
          url: addressOf('measurements', to),
          headers: JSON_BODY,
          body: JSON.stringify([{ station_id: station, dt, ...asNumbers(values) }]),
        });
        assertNoPage('OpenWeatherMap', reply);
      } catch (error) {
        // The station may have been deleted there. The next attempt looks for it again.
        to.memory.delete(STATION);
        throw error;
      }
    },
  },
};

/** The id of the station, which is created if there is none yet. */
async function registered(station: SentWeather['station'], to: TargetExchange): Promise<string> {
  const known = await foundStation(to);
  if (known !== undefined) return known;
  const { name, latitude, longitude, elevation } = station;
  const reply = await to.fetch({
    url: addressOf('stations', to),
    headers: JSON_BODY,
    body: JSON.stringify({
      external_id: to.account,
      name,
      latitude,
      longitude,
      // The field is required. A height that is not known is the sea level.
      altitude: Math.round(elevation ?? 0),
    }),
  });
  const created = reply.json() as { readonly ID?: unknown; readonly id?: unknown } | null;
  // Another process may have created it at the same time, such as a test on the command line. All use the oldest one.
  const id = (await foundStation(to)) ?? created?.ID ?? created?.id;
  if (typeof id !== 'string' || id === '')
    throw new TargetFailure('OpenWeatherMap gave the new station no id.', { reply: reply.text });
  return id;
}

/** The id of the oldest station with the `external_id`. The ids begin with the time at which the station was created. */
async function foundStation(to: TargetExchange): Promise<string | undefined> {
  const reply = await to.fetch({ url: addressOf('stations', to) });
  // A list without stations may be null.
  const list = reply.json() ?? [];
  if (!Array.isArray(list))
    throw new TargetFailure('OpenWeatherMap gave no list of stations.', { reply: reply.text });
  const ids = list.flatMap((one: { readonly id?: unknown; readonly external_id?: unknown } | null) =>
    one?.external_id === to.account && typeof one?.id === 'string' ? [one.id] : [],
  );
  return ids.toSorted()[0];
}

function addressOf(resource: 'stations' | 'measurements', to: TargetExchange): URL {
  const url = to.address(ADDRESS);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${resource}`;
  url.searchParams.set('appid', to.secret ?? '');
  return url;
}

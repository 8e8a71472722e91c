import type { SentWeather, TargetKind } from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';
import {
  assertAnyValue,
  DEW_POINT,
  SEA_LEVEL_PRESSURE,
  type SentField,
  sentFields,
  sentNumber,
} from './writing/quantities.js';
import { SOFTWARE } from './writing/software.js';

const ADDRESS = 'https://api.weathercloud.net/v01/set';
/** Seconds, without a paid account. */
const INTERVAL = 600;

/** Weathercloud takes ten times the value as an integer. */
const TENTHS: readonly SentField[] = [
  ['temp', ['air_temperature'], '°C', 0],
  ['dew', DEW_POINT, '°C', 0],
  ['chill', ['wind_chill'], '°C', 0],
  ['heat', ['heat_index'], '°C', 0],
  ['wspd', ['wind_speed'], 'm/s', 0],
  ['wspdhi', ['wind_speed_of_gust'], 'm/s', 0],
  ['bar', SEA_LEVEL_PRESSURE, 'hPa', 0],
  ['rainrate', ['rainfall_rate'], 'mm/h', 0],
  ['solarrad', ['surface_downwelling_shortwave_flux_in_air'], undefined, 0],
  ['uvi', ['ultraviolet_index'], undefined, 0],
];
/**
 * These values are integers. `soilmoist` (centibar) and `leafwet` (0 to 15) have scales into which the stored values cannot be
 * converted.
 */
const PLAIN: readonly SentField[] = [
  ['hum', ['relative_humidity'], '%', 0],
  ['wdir', ['wind_from_direction'], undefined, 0],
  ['pm25', ['mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air'], undefined, 0],
  ['pm10', ['mass_concentration_of_pm10_ambient_aerosol_particles_in_air'], undefined, 0],
];

/** The index is the largest one of the pollutants, as its definition says. It is of the concentrations at that time. */
const INDICES = ['us_aqi_pm2p5', 'us_aqi_pm10'];

/** Statuses of refusals. A reply with status 200 may have them in its body. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'Weathercloud cannot read the upload. Check the id of the device and its key.',
  401: 'Weathercloud does not know this device. Check its id and its key.',
  429: 'Weathercloud takes no more uploads for some time.',
  500: 'Weathercloud has a fault of its own.',
};

/** Weathercloud. The account is the id of the device (`wid`), and the secret is its key. */
export const weathercloud: TargetKind = {
  name: 'weathercloud',
  title: 'Weathercloud',
  settings: { account: true, secret: true, url: false },
  weather: {
    interval: INTERVAL,
    send: async (weather, to) => {
      const values = [
        ...sentFields(weather, TENTHS, 10),
        ...sentNumber('rain', weather.rain.day, 0, 10),
        ...sentFields(weather, PLAIN),
        ...sentNumber('aqi', indexOf(weather), 0),
      ];
      assertAnyValue('Weathercloud', values);
      const utc = new Date(weather.time).toISOString();
      const url = to.address(ADDRESS);
      for (const [field, text] of [
        ['wid', to.account ?? ''] as const,
        ['key', to.secret ?? ''] as const,
        ['date', utc.slice(0, 10).replaceAll('-', '')] as const,
        ['time', utc.slice(11, 16).replace(':', '')] as const,
        ...values,
        // Weathercloud takes no blanks in it.
        ['software', `${SOFTWARE.name}_${SOFTWARE.version}`] as const,
      ])
        url.searchParams.append(field, text);
      const { status, text } = await to.fetch({ url, accepts: Object.keys(REFUSALS).map(Number) });
      // The body of the reply to an accepted upload is 200. The page of a captive portal also has status 200.
      const code = status < 300 ? Number(/^\s*(\d{3})\b/.exec(text)?.[1]) : status;
      if (code === 200) return;
      const other = Number.isNaN(code)
        ? 'The reply is not the one of Weathercloud to an upload. Check the connection to the Internet.'
        : `Weathercloud refused the upload with code ${code}.`;
      throw new TargetFailure(REFUSALS[code] ?? other, { reply: text, retryAfter: INTERVAL });
    },
  },
};

/** The air quality index of the United States; undefined if no concentration of particles is known. */
function indexOf(weather: SentWeather): number | undefined {
  const known = INDICES.map((name) => weather.value(name)).filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

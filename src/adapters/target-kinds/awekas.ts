import type { SentWeather, TargetKind } from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';
import { hiddenMd5 } from './writing/md5.js';
import {
  assertAnyValue,
  quantityOf,
  SEA_LEVEL_PRESSURE,
  type SentField,
  sentFields,
} from './writing/quantities.js';
import { SOFTWARE } from './writing/software.js';
import { plain } from './writing/written-fields.js';

const ADDRESS = 'https://data.awekas.at/eingabe_pruefung.php';
/** Seconds. */
const INTERVAL = 300;

/** The positions of the values in the list, from 1. Positions 8 and 20 are the rain and the sunshine since local midnight. */
const POSITIONS: Readonly<Record<number, SentField>> = {
  5: ['temperature', ['air_temperature'], '°C', 2],
  6: ['humidity', ['relative_humidity'], '%', 0],
  7: ['pressure', SEA_LEVEL_PRESSURE, 'hPa', 2],
  9: ['wind', ['wind_speed'], 'km/h', 2],
  10: ['direction', ['wind_from_direction'], undefined, 0],
  13: ['snow', ['surface_snow_thickness'], 'cm', 1],
  16: ['gust', ['wind_speed_of_gust'], 'km/h', 2],
  17: ['radiation', ['surface_downwelling_shortwave_flux_in_air'], undefined, 1],
  18: ['uv', ['ultraviolet_index'], undefined, 1],
  21: ['soil', ['soil_temperature'], '°C', 2],
  22: ['rate', ['rainfall_rate'], 'mm/h', 2],
};
const COUNT = 25;

/** Fields beside the list. */
const NAMED: readonly SentField[] = [
  ['AqPM1', ['mass_concentration_of_pm1_ambient_aerosol_particles_in_air'], undefined, 1],
  ['AqPM2.5', ['mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air'], undefined, 1],
  ['AqPM10', ['mass_concentration_of_pm10_ambient_aerosol_particles_in_air'], undefined, 1],
];
/** Percent. */
const SOIL_MOISTURE: readonly SentField[] = [
  ['soilmoisture1', ['volume_fraction_of_condensed_water_in_soil'], undefined, 0],
];

/** AWEKAS (https://www.awekas.at). The account is the user, and the secret is the password. */
export const awekas: TargetKind = {
  name: 'awekas',
  title: 'AWEKAS',
  settings: { account: true, secret: true, url: false },
  faultOf: ({ account = '' }) => (account.includes(';') ? 'The user of AWEKAS has no semicolon.' : undefined),
  weather: {
    interval: INTERVAL,
    send: async (weather, to) => {
      const values = positions(weather);
      const named = [...sentFields(weather, NAMED), ...sentFields(weather, SOIL_MOISTURE, 100)];
      assertAnyValue('AWEKAS', [...values.values(), ...named]);
      const [date, time] = localTime(weather);
      const { longitude, latitude } = weather.station;
      const known = new Map([
        ...values,
        [1, to.account ?? ''],
        [2, hiddenMd5(to.secret ?? '', to)],
        [3, date],
        [4, time],
        [14, 'en'],
        [23, `${SOFTWARE.name}_${SOFTWARE.version}`],
        [24, plain(longitude, 4)],
        [25, plain(latitude, 4)],
      ]);
      const list = Array.from({ length: COUNT }, (_, at) => encodeURIComponent(known.get(at + 1) ?? ''));
      const fields = [['output', 'json'], ...named].map(([field, text]) => `${field}=${text}`);
      const url = to.address(ADDRESS);
      // The semicolons between the positions are sent as they are, as AWEKAS describes it.
      url.search = [...fields, `val=${list.join(';')}`].join('&');
      assertAccepted((await to.fetch({ url })).text);
    },
  },
};

function positions(weather: SentWeather): Map<number, string> {
  const known = new Map<number, string>();
  for (const [at, [, quantity, unit, decimals]] of Object.entries(POSITIONS)) {
    const value = quantityOf(weather, quantity, unit);
    if (value !== undefined) known.set(Number(at), plain(value, decimals));
  }
  if (weather.rain.day !== null) known.set(8, plain(weather.rain.day, 2));
  if (weather.sunshine !== null) known.set(20, plain(weather.sunshine / 3600, 2));
  return known;
}

/** Date and time on the clock of the station: `23.11.2026` and `07:00`. */
function localTime({ time, station: { timeZone } }: SentWeather): readonly [date: string, time: string] {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const { year, month, day, hour, minute } = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, value]),
  );
  return [`${day}.${month}.${year}`, `${hour}:${minute}`];
}

/**
 * The reply is `OK` or a text with the reason, or JSON in which `status` is 0 for a refusal. The status of HTTP is always 200.
 *
 * @throws TargetFailure
 */
function assertAccepted(text: string): void {
  if (/^\s*OK/i.test(text)) return;
  const { status, authentication, minuploadtime } = fieldsOf(text);
  if (status === 1 || status === 2) return;
  const isAuthentication = authentication === 0 || /benutzer|passwor/i.test(text);
  throw new TargetFailure(
    isAuthentication ? 'AWEKAS does not know this user or password.' : 'AWEKAS refused the upload.',
    {
      reply: text,
      retryAfter: Math.max(INTERVAL, typeof minuploadtime === 'number' ? minuploadtime : 0),
    },
  );
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

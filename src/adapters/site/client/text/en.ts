import { charts } from './en/charts.js';
import { almanac, embed, kiosk } from './en/almanac.js';
import { cards, head, ribbon, sentence } from './en/ribbon.js';
import { station } from './en/station.js';
import { days } from './en/days.js';
import { forecast } from './en/forecast.js';
import { past } from './en/past.js';
import { session } from './en/session.js';
import { sharePanel } from './en/share-panel.js';
import { share } from './en/share.js';
import { alarms, home, live } from './en/home.js';
import { map } from './en/map.js';

/** The English texts of the site. The texts of other languages have the type `Text`. */
export const en = {
  site: {
    name: 'weatherd',
    skip: 'Skip to content',
    stations: 'Stations',
    api: 'API',
    administration: 'Administration',
    settings: 'Display',
    menu: 'Menu',
    degrees: 'Degrees Celsius or Fahrenheit',
    language: 'Language',
    units: 'Units',
    theme: 'Colors',
    themes: { auto: 'same as the device', light: 'light', dark: 'dark' },
    unitChoices: {
      metric: '°C, m/s, mm, hPa',
      kmh: '°C, km/h, mm, hPa',
      uk: '°C, mph, mm, hPa',
      imperial: '°F, mph, in, inHg',
      knots: '°C, kn, mm, hPa',
    },
    apply: 'Apply',
  },
  age: {
    now: 'just now',
    minutes: (n: number) => `${n} min ago`,
    /** @param length a duration such as `1 h 7 min` */
    ago: (length: string) => `${length} ago`,
    days: (n: number) => (n === 1 ? '1 day ago' : `${n} days ago`),
    /** Text for a station that has sent nothing for some time. @param length a duration such as `2 h` */
    silent: (length: string) => `silent for ${length}`,
    since: (moment: string) => `silent since ${moment}`,
    never: 'no values yet',
    lengths: {
      minutes: (n: number) => `${n} min`,
      hours: (n: number) => `${n} h`,
      days: (n: number) => (n === 1 ? '1 day' : `${n} days`),
      years: (n: number) => `${n} years`,
    },
  },
  value: {
    none: '–',
    missing: 'no value',
    suspect: 'suspect',
    fail: 'rejected by quality control',
  },
  variables: {
    air_temperature: 'Temperature',
    dew_point_temperature: 'Dew point',
    relative_humidity: 'Humidity',
    surface_air_pressure: 'Pressure at the station',
    air_pressure_at_mean_sea_level: 'Pressure',
    wind_speed: 'Wind',
    wind_from_direction: 'Wind direction',
    wind_speed_of_gust: 'Gust',
    precipitation_amount: 'Rain',
    visibility_in_air: 'Visibility',
  } as Readonly<Record<string, string>>,
  /** Names of 16 sectors, clockwise from north. */
  sectors: 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' '),
  station,
  head,
  sentence,
  ribbon,
  cards,
  climate: { title: 'Climate' },
  almanac,
  kiosk,
  embed,
  charts,
  past,
  days,
  forecast,
  session,
  share,
  sharePanel,
  home,
  map,
  live,
  alarms,
  errors: {
    notFound: {
      title: 'Page not found',
      text: 'This page or station does not exist.',
      back: 'Go to the stations',
    },
    failed: {
      title: 'The data cannot be read',
      text: 'The service returned an error. This page tries again automatically.',
    },
    unreachable: {
      title: 'The service cannot be reached',
      text: 'The network or the service is down. This page tries again automatically.',
    },
    again: 'Try again',
    part: 'This part of the page could not be loaded.',
    /** The text for each error. The key is the code of the error. */
    codes: {
      RATE_LIMITED: 'This device has sent too many requests. Try again in a minute.',
      STATION_UNKNOWN: 'This station does not exist.',
      DATA_DAMAGED: 'These data are damaged. The operator of the service can repair them.',
    } as Readonly<Record<string, string>>,
    signIn: { title: 'Sign in', text: 'Only signed-in users can see the data of this service.' },
  },
};

export type Text = typeof en;

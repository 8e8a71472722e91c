import { charts } from './de/charts.js';
import { almanac, embed, kiosk } from './de/almanac.js';
import { cards, head, ribbon, sentence } from './de/ribbon.js';
import { station } from './de/station.js';
import { days } from './de/days.js';
import { forecast } from './de/forecast.js';
import { past } from './de/past.js';
import { session } from './de/session.js';
import { sharePanel } from './de/share-panel.js';
import { share } from './de/share.js';
import { alarms, home, live } from './de/home.js';
import { map } from './de/map.js';
import type { Text } from './en.js';

/** The German texts of the site. */
export const de: Text = {
  site: {
    name: 'weatherd',
    skip: 'Zum Inhalt',
    stations: 'Stationen',
    api: 'API (englisch)',
    administration: 'Verwaltung',
    settings: 'Anzeige',
    menu: 'Menü',
    degrees: 'Grad Celsius oder Fahrenheit',
    language: 'Sprache',
    units: 'Einheiten',
    theme: 'Farben',
    themes: { auto: 'wie das Gerät', light: 'hell', dark: 'dunkel' },
    unitChoices: {
      metric: '°C, m/s, mm, hPa',
      kmh: '°C, km/h, mm, hPa',
      uk: '°C, mph, mm, hPa',
      imperial: '°F, mph, in, inHg',
      knots: '°C, kn, mm, hPa',
    },
    apply: 'Übernehmen',
  },
  age: {
    now: 'gerade eben',
    minutes: (n) => `vor ${n} min`,
    ago: (length) => `vor ${length}`,
    days: (n) => (n === 1 ? 'vor 1 Tag' : `vor ${n} Tagen`),
    silent: (length) => `seit ${length} still`,
    since: (moment) => `still seit ${moment}`,
    never: 'noch keine Werte',
    lengths: {
      minutes: (n) => `${n} min`,
      hours: (n) => `${n} h`,
      days: (n) => (n === 1 ? '1 Tag' : `${n} Tagen`),
      years: (n) => `${n} Jahren`,
    },
  },
  value: {
    none: '–',
    missing: 'kein Wert',
    suspect: 'zweifelhaft',
    fail: 'von der Prüfung verworfen',
  },
  variables: {
    air_temperature: 'Temperatur',
    dew_point_temperature: 'Taupunkt',
    relative_humidity: 'Luftfeuchte',
    surface_air_pressure: 'Luftdruck an der Station',
    air_pressure_at_mean_sea_level: 'Luftdruck',
    wind_speed: 'Wind',
    wind_from_direction: 'Windrichtung',
    wind_speed_of_gust: 'Böe',
    precipitation_amount: 'Regen',
    visibility_in_air: 'Sichtweite',
  },
  sectors: 'N NNO NO ONO O OSO SO SSO S SSW SW WSW W WNW NW NNW'.split(' '),
  station,
  head,
  sentence,
  ribbon,
  cards,
  climate: { title: 'Klima' },
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
      title: 'Seite nicht gefunden',
      text: 'Diese Seite oder Station gibt es nicht.',
      back: 'Zu den Stationen',
    },
    failed: {
      title: 'Die Daten sind gerade nicht lesbar',
      text: 'Der Dienst hat mit einem Fehler geantwortet. Diese Seite versucht es automatisch noch einmal.',
    },
    unreachable: {
      title: 'Der Dienst ist nicht erreichbar',
      text: 'Das Netz oder der Dienst ist ausgefallen. Diese Seite versucht es automatisch noch einmal.',
    },
    again: 'Noch einmal versuchen',
    part: 'Dieser Teil der Seite ließ sich nicht laden.',
    codes: {
      RATE_LIMITED: 'Zu viele Anfragen. Versuchen Sie es in einer Minute noch einmal.',
      STATION_UNKNOWN: 'Diese Station gibt es nicht.',
      DATA_DAMAGED: 'Diese Daten sind beschädigt. Der Betreiber des Dienstes kann sie reparieren.',
    },
    signIn: { title: 'Anmelden', text: 'Nur angemeldete Benutzer sehen die Daten dieses Dienstes.' },
  },
};

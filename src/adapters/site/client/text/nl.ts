import { charts } from './nl/charts.js';
import { almanac, embed, kiosk } from './nl/almanac.js';
import { station } from './nl/station.js';
import { days } from './nl/days.js';
import { forecast } from './nl/forecast.js';
import { past } from './nl/past.js';
import { session } from './nl/session.js';
import { sharePanel } from './nl/share-panel.js';
import { share } from './nl/share.js';
import { alarms, home, live } from './nl/home.js';
import { map } from './nl/map.js';
import { cards, head, ribbon, sentence } from './nl/ribbon.js';
import { incomplete } from './translated.js';

/** The Dutch texts of the site. */
export const nl = incomplete({
  site: {
    name: 'weatherd',
    skip: 'Naar de inhoud',
    stations: 'Stations',
    api: 'API (Engels)',
    administration: 'Beheer',
    settings: 'Weergave',
    menu: 'Menu',
    degrees: 'Graden Celsius of Fahrenheit',
    language: 'Taal',
    units: 'Eenheden',
    theme: 'Kleuren',
    themes: { auto: 'zoals het apparaat', light: 'licht', dark: 'donker' },
    unitChoices: {
      metric: '°C, m/s, mm, hPa',
      kmh: '°C, km/h, mm, hPa',
      uk: '°C, mph, mm, hPa',
      imperial: '°F, mph, in, inHg',
      knots: '°C, kn, mm, hPa',
    },
    apply: 'Toepassen',
  },
  age: {
    now: 'zojuist',
    minutes: (n) => `${n} min geleden`,
    ago: (length) => `${length} geleden`,
    days: (n) => (n === 1 ? '1 dag geleden' : `${n} dagen geleden`),
    silent: (length) => `al ${length} stil`,
    since: (moment) => `stil sinds ${moment}`,
    never: 'nog geen waarden',
    lengths: {
      minutes: (n) => `${n} min`,
      hours: (n) => `${n} uur`,
      days: (n) => (n === 1 ? '1 dag' : `${n} dagen`),
      years: (n) => `${n} jaar`,
    },
  },
  value: {
    none: '–',
    missing: 'geen waarde',
    suspect: 'twijfelachtig',
    fail: 'afgekeurd door de kwaliteitscontrole',
  },
  variables: {
    air_temperature: 'Temperatuur',
    dew_point_temperature: 'Dauwpunt',
    relative_humidity: 'Luchtvochtigheid',
    surface_air_pressure: 'Luchtdruk bij het station',
    air_pressure_at_mean_sea_level: 'Luchtdruk',
    wind_speed: 'Wind',
    wind_from_direction: 'Windrichting',
    wind_speed_of_gust: 'Windstoot',
    precipitation_amount: 'Neerslag',
    visibility_in_air: 'Zicht',
  },
  sectors: 'N NNO NO ONO O OZO ZO ZZO Z ZZW ZW WZW W WNW NW NNW'.split(' '),
  station,
  climate: { title: 'Klimaat' },
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
  head,
  sentence,
  ribbon,
  cards,
  errors: {
    notFound: {
      title: 'Pagina niet gevonden',
      text: 'Deze pagina of dit station bestaat niet.',
      back: 'Naar de stations',
    },
    failed: {
      title: 'De gegevens zijn niet leesbaar',
      text: 'De dienst gaf een fout. Deze pagina probeert het vanzelf opnieuw.',
    },
    unreachable: {
      title: 'De dienst is niet bereikbaar',
      text: 'Het netwerk of de dienst is uitgevallen. Deze pagina probeert het vanzelf opnieuw.',
    },
    again: 'Opnieuw proberen',
    part: 'Dit deel van de pagina kon niet worden geladen.',
    codes: {
      RATE_LIMITED: 'Dit apparaat heeft te veel aanvragen gedaan. Probeer het over een minuut opnieuw.',
      STATION_UNKNOWN: 'Dit station bestaat niet.',
      DATA_DAMAGED: 'Deze gegevens zijn beschadigd. De beheerder van de dienst kan ze herstellen.',
    },
    signIn: { title: 'Aanmelden', text: 'Alleen aangemelde gebruikers zien de gegevens van deze dienst.' },
  },
});

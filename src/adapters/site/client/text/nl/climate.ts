import type { Text } from '../en.js';
import type { Translation } from '../translated.js';

/** The Dutch texts of the climate, the almanac, the kiosk and the card for other sites. */
export const climate: Translation<Text['climate']> = {
  title: 'Klimaat',
  monthsOf: 'Maanden van het jaar',
  show: 'Tonen',
  months: {
    title: 'Maanden',
    month: 'Maand',
    whole: 'Jaar',
    columns: {
      mean_temperature: 'Gemiddelde',
      mean_daily_maximum: 'Gemiddeld maximum',
      mean_daily_minimum: 'Gemiddeld minimum',
      highest_temperature: 'Hoogste',
      lowest_temperature: 'Laagste',
      precipitation: 'Neerslag',
      wet_days: '',
      heating: 'Graaddagen (verwarming)',
      cooling: 'Graaddagen (koeling)',
      mean_wind_speed: 'Gemiddelde wind',
      highest_wind: 'Sterkste wind of windstoot',
      mean_relative_humidity: 'Gemiddelde vochtigheid',
    },
    wetDays: (limit) => `Dagen ≥ ${limit}`,
    missing: (days) => (days === 1 ? '1 dag ontbreekt' : `${days === 0 ? 'geen' : days} dagen ontbreken`),
    reason:
      'Een waarde ontbreekt (–) als te veel dagen ontbreken: bij gemiddelden en uitersten meer dan 10 dagen, of meer dan 4 achter elkaar; bij totalen elke dag (WMO-No. 1203).',
    soFar: (date) => `tot nu toe, tot ${date}`,
    begun: 'nog geen volledige dag',
    running: 'Waarden tot nu toe beslaan alleen de volledige dagen, hoe weinig ook. Ze zijn niet definitief.',
    degreeDays: (base) => `De basis van de graaddagen is ${base}.`,
    noaa: 'NOAA-overzicht',
    text: 'tekst',
  },
  normals: {
    title: 'Normalen',
    period: (from, to) => `${from}–${to}`,
    none: (needed, present) =>
      `Er zijn geen normalen: daarvoor zijn ${needed} jaren nodig, en het station heeft er hoogstens ${present} uit de periode.`,
  },
  records: {
    title: 'Records',
    allTime: 'Alle jaren',
    columns: {
      highest_temperature: 'Hoogste',
      lowest_temperature: 'Laagste',
      highest_daily_minimum: 'Warmste nacht',
      lowest_daily_maximum: 'Koudste dag',
      greatest_daily_precipitation: 'Meeste neerslag op een dag',
      highest_gust: 'Sterkste windstoot',
      highest_sea_level_pressure: 'Hoogste luchtdruk',
      lowest_sea_level_pressure: 'Laagste luchtdruk',
    },
    since: (first, last) =>
      first === last ? `Records van het jaar ${first}.` : `Records van de jaren ${first} tot en met ${last}.`,
    years: 'Jaren',
    allYears: 'alle',
  },
};

export const almanac: Translation<Text['almanac']> = {
  titleOf: (date) => `Zon en maan, ${date}`,
  arc: (rise, set) => `De weg van de zon over de dag: zonsopkomst ${rise}, zonsondergang ${set}`,
  sunrise: 'Zonsopkomst',
  sunset: 'Zonsondergang',
  length: 'Daglengte',
  lengthText: (hours, minutes) => `${hours} uur ${minutes} min`,
  noon: 'Hoogste zonnestand',
  civil: 'Burgerlijke schemering',
  nautical: 'Nautische schemering',
  astronomical: 'Astronomische schemering',
  range: (from, to) => `eerste licht ${from}, laatste licht ${to}`,
  polarDay: 'De zon gaat niet onder (pooldag).',
  polarNight: 'De zon komt niet op (poolnacht).',
  allNight: 'de hele nacht',
  moon: 'Maan',
  moonrise: 'Maansopkomst',
  moonset: 'Maansondergang',
  moonUp: 'de hele dag boven de horizon',
  moonDown: 'de hele dag onder de horizon',
  lit: (percent) => `${percent} % verlicht`,
  phases: [
    'nieuwe maan',
    'wassende sikkel',
    'eerste kwartier',
    'wassende maan',
    'volle maan',
    'afnemende maan',
    'laatste kwartier',
    'afnemende sikkel',
  ],
};

export const kiosk: Translation<Text['kiosk']> = {
  fullScreen: 'Volledig scherm',
  back: 'Pagina van het station',
  clock: 'Tijd bij het station',
  offline: 'geen verbinding sinds',
};

export const embed: Translation<Text['embed']> = {
  more: 'Alle waarden van dit station',
  open: 'Open de dienst om u aan te melden',
};

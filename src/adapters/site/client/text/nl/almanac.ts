import type { Text } from '../en.js';
import type { Translation } from '../translated.js';

/** The Dutch texts of the almanac, the kiosk and the card for other sites. */
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

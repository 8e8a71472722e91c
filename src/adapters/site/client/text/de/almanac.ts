import type { Text } from '../en.js';

/** The German texts of the almanac, the kiosk and the card for other sites. */
export const almanac: Text['almanac'] = {
  sunrise: 'Sonnenaufgang',
  sunset: 'Sonnenuntergang',
  length: 'Tageslänge',
  lengthText: (hours, minutes) => `${hours} h ${minutes} min`,
  noon: 'Sonnenhöchststand',
  civil: 'Bürgerliche Dämmerung',
  nautical: 'Nautische Dämmerung',
  astronomical: 'Astronomische Dämmerung',
  titleOf: (date) => `Sonne und Mond, ${date}`,
  arc: (rise, set) => `Der Weg der Sonne über den Tag: Aufgang ${rise}, Untergang ${set}`,
  range: (from, to) => `erstes Licht ${from}, letztes Licht ${to}`,
  polarDay: 'Die Sonne geht nicht unter (Polartag).',
  polarNight: 'Die Sonne geht nicht auf (Polarnacht).',
  allNight: 'die ganze Nacht',
  moon: 'Mond',
  moonrise: 'Mondaufgang',
  moonset: 'Monduntergang',
  moonUp: 'den ganzen Tag über dem Horizont',
  moonDown: 'den ganzen Tag unter dem Horizont',
  lit: (percent) => `zu ${percent} % beleuchtet`,
  phases: [
    'Neumond',
    'zunehmende Sichel',
    'erstes Viertel',
    'zunehmender Mond',
    'Vollmond',
    'abnehmender Mond',
    'letztes Viertel',
    'abnehmende Sichel',
  ],
};

export const kiosk: Text['kiosk'] = {
  fullScreen: 'Vollbild',
  back: 'Seite der Station',
  clock: 'Zeit an der Station',
  offline: 'keine Verbindung seit',
};

export const embed: Text['embed'] = {
  more: 'Alle Werte dieser Station',
  open: 'Den Dienst öffnen und anmelden',
};

import type { Text } from '../en.js';

/** The German texts of the climate, the almanac, the kiosk and the card for other sites. */
export const climate: Text['climate'] = {
  title: 'Klima',
  monthsOf: 'Monate des Jahres',
  show: 'Anzeigen',
  months: {
    title: 'Monate',
    month: 'Monat',
    whole: 'Jahr',
    columns: {
      mean_temperature: 'Mittel',
      mean_daily_maximum: 'Mittleres Maximum',
      mean_daily_minimum: 'Mittleres Minimum',
      highest_temperature: 'Höchste',
      lowest_temperature: 'Tiefste',
      precipitation: 'Regen',
      wet_days: 'Tage ≥ 1 mm',
      heating: 'Heizgradtage',
      cooling: 'Kühlgradtage',
      mean_wind_speed: 'Mittlerer Wind',
      highest_wind: 'Stärkster Wind',
      mean_relative_humidity: 'Mittlere Feuchte',
    },
    missing: (days) => (days < 2 ? `${days === 0 ? 'kein' : days} Tag fehlt` : `${days} Tage fehlen`),
    reason:
      'Ein Wert entfällt (–), wenn zu viele Tage fehlen: bei Mitteln und Extremen mehr als 10 oder mehr als 4 hintereinander, bei Summen schon einer (WMO-Nr. 1203).',
    soFar: (date) => `bisher, bis ${date}`,
    begun: 'noch kein vollständiger Tag',
    running:
      'Bisherige Werte umfassen nur vollständige Tage, auch wenn es wenige sind. Sie sind nicht endgültig.',
    incomplete: 'unvollständig',
    degreeDays: (base) => `Die Basis der Gradtage ist ${base}.`,
    noaa: 'NOAA-Übersicht',
    text: 'Text',
  },
  normals: {
    title: 'Normalwerte',
    period: (from, to) => `${from}–${to}`,
    none: (needed, present) =>
      `Es gibt keine Normalwerte: ${needed} Jahre sind nötig, die Station hat höchstens ${present} aus dem Zeitraum.`,
  },
  records: {
    title: 'Rekorde',
    allTime: 'Alle Zeiten',
    columns: {
      highest_temperature: 'Höchste',
      lowest_temperature: 'Tiefste',
      greatest_daily_precipitation: 'Größte Regenmenge eines Tages',
      highest_gust: 'Stärkste Böe',
      highest_sea_level_pressure: 'Höchster Luftdruck',
      lowest_sea_level_pressure: 'Tiefster Luftdruck',
    },
    since: (first, last) => `Rekorde der Jahre ${first} bis ${last}.`,
  },
};

export const almanac: Text['almanac'] = {
  title: 'Sonne und Mond',
  sunrise: 'Sonnenaufgang',
  sunset: 'Sonnenuntergang',
  length: 'Tageslänge',
  lengthText: (hours, minutes) => `${hours} h ${minutes} min`,
  noon: 'Sonnenhöchststand',
  civil: 'Bürgerliche Dämmerung',
  nautical: 'Nautische Dämmerung',
  astronomical: 'Astronomische Dämmerung',
  range: (from, to) => `${from} – ${to}`,
  polarDay: 'Die Sonne geht heute nicht unter (Polartag).',
  polarNight: 'Die Sonne geht heute nicht auf (Polarnacht).',
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

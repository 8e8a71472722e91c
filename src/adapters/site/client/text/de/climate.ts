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
      wet_days: '',
      heating: 'Heizgradtage',
      cooling: 'Kühlgradtage',
      mean_wind_speed: 'Mittlerer Wind',
      highest_wind: 'Stärkster Wind oder Böe',
      mean_relative_humidity: 'Mittlere Feuchte',
    },
    wetDays: (limit) => `Tage ≥ ${limit}`,
    missing: (days) => (days < 2 ? `${days === 0 ? 'kein' : days} Tag fehlt` : `${days} Tage fehlen`),
    reason:
      'Ein Wert entfällt (–), wenn zu viele Tage fehlen: bei Mitteln und Extremen mehr als 10 oder mehr als 4 hintereinander, bei Summen schon einer (WMO-Nr. 1203).',
    soFar: (date) => `bisher, bis ${date}`,
    begun: 'noch kein vollständiger Tag',
    running:
      'Bisherige Werte umfassen nur vollständige Tage, auch wenn es wenige sind. Sie sind nicht endgültig.',
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
      highest_daily_minimum: 'Wärmste Nacht',
      lowest_daily_maximum: 'Kältester Tag',
      greatest_daily_precipitation: 'Größte Regenmenge eines Tages',
      highest_gust: 'Stärkste Böe',
      highest_sea_level_pressure: 'Höchster Luftdruck',
      lowest_sea_level_pressure: 'Tiefster Luftdruck',
    },
    since: (first, last) =>
      first === last ? `Rekorde des Jahres ${first}.` : `Rekorde der Jahre ${first} bis ${last}.`,
    years: 'Jahre',
    allYears: 'alle',
  },
};

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

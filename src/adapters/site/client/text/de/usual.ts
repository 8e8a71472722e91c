import type { UsualText } from '../en/usual.js';

const days = (n: number) => (n === 1 ? '1 Tag' : `${n} Tage`);
const daysDative = (n: number) => (n === 1 ? '1 Tag' : `${n} Tagen`);

/** The German texts of the section that compares a station with its own record. */
export const usual: UsualText = {
  verdicts: {
    usual: 'Üblich für das Datum',
    colder: {
      uncommon: 'Kalt, aber nicht selten',
      rare: 'Selten so kalt',
      never: (year) => `Noch nie so kalt an diesem Datum seit ${year}`,
    },
    warmer: {
      uncommon: 'Warm, aber nicht selten',
      rare: 'Selten so warm',
      never: (year) => `Noch nie so warm an diesem Datum seit ${year}`,
    },
    few: {
      colder: (difference, years) => `${difference} kälter als um diese Zeit ${years}`,
      warmer: (difference, years) => `${difference} wärmer als um diese Zeit ${years}`,
      same: (years) => `Etwa wie um diese Zeit ${years}`,
    },
    alone: 'Noch kein Vergleich möglich',
    rainOnly: 'Regen im Vergleich',
  },
  oneIn: {
    colder: (n, date) => `Um den ${date} ist 1 von ${n} Tagen so kalt wie dieser.`,
    warmer: (n, date) => `Um den ${date} ist 1 von ${n} Tagen so warm wie dieser.`,
  },
  outOf: {
    colder: (n, date) => `Um den ${date} sind ${n} von 10 Tagen so kalt oder kälter.`,
    warmer: (n, date) => `Um den ${date} sind ${n} von 10 Tagen so warm oder wärmer.`,
  },
  noDay: {
    colder: (date) => `Kein anderer Tag in der Woche vor und nach dem ${date} war so kalt.`,
    warmer: (date) => `Kein anderer Tag in der Woche vor und nach dem ${date} war so warm.`,
  },
  month: {
    below: (month, difference) => `${month}: ${difference} unter dem üblichen Mittel.`,
    above: (month, difference) => `${month}: ${difference} über dem üblichen Mittel.`,
    same: (month) => `${month}: so warm wie üblich.`,
  },
  usualMeans: (month) =>
    `Üblich: die mittleren 8 von 10 Tagen in der Woche vor und nach dem Datum, aus den Messungen dieser Station seit ${month}.`,
  fewMeans: (years, needed, date) =>
    `Es gibt ${years}. Ab ${needed} Jahren steht hier, was üblich ist. Verglichen werden die Tage der Woche vor und nach dem ${date}.`,
  aloneMeans: (date, needed) =>
    `Die Messungen beginnen am ${date}. Andere Jahre werden verglichen, sobald es welche gibt; ab ${needed} Jahren steht hier, was üblich ist.`,
  years: (n, isOne) => `Werte aus ${n} ${isOne ? 'Jahr' : 'Jahren'} um dieses Datum`,
  soFar: (period) => `${period} bisher`,
  until: (period, date) => `${period}, bis ${date}`,
  dateMean: (date) => `${date}, Mittel`,
  lastHours: (time) => `in den 24 h bis ${time}`,
  since: (date) => `seit ${date}`,
  rainSince: (date) => `Regen seit ${date}`,
  frostSince: (date) => `Frosttage seit ${date}`,
  hotSince: (limit, date) => `Tage ab ${limit} seit ${date}`,
  ranks: {
    mean: {
      lowest: (place, of) =>
        place === 1 ? `Kältester Wert von ${of}` : `${place}.-kältester Wert von ${of}`,
      highest: (place, of) => (place === 1 ? `Wärmster Wert von ${of}` : `${place}.-wärmster Wert von ${of}`),
    },
    rain: {
      lowest: (place, of) => (place === 1 ? `trockenster Wert von ${of}` : `${place}.-trockenster von ${of}`),
      highest: (place, of) => (place === 1 ? `nassester Wert von ${of}` : `${place}.-nassester von ${of}`),
    },
  },
  shared: (rank) => `${rank}, geteilt`,
  withUsual: (value, usualValue) => `${value}, üblich ${usualValue}`,
  ofMedian: (percent) => `${percent} % des Medians`,
  count: (n) => `bisher ${n}`,
  countNone: 'bisher keine',
  usualCount: (n) => `üblich ${n} bis zu diesem Datum`,
  yearCount: (year, n) => `${year}: ${n} bis zu diesem Datum`,
  missing: (n) => (n === 1 ? '1 Tag fehlt' : `${n} Tage fehlen`),
  noOther: 'kein anderes Jahr zum Vergleich',
  runs: {
    dry: (n) => `Seit ${daysDative(n)} kein Regen`,
    frost: (n) => `${days(n)} hintereinander Frost`,
    dryAtLeast: (n) => `Seit mindestens ${daysDative(n)} kein Regen`,
    frostAtLeast: (n) => `Mindestens ${days(n)} hintereinander Frost`,
    longestDry: (n, date) => `Die längste Zeit ohne Regen dauerte ${days(n)}, bis ${date}.`,
    longestFrost: (n, date) => `Am längsten gab es ${days(n)} hintereinander Frost, bis ${date}.`,
    isLongest: 'so lange wie noch nie',
  },
  table: {
    caption: 'Dieselben Daten aller Jahre',
    year: 'Jahr',
  },
  against: {
    title: (year) => `${year} im Vergleich`,
    alone: (year) => `${year}, Mittel jedes Tages`,
    explain: (unit) => `Mittel jedes Tages in ${unit}.`,
    filled: 'Gefüllt, wo es den üblichen Bereich verließ:',
    warmer: 'wärmer',
    colder: 'kälter',
    band: 'üblicher Bereich (8 von 10 Tagen)',
    median: 'Median',
    label: (year) => `Mittlere Temperatur jedes Tages von ${year} und der übliche Bereich seines Datums`,
    extreme: (value, date) => `${value} am ${date}`,
    date: 'Datum',
    mean: 'Mittel',
    p10: '1 von 10 darunter',
    p90: '9 von 10 darunter',
  },
  stripes: {
    title: (year) => `Jeder Tag seit ${year}`,
    explain: (date) =>
      `Eine Zeile je Jahr, ein Streifen je Tag, in der Farbe seines Mittels. Am Ende der Zeile: das Mittel vom 1. Januar bis ${date}.`,
    label: 'Die mittlere Temperatur jedes Tages in Farben, eine Zeile für jedes Jahr',
    caption: 'Mittlere Temperatur der Monate',
  },
  day: {
    range: (low, high, mean) => `${low} … ${high}, Mittel ${mean}`,
    usual: (low, high) => `übliches Mittel ${low} … ${high}`,
    rain: (value) => `Regen ${value}`,
    missing: 'kein Wert',
    incomplete: 'unvollständiger Tag',
    keys: 'Pfeiltasten gehen von Tag zu Tag, die Eingabetaste öffnet den Tag in den Diagrammen.',
    tap: 'noch einmal tippen öffnet den Tag',
  },
  calendar: {
    title: (year) => `${year}, Tag für Tag`,
    explain:
      'Ein Feld öffnet seinen Tag. Umrandete Felder haben keinen Wert, ein Punkt kennzeichnet einen unvollständigen Tag.',
    quantities: {
      mean: 'Mittlere Temperatur',
      max: 'Höchste Temperatur',
      min: 'Tiefste Temperatur',
      rain: 'Regen',
    },
    label: (quantity, year) => `${quantity} jedes Tages von ${year}`,
    legend: 'Farben',
    day: 'Tag',
  },
};

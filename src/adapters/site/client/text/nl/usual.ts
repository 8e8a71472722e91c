import { type UsualText, usual as english } from '../en/usual.js';
import { translated } from '../translated.js';

const days = (n: number) => (n === 1 ? '1 dag' : `${n} dagen`);
/** Names of months have a capital only at the start of a sentence. */
const atStart = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The Dutch texts of the section that compares a station with its own record. */
export const usual: UsualText = translated(english, {
  verdicts: {
    usual: 'Gewoon voor deze datum',
    colder: {
      uncommon: 'Koud, maar niet zeldzaam',
      rare: 'Zelden zo koud',
      never: (year) => `Nog nooit zo koud op deze datum sinds ${year}`,
    },
    warmer: {
      uncommon: 'Warm, maar niet zeldzaam',
      rare: 'Zelden zo warm',
      never: (year) => `Nog nooit zo warm op deze datum sinds ${year}`,
    },
    few: {
      colder: (difference, years) => `${difference} kouder dan in ${years}`,
      warmer: (difference, years) => `${difference} warmer dan in ${years}`,
      same: (years) => `Ongeveer zoals in ${years}`,
    },
    alone: 'Nog niets om mee te vergelijken',
    rainOnly: 'Neerslag naast de reeks',
  },
  oneIn: {
    colder: (n, date) => `1 op de ${n} dagen rond ${date} is zo koud als deze.`,
    warmer: (n, date) => `1 op de ${n} dagen rond ${date} is zo warm als deze.`,
  },
  outOf: {
    colder: (n, date) => `${n} van de 10 dagen rond ${date} zijn zo koud of kouder.`,
    warmer: (n, date) => `${n} van de 10 dagen rond ${date} zijn zo warm of warmer.`,
  },
  noDay: {
    colder: (date) => `Geen andere dag binnen een week van ${date} was zo koud.`,
    warmer: (date) => `Geen andere dag binnen een week van ${date} was zo warm.`,
  },
  month: {
    below: (month, difference) => `${atStart(month)} ligt ${difference} onder het gewone gemiddelde.`,
    above: (month, difference) => `${atStart(month)} ligt ${difference} boven het gewone gemiddelde.`,
    same: (month) => `${atStart(month)} is zo warm als gewoonlijk.`,
  },
  usualMeans: (month) =>
    `Gewoon: de middelste 8 van de 10 dagen binnen een week van de datum, uit de eigen reeks van dit station sinds ${month}.`,
  fewMeans: (years, needed, date) =>
    `Deze reeks heeft ${years}. Vanaf ${needed} jaar zegt dit deel wat gewoon is. Het vergelijkt de dagen binnen een week van ${date}.`,
  aloneMeans: (date, needed) =>
    `De reeks begint op ${date}. Andere jaren worden vergeleken zodra ze er zijn; vanaf ${needed} jaar zegt dit deel wat gewoon is.`,
  years: (n) => `waarden van ${n} jaar rond deze datum`,
  soFar: (period) => `${period} tot nu toe`,
  until: (period, date) => `${period}, tot ${date}`,
  dateMean: (date) => `${date}, gemiddelde`,
  lastHours: (time) => `in de 24 uur tot ${time}`,
  since: (date) => `sinds ${date}`,
  rainSince: (date) => `Neerslag sinds ${date}`,
  frostSince: (date) => `Vorstdagen sinds ${date}`,
  hotSince: (limit, date) => `Dagen vanaf ${limit} sinds ${date}`,
  ranks: {
    mean: {
      lowest: (place, of) => (place === 1 ? `Koudste van ${of}` : `Op ${place - 1} na koudste van ${of}`),
      highest: (place, of) => (place === 1 ? `Warmste van ${of}` : `Op ${place - 1} na warmste van ${of}`),
    },
    rain: {
      lowest: (place, of) => (place === 1 ? `droogste van ${of}` : `op ${place - 1} na droogste van ${of}`),
      highest: (place, of) => (place === 1 ? `natste van ${of}` : `op ${place - 1} na natste van ${of}`),
    },
  },
  shared: (rank) => `${rank}, gedeeld`,
  withUsual: (value, usualValue) => `${value}, gewoonlijk ${usualValue}`,
  ofMedian: (percent) => `${percent} % van de mediaan`,
  count: (n) => `${n} tot nu toe`,
  countNone: 'geen tot nu toe',
  usualCount: (n) => `gewoonlijk ${n} tot deze datum`,
  yearCount: (year, n) => `${year}: ${n} tot deze datum`,
  missing: (n) => (n === 1 ? '1 dag ontbreekt' : `${n} dagen ontbreken`),
  noOther: 'geen ander jaar om mee te vergelijken',
  runs: {
    dry: (n) => `Al ${days(n)} geen neerslag`,
    frost: (n) => `${days(n)} vorst achter elkaar`,
    dryAtLeast: (n) => `Al minstens ${days(n)} geen neerslag`,
    frostAtLeast: (n) => `Minstens ${days(n)} vorst achter elkaar`,
    longestDry: (n, date) => `De langste tijd zonder neerslag was ${days(n)}, tot ${date}.`,
    longestFrost: (n, date) => `De meeste vorstdagen achter elkaar waren er ${n}, tot ${date}.`,
    isLongest: 'de langste van de reeks',
  },
  table: { caption: 'Dezelfde datums van elk jaar', year: 'Jaar' },
  against: {
    title: (year) => `${year} naast de reeks`,
    alone: (year) => `${year}, gemiddelde van elke dag`,
    explain: (unit) => `Gemiddelde van elke dag in ${unit}.`,
    filled: 'Gevuld waar het buiten het gewone bereik kwam:',
    warmer: 'warmer',
    colder: 'kouder',
    band: 'gewoon bereik (8 van de 10 dagen)',
    median: 'mediaan',
    label: (year) => `Gemiddelde temperatuur van elke dag van ${year} en het gewone bereik van de datum`,
    extreme: (value, date) => `${value} op ${date}`,
    date: 'Datum',
    mean: 'Gemiddelde',
    p10: '1 van de 10 lager',
    p90: '9 van de 10 lager',
  },
  stripes: {
    title: (year) => `Elke dag sinds ${year}`,
    explain: (date) =>
      `Een rij per jaar, een streep per dag, in de kleur van het gemiddelde. Aan het eind van een rij: het gemiddelde van 1 januari tot ${date}.`,
    label: 'De gemiddelde temperatuur van elke dag in kleuren, een rij per jaar',
    caption: 'Gemiddelde temperatuur van de maanden',
  },
  day: {
    range: (low, high, mean) => `${low} … ${high}, gemiddeld ${mean}`,
    usual: (low, high) => `gewoonlijk gemiddeld ${low} … ${high}`,
    rain: (value) => `neerslag ${value}`,
    missing: 'geen waarde',
    incomplete: 'onvolledige dag',
    keys: 'Pijltjestoetsen gaan door de dagen, Enter opent de dag in de grafieken.',
    tap: 'tik nog eens om deze dag te openen',
  },
  calendar: {
    title: (year) => `${year}, dag voor dag`,
    explain:
      'Een vakje opent zijn dag. Omlijnde vakjes hebben geen waarde, een punt betekent een onvolledige dag.',
    quantities: {
      mean: 'Gemiddelde temperatuur',
      max: 'Hoogste temperatuur',
      min: 'Laagste temperatuur',
      rain: 'Neerslag',
    },
    label: (quantity, year) => `${quantity} van elke dag van ${year}`,
    legend: 'Kleuren',
    day: 'Dag',
  },
});

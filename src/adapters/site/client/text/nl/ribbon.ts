import type { Text } from '../en.js';
import type { Translation } from '../translated.js';

/** The Dutch texts of the sentence about the present weather. */
export const sentence: Translation<Text['sentence']> = {
  title: (value, name) => `${value} · ${name}`,
  waiting: 'Wachten op de eerste waarde',
  trend: (value, trend) => `${value}, ${trend}`,
  trends: { rising: 'stijgend', falling: 'dalend', steady: 'gelijk' },
  at: (value, time) => `${value} om ${time}`,
  on: (value, date, time) => `${value} op ${date}, ${time}`,
  clock: (time) => time,
  weekday: (day, time) => `${day} ${time}`,
  rain: (since, amount) => `Neerslag sinds ${since}, tot nu toe ${amount}.`,
  dry: (since, isRecent) => (isRecent ? `Droog sinds ${since}.` : `Geen neerslag sinds ${since}.`),
  unusual: (degrees, number, direction, date) =>
    `${number} ${degrees === 1 ? 'graad' : 'graden'} ${direction === 'colder' ? 'kouder' : 'warmer'} dan gewoonlijk op ${date}.`,
  usual: (date) => `Gebruikelijk voor ${date}.`,
  doubtful: (checks) => `twijfelachtig: ${checks}`,
};

/** The Dutch texts of the picture of the last 24 hours. */
export const ribbon: Translation<Text['ribbon']> = {
  label: 'Temperatuur, neerslag en wind van de laatste 24 uur',
  labelAhead: 'Temperatuur, neerslag en wind van de laatste 24 uur, en de verwachting voor de komende 48 uur',
  summary: {
    extremes: (highest, highestAt, lowest, lowestAt) =>
      `Hoogste ${highest} om ${highestAt}, laagste ${lowest} om ${lowestAt}.`,
    rain: (amount) => `Neerslag in deze uren: ${amount}.`,
    noRain: 'Geen neerslag in deze uren.',
    ahead: (highest, highestAt, lowest, lowestAt, rain) =>
      `Verwachting voor de komende 48 uur: hoogste ${highest} op ${highestAt}, laagste ${lowest} op ${lowestAt}, neerslag ${rain}.`,
    rainAhead: (rain) => `Verwachting voor de komende 48 uur: neerslag ${rain}.`,
    keys: 'Pijltjestoetsen gaan door de uren.',
  },
  rain: 'regen',
  wind: 'wind',
  usual: 'gewoonlijk',
  lastYear: 'vorig jaar',
  now: (time) => `nu ${time}`,
  nowOnly: 'nu',
  legend: {
    measured: 'gemeten',
    forecast: 'verwachting',
    forecastBounds: 'verwachting, 8 van 10 gevallen',
    usual: (since) => `gewoonlijk op deze datum sinds ${since}: 8 van de 10 waarden, en de mediaan`,
    lastYear: 'dezelfde uren van vorig jaar; wat gewoon is, blijkt pas na 5 jaar met volledige dagen',
  },
  cursor: {
    forecast: 'verwachting',
    bounds: (low, high) => `8 van 10 gevallen ${low} … ${high}`,
    none: 'geen waarde',
    usual: (low, high) => `gewoonlijk ${low} … ${high}`,
    rain: (amount, from, to) => `neerslag ${amount}, ${from}–${to}`,
    wind: (speed, sector) => `wind ${speed} ${sector}`,
  },
};

/** The Dutch texts of the head of a station. */
export const head: Translation<Text['head']> = {
  map: 'op de kaart',
  about: 'over dit station',
  measured: (time) => `Gemeten ${time}`,
  position: 'Positie',
  elevation: 'Hoogte',
  zone: 'Tijdzone',
  interval: 'Meldt',
  every: (minutes) => `elke ${minutes} min`,
  since: 'Waarden sinds',
  id: 'Id in de API',
  towns: 'Plaatsen:',
};

/** The Dutch texts of the cards. */
export const cards: Translation<Text['cards']> = {
  windFrom: (sector) => `Wind uit ${sector}`,
  wind: 'Wind',
  gustAt: (speed, time) => `windstoot ${speed} om ${time}`,
  rainHour: (amount) => `laatste uur ${amount}`,
  rainOn: (date) => `Neerslag ${date}`,
  rainMonth: (month, amount) => `${month} ${amount}`,
  atLeast: (month, amount, missing) => `${month} minstens ${amount}, ${missing}`,
  daysMissing: (days) => (days === 1 ? '1 dag ontbreekt' : `${days} dagen ontbreken`),
  rise: (change) => `${change} gestegen in 3 uur`,
  fall: (change) => `${change} gedaald in 3 uur`,
  steady: 'gelijk',
  dewPoint: (value) => `dauwpunt ${value}`,
  feels: 'Voelt als',
  colder: (degrees) => `${degrees} kouder`,
  warmer: (degrees) => `${degrees} warmer`,
  sunset: 'Zonsondergang',
  sunrise: 'Zonsopkomst',
  in: (length) => `nog ${length}`,
  hoursMinutes: (hours, minutes) => `${hours} uur ${minutes} min`,
  minutes: (minutes) => `${minutes} min`,
  lastLight: (time) => `laatste licht ${time}`,
  firstLight: (time) => `eerste licht ${time}`,
  day: (length) => `dag van ${length}`,
  polarDay: 'de hele dag op',
  polarNight: 'de hele dag onder',
  sun: 'Zon',
};

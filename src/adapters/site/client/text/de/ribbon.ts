/** The German texts of the sentence about the present weather. */
export const sentence = {
  title: (value: string, name: string) => `${value} · ${name}`,
  waiting: 'Noch kein Wert',
  trend: (value: string, trend: string) => `${value}, ${trend}`,
  trends: { rising: 'steigend', falling: 'fallend', steady: 'gleichbleibend' },
  at: (value: string, time: string) => `${value} um ${time} Uhr`,
  on: (value: string, date: string, time: string) => `${value} am ${date}, ${time} Uhr`,
  clock: (time: string) => `${time} Uhr`,
  weekday: (day: string, time: string) => `${day}, ${time} Uhr`,
  rain: (since: string, amount: string) => `Regen seit ${since}, bisher ${amount}.`,
  dry: (since: string, isRecent: boolean) =>
    isRecent ? `Trocken seit ${since}.` : `Kein Regen seit ${since}.`,
  unusual: (_degrees: number, number: string, direction: 'colder' | 'warmer', date: string) =>
    `${number} Grad ${direction === 'colder' ? 'kälter' : 'wärmer'} als am ${date} üblich.`,
  usual: (date: string) => `Für den ${date} üblich.`,
  doubtful: (checks: string) => `zweifelhaft: ${checks}`,
};

/** The German texts of the picture of the last 24 hours. */
export const ribbon = {
  label: 'Temperatur, Regen und Wind der letzten 24 Stunden',
  labelAhead:
    'Temperatur, Regen und Wind der letzten 24 Stunden, und ihre Vorhersage für die nächsten 48 Stunden',
  summary: {
    extremes: (highest: string, highestAt: string, lowest: string, lowestAt: string) =>
      `Höchstwert ${highest} um ${highestAt} Uhr, Tiefstwert ${lowest} um ${lowestAt} Uhr.`,
    rain: (amount: string) => `Regen in diesen Stunden: ${amount}.`,
    noRain: 'Kein Regen in diesen Stunden.',
    ahead: (highest: string, highestAt: string, lowest: string, lowestAt: string, rain: string) =>
      `Vorhersage der nächsten 48 Stunden: Höchstwert ${highest} am ${highestAt} Uhr, Tiefstwert ${lowest} am ${lowestAt} Uhr, Regen ${rain}.`,
    rainAhead: (rain: string) => `Vorhersage der nächsten 48 Stunden: Regen ${rain}.`,
    keys: 'Die Pfeiltasten gehen durch die Stunden.',
  },
  rain: 'Regen',
  wind: 'Wind',
  usual: 'üblicher Bereich',
  lastYear: 'letztes Jahr',
  now: (time: string) => `jetzt ${time}`,
  nowOnly: 'jetzt',
  legend: {
    measured: 'gemessen',
    forecast: 'Vorhersage',
    forecastBounds: 'Vorhersage, 8 von 10 Fällen',
    usual: (since: string) => `üblich zu dieser Zeit seit ${since}: 8 von 10 Werten und der Median`,
    lastYear:
      'dieselben Stunden des letzten Jahres; der übliche Bereich braucht 5 Jahre mit vollständigen Tagen',
  },
  cursor: {
    forecast: 'Vorhersage',
    bounds: (low: string, high: string) => `8 von 10 Fällen ${low} … ${high}`,
    none: 'kein Wert',
    usual: (low: string, high: string) => `üblich ${low} … ${high}`,
    rain: (amount: string, from: string, to: string) => `Regen ${amount}, ${from}–${to}`,
    wind: (speed: string, sector: string) => `Wind ${speed} ${sector}`,
  },
};

/** The German texts of the head of a station. */
export const head = {
  map: 'auf der Karte',
  about: 'über die Station',
  measured: (time: string) => `Gemessen ${time}`,
  position: 'Lage',
  elevation: 'Höhe',
  zone: 'Zeitzone',
  interval: 'Meldet',
  every: (minutes: string) => `alle ${minutes} min`,
  since: 'Werte seit',
  id: 'Kennung in der API',
  towns: 'Orte:',
};

/** The German texts of the cards. */
export const cards = {
  windFrom: (sector: string) => `Wind aus ${sector}`,
  wind: 'Wind',
  gustAt: (speed: string, time: string) => `Böe ${speed} um ${time}`,
  rainHour: (amount: string) => `letzte Stunde ${amount}`,
  rainOn: (date: string) => `Regen am ${date}`,
  rainMonth: (month: string, amount: string) => `${month} ${amount}`,
  atLeast: (month: string, amount: string, missing: string) => `${month} mindestens ${amount}, ${missing}`,
  daysMissing: (days: number) => (days === 1 ? '1 Tag fehlt' : `${days} Tage fehlen`),
  rise: (change: string) => `${change} höher als vor 3 h`,
  fall: (change: string) => `${change} tiefer als vor 3 h`,
  steady: 'gleichbleibend',
  dewPoint: (value: string) => `Taupunkt ${value}`,
  feels: 'Gefühlt',
  colder: (degrees: string) => `${degrees} kälter`,
  warmer: (degrees: string) => `${degrees} wärmer`,
  sunset: 'Sonnenuntergang',
  sunrise: 'Sonnenaufgang',
  in: (length: string) => `in ${length}`,
  hoursMinutes: (hours: string, minutes: string) => `${hours} h ${minutes} min`,
  minutes: (minutes: string) => `${minutes} min`,
  lastLight: (time: string) => `letztes Licht ${time}`,
  firstLight: (time: string) => `erstes Licht ${time}`,
  day: (length: string) => `Tag von ${length}`,
  polarDay: 'geht nicht unter',
  polarNight: 'geht nicht auf',
  sun: 'Sonne',
};

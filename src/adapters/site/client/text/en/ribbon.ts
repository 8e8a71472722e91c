/** The English texts of the sentence about the present weather. */
export const sentence = {
  title: (value: string, name: string) => `${value} · ${name}`,
  waiting: 'Waiting for the first value',
  trend: (value: string, trend: string) => `${value}, ${trend}`,
  trends: { rising: 'rising', falling: 'falling', steady: 'steady' },
  at: (value: string, time: string) => `${value} at ${time}`,
  on: (value: string, date: string, time: string) => `${value} on ${date}, ${time}`,
  clock: (time: string) => time,
  weekday: (day: string, time: string) => `${day} ${time}`,
  rain: (since: string, amount: string) => `Rain since ${since}, ${amount} so far.`,
  dry: (since: string, isRecent: boolean) => (isRecent ? `Dry since ${since}.` : `No rain since ${since}.`),
  unusual: (degrees: number, number: string, direction: 'colder' | 'warmer', date: string) =>
    `${number} ${degrees === 1 ? 'degree' : 'degrees'} ${direction} than usual for ${date}.`,
  usual: (date: string) => `Usual for ${date}.`,
  doubtful: (checks: string) => `doubtful: ${checks}`,
};

/** The English texts of the picture of the last 24 hours. */
export const ribbon = {
  label: 'Temperature, rain and wind of the last 24 hours',
  labelAhead: 'Temperature, rain and wind of the last 24 hours, and their forecast of the next 48 hours',
  summary: {
    extremes: (highest: string, highestAt: string, lowest: string, lowestAt: string) =>
      `Highest ${highest} at ${highestAt}, lowest ${lowest} at ${lowestAt}.`,
    rain: (amount: string) => `Rain in these hours: ${amount}.`,
    noRain: 'No rain in these hours.',
    ahead: (highest: string, highestAt: string, lowest: string, lowestAt: string, rain: string) =>
      `Forecast of the next 48 hours: highest ${highest} on ${highestAt}, lowest ${lowest} on ${lowestAt}, rain ${rain}.`,
    rainAhead: (rain: string) => `Forecast of the next 48 hours: rain ${rain}.`,
    keys: 'Arrow keys move through the hours.',
  },
  rain: 'rain',
  wind: 'wind',
  usual: 'usual range',
  lastYear: 'last year',
  now: (time: string) => `now ${time}`,
  nowOnly: 'now',
  legend: {
    measured: 'measured',
    forecast: 'forecast',
    forecastBounds: 'forecast, 8 of 10 outcomes',
    usual: (since: string) => `usual on this date since ${since}: 8 of 10 values, and the median`,
    lastYear: 'the same hours of last year; the usual range needs 5 years of complete days',
  },
  cursor: {
    forecast: 'forecast',
    bounds: (low: string, high: string) => `8 of 10 outcomes ${low} … ${high}`,
    none: 'no value',
    usual: (low: string, high: string) => `usual ${low} … ${high}`,
    rain: (amount: string, from: string, to: string) => `rain ${amount}, ${from}–${to}`,
    wind: (speed: string, sector: string) => `wind ${speed} ${sector}`,
  },
};

/** The English texts of the head of a station. */
export const head = {
  map: 'on the map',
  about: 'about',
  measured: (time: string) => `Measured ${time}`,
  position: 'Position',
  elevation: 'Elevation',
  zone: 'Time zone',
  interval: 'Reports',
  every: (minutes: string) => `every ${minutes} min`,
  since: 'Values since',
  id: 'Id in the API',
  towns: 'Towns:',
};

/** The English texts of the cards. */
export const cards = {
  windFrom: (sector: string) => `Wind from ${sector}`,
  wind: 'Wind',
  gustAt: (speed: string, time: string) => `gust ${speed} at ${time}`,
  rainHour: (amount: string) => `last hour ${amount}`,
  /** The rain of the last day of an old record. */
  rainOn: (date: string) => `Rain on ${date}`,
  rainMonth: (month: string, amount: string) => `${month} ${amount}`,
  atLeast: (month: string, amount: string, missing: string) => `${month} at least ${amount}, ${missing}`,
  daysMissing: (days: number) => (days === 1 ? '1 day missing' : `${days} days missing`),
  rise: (change: string) => `up ${change} in 3 h`,
  fall: (change: string) => `down ${change} in 3 h`,
  steady: 'steady',
  dewPoint: (value: string) => `dew point ${value}`,
  feels: 'Feels like',
  colder: (degrees: string) => `${degrees} colder`,
  warmer: (degrees: string) => `${degrees} warmer`,
  sunset: 'Sunset',
  sunrise: 'Sunrise',
  in: (length: string) => `in ${length}`,
  hoursMinutes: (hours: string, minutes: string) => `${hours} h ${minutes} min`,
  minutes: (minutes: string) => `${minutes} min`,
  lastLight: (time: string) => `last light ${time}`,
  firstLight: (time: string) => `first light ${time}`,
  day: (length: string) => `day of ${length}`,
  polarDay: 'up all day',
  polarNight: 'down all day',
  sun: 'Sun',
};

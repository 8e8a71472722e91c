/** The English texts of the climate, the almanac, the kiosk and the card for other sites. */
export const climate = {
  title: 'Climate',
  monthsOf: 'Months of the year',
  show: 'Show',
  months: {
    title: 'Months',
    month: 'Month',
    whole: 'Year',
    columns: {
      mean_temperature: 'Mean',
      mean_daily_maximum: 'Mean maximum',
      mean_daily_minimum: 'Mean minimum',
      highest_temperature: 'Highest',
      lowest_temperature: 'Lowest',
      precipitation: 'Rain',
      wet_days: '',
      heating: 'Heating degree days',
      cooling: 'Cooling degree days',
      mean_wind_speed: 'Mean wind',
      highest_wind: 'Strongest wind or gust',
      mean_relative_humidity: 'Mean humidity',
    } as Readonly<Record<string, string>>,
    wetDays: (limit: string) => `Days ≥ ${limit}`,
    missing: (days: number) => (days === 1 ? '1 day missing' : `${days === 0 ? 'no' : days} days missing`),
    reason:
      'A value is left out (–) if too many days are missing: for means and extremes more than 10 days, or more than 4 in a row; for totals any day (WMO-No. 1203).',
    soFar: (date: string) => `so far, to ${date}`,
    begun: 'no complete day yet',
    running: 'Values so far cover only the days that are complete, however few. They are not final.',
    degreeDays: (base: string) => `The base of degree days is ${base}.`,
    noaa: 'NOAA summary',
    text: 'text',
  },
  normals: {
    title: 'Normals',
    period: (from: string, to: string) => `${from}–${to}`,
    none: (needed: string, present: string) =>
      `There are no normals: they need ${needed} years, and the station has at most ${present} from the period.`,
  },
  records: {
    title: 'Records',
    allTime: 'All time',
    columns: {
      highest_temperature: 'Highest',
      lowest_temperature: 'Lowest',
      highest_daily_minimum: 'Warmest night',
      lowest_daily_maximum: 'Coldest day',
      greatest_daily_precipitation: 'Most rain in a day',
      highest_gust: 'Strongest gust',
      highest_sea_level_pressure: 'Highest pressure',
      lowest_sea_level_pressure: 'Lowest pressure',
    } as Readonly<Record<string, string>>,
    since: (first: string, last: string) =>
      first === last ? `Records of the year ${first}.` : `Records of the years ${first} to ${last}.`,
    years: 'Years',
    allYears: 'all',
  },
};

export const almanac = {
  sunrise: 'Sunrise',
  sunset: 'Sunset',
  length: 'Day length',
  lengthText: (hours: string, minutes: string) => `${hours} h ${minutes} min`,
  noon: 'Solar noon',
  civil: 'Civil twilight',
  nautical: 'Nautical twilight',
  astronomical: 'Astronomical twilight',
  titleOf: (date: string) => `Sun and moon, ${date}`,
  arc: (rise: string, set: string) => `The way of the sun over the day: sunrise ${rise}, sunset ${set}`,
  range: (from: string, to: string) => `first light ${from}, last light ${to}`,
  polarDay: 'The sun does not set (polar day).',
  polarNight: 'The sun does not rise (polar night).',
  allNight: 'all night',
  moon: 'Moon',
  moonrise: 'Moonrise',
  moonset: 'Moonset',
  moonUp: 'above the horizon all day',
  moonDown: 'below the horizon all day',
  lit: (percent: string) => `${percent} % illuminated`,
  phases: [
    'new moon',
    'waxing crescent',
    'first quarter',
    'waxing gibbous',
    'full moon',
    'waning gibbous',
    'last quarter',
    'waning crescent',
  ],
};

export const kiosk = {
  fullScreen: 'Full screen',
  back: 'Station page',
  clock: 'Time at the station',
  offline: 'no connection since',
};

export const embed = { more: 'All values of this station', open: 'Open the service to sign in' };

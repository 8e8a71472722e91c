/** The English texts of the almanac, the kiosk and the card for other sites. */
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

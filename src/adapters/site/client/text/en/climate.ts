/** The English texts of the climate of a station. */
export const climate = {
  show: 'Show',
  months: {
    title: 'Months',
    month: 'Month',
    whole: 'Year',
    /** The headings of the columns, in the order of `VIEWS` in sections/climate/elements.ts. */
    columns: [
      'Mean',
      '(max+min)/2',
      'Mean maximum',
      'Mean minimum',
      'Highest',
      'Lowest',
      'Sum',
      'Wet days',
      'Sum',
      'Strongest wind or gust',
      'Frost days',
      'Ice days',
      'Summer days',
      'Hot days',
      'Tropical nights',
      'Heating',
      'Cooling',
      'Most in a day',
      'New snow',
      'Greatest depth',
      'Days of snow cover',
      'Mean',
      'Days of gales',
      'Mean of a day',
      'Mean',
      'Mean',
    ] as readonly string[],
    missing: (days: number) => (days === 1 ? '1 day missing' : `${days === 0 ? 'no' : days} days missing`),
    reason:
      'A value is left out (–) if too many days are missing: for means and extremes more than 10 days, or more than 4 in a row; for totals any day (WMO-No. 1203).',
    soFar: (date: string) => `so far, to ${date}`,
    begun: 'no complete day yet',
    running: 'Values so far cover complete days only. They are not final.',
    degreeDays: (base: string) => `The base of degree days is ${base}.`,
    noaa: 'NOAA summary',
    text: 'text',
  },
  views: {
    overview: 'Overview',
    precipitation: 'Rain and snow',
    air: 'Wind, sun and air',
  } as Readonly<Record<string, string>>,
  groups: {
    days: 'Days',
    degreeDays: 'Degree days',
    snow: 'Snow',
  } as Readonly<Record<string, string>>,
  source: 'Source',
  sources: {
    observations: 'observations',
    daily: 'official daily values',
    both: 'both',
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
    /** The headings of the columns, in the order of `RECORDED` in sections/climate/elements.ts. */
    columns: [
      'Highest',
      'Lowest',
      'Warmest night',
      'Coldest day',
      'Most rain in a day',
      'Strongest gust',
      'Highest pressure',
      'Lowest pressure',
    ] as readonly string[],
    ties: (days: number) => (days === 1 ? '+1 day' : `+${days} days`),
    since: (first: string, last: string) =>
      first === last ? `Records of the year ${first}.` : `Records of the years ${first} to ${last}.`,
    years: 'Years',
    allYears: 'all',
  },
};

export type ClimateText = typeof climate;

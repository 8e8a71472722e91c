/** The English texts of the section that compares a station with its own record. */

const ordinal = (n: number) => {
  const ending = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${ending}`;
};

const days = (n: number) => (n === 1 ? '1 day' : `${n} days`);

export const usual = {
  verdicts: {
    usual: 'Usual for the date',
    colder: {
      uncommon: 'Cold, but not rare',
      rare: 'Rarely so cold',
      never: (year: string) => `Never so cold on this date since ${year}`,
    },
    warmer: {
      uncommon: 'Warm, but not rare',
      rare: 'Rarely so warm',
      never: (year: string) => `Never so warm on this date since ${year}`,
    },
    /** Verdicts for a record of less than five years. @param years a year, or the first and the last year */
    few: {
      colder: (difference: string, years: string) => `${difference} colder than at this time in ${years}`,
      warmer: (difference: string, years: string) => `${difference} warmer than at this time in ${years}`,
      same: (years: string) => `About as at this time in ${years}`,
    },
    alone: 'Nothing to compare with yet',
    rainOnly: 'Rain against the record',
  },
  oneIn: {
    colder: (n: string, date: string) => `1 day in ${n} around ${date} is as cold as this one.`,
    warmer: (n: string, date: string) => `1 day in ${n} around ${date} is as warm as this one.`,
  },
  outOf: {
    colder: (n: string, date: string) => `${n} of 10 days around ${date} are as cold or colder.`,
    warmer: (n: string, date: string) => `${n} of 10 days around ${date} are as warm or warmer.`,
  },
  noDay: {
    colder: (date: string) => `No other day within a week of ${date} was as cold.`,
    warmer: (date: string) => `No other day within a week of ${date} was as warm.`,
  },
  month: {
    below: (month: string, difference: string) => `${month} is ${difference} below its usual mean.`,
    above: (month: string, difference: string) => `${month} is ${difference} above its usual mean.`,
    same: (month: string) => `${month} is as warm as usual.`,
  },
  usualMeans: (month: string) =>
    `Usual: the middle 8 of 10 days within a week of the date, from this station’s own record since ${month}.`,
  fewMeans: (years: string, needed: string, date: string) =>
    `This record has ${years}. From ${needed} years on, this section says what is usual. It compares the days within a week of ${date}.`,
  aloneMeans: (date: string, needed: string) =>
    `The record begins on ${date}. Other years are compared as soon as there are any; from ${needed} years on, this section says what is usual.`,
  years: (n: string, isOne: boolean) => `values of ${n} ${isOne ? 'year' : 'years'} around this date`,
  soFar: (period: string) => `${period} so far`,
  until: (period: string, date: string) => `${period}, to ${date}`,
  dateMean: (date: string) => `${date}, mean`,
  lastHours: (time: string) => `in the 24 h to ${time}`,
  since: (date: string) => `since ${date}`,
  rainSince: (date: string) => `Rain since ${date}`,
  frostSince: (date: string) => `Frost days since ${date}`,
  hotSince: (limit: string, date: string) => `Days from ${limit} since ${date}`,
  ranks: {
    mean: {
      lowest: (place: number, of: string) =>
        place === 1 ? `Coldest of ${of}` : `${ordinal(place)} coldest of ${of}`,
      highest: (place: number, of: string) =>
        place === 1 ? `Warmest of ${of}` : `${ordinal(place)} warmest of ${of}`,
    },
    rain: {
      lowest: (place: number, of: string) =>
        place === 1 ? `driest of ${of}` : `${ordinal(place)} driest of ${of}`,
      highest: (place: number, of: string) =>
        place === 1 ? `wettest of ${of}` : `${ordinal(place)} wettest of ${of}`,
    },
  },
  shared: (rank: string) => `${rank}, shared`,
  withUsual: (value: string, usualValue: string) => `${value}, usual ${usualValue}`,
  ofMedian: (percent: string) => `${percent} % of the median`,
  count: (n: string) => `${n} so far`,
  countNone: 'none so far',
  usualCount: (n: string) => `usual ${n} by this date`,
  yearCount: (year: string, n: string) => `${year}: ${n} by this date`,
  missing: (n: number) => `${days(n)} missing`,
  noOther: 'no other year to compare',
  runs: {
    dry: (n: number) => `No rain for ${days(n)}`,
    frost: (n: number) => `Frost on ${days(n)} in a row`,
    dryAtLeast: (n: number) => `No rain for at least ${days(n)}`,
    frostAtLeast: (n: number) => `Frost on at least ${days(n)} in a row`,
    longestDry: (n: number, date: string) => `The longest time without rain was ${days(n)}, to ${date}.`,
    longestFrost: (n: number, date: string) => `The most frost days in a row were ${n}, to ${date}.`,
    isLongest: 'the longest of the record',
  },
  table: {
    caption: 'The same dates of every year',
    year: 'Year',
  },
  against: {
    title: (year: string) => `${year} against the record`,
    alone: (year: string) => `${year}, mean of each day`,
    explain: (unit: string) => `Mean of each day in ${unit}.`,
    filled: 'Filled where it left the usual range:',
    warmer: 'warmer',
    colder: 'colder',
    band: 'usual range (8 of 10 days)',
    median: 'median',
    label: (year: string) => `Mean temperature of each day of ${year} and the usual range of its date`,
    extreme: (value: string, date: string) => `${value} on ${date}`,
    date: 'Date',
    mean: 'Mean',
    p10: '1 of 10 below',
    p90: '9 of 10 below',
  },
  stripes: {
    title: (year: string) => `Every day since ${year}`,
    explain: (date: string) =>
      `A row a year, a stripe a day, in the color of its mean. At the end of a row: the mean from 1 January to ${date}.`,
    label: 'The mean temperature of every day in colors, a row for each year',
    caption: 'Mean temperature of the months',
  },
  day: {
    range: (low: string, high: string, mean: string) => `${low} … ${high}, mean ${mean}`,
    usual: (low: string, high: string) => `usual mean ${low} … ${high}`,
    rain: (value: string) => `rain ${value}`,
    missing: 'no value',
    incomplete: 'incomplete day',
    keys: 'Arrow keys move between the days, Enter opens the day in the charts.',
    tap: 'tap again to open this day',
  },
  calendar: {
    title: (year: string) => `${year}, day by day`,
    explain: 'A cell opens its day. Outlined cells have no value, a dot marks an incomplete day.',
    quantities: {
      mean: 'Mean temperature',
      max: 'Highest temperature',
      min: 'Lowest temperature',
      rain: 'Rain',
    },
    label: (quantity: string, year: string) => `${quantity} of each day of ${year}`,
    legend: 'Colors',
    day: 'Day',
  },
};

export type UsualText = typeof usual;

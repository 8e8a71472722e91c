/** Facts of a notice by their names in the API, each as a number with its unit. */
type Facts<Name extends string> = Readonly<Record<Name, string>>;

/** The English texts of the notices of quality control. */
export const notices = {
  meaning: 'Somebody should look at these values. A notice takes nothing out of the numbers.',
  about: 'About notices',
  mark: 'Mark as bad',
  showAll: (count: number) => `Show all ${count}`,
  since: (time: string) => `since ${time}`,
  from: (begin: string, end: string) => `from ${begin} to ${end}`,
  comparedWith: 'compared with',
  /** Before the span of a gap. */
  missing: 'Values are missing',
  /** Names of quantities that only notices have. */
  variables: {
    daily_maximum_air_temperature: 'Daily maximum',
    daily_minimum_air_temperature: 'Daily minimum',
    daily_precipitation_amount: 'Daily rain',
    daily_thickness_of_snowfall_amount: 'Daily snow',
  } as Readonly<Record<string, string>>,
  /**
   * What was found, as a part of a sentence between the name of the quantity and the time.
   * `isMore` says whether the level is higher than before, or whether a clock is fast.
   */
  sentences: {
    night_radiation: ({ mean_at_night: mean, nights }: Facts<'mean_at_night' | 'nights'>) =>
      `${mean} on average in ${nights} nights in a row instead of about 0`,
    clock: ({ clock_minutes: minutes }: Facts<'clock_minutes'>, isMore: boolean) =>
      `the clock of the station seems to be ${minutes} minutes ${isMore ? 'fast' : 'slow'}`,
    stuck_calm: ({ calm_hours: hours, mean_of_neighbors: mean }: Facts<'calm_hours' | 'mean_of_neighbors'>) =>
      `calm for ${hours} hours, while the stations nearby measured ${mean} on average`,
    calm_alone: ({ calm_hours: hours }: Facts<'calm_hours'>) => `calm for ${hours} hours`,
    low_variability: ({ deviation, usual_deviation: usual }: Facts<'deviation' | 'usual_deviation'>) =>
      `a standard deviation of only ${deviation} in a day instead of ${usual}`,
    level: ({ difference }: Facts<'difference'>, isMore: boolean) =>
      `${difference} ${isMore ? 'higher' : 'lower'} than before against the stations nearby`,
    rain_missing: ({ amount, amount_of_neighbors: beside }: Facts<'amount' | 'amount_of_neighbors'>) =>
      `only ${amount}, while the stations nearby had ${beside}`,
    rain_ratio: ({ ratio, usual_ratio: usual }: Facts<'ratio' | 'usual_ratio'>) =>
      `${ratio} of the amount of the stations nearby, while ${usual} are usual`,
    steady_rain: ({ amount_each_hour: amount, hours }: Facts<'amount_each_hour' | 'hours'>) =>
      `exactly ${amount} in each of ${hours} hours in a row`,
    extreme_rain: ({ amount, hours }: Facts<'amount' | 'hours'>) => `${amount} in ${hours} h, rare anywhere`,
    unusual_hours: ({
      value,
      percentile_1: low,
      percentile_99: high,
    }: Facts<'value' | 'percentile_1' | 'percentile_99'>) =>
      `${value}, while ${low} to ${high} are usual at this date and hour`,
    unusual_day: ({ value, usual }: Facts<'value' | 'usual'>) =>
      `${value}, while ${usual} are usual on this date`,
    day_gap: ({ value, nearest_other: other }: Facts<'value' | 'nearest_other'>) =>
      `${value}, while the nearest other value is ${other}`,
    rain_day: ({ value, percentile_95: usual }: Facts<'value' | 'percentile_95'>) =>
      `${value}, while at most ${usual} are usual on this date`,
    contradictory_days: ({ value, difference }: Facts<'value' | 'difference'>) =>
      `${value}, ${difference} away from other values of these days`,
    snow_day: ({ value }: Facts<'value'>) => `${value}, although it was too warm for snow`,
    day_unlike_neighbors: ({ value, difference }: Facts<'value' | 'difference'>) =>
      `${value}, ${difference} away from the stations nearby`,
    daily_streak: ({ value, days }: Facts<'value' | 'days'>) => `${value} on ${days} days in a row`,
  },
};

export type NoticesText = typeof notices;

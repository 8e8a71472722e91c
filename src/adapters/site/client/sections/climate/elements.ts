export const MEAN = 'mean_temperature';
/** The mean of maximum and minimum stands for the mean where only these are known. */
export const MIDRANGE = 'mean_of_daily_extremes';

/** The elements of each view of the table, by group of columns. The view that matters most is the first. */
export const VIEWS = {
  overview: {
    air_temperature: [
      MEAN,
      MIDRANGE,
      'mean_daily_maximum',
      'mean_daily_minimum',
      'highest_temperature',
      'lowest_temperature',
    ],
    precipitation_amount: ['precipitation', 'wet_days'],
    duration_of_sunshine: ['sunshine'],
    wind_speed: ['highest_wind'],
  },
  air_temperature: {
    air_temperature: [MEAN, MIDRANGE, 'highest_temperature', 'lowest_temperature'],
    days: ['frost_days', 'ice_days', 'summer_days', 'hot_days', 'tropical_nights'],
    degreeDays: ['heating', 'cooling'],
  },
  precipitation: {
    precipitation_amount: ['precipitation', 'wet_days', 'greatest_daily_precipitation'],
    snow: ['new_snow', 'greatest_snow_depth', 'snow_cover_days'],
  },
  air: {
    wind_speed: ['mean_wind_speed', 'highest_wind', 'gale_days'],
    duration_of_sunshine: ['sunshine', 'mean_daily_sunshine'],
    relative_humidity: ['mean_relative_humidity'],
    air_pressure_at_mean_sea_level: ['mean_sea_level_pressure'],
  },
} satisfies Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
export type ViewName = keyof typeof VIEWS;

/** The elements in the order of their names in the texts. */
export const ELEMENTS: readonly string[] = [
  ...new Set(Object.values(VIEWS).flatMap((groups) => Object.values<readonly string[]>(groups).flat())),
];

/** Limits of numbers of days, with the units of the API. Beaufort 8 begins at 17.2 m/s. */
export const LIMITS: Readonly<Record<string, string>> = {
  frost_days: 'min < 0 °C',
  ice_days: 'max < 0 °C',
  summer_days: 'max ≥ 25 °C',
  hot_days: 'max ≥ 30 °C',
  tropical_nights: 'min ≥ 20 °C',
  wet_days: '≥ 1 mm',
  snow_cover_days: '≥ 0.01 m',
  gale_days: '≥ 8 Bft',
};

/** The elements of records, in the order of their names in the texts. */
export const RECORDED = [
  'highest_temperature',
  'lowest_temperature',
  'highest_daily_minimum',
  'lowest_daily_maximum',
  'greatest_daily_precipitation',
  'highest_gust',
  'highest_sea_level_pressure',
  'lowest_sea_level_pressure',
];

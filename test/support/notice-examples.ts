import type { NoticeFacts, NoticeKind } from '#domain/weather/quality/notices/notice.js';

/** A notice with the facts of one method of its kind. */
export interface NoticeExample {
  readonly kind: NoticeKind;
  /** Name and unit of the variable in the API. */
  readonly variable: string;
  readonly unit: string;
  readonly facts: NoticeFacts;
  readonly isCompared: boolean;
  /** The facts that a sentence must contain, in metric units and with a decimal point. */
  readonly said: readonly string[];
}

const TEMPERATURE = { variable: 'air_temperature', unit: '°C' } as const;
const RAIN = { variable: 'precipitation_amount', unit: 'mm' } as const;
const RADIATION = { variable: 'surface_downwelling_shortwave_flux_in_air', unit: 'W/m²' } as const;
const WIND = { variable: 'wind_speed', unit: 'm/s' } as const;
const DAY = { variable: 'daily_maximum_air_temperature', unit: '°C' } as const;

const DAILY_RAIN = { variable: 'daily_precipitation_amount', unit: 'mm' } as const;

/** One notice for each set of facts that the checks find. A test compares them with the facts of planted faults. */
export const NOTICE_EXAMPLES: readonly NoticeExample[] = [
  {
    kind: 'night_radiation',
    ...RADIATION,
    facts: { mean_at_night: -24.6, nights: 5 },
    isCompared: false,
    said: ['−25 W/m²', '5'],
  },
  { kind: 'clock', ...TEMPERATURE, facts: { clock_minutes: -57 }, isCompared: true, said: ['57'] },
  { kind: 'clock', ...RADIATION, facts: { clock_minutes: 120 }, isCompared: false, said: ['120'] },
  {
    kind: 'stuck_calm',
    ...WIND,
    facts: { calm_hours: 240, mean_of_neighbors: 3.14 },
    isCompared: true,
    said: ['240', '3.1 m/s'],
  },
  {
    kind: 'stuck_calm',
    ...WIND,
    facts: { calm_hours: 240, longest_other_calm_hours: 7 },
    isCompared: false,
    said: ['240'],
  },
  {
    kind: 'low_variability',
    ...TEMPERATURE,
    facts: { deviation: 0.041, deviation_of_neighbors: 2.37 },
    isCompared: true,
    said: ['0.04 °C', '2.37 °C'],
  },
  {
    kind: 'low_variability',
    ...TEMPERATURE,
    facts: { deviation: 0.052, usual_deviation: 1.84 },
    isCompared: false,
    said: ['0.05 °C', '1.84 °C'],
  },
  {
    kind: 'level',
    ...TEMPERATURE,
    facts: { change: -2.51, usual_deviation: 0.26 },
    isCompared: true,
    said: ['2.5 °C'],
  },
  {
    kind: 'level',
    ...TEMPERATURE,
    facts: { difference: 4.02, usual_deviation: 0.26 },
    isCompared: true,
    said: ['4.0 °C'],
  },
  {
    kind: 'rain_missing',
    ...RAIN,
    facts: { amount: 0.2, amount_of_neighbors: 48.3 },
    isCompared: true,
    said: ['0.2 mm', '48.3 mm'],
  },
  {
    kind: 'rain_ratio',
    ...RAIN,
    facts: { ratio: 0.481, usual_ratio: 1.07 },
    isCompared: true,
    said: ['48 %', '107 %'],
  },
  {
    kind: 'steady_rain',
    ...RAIN,
    facts: { amount_each_hour: 0.2, hours: 31 },
    isCompared: false,
    said: ['0.2 mm', '31'],
  },
  {
    kind: 'extreme_rain',
    ...RAIN,
    facts: { amount: 120.4, hours: 1 },
    isCompared: false,
    said: ['120.4 mm', '1 '],
  },
  {
    kind: 'unusual_hours',
    ...TEMPERATURE,
    facts: {
      difference_from_median: 37.9,
      value: 40.1,
      percentile_1: -8.4,
      median: 2.2,
      percentile_99: 12.6,
    },
    isCompared: false,
    said: ['40.1 °C', '−8.4 °C', '12.6 °C'],
  },
  {
    kind: 'unusual_day',
    ...DAY,
    facts: { difference: -21.3, value: -16.2, usual: 5.1, usual_deviation: 3.42 },
    isCompared: false,
    said: ['−16.2 °C', '5.1 °C'],
  },
  {
    kind: 'unusual_day',
    ...DAY,
    facts: { difference: 11.2, value: 35.2, nearest_other: 24 },
    isCompared: false,
    said: ['35.2 °C', '24.0 °C'],
  },
  {
    kind: 'unusual_day',
    ...DAILY_RAIN,
    facts: { amount: 180.2, percentile_95: 12.4 },
    isCompared: false,
    said: ['180.2 mm', '12.4 mm'],
  },
  {
    kind: 'unusual_day',
    ...DAILY_RAIN,
    facts: { amount: 320.2, nearest_other: 80.6 },
    isCompared: false,
    said: ['320.2 mm', '80.6 mm'],
  },
  {
    kind: 'contradictory_days',
    ...DAY,
    facts: { difference: -26.1, value: -8.4 },
    isCompared: false,
    said: ['−8.4 °C', '26.1 °C'],
  },
  ...['highest_minimum', 'lowest_maximum', 'minimum_of_next_day', 'maximum_of_next_day'].map(
    (fact): NoticeExample => ({
      kind: 'contradictory_days',
      ...DAY,
      facts: { difference: 41.2, value: 43.1, [fact]: 1.9 },
      isCompared: false,
      said: ['43.1 °C', '41.2 °C'],
    }),
  ),
  {
    kind: 'contradictory_days',
    variable: 'daily_thickness_of_snowfall_amount',
    unit: 'mm',
    facts: { amount: 30, lowest_minimum_celsius: 8.2 },
    isCompared: false,
    said: ['30.0 mm'],
  },
  {
    kind: 'day_unlike_neighbors',
    ...DAY,
    facts: { difference: -13.2, value: -4.1 },
    isCompared: true,
    said: ['13.2 °C', '−4.1 °C'],
  },
  {
    kind: 'day_unlike_neighbors',
    ...DAILY_RAIN,
    facts: { difference: 92.1, amount: 104.3, largest_of_neighbors: 12.2 },
    isCompared: true,
    said: ['92.1 mm', '104.3 mm'],
  },
  { kind: 'daily_streak', ...DAY, facts: { value: 7, days: 20 }, isCompared: false, said: ['7.0 °C', '20'] },
];

import { z } from 'zod';
import { SECTOR_NAMES } from '#domain/weather/summaries/sectors.js';
import { RAIN_DAYS } from '#domain/weather/summaries/of-days.js';

const measure = (text: string) => z.number().nullable().optional().describe(text);
const validity = (text: string) => z.boolean().nullable().optional().describe(text);
const shownTime = (text: string) => z.string().nullable().optional().describe(text);

const rainDays = Object.fromEntries(
  RAIN_DAYS.map((amount) => [
    `days_${String(amount).replace('.', '_')}mm`,
    z.int().nonnegative().optional().describe(`Number of days with at least ${amount} mm`),
  ]),
);

/** The schema of the summary of a variable. Its fields depend on the variable, on the interval, and on the parameter `fields`. */
export const statisticsFields = z
  .object({
    count: z.int().nonnegative().optional().describe('Number of values in the statistics'),
    expected: z
      .int()
      .nonnegative()
      .nullable()
      .optional()
      .describe('Expected number of values; null if the reporting interval is unknown'),
    complete: z
      .boolean()
      .nullable()
      .optional()
      .describe('Whether the values cover enough of the time; null if the reporting interval is unknown'),
    valid: validity('Whether the summary is valid by `rule` and may be published'),
    missing: measure('Seconds of the interval that no value covers'),
    days: z
      .int()
      .nonnegative()
      .nullable()
      .optional()
      .describe('Number of complete days, in intervals that are longer than a day'),
    rule: z
      .enum(['time_80', 'time_100', 'every_day', 'every_month', 'wmo_1203', 'five_three'])
      .optional()
      .describe(
        'time_80, time_100: the values cover 80 % or 100 % of the time. every_day: each day of the month is complete. every_month: each month is ' +
          'valid. wmo_1203, five_three: see the parameter `validity`',
      ),
    min: measure('Minimum'),
    min_time: shownTime('First time of the minimum'),
    max: measure('Maximum'),
    max_time: shownTime('First time of the maximum'),
    max_direction: measure('Direction of the largest gust, in degrees'),
    mean: measure('Mean. For directions it is the direction of the resultant wind'),
    method: z
      .enum(['plain', 'time_weighted'])
      .optional()
      .describe(
        'time_weighted: the reports are irregular, and the weight of each value in the mean is the time that it covers',
      ),
    midrange: measure('(maximum + minimum) / 2. For several days it is the mean of the complete days'),
    heating_degree_days: measure('Sum over the days; null in longer intervals unless every day is complete'),
    cooling_degree_days: measure('Sum over the days; null in longer intervals unless every day is complete'),
    growing_degree_days: measure('Sum over the days; null in longer intervals unless every day is complete'),
    vector_speed: measure('Speed of the resultant wind'),
    prevailing: z
      .enum(SECTOR_NAMES)
      .nullable()
      .optional()
      .describe('The sector (of 16) from which the wind came for the longest time'),
    energy: measure(
      'Integral over the time; null unless the values cover the whole interval. A missing value at night counts as zero',
    ),
    sum: measure('Sum'),
    traces: z
      .int()
      .nonnegative()
      .optional()
      .describe(
        'For precipitation: number of traces. A trace is too little to be measured and counts as 0 in the sum',
      ),
    max_1h: measure('Largest amount in 60 minutes within one day. The 60 minutes end with a report'),
    max_1h_time: shownTime('End of these 60 minutes'),
    max_1h_valid: validity('Whether `valid` is true and no amount covers more than an hour'),
    max_24h: measure('Largest amount in 24 consecutive clock hours of the interval'),
    max_24h_time: shownTime('End of these hours'),
    max_24h_valid: validity('Whether `valid` is true and no amount covers more than an hour'),
    ...rainDays,
    rain_days_valid: validity('Whether the numbers of days with rain are valid. It is equal to `valid`'),
  })
  .meta({ id: 'Statistics' });

/** The schema of the summary of one interval. */
export const summaryRowFields = z
  .object({
    start: z.string().describe('Local time with the UTC offset of the time zone'),
    end: z.string(),
    complete: z.boolean().nullable(),
  })
  .catchall(statisticsFields)
  .meta({ id: 'SummaryRow' });

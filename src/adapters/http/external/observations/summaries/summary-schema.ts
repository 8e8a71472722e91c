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

/** The summary of a variable. Which fields it has depends on the variable and on the interval. */
export const statisticsFields = z
  .object({
    count: z.int().nonnegative().describe('Number of values in the statistics'),
    expected: z
      .int()
      .nonnegative()
      .nullable()
      .describe('Expected number of values; null if the reporting interval is unknown'),
    complete: z
      .boolean()
      .nullable()
      .describe(
        'Whether the values stand for enough of the time; null if it is unknown for how long they do',
      ),
    valid: z.boolean().nullable().describe('Whether the summary may be published by `rule`'),
    missing: z.number().nullable().describe('Seconds of the interval for which no value stands'),
    days: z
      .int()
      .nonnegative()
      .nullable()
      .optional()
      .describe('Number of complete days, in intervals that are longer than a day'),
    rule: z
      .enum(['time_80', 'time_100', 'every_day', 'every_month', 'wmo_1203', 'five_three'])
      .describe(
        'time_80, time_100: that share of the time; every_day: each day of the month is complete; every_month: each month is valid; ' +
          'wmo_1203, five_three: as in `validity`',
      ),
    min: measure('Minimum'),
    min_time: shownTime('Its first time'),
    max: measure('Maximum'),
    max_time: shownTime('Its first time'),
    max_direction: measure('Direction of the largest gust, in degrees'),
    mean: measure('Mean; of directions that of the resultant wind'),
    method: z
      .enum(['plain', 'time_weighted'])
      .optional()
      .describe(
        'time_weighted: the reports are irregular, and each value in the mean has the weight of the time for which it stands',
      ),
    midrange: measure('Half of maximum and minimum; of several days the mean of the complete days'),
    heating_degree_days: measure('Sum over the days; null in longer intervals unless every day is complete'),
    cooling_degree_days: measure('Sum over the days; null in longer intervals unless every day is complete'),
    growing_degree_days: measure('Sum over the days; null in longer intervals unless every day is complete'),
    vector_speed: measure('Speed of the resultant wind'),
    prevailing: z
      .enum(SECTOR_NAMES)
      .nullable()
      .optional()
      .describe('The one of 16 sectors from which the wind came for the longest time'),
    energy: measure('Integral; null unless the values stand for the whole time of the interval'),
    sum: measure('Sum'),
    traces: z
      .int()
      .nonnegative()
      .optional()
      .describe(
        'Of precipitation: number of amounts that were a trace, too little to be measured; they are 0 in the sum',
      ),
    max_1h: measure('Largest amount in 60 minutes of one day that end with a report'),
    max_1h_time: shownTime('End of that hour'),
    max_1h_valid: validity('Whether `valid` holds, and no amount is over more than an hour'),
    max_24h: measure('Largest amount in 24 successive clock hours of the interval'),
    max_24h_time: shownTime('End of these hours'),
    max_24h_valid: validity('As `max_1h_valid`'),
    ...rainDays,
    rain_days_valid: validity('Whether the numbers of days with rain may be published: as `valid`'),
  })
  .meta({ id: 'Statistics' });

/** The summary of one interval. */
export const summaryRowFields = z
  .object({
    start: z.string().describe('With the UTC offset of the time zone'),
    end: z.string(),
    complete: z.boolean().nullable(),
  })
  .catchall(statisticsFields)
  .meta({ id: 'SummaryRow' });

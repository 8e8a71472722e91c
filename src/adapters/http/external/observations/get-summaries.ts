import { z } from 'zod';
import { DescribeStation } from '../../../../application/observations/read/describe-station.js';
import { MAX_BUCKETS, Summarize } from '../../../../application/observations/read/summarize.js';
import { CALENDAR_INTERVALS } from '../../../../domain/weather/summaries/bucket.js';
import { COMPLETE_SHARE } from '../../../../domain/weather/summaries/summaries.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import { envelopeFields } from '../../core/schemas.js';
import type { ExternalContext } from '../external-context.js';
import { envelopeStart, stationContent } from '../stations/station-content.js';
import { inPieces, pacedBody, readerOf } from './paced-body.js';
import { ROW_ERRORS } from './row-page.js';
import { summaryTexts } from './summary-text.js';
import { toTime, toUnitFields, unitFields } from './weather-fields.js';
import { FROM, names, quality, stationId, time, timeZone, TO, units } from './weather-query.js';

const MESSAGE = 'Summaries.';

const measure = () => z.number().nullable();
const shownTime = () => z.string().nullable();
const statistics = z.object({
  count: z.int().nonnegative().describe('Number of values in the statistics'),
  expected: z
    .int()
    .nonnegative()
    .nullable()
    .describe('Expected number of values; null if the reporting interval is unknown'),
  min: measure().optional(),
  min_time: shownTime().optional(),
  max: measure().optional(),
  max_time: shownTime().optional(),
  mean: measure().optional(),
  sum: measure().optional(),
});

export function getSummariesEndpoint({ useCase, readAccess: access }: ExternalContext): AnyEndpoint {
  const summarize = useCase(Summarize);
  const describeStation = useCase(DescribeStation);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/summaries',
    summary: 'Summaries by hour, day, week, month, season or year',
    description:
      'Statistics of all calendar intervals that overlap `[from, to)`, in the zone `timezone`. Weeks begin on Monday, seasons with ' +
      'December, March, June and September. An amount belongs to the interval ' +
      `that ends at its time. \`complete\` is true if each variable has at least ${COMPLETE_SHARE * 100} % of its expected values, and ` +
      'amounts have all of them. Values that did not pass quality control are omitted unless `qc=all`. ' +
      `At most ${MAX_BUCKETS} intervals.`,
    access,
    params: stationId,
    query: z.strictObject({
      interval: z.enum(CALENDAR_INTERVALS).default('day'),
      timezone: timeZone(),
      day_start: z
        .string()
        .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Must be HH:MM')
        .default('00:00')
        .describe(
          'Local time at which days and longer intervals begin, and also the dates in `from` and `to`',
        ),
      from: time().optional().describe(FROM),
      to: time().optional().describe(TO),
      variables: names().optional(),
      qc: quality().default('pass'),
      units: units(),
    }),
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      mediaTypes: {
        [JSON_TYPE]: z.strictObject({
          ...envelopeFields(MESSAGE),
          station: z.string(),
          from: z.string(),
          to: z.string(),
          interval: z.string(),
          time_zone: z.string(),
          day_start: z.string(),
          units: unitFields,
          summaries: z.array(
            z
              .object({
                start: z.string().describe('With the UTC offset of the time zone'),
                end: z.string(),
                complete: z.boolean().nullable(),
              })
              .catchall(statistics),
          ),
        }),
      },
    },
    errors: ROW_ERRORS,
    call: async (call) => {
      const { params, query } = call;
      const described = await describeStation.execute(params.id);
      return stationContent(described, query, async () => {
        const [hours = 0, minutes = 0] = query.day_start.split(':').map(Number);
        const page = await summarize.execute(
          described,
          {
            interval: query.interval,
            timeZone: query.timezone,
            dayStart: hours * 60 + minutes,
            from: query.from,
            to: query.to,
            variables: query.variables,
            quality: query.qc,
          },
          readerOf(call),
        );
        const fields = {
          ...envelopeStart(MESSAGE),
          station: page.station.id,
          from: toTime(page.from),
          to: toTime(page.to),
          interval: query.interval,
          time_zone: page.timeZone,
          day_start: query.day_start,
          units: toUnitFields(page.variables, query.units),
        };
        return { content: pacedBody(inPieces(summaryTexts(fields, page, query.units)), page.place) };
      });
    },
  });
}

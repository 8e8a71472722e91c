import { z } from 'zod';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import type { Permit } from '#application/observations/read/gate/permit.js';
import { Summarize, type SummaryPage } from '#application/observations/read/summarize.js';
import { MAX_BUCKETS, MAX_SUMMARY_INTERVALS } from '#application/observations/read/summary-parts.js';
import { COMPLETE_SHARE } from '#domain/weather/summaries/completeness.js';
import { type AnyEndpoint, contentEndpoint } from '#adapters/http/core/endpoint.js';
import { JSON_TYPE } from '#adapters/http/core/reply/reply.js';
import { envelopeFields } from '#adapters/http/core/schemas.js';
import type { ExternalContext } from '../../external-context.js';
import { envelopeStart, cacheKeyOf, stationContent } from '../../stations/station-content.js';
import { CSV_TYPE } from '../get-observations.js';
import { pacedPages } from '../paced-body.js';
import { ROW_ERRORS } from '../row-page.js';
import { basesShown, type DegreeDayQuery, degreeDayReply, degreeDaysOf } from './degree-day-query.js';
import {
  type SummaryColumns,
  csvSummaries,
  jsonSummaries,
  summaryColumns,
  summaryUnits,
} from './summary-text.js';
import { summarizeInput, summaryQuery } from './summary-query.js';
import { summaryRowFields } from './summary-schema.js';
import { toTime, unitFields } from '../weather-fields.js';
import { replyFormat, stationId } from '../weather-query.js';

const MESSAGE = 'Summaries.';

const QUERY = z.strictObject({ ...summaryQuery, format: replyFormat(['json', 'csv']) });

const REPLY = z.strictObject({
  ...envelopeFields(MESSAGE),
  station: z.string(),
  from: z.string(),
  to: z.string(),
  interval: z.string(),
  time_zone: z.string(),
  day_start: z.string(),
  units: unitFields,
  degree_days: z
    .strictObject(degreeDayReply)
    .optional()
    .describe('Computation of the degree days; absent if the reply has none'),
  summaries: z.array(summaryRowFields),
});

export function getSummariesEndpoint({
  useCase,
  withPermit,
  readAccess: access,
}: ExternalContext): AnyEndpoint {
  const summarize = useCase(Summarize);
  const describeStation = useCase(DescribeStation);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/summaries',
    summary: 'Summarize observations by intervals from 10 minutes to a year',
    description:
      'Statistics of all calendar intervals that overlap `[from, to)`, in the zone `timezone`. Weeks begin on Monday; seasons begin with ' +
      'December, March, June and September. An amount with the time of the end of an interval belongs to this interval. ' +
      'Each value covers the reporting interval of the station, and time that several values cover counts once. A variable is ' +
      `\`complete\` if its values cover at least ${COMPLETE_SHARE * 100} % of the time; an amount needs all of the time. \`complete\` of an ` +
      'interval is true if all variables are complete. Values that did not pass quality control are omitted unless `qc=all`. In CSV, each ' +
      'field of a variable is a column. ' +
      `A reply has at most ${MAX_SUMMARY_INTERVALS} intervals. More than about ${MAX_BUCKETS} intervals are computed in parts while they are sent.`,
    access,
    params: stationId,
    query: QUERY,
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      mediaTypes: {
        [JSON_TYPE]: REPLY,
        [CSV_TYPE]: undefined,
      },
    },
    errors: ROW_ERRORS,
    call: async (call) => {
      const { params, query } = call;
      const described = await describeStation.execute(params.id, undefined, call);
      const isCsv = query.format === 'csv';
      const read = async (permit: Permit) => {
        const pages = summarize.pages(described, summarizeInput(query), permit);
        // The first page is computed before the reply begins, so that an error in the first page still gets its own HTTP status.
        const first = (await pages.next()).value as SummaryPage;
        const style = {
          interval: query.interval,
          system: query.units,
          decimals: query.decimals,
          degreeDays: degreeDaysOf(query),
          fields: query.fields,
          format: first.format,
        };
        const columns = summaryColumns(first.variables, style);
        const text = isCsv
          ? csvSummaries(columns, style)
          : jsonSummaries(fieldsBefore(first, columns, query), columns, style);
        return { content: pacedPages(text, first, pages, permit) };
      };
      const body = () => withPermit(call, read);
      return stationContent(described, cacheKeyOf(query, described), body, isCsv ? CSV_TYPE : JSON_TYPE);
    },
  });
}

function fieldsBefore(
  { station, from, to, timeZone: zone }: SummaryPage,
  columns: SummaryColumns,
  query: DegreeDayQuery & { readonly interval: string; readonly day_start: string },
) {
  return {
    ...envelopeStart(MESSAGE),
    station: station.id,
    from: toTime(from),
    to: toTime(to),
    interval: query.interval,
    time_zone: zone,
    day_start: query.day_start,
    units: summaryUnits(columns, query.units),
    ...(degreeDaysOf(query).length > 0 && {
      degree_days: { mean: query.mean, bases: basesShown(query) },
    }),
  };
}

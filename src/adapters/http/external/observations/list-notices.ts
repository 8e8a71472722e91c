import { z } from 'zod';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { ListNotices } from '#application/observations/notices/list-notices.js';
import { ListGaps } from '#application/sources/list-gaps.js';
import { NOTICE_KINDS } from '#domain/weather/quality/notices/notice.js';
import { variableNumbered } from '#domain/weather/variables.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import { envelopeFields, utcTimestamp } from '../../core/schemas.js';
import type { ExternalContext } from '../external-context.js';
import { envelopeStart, etagOf } from '../stations/station-content.js';
import { FROM, stationId, time, timeZone, TO } from './weather-query.js';

const iso = (milliseconds: number) => new Date(milliseconds).toISOString();
const MESSAGE = 'Notices, newest first.';

const QUERY = z.strictObject({
  from: time().optional().describe(FROM),
  to: time().optional().describe(TO),
  timezone: timeZone(),
  kind: z.enum(NOTICE_KINDS).optional().describe('Only notices of this kind'),
});

const REPLY = z.strictObject({
  ...envelopeFields(MESSAGE),
  station: z.string(),
  searched_at: utcTimestamp()
    .nullable()
    .describe('Time at which the notices were last searched; null if they were never searched'),
  notices: z.array(
    z.strictObject({
      kind: z.enum(NOTICE_KINDS),
      variable: z.string(),
      unit: z.string(),
      since: utcTimestamp().describe('Time of the begin'),
      until: utcTimestamp()
        .nullable()
        .describe('Time of the end; null if the cause had not ended at the last observation'),
      facts: z
        .record(z.string(), z.number())
        .describe('Numbers behind the notice, by name. They are in `unit` unless the name says another unit'),
      compared_with: z.array(z.string()).describe('Ids of the stations nearby that were compared'),
    }),
  ),
  gaps: z
    .array(
      z.strictObject({
        from: utcTimestamp().describe('Time of the last report before the gap'),
        to: utcTimestamp().describe('Time of the first report after the gap'),
      }),
    )
    .describe('The spans in which values are missing, the newest first; `kind` does not select them'),
});

export function listNoticesEndpoint({ useCase, readAccess: access }: ExternalContext): AnyEndpoint {
  const listNotices = useCase(ListNotices);
  const describeStation = useCase(DescribeStation);
  const listGaps = useCase(ListGaps);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/notices',
    summary: 'List the notices of a station',
    description:
      'A notice says: look at these values. Quality control found something that lasts, drifts or contradicts the stations nearby, but is not sure ' +
      'that the values are wrong. A notice takes no value out of means; a quality override does. `gaps` lists the spans in which values are missing, ' +
      'because no source of the station could give them later.',
    access,
    params: stationId,
    query: QUERY,
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      mediaTypes: {
        [JSON_TYPE]: REPLY,
      },
    },
    errors: ['STATION_UNKNOWN', 'DATA_DAMAGED'],
    call: async (call) => {
      const { id } = call.params;
      const { timezone, kind, from, to } = call.query;
      const described = await describeStation.execute(id, undefined, call);
      const input = { from, to, timeZone: timezone, kinds: kind && [kind] };
      const { searchedAt, notices, range } = await listNotices.execute(described, input, call.audience);
      const gaps = await listGaps.execute(described.station.number, range);
      const content = JSON.stringify({
        ...envelopeStart(MESSAGE),
        station: id,
        searched_at: searchedAt === null ? null : iso(searchedAt),
        notices: notices.map((notice) => {
          const { name, unit } = variableNumbered(notice.variable);
          return {
            kind: notice.kind,
            variable: name,
            unit,
            since: iso(notice.since),
            until: notice.until === null ? null : iso(notice.until),
            facts: notice.facts,
            compared_with: [...notice.comparedWith],
          };
        }),
        gaps: gaps.map((gap) => ({ from: iso(gap.from), to: iso(gap.to) })),
      });
      return {
        mediaType: JSON_TYPE,
        etag: etagOf(content),
        cacheControl: 'no-cache',
        body: async () => ({ content }),
      };
    },
  });
}

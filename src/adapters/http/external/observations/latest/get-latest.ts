import { z } from 'zod';
import { AlarmCache } from '#application/alarms/alarm-cache.js';
import { GetForecast } from '#application/forecast/read/get-forecast.js';
import { ReadQualityState } from '#application/observations/notices/read-quality-state.js';
import { GetLatest, type Latest } from '#application/observations/read/get-latest.js';
import type { Permit } from '#application/observations/read/gate/permit.js';
import { ListLatest, RECENT_STATIONS } from '#application/observations/read/list-latest.js';
import { ListGaps } from '#application/sources/list-gaps.js';
import { STATION_LIMITS } from '#application/stations/find-stations.js';
import { RECENT_NOTICE } from '#domain/weather/quality/notices/notice.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { type AnyEndpoint, contentEndpoint } from '#adapters/http/core/endpoint.js';
import { JSON_TYPE } from '#adapters/http/core/reply/reply.js';
import { envelopeFields } from '#adapters/http/core/schemas.js';
import { raisedFields } from '../../alarms/alarm-fields.js';
import type { ExternalContext } from '../../external-context.js';
import { GEOJSON_TYPE } from '#adapters/formats/geojson/feature-collection.js';
import { OPENMETRICS_TYPE } from '#adapters/formats/openmetrics/metric.js';
import { collectionFields, featureFields } from '../../stations/geojson-reply.js';
import { latestGeoJson } from './latest-geojson.js';
import { latestMetrics } from './latest-metrics.js';
import { latestEtag } from './latest-etag.js';
import { latestText, MESSAGE, moreText } from './latest-text.js';
import { envelopeStart } from '../../stations/station-content.js';
import { LINK_HEADER, nextPageLink } from '../next-page.js';
import { inPieces, pacedBody } from '../paced-body.js';
import { derivedFields } from './derived-fields.js';
import { qualityFields } from './quality-fields.js';
import {
  forecastIssueFields,
  included,
  INCLUDED,
  includedParts,
  INCLUDED_OF_MANY,
  rainFields,
  recentFields,
} from './recent-fields.js';
import { latestFields, stationFields, toLatestFields, toUnitFields, unitFields } from '../weather-fields.js';
import {
  decimals,
  maxAge,
  offsetCursor,
  placeFields,
  replyFormat,
  stationId,
  units,
  wholeNumber,
} from '../weather-query.js';

const AGES =
  'The ETag changes with every field except `age`. `age` refers to the time at which the body was sent, also in a cached body after a ' +
  '304.';

const GET_LATEST_QUERY = z.strictObject({
  units: units(),
  decimals: decimals(),
  include: included(INCLUDED),
  max_age: maxAge(),
});

const GET_LATEST_REPLY = z.strictObject({
  ...envelopeFields(MESSAGE),
  station: z.string(),
  units: unitFields,
  last_seen: z.iso.datetime().nullable(),
  latest: latestFields,
  ...recentFields,
  ...rainFields,
  ...derivedFields,
  ...qualityFields,
  ...forecastIssueFields,
  ...raisedFields,
});

export function getLatestEndpoint({
  useCase,
  withPermit,
  readAccess: access,
  feelsLike,
}: ExternalContext): AnyEndpoint {
  const getLatest = useCase(GetLatest);
  const alarmCache = useCase(AlarmCache);
  const readQualityState = useCase(ReadQualityState);
  const listGaps = useCase(ListGaps);
  const getForecast = useCase(GetForecast);
  const readQuality = async ({ station, asOf }: Latest) => {
    const recent = { from: asOf - RECENT_NOTICE, to: Infinity };
    const [state, gaps] = await Promise.all([
      readQualityState.execute(station, asOf),
      listGaps.execute(station.number, recent),
    ]);
    return { ...state, gaps: gaps.length };
  };
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/observations/latest',
    summary: 'Read the newest values of a station',
    description:
      'The newest value of each variable, with its own time. A station that has never reported has no values. Values ' +
      'that are older than damaged data are omitted. `include` adds the trend of 3 hours, the extremes and the rain of today, the rain ' +
      `of the month and the year, derived quantities, the work of quality control, and the time of issue of the forecast. \`alarms\` lists the raised alarms. ${AGES}`,
    access,
    params: stationId,
    query: GET_LATEST_QUERY,
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      mediaTypes: {
        [JSON_TYPE]: GET_LATEST_REPLY,
      },
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN', 'RATE_LIMITED', 'DATA_DAMAGED', 'SERVICE_UNAVAILABLE'],
    call: async (call) => {
      const { query } = call;
      const { include } = query;
      const parts = includedParts(include);
      // A permit limits the reading of rows. Without these parts, no rows are read, so neither a permit nor an abort signal is
      // needed.
      const read = (permit?: Permit) => getLatest.execute(call.params.id, parts, permit, call.audience);
      const latest = await (parts.recent || parts.rain ? withPermit(call, read) : read());
      const { raised } = await alarmCache.recent();
      const quality = parts.quality ? await readQuality(latest) : undefined;
      const issued = parts.forecast ? await getForecast.issueOf(latest.station) : undefined;
      const style = { ...query, raised, quality, issued };
      const more = moreText(latest, style, feelsLike);
      return {
        mediaType: JSON_TYPE,
        etag: latestEtag({ stations: [latest], next: null }, style, [more]),
        isWeak: true,
        cacheControl: 'no-cache',
        body: async () => {
          const variables = VARIABLES.filter(({ number }) => latest.newest.values.has(number));
          const fields = {
            ...envelopeStart(MESSAGE),
            station: latest.station.id,
            units: toUnitFields(variables, query.units),
            ...toLatestFields(latest, query),
          };
          return { content: `${JSON.stringify(fields).slice(0, -1)}${more}}` };
        },
      };
    },
  });
}

const LIST_LATEST_QUERY = z.strictObject({
  ...placeFields,
  units: units(),
  decimals: decimals(),
  include: included(INCLUDED_OF_MANY).describe(
    `Adds \`trend\` or \`today\` to each station. Separate both by a comma. \`limit\` is then at most ${RECENT_STATIONS}`,
  ),
  max_age: maxAge(),
  format: replyFormat(['json', 'geojson', 'openmetrics']),
  limit: wholeNumber(1, STATION_LIMITS.max)
    .optional()
    .describe(
      `Largest number of stations. Default: ${STATION_LIMITS.default}; for openmetrics ${STATION_LIMITS.max}`,
    ),
  cursor: offsetCursor(),
});

const LIST_LATEST_REPLY = z.strictObject({
  ...envelopeFields(MESSAGE),
  units: unitFields,
  stations: z.array(
    z
      .strictObject({
        station: stationFields,
        last_seen: z.iso.datetime().nullable(),
        latest: latestFields,
        ...recentFields,
        ...raisedFields,
      })
      .meta({ id: 'LatestOfStation' }),
  ),
  limit: z.int(),
  next: z.string().nullable().describe('Cursor of the next page'),
});

const LATEST_COLLECTION = collectionFields(
  featureFields.extend({ last_seen: z.iso.datetime().nullable(), latest: latestFields }).catchall(z.number()),
).extend({ units: unitFields });

export function listLatestEndpoint({
  useCase,
  withPermit,
  readAccess: access,
  feelsLike,
}: ExternalContext): AnyEndpoint {
  const listLatest = useCase(ListLatest);
  const alarmCache = useCase(AlarmCache);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/observations/latest',
    summary: 'Read the newest values of many stations',
    description:
      'One request returns the data for a map. Stations whose newest data are damaged are omitted; a request for the single ' +
      'station reports the damage. In GeoJSON, values that passed quality control are properties of their station. ' +
      'OpenMetrics is for Prometheus. It always has base units and ignores `units`. It leaves out old values and values that did not ' +
      `pass quality control. It has no ETag. ${AGES}`,
    access,
    query: LIST_LATEST_QUERY,
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      headers: LINK_HEADER,
      mediaTypes: {
        [JSON_TYPE]: LIST_LATEST_REPLY,
        [GEOJSON_TYPE]: LATEST_COLLECTION,
        [OPENMETRICS_TYPE]: undefined,
      },
    },
    errors: ['REQUEST_INVALID', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
    call: (call) => {
      const { q: text, near, radius, bbox, cursor, format, include } = call.query;
      const { limit = format === 'openmetrics' ? STATION_LIMITS.max : STATION_LIMITS.default } = call.query;
      return withPermit(call, async (permit) => {
        const filter = { near, radius, bbox, text };
        const { raised } = await alarmCache.recent();
        const parts = { recent: include.length > 0, audience: call.audience };
        const page = await listLatest.execute(filter, cursor, limit, permit, parts);
        const style = { ...call.query, limit, raised };
        const more = page.stations.map((latest) => moreText(latest, style, feelsLike));
        const pieces = {
          json: () => latestText(page, style, more),
          geojson: () => inPieces(latestGeoJson(page, limit, call.query)),
          openmetrics: () => inPieces(latestMetrics(page)),
        }[format];
        return {
          mediaType: { json: JSON_TYPE, geojson: GEOJSON_TYPE, openmetrics: OPENMETRICS_TYPE }[format],
          // A reply in OpenMetrics has no ETag. The reply leaves out old values, and values become old without a change of the
          // data.
          ...(format !== 'openmetrics' && { etag: latestEtag(page, style, more), isWeak: true }),
          ...(format !== 'openmetrics' && { cacheControl: 'no-cache' }),
          body: async () => ({
            content: pacedBody(pieces(), permit),
            headers: nextPageLink(call.search, page.next),
          }),
        };
      });
    },
  });
}

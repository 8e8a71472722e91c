import { z } from 'zod';
import { AlarmBook } from '../../../../../application/alarms/alarm-book.js';
import { GetLatest } from '../../../../../application/observations/read/get-latest.js';
import { ListLatest, RECENT_STATIONS } from '../../../../../application/observations/read/list-latest.js';
import { STATION_LIMITS } from '../../../../../application/stations/find-stations.js';
import { VARIABLES } from '../../../../../domain/weather/variables.js';
import { type AnyEndpoint, contentEndpoint, jsonEndpoint } from '../../../core/endpoint.js';
import { JSON_TYPE } from '../../../core/reply/reply.js';
import { envelopeFields } from '../../../core/schemas.js';
import { raisedFields, toRaisedFields } from '../../alarms/alarm-fields.js';
import type { ExternalContext } from '../../external-context.js';
import { GEOJSON_TYPE } from '../../../../formats/geojson/feature-collection.js';
import { OPENMETRICS_TYPE } from '../../../../formats/openmetrics/metric.js';
import { collectionFields, featureFields } from '../../stations/geojson-reply.js';
import { latestGeoJson } from './latest-geojson.js';
import { latestMetrics } from './latest-metrics.js';
import { latestText, MESSAGE } from './latest-text.js';
import { LINK_HEADER, nextPageLink } from '../next-page.js';
import { inPieces, pacedBody, readerOf } from '../paced-body.js';
import {
  included,
  INCLUDED,
  INCLUDED_OF_MANY,
  rainFields,
  recentFields,
  toRecentFields,
} from './recent-fields.js';
import { latestFields, stationFields, toLatestFields, toUnitFields, unitFields } from '../weather-fields.js';
import {
  maxAge,
  offsetCursor,
  placeFields,
  replyFormat,
  stationId,
  units,
  wholeNumber,
} from '../weather-query.js';

export function getLatestEndpoint({ useCase, readAccess: access }: ExternalContext): AnyEndpoint {
  const getLatest = useCase(GetLatest);
  const book = useCase(AlarmBook);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/observations/latest',
    summary: 'Read the newest values of a station',
    description:
      'The newest value of each variable, with its own time. There are no values if the station has never reported. Values ' +
      'that are older than damaged data are omitted. `include` adds the trend of 3 hours, the extremes and the rain of today, and the rain ' +
      'of the month and the year. `alarms` has the alarms that are raised.',
    access,
    params: stationId,
    query: z.strictObject({ units: units(), include: included(INCLUDED), max_age: maxAge() }),
    success: {
      kind: 'json',
      status: 200,
      message: MESSAGE,
      schema: z.strictObject({
        station: z.string(),
        units: unitFields,
        last_seen: z.iso.datetime().nullable(),
        latest: latestFields,
        ...recentFields,
        ...rainFields,
        ...raisedFields,
      }),
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN', 'RATE_LIMITED', 'DATA_DAMAGED', 'SERVICE_UNAVAILABLE'],
    call: async (call) => {
      const { query } = call;
      const { include } = query;
      const asked = {
        recent: include.includes('trend') || include.includes('today'),
        rain: include.includes('rain'),
      };
      // Without them nothing is read that the gate counts, and no signal is made.
      const reader = include.length > 0 ? readerOf(call) : undefined;
      const latest = await getLatest.execute(call.params.id, asked, reader, call.audience);
      const { raised } = await book.recent();
      const variables = VARIABLES.filter(({ number }) => latest.newest.values.has(number));
      return {
        station: latest.of.id,
        units: toUnitFields(variables, query.units),
        ...toLatestFields(latest, query.units, query.max_age),
        ...toRecentFields(latest, include, query.units),
        ...toRaisedFields(raised.get(latest.of.number), query.units),
      };
    },
  });
}

export function listLatestEndpoint({ useCase, readAccess: access }: ExternalContext): AnyEndpoint {
  const listLatest = useCase(ListLatest);
  const book = useCase(AlarmBook);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/observations/latest',
    summary: 'Read the newest values of many stations',
    description:
      'One request returns the data for a map. Stations whose newest data are damaged are omitted; the request for a single ' +
      'station reports the damage. In GeoJSON, values that passed quality control are properties of their station. ' +
      'OpenMetrics is for Prometheus: it has base units whatever `units` is, and leaves out values that did not pass, and old ones.',
    access,
    query: z.strictObject({
      ...placeFields,
      units: units(),
      include: included(INCLUDED_OF_MANY).describe(
        `Adds \`trend\` and \`today\` to each station; separated by commas. \`limit\` is then at most ${RECENT_STATIONS}`,
      ),
      max_age: maxAge(),
      format: replyFormat(['json', 'geojson', 'openmetrics']),
      limit: wholeNumber(1, STATION_LIMITS.max)
        .optional()
        .describe(
          `Largest number of stations. Default: ${STATION_LIMITS.usual}; for openmetrics ${STATION_LIMITS.max}`,
        ),
      cursor: offsetCursor(),
    }),
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      headers: LINK_HEADER,
      mediaTypes: {
        [JSON_TYPE]: z.strictObject({
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
        }),
        [GEOJSON_TYPE]: collectionFields(
          featureFields
            .extend({ last_seen: z.iso.datetime().nullable(), latest: latestFields })
            .catchall(z.number()),
        ).extend({ units: unitFields }),
        [OPENMETRICS_TYPE]: undefined,
      },
    },
    errors: ['REQUEST_INVALID', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
    // No ETag, because the ages in the reply change with the clock.
    call: (call) => {
      const { q: text, near, radius, bbox, cursor, units: system, format, include } = call.query;
      const { limit = format === 'openmetrics' ? STATION_LIMITS.max : STATION_LIMITS.usual } = call.query;
      return {
        mediaType: { json: JSON_TYPE, geojson: GEOJSON_TYPE, openmetrics: OPENMETRICS_TYPE }[format],
        body: async () => {
          const filter = { near, radius, bbox, text };
          const recent = include.length > 0;
          const asked = { recent, audience: call.audience };
          const { raised } = await book.recent();
          const page = await listLatest.execute(filter, cursor, limit, readerOf(call), asked);
          const pieces = {
            json: () => latestText(page, { ...call.query, limit, raised }),
            geojson: () => inPieces(latestGeoJson(page, limit, system)),
            openmetrics: () => inPieces(latestMetrics(page)),
          }[format]();
          return { content: pacedBody(pieces, page.place), headers: nextPageLink(call.search, page.next) };
        },
      };
    },
  });
}

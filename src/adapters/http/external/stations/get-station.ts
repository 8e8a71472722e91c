import { z } from 'zod';
import { assertKnown, DescribeStation } from '#application/observations/read/describe-station.js';
import { stationText } from '#domain/weather/station-edit.js';
import { type AnyEndpoint, contentEndpoint } from '../../core/endpoint.js';
import { JSON_TYPE } from '../../core/reply/reply.js';
import { envelopeFields } from '../../core/schemas.js';
import type { ExternalContext } from '../external-context.js';
import {
  inventoryFields,
  stationFields,
  toInventoryFields,
  toStationFields,
} from '../observations/weather-fields.js';
import { stationId } from '../observations/weather-query.js';
import { versionedContent } from '../versions.js';
import { envelopeStart, stationContent } from './station-content.js';
import { describedSettings, toSnapshotSettings } from './station-settings.js';

const MESSAGE = 'Station.';

const QUERY = z.strictObject({
  inventory: z
    .enum(['true', 'false'])
    .default('true')
    .describe('Whether the reply has the time range and the variables of the observations'),
});

const REPLY = z.strictObject({
  ...envelopeFields(MESSAGE),
  station: stationFields,
  ...describedSettings,
  inventory: inventoryFields.optional(),
});

export function getStationEndpoint({ useCase, readAccess: access }: ExternalContext): AnyEndpoint {
  const describeStation = useCase(DescribeStation);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}',
    summary: 'Show a station',
    description:
      'The reply has the settings and the history of the station, and the time range and the variables of its observations. With ' +
      '`inventory=false` it has no time range and no variables. The ETag then changes only with the settings, and a request that ' +
      'replaces the settings can send it in If-Match.',
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
    errors: ['STATION_UNKNOWN', 'DATA_DAMAGED', 'SERVICE_UNAVAILABLE'],
    call: async ({ params: { id }, query, audience }) => {
      const described = await describeStation.execute(id, undefined, { audience, allowsDamage: true });
      const { station, inventory } = described;
      const fields = { station: toStationFields({ station }), ...toSnapshotSettings(station) };
      if (query.inventory === 'false')
        return { ...versionedContent(MESSAGE, stationText(station), fields), cacheControl: 'no-cache' };
      assertKnown(station, inventory);
      return stationContent(described, 'station', async () => ({
        content: JSON.stringify({
          ...envelopeStart(MESSAGE),
          ...fields,
          inventory: toInventoryFields(inventory),
        }),
      }));
    },
  });
}

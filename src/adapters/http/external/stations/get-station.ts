import { z } from 'zod';
import { DescribeStation } from '../../../../application/observations/read/describe-station.js';
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
import { envelopeStart, stationContent } from './station-content.js';
import { describedSettings, toDescribedSettings } from './station-settings.js';

const MESSAGE = 'Station.';

export function getStationEndpoint({ useCase, readAccess: access }: ExternalContext): AnyEndpoint {
  const describeStation = useCase(DescribeStation);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}',
    summary: 'Show a station',
    description: 'With its settings, its history, and the time range and the variables of its observations.',
    access,
    params: stationId,
    success: {
      kind: 'content',
      status: 200,
      description: MESSAGE,
      mediaTypes: {
        [JSON_TYPE]: z.strictObject({
          ...envelopeFields(MESSAGE),
          station: stationFields,
          ...describedSettings,
          inventory: inventoryFields,
        }),
      },
    },
    errors: ['STATION_UNKNOWN', 'SERVICE_UNAVAILABLE'],
    call: async ({ params: { id }, audience }) => {
      const described = await describeStation.execute(id, undefined, { audience, allowsDamage: true });
      const { station, inventory } = described;
      return stationContent(described, 'station', async () => {
        const fields = {
          ...envelopeStart(MESSAGE),
          station: toStationFields({ station }),
          ...toDescribedSettings(station),
          inventory: toInventoryFields(inventory),
        };
        return { content: JSON.stringify(fields) };
      });
    },
  });
}

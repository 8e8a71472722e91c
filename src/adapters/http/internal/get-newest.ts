import { z } from 'zod';
import { GetNewestRows } from '#application/observations/read/get-newest-rows.js';
import { FRAMES_TYPE } from '#adapters/formats/frames/frame-header.js';
import { type AnyEndpoint, streamEndpoint } from '../core/endpoint.js';
import { FRAME_ERRORS, frameBody } from './frame-reply.js';
import { encoded } from './get-observations.js';
import type { InternalContext } from './internal-context.js';
import { stationNumbers, withQuality } from './numbered-query.js';

const QUERY = z.strictObject({ stations: stationNumbers(), quality: withQuality() });

export function getNewestEndpoint({ useCase, gate }: InternalContext): AnyEndpoint {
  const getNewestRows = useCase(GetNewestRows);
  return streamEndpoint({
    method: 'GET',
    path: '/v1/observations/newest',
    summary: 'Read the newest row of each station',
    description:
      'The reply has frames of observations, sorted by the number of the station. Stations without rows are omitted. Stations ' +
      'whose newest row is damaged are omitted too; a request for only one such station fails.',
    access: 'public',
    query: QUERY,
    success: { kind: 'stream', status: 200, mediaType: FRAMES_TYPE },
    errorFormat: FRAME_ERRORS,
    errors: [
      'REQUEST_INVALID',
      'STATION_UNKNOWN',
      'BULK_REQUESTS_TOO_MANY',
      'DATA_DAMAGED',
      'STORE_UNAVAILABLE',
    ],
    call: async ({ query: { stations, quality }, signal }) => {
      const permit = await gate.acquire(signal);
      return await frameBody(
        encoded(asGenerator(getNewestRows.execute(stations)), undefined, quality),
        permit,
      );
    },
  });
}

async function* asGenerator<T>(value: Promise<T>): AsyncGenerator<T> {
  yield await value;
}

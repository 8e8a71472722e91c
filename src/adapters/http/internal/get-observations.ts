import { z } from 'zod';
import { StreamObservations } from '#application/observations/read/stream-observations.js';
import type { ObservationBatch } from '#domain/weather/series.js';
import { FRAMES_TYPE } from '#adapters/formats/frames/frame-header.js';
import { observationFrames, type PiecedFrame } from '#adapters/formats/frames/observations-frame.js';
import { type AnyEndpoint, streamEndpoint } from '../core/endpoint.js';
import { FRAME_ERRORS, frameBody } from './frame-reply.js';
import type { InternalContext } from './internal-context.js';
import { milliseconds, stationNumbers, TIMES, variableNumbers, withQuality } from './numbered-query.js';

const QUERY = z.strictObject({
  stations: stationNumbers(),
  variables: variableNumbers(),
  from: milliseconds()
    .default(TIMES.first)
    .describe('Start of the interval, included, in milliseconds since 1970-01-01T00:00:00Z'),
  to: milliseconds()
    .default(TIMES.last)
    .describe('End of the interval, not included, in milliseconds since 1970-01-01T00:00:00Z'),
  quality: withQuality(),
});

export function getBulkObservationsEndpoint({ useCase, gate }: InternalContext): AnyEndpoint {
  const streamObservations = useCase(StreamObservations);
  return streamEndpoint({
    method: 'GET',
    path: '/v1/observations',
    summary: 'Read observations in bulk',
    description:
      'The reply has frames of rows, sorted by station and time, and an end frame. After a failure in the middle, the ' +
      'last frame is of kind 4 and the connection is closed. The columns are the requested variables in the order of the ' +
      'request, or by default the variables that have a value in the frame.',
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
    call: async ({ query: { quality, stations, variables, from, to }, signal }) => {
      const query = { stations, variables: variables && [...new Set(variables)], from, to };
      const batches = streamObservations.execute(query);
      return await frameBody(encoded(batches, query.variables, quality), await gate.acquire(signal));
    },
  });
}

/** Encodes batches (rows of many stations, in columns) as frames, which are pieces of binary data. */
export async function* encoded(
  batches: AsyncIterable<ObservationBatch>,
  variables: readonly number[] | undefined,
  quality: boolean,
): AsyncGenerator<PiecedFrame> {
  for await (const batch of batches) yield* observationFrames(batch, variables, quality);
}

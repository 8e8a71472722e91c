import { type StationInventory, ListInventories } from '#application/stations/list-inventories.js';
import { FRAMES_TYPE } from '#adapters/formats/frames/frame-header.js';
import type { PiecedFrame } from '#adapters/formats/frames/observations-frame.js';
import { stationsFrame } from '#adapters/formats/frames/stations-frame.js';
import { type AnyEndpoint, streamEndpoint } from '../core/endpoint.js';
import { FRAME_ERRORS, frameBody } from './frame-reply.js';
import type { InternalContext } from './internal-context.js';

export function listNumberedStationsEndpoint({ useCase, gate }: InternalContext): AnyEndpoint {
  const listInventories = useCase(ListInventories);
  return streamEndpoint({
    method: 'GET',
    path: '/v1/stations',
    summary: 'List stations',
    description:
      'The reply has frames of stations, sorted by number. Each station has the times of its first and last observation and ' +
      'the number of its observations.',
    access: 'public',
    success: { kind: 'stream', status: 200, mediaType: FRAMES_TYPE },
    errorFormat: FRAME_ERRORS,
    errors: ['BULK_REQUESTS_TOO_MANY', 'STORE_UNAVAILABLE'],
    call: async ({ signal }) => await frameBody(pages(listInventories), await gate.acquire(signal)),
  });
}

async function* pages(listInventories: ListInventories): AsyncGenerator<PiecedFrame> {
  for await (const page of listInventories.execute()) yield toFrame(page);
}

export function toFrame(page: readonly StationInventory[]): PiecedFrame {
  const records = page.map(({ station, inventory: { first, last, count } }) => ({
    ...station,
    first,
    last,
    count,
  }));
  return { pieces: [stationsFrame(records)], rows: page.length };
}

import { PlaceStations } from '#application/stations/place-stations.js';
import { ListInventories } from '#application/stations/list-inventories.js';
import type { Station, StationPlace } from '#domain/weather/station.js';
import { FRAMES_TYPE } from '#adapters/formats/frames/frame-header.js';
import { FrameReader } from '#adapters/formats/frames/frame-reader.js';
import type { PiecedFrame } from '#adapters/formats/frames/observations-frame.js';
import { cutName, STATIONS_FRAME } from '#adapters/formats/frames/stations-frame.js';
import { type AnyEndpoint, streamEndpoint } from '../core/endpoint.js';
import type { BodyStream } from '../core/request/body-kinds.js';
import { FRAME_ERRORS, frameBody, refusal } from './frame-reply.js';
import type { InternalContext } from './internal-context.js';
import { toFrame } from './list-stations.js';

/** Largest body in bytes: 10,000 stations. They are written in one transaction, for which other writers wait. */
const LIMIT = 2_600_000;
/** Number of stations in a frame of the reply. */
const PAGE = 1000;

export function postStationsEndpoint({ useCase, gate }: InternalContext): AnyEndpoint {
  const placeStations = useCase(PlaceStations);
  const listInventories = useCase(ListInventories);
  return streamEndpoint<unknown, unknown, BodyStream>({
    method: 'POST',
    path: '/v1/stations',
    summary: 'Create or change stations',
    description:
      'Frames of stations and an end frame. Stations are matched by id; all are stored or none. The reply ' +
      'has the stored stations in the order of the request. The number is 0 if it is not known; first, last ' +
      'and count are ignored. Time zone (UTC for a new station), identifiers, reporting interval and limits ' +
      'do not change.',
    access: 'public',
    body: { kind: 'stream', mediaType: FRAMES_TYPE, limit: LIMIT },
    success: { kind: 'stream', status: 200, mediaType: FRAMES_TYPE },
    errorFormat: FRAME_ERRORS,
    errors: [
      'REQUEST_INVALID',
      'STATION_UNKNOWN',
      'STATION_EXISTS',
      'STATION_REMOVED',
      'DATA_DAMAGED',
      'FRAME_INVALID',
      'FRAME_TOO_LARGE',
      'FRAMES_TOO_MANY',
      'BULK_REQUESTS_TOO_MANY',
      'STORE_UNAVAILABLE',
    ],
    call: async ({ body, caller, signal }) => {
      const place = gate.visit(signal);
      let stations: readonly Station[];
      try {
        const sent = await gather(new FrameReader(body, STATIONS_FRAME, place));
        await place.begin();
        stations = await placeStations.execute(sent, caller, isCut);
      } catch (error) {
        place.leave();
        throw refusal(error, 'Nothing has been changed.');
      }
      return await frameBody(pages(), place);

      async function* pages(): AsyncGenerator<PiecedFrame> {
        for (let at = 0; at < stations.length; at += PAGE) {
          yield toFrame(await listInventories.inventoriesOf(stations.slice(at, at + PAGE)));
        }
      }
    },
  });
}

async function gather(reader: FrameReader<StationPlace[]>): Promise<StationPlace[]> {
  const sent: StationPlace[] = [];
  for await (const records of reader.frames()) sent.push(...records);
  return sent;
}

function isCut(name: string, { name: known }: Station): boolean {
  return name !== known && name === cutName(known);
}

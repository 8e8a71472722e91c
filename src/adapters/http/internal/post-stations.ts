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

/**
 * Largest body in bytes: 10,000 stations. The body is limited because all stations are written in one transaction, which blocks
 * other writers.
 */
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
      'The body has frames of stations and an end frame. Stations are matched by id. Either all stations are stored or none. ' +
      'The reply has the stored stations in the order of the request. In the request, the number is 0 if it is not known; ' +
      'first, last and count are ignored. The time zone (UTC for a new station), identifiers, reporting interval and limits ' +
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
      const permit = gate.createPermit(signal);
      let stations: readonly Station[];
      try {
        const records = await readAll(new FrameReader(body, STATIONS_FRAME, permit));
        await permit.begin();
        stations = await placeStations.execute(records, caller, isCut);
      } catch (error) {
        permit.end();
        throw refusal(error, 'Nothing has been changed.');
      }
      return await frameBody(pages(), permit);

      async function* pages(): AsyncGenerator<PiecedFrame> {
        for (let start = 0; start < stations.length; start += PAGE) {
          yield toFrame(await listInventories.inventoriesOf(stations.slice(start, start + PAGE)));
        }
      }
    },
  });
}

async function readAll(reader: FrameReader<StationPlace[]>): Promise<StationPlace[]> {
  const all: StationPlace[] = [];
  for await (const records of reader.frames()) all.push(...records);
  return all;
}

/**
 * Whether a sent name is only the beginning of the stored name. The binary format of requests has a field of limited length for
 * names, and longer names are cut to this length.
 */
function isCut(name: string, { name: stored }: Station): boolean {
  return name !== stored && name === cutName(stored);
}

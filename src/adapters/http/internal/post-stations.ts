import type { PlaceStations } from '../../../application/place-stations.js';
import type { SurveyStations } from '../../../application/survey-stations.js';
import { type AnyEndpoint, type BodyStream, streamEndpoint } from '../endpoint.js';
import { FRAMES_TYPE } from '../frames/frame-header.js';
import type { PiecedFrame } from '../frames/observations-frame.js';
import { FrameReader } from '../frames/frame-reader.js';
import { cutName, type SentStation, STATIONS } from '../frames/stations-frame.js';
import { FRAME_ERRORS, frameBody, refusal } from './frame-reply.js';
import { toFrame } from './list-stations.js';

/** Bytes of a body: as many stations as a frame holds, and a little more. */
const LIMIT = 17 * 2 ** 20;
/** Stations in a frame of the reply. */
const PAGE = 1000;

export function postStationsEndpoint(
  placeStations: PlaceStations,
  surveyStations: SurveyStations,
): AnyEndpoint {
  return streamEndpoint<unknown, unknown, BodyStream>({
    method: 'POST',
    path: '/v1/stations',
    summary: 'Make or change stations',
    description:
      'Frames of stations and their end, matched by id, all or none; the reply has them as they are now, in the order ' +
      'that was sent. Number 0 for one that is not known; first, last and count are not looked at. What a record does ' +
      'not hold stays: time zone (UTC for a new station), identifiers, reporting interval, limits.',
    access: 'public',
    body: { kind: 'stream', mediaType: FRAMES_TYPE, limit: LIMIT },
    success: { kind: 'stream', status: 200, mediaType: FRAMES_TYPE },
    errorFormat: FRAME_ERRORS,
    errors: ['REQUEST_INVALID', 'FRAME_INVALID', 'FRAME_TOO_LARGE', 'FRAMES_TOO_MANY', 'STORE_UNAVAILABLE'],
    call: async ({ body, caller }) => {
      const sent: SentStation[] = [];
      try {
        for await (const records of new FrameReader(body, STATIONS).frames()) sent.push(...records);
      } catch (error) {
        throw refusal(error, 'Nothing has been changed.');
      }
      const stations = await placeStations.execute(
        sent,
        caller,
        (name, known) => name !== known.name && name === cutName(known.name),
      );
      return await frameBody(pages(), () => undefined);

      async function* pages(): AsyncGenerator<PiecedFrame> {
        for (let at = 0; at < stations.length; at += PAGE) {
          yield toFrame(await surveyStations.survey(stations.slice(at, at + PAGE)));
        }
      }
    },
  });
}

import { Readable } from 'node:stream';
import { FrameError, FRAMES_TYPE } from '../../formats/frames/frame-header.js';
import type { PiecedFrame } from '../../formats/frames/observations-frame.js';
import { endFrame, errorFrame } from '../../formats/frames/small-frames.js';
import type { ErrorFormat } from '../core/endpoint.js';
import { ProtocolError } from '../core/errors.js';
import { discarded } from '../core/reply/young-garbage.js';
import type { Place } from './bulk-gate.js';

/** Errors in frames: a whole reply has an end, one that broke off has none. */
export const FRAME_ERRORS: ErrorFormat = {
  mediaType: FRAMES_TYPE,
  reply: ({ status, code, message }) => Buffer.concat([errorFrame(status, code, message), endFrame(0, 1)]),
  lastWords: ({ status, code, message }) => errorFrame(status, code, message),
};

/**
 * Frames and their end as a body. The first is there before this resolves, so that what is wrong with the request is an
 * error with a status of its own.
 *
 * @param place is left when the body is out or nobody wants it any more
 */
export async function frameBody(
  frames: AsyncGenerator<PiecedFrame>,
  place: Pick<Place, 'leave'>,
): Promise<Readable> {
  let first: IteratorResult<PiecedFrame>;
  try {
    first = await frames.next();
  } catch (error) {
    place.leave();
    throw error;
  }
  return Readable.from(pieces(), { objectMode: false }).once('close', () => {
    // A body that nobody has begun to read has not begun to ask for frames either.
    void frames.return(undefined);
    place.leave();
  });

  async function* pieces(): AsyncGenerator<Uint8Array> {
    let [rows, count] = [0, 0];
    for (let next = first; !next.done; next = await frames.next()) {
      rows += next.value.rows;
      count += 1;
      for (const piece of next.value.pieces) {
        yield piece;
        discarded(piece.byteLength);
      }
    }
    yield endFrame(rows, count);
  }
}

/** The HTTP error for a broken frame. @param taken tells what became of the frames before it */
export function refusal(error: unknown, taken: string): unknown {
  if (error instanceof FrameError) {
    return new ProtocolError(error.limit ?? 'FRAME_INVALID', `${error.message} ${taken}`);
  }
  if (error instanceof ProtocolError) {
    return new ProtocolError(error.code, `${error.message} ${taken}`, error.headers);
  }
  return error;
}

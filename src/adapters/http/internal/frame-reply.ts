import { Readable } from 'node:stream';
import { FrameError, FRAMES_TYPE } from '#adapters/formats/frames/frame-header.js';
import type { PiecedFrame } from '#adapters/formats/frames/observations-frame.js';
import { endFrame, errorFrame } from '#adapters/formats/frames/small-frames.js';
import type { ErrorFormat } from '../core/endpoint.js';
import { ProtocolError } from '../core/errors.js';
import { discarded } from '#adapters/formats/garbage.js';
import type { BulkPermit } from './bulk-gate.js';

/**
 * Errors as frames. A complete reply has an end frame after the error; a body that fails halfway ends with the error.
 */
export const FRAME_ERRORS: ErrorFormat = {
  mediaType: FRAMES_TYPE,
  reply: ({ status, code, message }) => Buffer.concat([errorFrame(status, code, message), endFrame(0, 1)]),
  trailingError: ({ status, code, message }) => errorFrame(status, code, message),
};

/**
 * A body of frames and their end frame. The first frame is made before this resolves, so that an error in the request
 * still gets a status of its own.
 *
 * @param permit is released when the body has been sent or the client has left
 */
export async function frameBody(
  frames: AsyncGenerator<PiecedFrame>,
  permit: Pick<BulkPermit, 'leave'>,
): Promise<Readable> {
  let first: IteratorResult<PiecedFrame>;
  try {
    first = await frames.next();
  } catch (error) {
    permit.leave();
    throw error;
  }
  return Readable.from(pieces(), { objectMode: false }).once('close', () => {
    // If nobody has begun to read the body, the generator has not started and must be ended here.
    void frames.return(undefined);
    permit.leave();
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

/** The HTTP error for a broken frame. @param taken describes what was done with the frames before it */
export function refusal(error: unknown, taken: string): unknown {
  if (error instanceof FrameError) {
    return new ProtocolError(error.limit ?? 'FRAME_INVALID', `${error.message} ${taken}`);
  }
  if (error instanceof ProtocolError) {
    return new ProtocolError(error.code, `${error.message} ${taken}`, error.headers);
  }
  return error;
}

import { Readable } from 'node:stream';
import { FrameError, FRAMES_TYPE } from '#adapters/formats/frames/frame-header.js';
import type { PiecedFrame } from '#adapters/formats/frames/observations-frame.js';
import { endFrame, errorFrame } from '#adapters/formats/frames/small-frames.js';
import type { ErrorFormat } from '../core/endpoint.js';
import { ProtocolError } from '../core/errors.js';
import { discarded } from '#adapters/formats/garbage.js';
import type { BulkPermit } from './bulk-gate.js';

/**
 * Writes errors as frames, which are the pieces of a body in the binary format of this service. The body of an error reply is an
 * error frame and an end frame. A body that fails halfway ends with an error frame, without an end frame.
 */
export const FRAME_ERRORS: ErrorFormat = {
  mediaType: FRAMES_TYPE,
  reply: ({ status, code, message }) => Buffer.concat([errorFrame(status, code, message), endFrame(0, 1)]),
  trailingError: ({ status, code, message }) => errorFrame(status, code, message),
};

/**
 * Returns a body of the frames and an end frame. The first frame is read before the promise resolves, so that an error in the
 * request still gets its own HTTP status.
 *
 * @param permit is ended when the body has been sent or the client has disconnected
 */
export async function frameBody(
  frames: AsyncGenerator<PiecedFrame>,
  permit: Pick<BulkPermit, 'end'>,
): Promise<Readable> {
  let first: IteratorResult<PiecedFrame>;
  try {
    first = await frames.next();
  } catch (error) {
    permit.end();
    throw error;
  }
  return Readable.from(pieces(), { objectMode: false }).once('close', () => {
    // If nobody has begun to read the body, the generator `pieces` has not started and does not close `frames`. `frames` is
    // therefore closed here.
    void frames.return(undefined);
    permit.end();
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

/**
 * The HTTP error for an invalid frame.
 *
 * @param consequence a sentence for the message about the effect of the frames before the invalid frame, such as `Nothing has
 *   been changed.`
 */
export function refusal(error: unknown, consequence: string): unknown {
  if (error instanceof FrameError) {
    return new ProtocolError(error.limit ?? 'FRAME_INVALID', `${error.message} ${consequence}`);
  }
  if (error instanceof ProtocolError) {
    return new ProtocolError(error.code, `${error.message} ${consequence}`, error.headers);
  }
  return error;
}

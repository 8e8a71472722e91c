import { Readable } from 'node:stream';
import type { Place, Reader } from '../../../../application/observations/read/read-gate.js';
import type { Call } from '../../core/endpoint.js';
import { discarded } from '../../core/reply/young-garbage.js';

/** The caller as the read gate counts it. All callers without a network (a Unix domain socket) count as one. */
export function readerOf({
  caller,
  signal,
}: Pick<Call<unknown, unknown, unknown>, 'caller' | 'signal'>): Reader {
  return { network: caller.network ?? caller.address ?? '', signal };
}

/**
 * A body in pieces, each made when the client has taken the one before it, in a turn of the event loop of its own. The
 * place at the gate is given back when the body has ended, however it ends: after HEAD nobody reads it.
 */
export function pacedBody(pieces: Iterable<Buffer>, place: Place): Readable {
  return Readable.from(inTurns(pieces, place), { objectMode: false }).once('close', () => place.leave());
}

async function* inTurns(pieces: Iterable<Buffer>, place: Place): AsyncGenerator<Buffer> {
  let isFirst = true;
  for (const piece of pieces) {
    if (!isFirst) await place.turn();
    isFirst = false;
    yield piece;
    discarded(piece.byteLength);
  }
}

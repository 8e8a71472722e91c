import { Readable } from 'node:stream';
import type { Place, Reader } from '../../../../application/observations/read/read-gate.js';
import { type TextPiece, writePiece } from '../../../formats/text/text-piece.js';
import { TextWriter } from '../../../formats/text/text-writer.js';
import type { Call } from '../../core/endpoint.js';
import { discarded } from '../../core/reply/young-garbage.js';
import type { TextThreads } from './text-threads.js';

/**
 * Largest number of values of which the text is written at once, by the thread that answers: in about a millisecond. Handing
 * them to another thread and taking the text back costs about 0.1 ms.
 */
const VALUES_AT_ONCE = 8192;

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
  return sent(inTurns(pieces, place), place);
}

/** Texts one after the other, in pieces that are worth sending. */
export function* inPieces(texts: Iterable<string>): Generator<Buffer> {
  const writer = new TextWriter();
  for (const text of texts) {
    writer.text(text);
    if (writer.isFull) yield writer.take();
  }
  yield writer.take();
}

/**
 * The text of columns: written at once where it is short, by the threads for text otherwise. The next piece is written while
 * the client takes the one before it.
 *
 * @param values number of values in the pieces
 */
export function columnBody(
  pieces: Iterable<TextPiece>,
  values: number,
  place: Place,
  threads: TextThreads,
): Buffer | Readable {
  if (values > VALUES_AT_ONCE) return sent(byThreads(pieces[Symbol.iterator](), threads), place);
  const writer = new TextWriter();
  for (const piece of pieces) writePiece(piece, writer);
  place.leave();
  return writer.take();
}

function sent(pieces: AsyncIterable<Uint8Array>, place: Place): Readable {
  return Readable.from(pieces, { objectMode: false }).once('close', () => place.leave());
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

async function* byThreads(pieces: Iterator<TextPiece>, threads: TextThreads): AsyncGenerator<Uint8Array> {
  const writer = new TextWriter(0);
  /** The bytes of the fixed text before the next column, and those of the column. */
  const write = () => {
    for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
      if (next.value.kind === 'text') {
        writePiece(next.value, writer);
        continue;
      }
      const column = threads.write(next.value);
      // It is awaited only after the piece before it has been taken. Without this handler a failure before would be unhandled.
      column.catch(() => undefined);
      return { text: writer.take(), column };
    }
    return undefined;
  };
  let written = write();
  while (written !== undefined) {
    const column = await written.column;
    const { text } = written;
    written = write();
    if (text.length > 0) yield text;
    yield column;
    discarded(column.byteLength);
  }
  yield writer.take();
}

import { Readable } from 'node:stream';
import type { Permit } from '#application/observations/read/gate/permit.js';
import { expectedBytes, type TextPiece, writePiece } from '#adapters/formats/text/text-piece.js';
import { TextWriter } from '#adapters/formats/text/text-writer.js';
import { discarded } from '#adapters/formats/garbage.js';
import type { TextThreads } from './text-threads.js';

/**
 * Largest number of values whose text is written in the main thread. Writing such a text takes about a millisecond. The transfer
 * to another thread and back takes about 0.1 ms.
 */
const MAX_VALUES = 8192;

/**
 * Writes a body in pieces. Each piece is written in its own turn of the event loop, after the client has received the previous
 * piece.
 */
export function pacedBody(pieces: Iterable<Buffer>, permit: Permit): Readable {
  return streamOf(inSlices(pieces, permit));
}

/** Joins texts into pieces of a size that is efficient to send. */
export function* inPieces(texts: Iterable<string>): Generator<Buffer> {
  const writer = new TextWriter();
  for (const text of texts) {
    writer.text(text);
    if (writer.isFull) yield writer.take();
  }
  yield writer.take();
}

/** The text of a reply whose rows are read and sent in several parts, called pages. */
interface PagedText<in Page> {
  readonly start: string;
  readonly rows: (page: Page) => Iterable<string>;
  readonly end: string;
}

/** Writes a body of several pages in pieces, like `pacedBody`. Each page is read after the previous page has been sent. */
export function pacedPages<Page>(
  { start, rows, end }: PagedText<NoInfer<Page>>,
  first: Page,
  more: AsyncIterable<Page>,
  permit: Permit,
): Readable {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(start);
    yield* inSlices(inPieces(rows(first)), permit);
    for await (const page of more) {
      await permit.turn();
      yield* inSlices(inPieces(rows(page)), permit);
    }
    yield Buffer.from(end);
  }
  return streamOf(pieces());
}

/**
 * Writes a body from columns. The main thread writes a short text at once. Other threads write a long text in pieces: they write
 * a piece while the client receives the previous piece.
 *
 * @param values number of values in the pieces
 */
export function columnBody(
  pieces: Iterable<TextPiece>,
  values: number,
  threads: TextThreads,
): Buffer | Readable {
  if (values > MAX_VALUES) return streamOf(byThreads(pieces[Symbol.iterator](), threads));
  const all = [...pieces];
  const writer = new TextWriter(all.reduce((sum, piece) => sum + expectedBytes(piece), 0));
  for (const piece of all) writePiece(piece, writer);
  return writer.take();
}

/** Writes a body from the columns of several pages. The text is written in other threads. */
export function columnPages(pages: AsyncIterable<Iterable<TextPiece>>, threads: TextThreads): Readable {
  async function* pieces() {
    for await (const page of pages) yield* byThreads(page[Symbol.iterator](), threads);
  }
  return streamOf(pieces());
}

export function streamOf(pieces: AsyncIterable<Uint8Array>): Readable {
  return Readable.from(pieces, { objectMode: false });
}

async function* inSlices(pieces: Iterable<Buffer>, permit: Permit): AsyncGenerator<Buffer> {
  let isFirst = true;
  for (const piece of pieces) {
    if (!isFirst) await permit.turn();
    isFirst = false;
    yield piece;
    discarded(piece.byteLength);
  }
}

async function* byThreads(pieces: Iterator<TextPiece>, threads: TextThreads): AsyncGenerator<Uint8Array> {
  const writer = new TextWriter(0);
  /**
   * Starts to write the next column in a thread. Returns the promise of the bytes of the column, and the bytes of the text before
   * the column. Returns undefined after the last column.
   */
  const write = () => {
    for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
      if (next.value.kind === 'text') {
        writePiece(next.value, writer);
        continue;
      }
      const column = threads.write(next.value);
      // The column is awaited after the previous column. Until then this handler prevents that a failure is reported as
      // unhandled.
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

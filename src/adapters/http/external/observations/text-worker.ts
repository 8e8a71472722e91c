import { move } from 'piscina';
import { encodeRowGroup, type RowGroup, type RowGroupTask } from '#adapters/formats/pages/row-group.js';
import { expectedBytes, type TextPiece, writePiece } from '#adapters/formats/text/text-piece.js';
import { TextWriter } from '#adapters/formats/text/text-writer.js';
import { lowerThreadPriority } from '#adapters/formats/thread-priority.js';

lowerThreadPriority();

/**
 * Writes a piece of text or a row group, in a worker thread. The bytes of a piece of text are transferred to the calling thread
 * without a copy.
 */
export default function write(piece: TextPiece | RowGroupTask): Uint8Array | Promise<RowGroup> {
  if (piece.kind === 'row group') return encodeRowGroup(piece);
  const writer = new TextWriter(expectedBytes(piece));
  writePiece(piece, writer);
  return move(writer.take()) as unknown as Uint8Array;
}

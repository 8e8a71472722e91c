import { move } from 'piscina';
import { expectedBytes, type TextPiece, writePiece } from '../../../formats/text/text-piece.js';
import { TextWriter } from '../../../formats/text/text-writer.js';
import { lowerThreadPriority } from '../../../formats/thread-priority.js';

lowerThreadPriority();

/** Writes a piece in its own thread. The bytes are transferred without a copy. */
export default function write(piece: TextPiece): Uint8Array {
  const writer = new TextWriter(expectedBytes(piece));
  writePiece(piece, writer);
  return move(writer.take()) as unknown as Uint8Array;
}

import { move } from 'piscina';
import type { RecordBatchTask } from '#adapters/formats/arrow/record-batch.js';
import { encodeRowGroup, type RowGroup, type RowGroupTask } from '#adapters/formats/pages/row-group.js';
import { expectedBytes, type TextPiece, writePiece } from '#adapters/formats/text/text-piece.js';
import { TextWriter } from '#adapters/formats/text/text-writer.js';
import { lowerThreadPriority } from '#adapters/formats/thread-priority.js';

lowerThreadPriority();

/**
 * Writes a piece of text, a row group or a record batch, in a worker thread. The bytes of text and record batches are transferred to the
 * calling thread without a copy.
 */
export default function write(
  piece: TextPiece | RowGroupTask | RecordBatchTask,
): Uint8Array | Promise<RowGroup | Uint8Array> {
  if (piece.kind === 'row group') return encodeRowGroup(piece);
  if (piece.kind === 'record batch') return encodeBatch(piece);
  const writer = new TextWriter(expectedBytes(piece));
  writePiece(piece, writer);
  return moved(writer.take());
}

/** The module is loaded here, so that a thread that writes no Arrow needs no memory for it. */
async function encodeBatch(task: RecordBatchTask): Promise<Uint8Array> {
  const { encodeRecordBatch } = await import('#adapters/formats/arrow/record-batch.js');
  return moved(encodeRecordBatch(task));
}

function moved(bytes: Uint8Array): Uint8Array {
  return move(bytes) as unknown as Uint8Array;
}

import { fileNotes, type NotedStation } from '../pages/file-notes.js';
import type { Pages } from '../pages/page-columns.js';
import {
  type ArrowField,
  type Block,
  blockOf,
  footerOf,
  type Note,
  padded,
  schemaMessage,
} from './arrow-messages.js';
import { encodeRecordBatch, fieldsOf, type RecordBatchTask } from './record-batch.js';

const MAGIC = Buffer.from('ARROW1');
/** Marks the end of the record batches, for readers of the streaming format. */
const END = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/**
 * Writes a file of Arrow's IPC format with one record batch for each page. A record batch is returned as soon as it is written; the
 * index comes last. Buffers are not compressed. The results of quality control are always columns of flags.
 *
 * Source: Arrow Columnar Format, section "Serialization and Interprocess Communication (IPC)".
 *
 * @param all the rows, at least one page, also if it has no rows
 * @param station the station of the rows, for the metadata of the file
 * @param encode writes a record batch, for example in another thread
 * @param more further entries of the metadata of the file
 */
export async function* toArrow(
  all: Pages,
  station: NotedStation,
  encode: (task: RecordBatchTask) => Uint8Array | Promise<Uint8Array> = encodeRecordBatch,
  more: Readonly<Record<string, string>> = {},
): AsyncGenerator<Uint8Array> {
  let head: { readonly fields: readonly ArrowField[]; readonly notes: readonly Note[] } | undefined;
  let offset = 0;
  const blocks: Block[] = [];
  for await (const page of all) {
    if (head === undefined) {
      const notes = fileNotes(station, page.columns, more);
      head = { fields: fieldsOf(page), notes };
      const start = Buffer.alloc(padded(MAGIC.length));
      start.set(MAGIC);
      const bytes = Buffer.concat([start, schemaMessage(head.fields, head.notes)]);
      offset = bytes.length;
      yield bytes;
    }
    const bytes = await encode({ ...page, kind: 'record batch' });
    blocks.push(blockOf(bytes, offset));
    offset += bytes.length;
    yield bytes;
  }
  const footer = footerOf(head?.fields ?? [], head?.notes ?? [], blocks);
  const length = Buffer.alloc(4);
  length.writeInt32LE(footer.length);
  yield Buffer.concat([END, footer, length, MAGIC]);
}

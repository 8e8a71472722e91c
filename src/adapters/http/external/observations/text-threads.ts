import type { Check } from '#application/ports/check.js';
import type { Series } from '#domain/weather/series.js';
import { LazyThreads } from '#adapters/formats/lazy-threads.js';
import { transferableBuffers } from '#adapters/formats/transferable-buffers.js';
import type { RecordBatchTask } from '#adapters/formats/arrow/record-batch.js';
import type { RowGroup, RowGroupTask } from '#adapters/formats/pages/row-group.js';
import type { TextPiece } from '#adapters/formats/text/text-piece.js';

/** Number of threads. The SQLite store has the same number of threads for reading. */
const THREADS = 2;
/** Milliseconds after which an idle thread ends, so that its memory is freed. */
const IDLE_TIMEOUT = 60_000;

/** The task that tests whether a new thread works, after another thread has ended. */
const PROBE: TextPiece = { kind: 'text', text: '' };

/** Threads that write the text of large replies, row groups of Parquet and record batches of Arrow. The threads start with the first large reply. */
export class TextThreads implements Check {
  readonly name = 'large replies';
  readonly #threads = new LazyThreads({
    filename: new URL('./text-worker.js', import.meta.url).href,
    maxThreads: THREADS,
    idleTimeout: IDLE_TIMEOUT,
    probe: PROBE,
  });

  /** Writes a piece of text. The columns of the piece are transferred without a copy, so the caller can no longer use them. */
  async write(piece: TextPiece): Promise<Uint8Array> {
    return (await this.#threads.run(piece, {
      transferList: transferableBuffers(columnsOfPiece(piece)),
    })) as Uint8Array;
  }

  /** Writes rows of a file. The columns of the task are transferred without a copy, so the caller can no longer use them. */
  encode(task: RowGroupTask): Promise<RowGroup>;
  encode(task: RecordBatchTask): Promise<Uint8Array>;
  async encode(task: RowGroupTask | RecordBatchTask): Promise<RowGroup | Uint8Array> {
    return (await this.#threads.run(task, {
      transferList: transferableBuffers(columnsOf(task.series)),
    })) as RowGroup | Uint8Array;
  }

  check(): Promise<undefined> {
    return this.#threads.check();
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }
}

type Column = Float64Array | Uint8Array;

function columnsOfPiece(piece: TextPiece): readonly Column[] {
  if (piece.kind === 'times') return piece.parts;
  if (piece.kind === 'values') return piece.parts.filter((part) => typeof part !== 'number');
  return piece.kind === 'rows' ? columnsOf(piece.part) : [];
}

function columnsOf({ times, values, flags }: Series): readonly Column[] {
  return [times, ...values.values(), ...flags.values()];
}

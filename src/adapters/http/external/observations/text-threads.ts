import type { Check } from '../../../../application/ports/check.js';
import { LazyThreads } from '../../../formats/lazy-threads.js';
import type { TextPiece } from '../../../formats/text/text-piece.js';

/** Number of threads: as many as the SQLite store has for reading. */
const THREADS = 2;
/** Milliseconds after which an idle thread ends, so that its memory is freed. */
const IDLE_TIMEOUT = 60_000;

/** Written by a thread whose predecessor has ended, to see whether it works. */
const PROBE: TextPiece = { kind: 'text', text: '' };

/** Threads that write the text of large replies. They start with the first large reply. */
export class TextThreads implements Check {
  readonly name = 'large replies';
  readonly #threads = new LazyThreads({
    filename: new URL('./text-worker.js', import.meta.url).href,
    maxThreads: THREADS,
    idleTimeout: IDLE_TIMEOUT,
    probe: PROBE,
  });

  /** Writes a piece. Its columns are transferred without a copy, so the caller can no longer use them. */
  async write(piece: TextPiece): Promise<Uint8Array> {
    return (await this.#threads.run(piece, { transferList: [...ownBuffers(piece)] })) as Uint8Array;
  }

  check(): Promise<undefined> {
    return this.#threads.check();
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }
}

/** The buffers that can be transferred: those that one column fills. A column that is part of its buffer is copied. */
function ownBuffers(piece: TextPiece): Set<ArrayBuffer> {
  const columns: (Float64Array | Uint8Array)[] = [];
  if (piece.kind === 'times') columns.push(...piece.parts);
  if (piece.kind === 'values')
    for (const part of piece.parts) if (typeof part !== 'number') columns.push(part);
  if (piece.kind === 'rows') {
    const { times, values, flags } = piece.part;
    columns.push(times, ...values.values(), ...flags.values());
  }
  const own = columns.filter(({ buffer, byteLength }) => buffer.byteLength === byteLength);
  return new Set(own.map(({ buffer }) => buffer as ArrayBuffer));
}

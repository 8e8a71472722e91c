import { Piscina } from 'piscina';
import type { TextPiece } from '../../../formats/text/text-piece.js';

/** Threads, as many as a store has for reading. */
const THREADS = 2;
/** Milliseconds after which a thread without work ends, and gives its memory back. */
const IDLE_TIMEOUT = 60_000;

/** Threads that write the text of large replies. They start with the first one. */
export class TextThreads {
  #pool: Piscina | undefined;

  /** Writes a piece. Its columns can no longer be used afterwards: they are handed over without a copy. */
  async write(piece: TextPiece): Promise<Uint8Array> {
    this.#pool ??= new Piscina({
      filename: new URL('./text-worker.js', import.meta.url).href,
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: IDLE_TIMEOUT,
      recordTiming: false,
    });
    const transferList = [...ownBuffers(piece)];
    return (await this.#pool.run(piece, { transferList })) as Uint8Array;
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }
}

/** The buffers of columns that fill them. A column that is a part of its buffer is copied. */
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

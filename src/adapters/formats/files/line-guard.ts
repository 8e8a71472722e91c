import { Transform, type TransformCallback } from 'node:stream';
import type { PendingRows } from './pending-rows.js';

/** Bytes of a line that is still read. */
export const MAX_LINE = 65_536;
const LINE_END = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Lets lines through, all with the same end, and empties those that are too long, so that a file without line ends does not
 * fill the memory.
 */
export class LineGuard extends Transform {
  readonly #pending: PendingRows;
  #line = 1;
  #length = 0;
  /** Whether the last byte was a carriage return, which may be a part of the end of the line. */
  #held = false;

  /** @param pending gets the lines that are too long */
  constructor(pending: PendingRows) {
    super();
    this.#pending = pending;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    while (from < chunk.length) {
      const end = chunk.indexOf(LINE_END, from);
      this.#pass(chunk.subarray(from, end === -1 ? chunk.length : end), end !== -1);
      if (end === -1) break;
      this.push('\n');
      this.#line += 1;
      this.#length = 0;
      from = end + 1;
    }
    done();
  }

  #pass(bytes: Buffer, isLast: boolean): void {
    if (this.#held && bytes.length > 0) this.#send(Buffer.of(CARRIAGE_RETURN));
    if (bytes.length > 0) this.#held = bytes.at(-1) === CARRIAGE_RETURN;
    this.#send(this.#held && bytes.length > 0 ? bytes.subarray(0, -1) : bytes);
    if (isLast) this.#held = false;
  }

  #send(bytes: Buffer): void {
    const before = this.#length;
    this.#length += bytes.length;
    if (this.#length <= MAX_LINE) this.push(bytes);
    else if (before <= MAX_LINE) {
      this.#pending.add({ line: this.#line, problem: `is longer than ${MAX_LINE} bytes`, isCut: true });
    }
  }
}

import { Transform, type TransformCallback } from 'node:stream';

/** Bytes of a line that is still read. */
export const MAX_LINE = 65_536;
const LINE_END = 0x0a;

/**
 * Lets lines through and empties those that are too long, so that a file without line ends does not fill the memory. Their
 * numbers are in `tooLong`.
 */
export class LineGuard extends Transform {
  readonly tooLong: number[] = [];
  #line = 1;
  #length = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    while (from < chunk.length) {
      const end = chunk.indexOf(LINE_END, from);
      const to = end === -1 ? chunk.length : end;
      this.#pass(chunk, from, to);
      if (end === -1) break;
      this.push('\n');
      this.#line += 1;
      this.#length = 0;
      from = end + 1;
    }
    done();
  }

  #pass(chunk: Buffer, from: number, to: number): void {
    const before = this.#length;
    this.#length += to - from;
    if (this.#length <= MAX_LINE) this.push(chunk.subarray(from, to));
    else if (before <= MAX_LINE) this.tooLong.push(this.#line);
  }
}

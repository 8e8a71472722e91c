/** Largest number of bytes in a line. Longer lines are not read. */
export const MAX_LINE = 65_536;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Largest number of UTF-8 bytes of a UTF-16 code unit. */
const BYTES_OF_UNIT = 3;

export interface TextLine {
  /** Number of the line, from 1. */
  readonly number: number;
  /** The line without its end; empty if the line is too long. */
  readonly text: string;
  /** Whether the line is longer than `MAX_LINE` bytes. */
  readonly isTooLong: boolean;
  /**
   * The bytes of the line, one byte for each character of `text`, starting at `from`. Undefined if a character may have several
   * bytes.
   */
  readonly bytes: Uint8Array | undefined;
  readonly from: number;
}

/**
 * Splits UTF-8 text into lines while it is received in pieces of any size. Lines end with LF or CR LF, or with CR if
 * the first `MAX_LINE` bytes have no LF. At most `MAX_LINE` bytes are kept between two pieces, so that text without
 * line ends does not fill the memory.
 */
export class LineReader {
  /** The byte at the end of each line; undefined until it has been determined. */
  #end: typeof LINE_FEED | typeof CARRIAGE_RETURN | undefined;
  /** The start of the line that continues in the next piece. */
  #kept: Uint8Array[] = [];
  #keptLength = 0;
  /** Whether the start of the line was dropped, because the line is too long. */
  #isDropped = false;
  #number = 0;

  /** Returns the lines that end in this piece. The caller must not change the piece afterwards. */
  read(piece: Uint8Array): TextLine[] {
    this.#end ??= this.#findEnd(piece, false);
    const to = this.#end === undefined ? 0 : piece.lastIndexOf(this.#end) + 1;
    const lines = to === 0 ? [] : this.#cut(piece.subarray(0, to));
    if (to < piece.length) this.#keep(piece.subarray(to));
    return lines;
  }

  /** Returns the lines at the end of the text that have no line end behind them. */
  end(): TextLine[] {
    this.#end ??= this.#findEnd(new Uint8Array(0), true);
    const lines = this.#cut(new Uint8Array(0));
    return lines.at(-1)?.text === '' && !lines.at(-1)?.isTooLong ? lines.slice(0, -1) : lines;
  }

  #findEnd(piece: Uint8Array, isLast: boolean) {
    if (piece.includes(LINE_FEED)) return LINE_FEED;
    if (!isLast && this.#keptLength + piece.length < MAX_LINE) return undefined;
    const hasReturn = [...this.#kept, piece].some((part) => part.includes(CARRIAGE_RETURN));
    return hasReturn ? CARRIAGE_RETURN : LINE_FEED;
  }

  #keep(part: Uint8Array): void {
    this.#keptLength += part.length;
    this.#kept.push(part);
    if (this.#end === undefined || this.#keptLength <= MAX_LINE + 1) return;
    this.#kept = [];
    this.#isDropped = true;
  }

  /** Returns the lines in the kept bytes and `part`, which ends with a line end or at the end of the text. */
  #cut(part: Uint8Array): TextLine[] {
    const bytes = Buffer.concat([...this.#kept, part]);
    const isDropped = this.#isDropped;
    [this.#kept, this.#keptLength, this.#isDropped] = [[], 0, false];
    const end = this.#end === CARRIAGE_RETURN ? '\r' : '\n';
    const whole = bytes.toString('utf8');
    // Equal lengths mean that each byte is one character of the text, because a character outside ASCII has more bytes than
    // UTF-16 code units.
    const ascii = whole.length === bytes.length ? bytes : undefined;
    const texts = whole.split(end);
    if (part.length > 0) texts.pop();
    let from = 0;
    return texts.map((text, index) => {
      const line = this.#line(text, isDropped && index === 0, ascii, from);
      from += text.length + 1;
      return line;
    });
  }

  #line(sent: string, isDropped: boolean, bytes: Uint8Array | undefined, from: number): TextLine {
    this.#number += 1;
    const start = this.#number === 1 && sent.startsWith('\ufeff') ? 1 : 0;
    const text = sent.slice(start, sent.endsWith('\r') ? -1 : undefined);
    const isTooLong =
      isDropped || (text.length > MAX_LINE / BYTES_OF_UNIT && Buffer.byteLength(text) > MAX_LINE);
    return { number: this.#number, text: isTooLong ? '' : text, isTooLong, bytes, from };
  }
}

/** Reads the lines of a text that is received in pieces. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  const reader = new LineReader();
  for await (const piece of pieces) yield* reader.read(piece);
  yield* reader.end();
}

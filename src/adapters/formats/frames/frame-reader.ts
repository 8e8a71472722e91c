import { crc32 } from 'node:zlib';
import {
  FrameError,
  type FrameHeader,
  HEADER_SIZE,
  type FrameKind,
  KIND,
  readHeader,
} from './frame-header.js';
import { assertEnd } from './small-frames.js';

/** Largest number of frames in a body. */
export const MAX_FRAMES = 65_536;
const END_LENGTH = 16;

/** A kind of frame, with its parser. */
export interface FrameFormat<T> {
  readonly kind: FrameKind;
  /** @throws FrameError if the numbers in the header exceed a limit or contradict each other */
  assertLength(header: FrameHeader): void;
  /**
   * Parses a payload.
   *
   * @param payload begins at the start of its buffer; the result uses the memory of the buffer
   * @throws FrameError
   */
  read(header: FrameHeader, payload: Uint8Array<ArrayBuffer>): T;
}

/**
 * Counts the bytes of received frames that are in memory. `hold` is called before bytes are kept, and `release` when they are no
 * longer needed. If too many bytes are in memory, `hold` throws an error and does not count the new bytes.
 */
export interface FrameMemory {
  hold(bytes: number): void;
  release(bytes: number): void;
}

/**
 * Parses the body of a request while it arrives. A body consists of frames (pieces of binary data) of one kind, and ends with an
 * end frame. A frame is returned when it is complete and its CRC is correct. If a sender fails in the middle of a body, the
 * complete frames before the failure have been returned.
 */
export class FrameReader<T> {
  readonly #source: AsyncIterable<Uint8Array>;
  readonly #format: FrameFormat<T>;
  readonly #memory: FrameMemory | undefined;
  readonly #headerBytes = new Uint8Array(HEADER_SIZE);
  /** Number of bytes of the header that have arrived. */
  #headerFilled = 0;
  #header: FrameHeader | undefined;
  #payload = new Uint8Array(0);
  #filled = 0;
  #crc = 0;
  #rows = 0;
  #frames = 0;
  #startsAt = 0;
  #ended = false;

  constructor(source: AsyncIterable<Uint8Array>, format: FrameFormat<T>, memory?: FrameMemory) {
    this.#source = source;
    this.#format = format;
    this.#memory = memory;
  }

  /** Number of rows in the frames that have been returned. */
  get rows(): number {
    return this.#rows;
  }

  /** @throws FrameError that names the frame, the offset in the body and the fault */
  async *frames(): AsyncGenerator<T> {
    for await (const chunk of this.#source) {
      let at = 0;
      while (at < chunk.length) {
        at = this.#consume(chunk, at);
        const { length } = this.#payload;
        const frame = this.#complete();
        if (frame === undefined) continue;
        yield frame;
        this.#memory?.release(length);
      }
    }
    if (this.#headerFilled > 0) throw this.#fault('the body ends in the middle of the frame');
    if (!this.#ended) throw this.#fault('the body ends without an end frame, so it was cut off');
  }

  /**
   * Adds bytes from `chunk`, a received piece of the body, to the current frame, from the index `at` on. Stops at the end of the
   * header or of the frame.
   *
   * @returns the index in `chunk` of the first byte that does not belong to the added bytes
   */
  #consume(chunk: Uint8Array, at: number): number {
    if (this.#ended) throw this.#fault('the body continues after the end frame');
    if (this.#header === undefined) {
      const part = chunk.subarray(at, at + HEADER_SIZE - this.#headerFilled);
      this.#headerBytes.set(part, this.#headerFilled);
      this.#headerFilled += part.length;
      if (this.#headerFilled === HEADER_SIZE) this.#begin();
      return at + part.length;
    }
    const part = chunk.subarray(at, at + this.#payload.length - this.#filled);
    // Only received bytes are counted as used memory. The buffer has the size of the whole payload, but the operating system
    // allocates a page of the buffer only when data are first written to the page.
    this.#memory?.hold(part.length);
    this.#payload.set(part, this.#filled);
    this.#crc = crc32(part, this.#crc);
    this.#filled += part.length;
    return at + part.length;
  }

  #begin(): void {
    try {
      const header = readHeader(this.#headerBytes);
      if (header.kind === KIND.end) assertEndLength(header);
      else if (header.kind === this.#format.kind) this.#format.assertLength(header);
      else throw new FrameError(`a frame of kind ${header.kind} is not allowed in this body`);
      if (header.kind !== KIND.end && this.#frames === MAX_FRAMES) {
        throw new FrameError(`a body has at most ${MAX_FRAMES} frames`, 'FRAMES_TOO_MANY');
      }
      this.#header = header;
      this.#payload = new Uint8Array(header.length);
    } catch (error) {
      throw this.#located(error);
    }
  }

  #complete(): T | undefined {
    const header = this.#header;
    if (header === undefined || this.#filled < this.#payload.length) return undefined;
    if (this.#crc !== header.crc) {
      throw this.#fault(`the CRC of the payload is ${hex(this.#crc)}, but the header has ${hex(header.crc)}`);
    }
    const payload = this.#payload;
    let content: T | undefined;
    try {
      if (header.kind === KIND.end) assertEnd(header, payload, this.#rows, this.#frames);
      else content = this.#format.read(header, payload);
    } catch (error) {
      throw this.#located(error);
    }
    this.#ended = header.kind === KIND.end;
    [this.#header, this.#headerFilled, this.#filled, this.#crc] = [undefined, 0, 0, 0];
    this.#payload = new Uint8Array(0);
    this.#startsAt += HEADER_SIZE + payload.length;
    if (this.#ended) return undefined;
    this.#frames += 1;
    this.#rows += header.rows;
    return content;
  }

  #fault(message: string): FrameError {
    return this.#located(new FrameError(message));
  }

  #located(error: unknown): FrameError {
    if (!(error instanceof FrameError)) throw error;
    const place = `Frame ${this.#frames}, counted from 0, at byte ${this.#startsAt}`;
    return new FrameError(`${place}: ${error.message}.`, error.limit);
  }
}

function assertEndLength({ length }: FrameHeader): void {
  if (length !== END_LENGTH)
    throw new FrameError(`the header has a length of ${length} bytes, but an end frame has ${END_LENGTH}`);
}

function hex(crc: number): string {
  return `0x${crc.toString(16).padStart(8, '0')}`;
}

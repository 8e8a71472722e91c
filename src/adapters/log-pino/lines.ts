import { write as writeFile } from 'node:fs';
import { type DestinationStream, pino } from 'pino';

/**
 * Number of bytes that are collected before a write. A write for each line would cost four times as much as building the
 * line.
 */
const BUFFER = 32_768;
/** Longest time in milliseconds before collected lines are written. */
const FLUSH_INTERVAL = 250;
/** Milliseconds until the next attempt to write to a full pipe. */
const RETRY_INTERVAL = 50;
/** Largest number of bytes that wait because the process that reads the log is slow. Further lines are dropped. */
const MAX_WAITING = 4_194_304;
/** Longest time in milliseconds that `close` waits for the process that reads the log. */
const CLOSE_TIMEOUT = 1000;
const LINE_FEED = 0x0a;

/**
 * Writes log lines to a file or a pipe in their order. Lines that wait are kept as bytes, because a string would be copied once
 * more for the write. If the process that reads the pipe is too slow, lines are dropped, and a log line reports their number.
 */
export class Lines implements DestinationStream {
  readonly #fd: number;
  readonly #buffer: number;
  readonly #timer = setInterval(() => this.#flush(), FLUSH_INTERVAL).unref();
  #bytes: Buffer;
  #length = 0;
  #queue: Buffer[] = [];
  #waiting = 0;
  #writing = false;
  /** Number of lines dropped since the last report. */
  #dropped = 0;
  #onEmpty: (() => void) | undefined;

  /** @param buffer number of bytes that are collected before a write */
  constructor(fd: number, buffer = BUFFER) {
    this.#fd = fd;
    this.#buffer = buffer;
    this.#bytes = Buffer.allocUnsafe(buffer);
  }

  write(line: string): void {
    // A UTF-16 code unit takes at most three bytes of UTF-8.
    if (this.#length + 3 * line.length > this.#buffer) this.#flush();
    if (3 * line.length > this.#buffer) this.#send(Buffer.from(line));
    else this.#length += this.#bytes.write(line, this.#length);
  }

  /**
   * Resolves when everything is written, or after a second. Without this limit, a pipe that nobody reads would keep the process
   * running forever.
   */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#flush();
    if (this.#waiting === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
      timer = setTimeout(resolve, CLOSE_TIMEOUT);
    });
    clearTimeout(timer);
  }

  #flush(): void {
    if (this.#length === 0) return;
    this.#send(this.#bytes.subarray(0, this.#length));
    this.#bytes = Buffer.allocUnsafe(this.#buffer);
    this.#length = 0;
  }

  #send(bytes: Buffer): void {
    if (this.#waiting + bytes.length > MAX_WAITING) {
      this.#dropped += countLines(bytes);
      return;
    }
    if (this.#dropped > 0) {
      this.#enqueue(this.#droppedNotice());
      this.#dropped = 0;
    }
    this.#enqueue(bytes);
    this.#writeNext();
  }

  #enqueue(bytes: Buffer): void {
    this.#queue.push(bytes);
    this.#waiting += bytes.length;
  }

  #writeNext(): void {
    const [bytes] = this.#queue;
    if (this.#writing || bytes === undefined) return;
    this.#writing = true;
    writeFile(this.#fd, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => this.#continue(), RETRY_INTERVAL).unref();
        return;
      }
      // After an error, all bytes count as written, because a reader that closes the pipe, such as `| head`, must not end the
      // service.
      const done = error === null ? written : bytes.length;
      this.#waiting -= done;
      if (done === bytes.length) this.#queue.shift();
      else this.#queue[0] = bytes.subarray(done);
      this.#continue();
    });
  }

  #continue(): void {
    this.#writing = false;
    if (this.#waiting === 0) this.#onEmpty?.();
    else this.#writeNext();
  }

  #droppedNotice(): Buffer {
    const { warn } = pino.levels.values;
    const time = new Date().toISOString();
    const message = 'log lines were dropped, because the reader of the log is too slow';
    return Buffer.from(`{"level":${warn},"time":"${time}","dropped":${this.#dropped},"msg":"${message}"}\n`);
  }
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let index = bytes.indexOf(LINE_FEED); index !== -1; index = bytes.indexOf(LINE_FEED, index + 1))
    lines += 1;
  return lines;
}

import { type DestinationStream, destination, type Logger, pino } from 'pino';

/** Bytes that are gathered before a write: handing over each line costs four times what making it does. */
const BUFFER = 32_768;
/** Milliseconds after which a line is written even so. */
const FLUSH_INTERVAL = 250;

/** One request, in the terms of whoever logs it. */
export interface RequestLine {
  readonly id: string;
  readonly client: string;
  readonly method: string;
  readonly route: string | null;
  readonly status: number | null;
  readonly milliseconds: number;
  readonly aborted: boolean;
}

export interface Log {
  readonly logger: Logger;
  /** A function that writes one line a request of the API named, at level `info`. */
  requestWriter(api: string): (line: RequestLine) => void;
  /** Writes what is still gathered. Nothing may be logged afterwards. */
  close(): void;
}

/**
 * The log of the process on standard output: JSON, one object a line, or for people when that is a terminal.
 *
 * @param level one of pino's levels, or `silent`
 */
export async function openLog(level: string): Promise<Log> {
  return process.stdout.isTTY ? terminalLog(level) : jsonLog(level);
}

async function terminalLog(level: string): Promise<Log> {
  // Not loaded by a service that nobody watches.
  const { default: pretty } = await import('pino-pretty');
  const stream = pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' });
  const logger = makeLogger(level, stream);
  const requestWriter = (api: string) => {
    const child = logger.child({ api });
    return ({ milliseconds, aborted, ...fields }: RequestLine) =>
      child.info({ ...fields, ms: round(milliseconds), ...(aborted && { aborted }) }, 'request');
  };
  return { logger, requestWriter, close: () => void stream.end() };
}

function jsonLog(level: string): Log {
  const lines = new Lines(process.stdout.fd);
  const logger = makeLogger(level, lines);
  return {
    logger,
    requestWriter: (api) => (logger.isLevelEnabled('info') ? jsonRequestWriter(api, lines) : () => undefined),
    close: () => lines.close(),
  };
}

/** Lines on their way to a file, in the order of their coming, as bytes: a text would be copied once more. */
class Lines implements DestinationStream {
  readonly #stream;
  readonly #timer = setInterval(() => this.#flush(), FLUSH_INTERVAL).unref();
  #bytes = Buffer.allocUnsafe(BUFFER);
  #length = 0;

  constructor(fd: number) {
    this.#stream = destination({ fd, sync: false, contentMode: 'buffer' });
    // A reader that goes away, `| head` for one, must not end the service.
    this.#stream.on('error', () => undefined);
  }

  write(line: string): void {
    // A character takes three bytes at most.
    if (this.#length + 3 * line.length > BUFFER) this.#flush();
    if (3 * line.length > BUFFER) this.#send(Buffer.from(line));
    else this.#length += this.#bytes.write(line, this.#length);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#flush();
    this.#stream.flushSync();
  }

  #flush(): void {
    if (this.#length === 0) return;
    this.#send(this.#bytes.subarray(0, this.#length));
    this.#bytes = Buffer.allocUnsafe(BUFFER);
    this.#length = 0;
  }

  #send(bytes: Buffer): void {
    // Declared for texts only; in this mode it takes nothing but bytes.
    this.#stream.write(bytes as unknown as string);
  }
}

/**
 * The same line that pino would write, put together by hand: it is written for every request, and this costs a third.
 * Only the client needs escaping, for it may come from a header; the other texts are made or chosen by the service.
 */
function jsonRequestWriter(api: string, lines: Lines): (line: RequestLine) => void {
  const { info } = pino.levels.values;
  return ({ id, client, method, route, status, milliseconds, aborted }) => {
    lines.write(
      `{"level":${info},"time":"${isoNow()}","api":"${api}","id":"${id}","client":${JSON.stringify(client)},` +
        `"method":"${method}","route":${route === null ? 'null' : `"${route}"`},"status":${status},` +
        `"ms":${round(milliseconds)}${aborted ? ',"aborted":true' : ''},"msg":"request"}\n`,
    );
  };
}

let lastTime = 0;
let lastText = '';

/** The time as ISO 8601; made once a millisecond, for a busy service writes dozens of lines in one. */
function isoNow(): string {
  const now = Date.now();
  if (now !== lastTime) {
    lastTime = now;
    lastText = new Date(now).toISOString();
  }
  return lastText;
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}

function makeLogger(level: string, stream: DestinationStream): Logger {
  return pino({ level, base: null, timestamp: () => `,"time":"${isoNow()}"` }, stream);
}

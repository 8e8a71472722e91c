import { writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';
import { errorFields } from './error-fields.js';
import { Lines } from './lines.js';

/** The log entry of one request, independent of the log library. */
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
  /**
   * Returns a function that writes one line for each request of the named API. The level is `info`; on a terminal it is `debug`, so
   * that requests do not hide the other messages from the person who reads.
   */
  requestWriter(api: string): (line: RequestLine) => void;
  /** Changes the log level. */
  setLevel(level: string): void;
  /** Writes the collected lines. Nothing may be logged afterwards. */
  close(): Promise<void>;
}

/**
 * Opens the log of the process on standard output. Each line is a JSON object; on a terminal it is text for a person.
 *
 * @param level one of pino's levels, or `silent`
 * @param isShared whether several processes write to the same output
 */
export async function openLog(level: string, isShared = false): Promise<Log> {
  return process.stdout.isTTY ? terminalLog(level) : jsonLog(level, isShared);
}

async function terminalLog(level: string): Promise<Log> {
  // pino-pretty is loaded only for a terminal, to save start time and memory of a service in the background.
  const { default: pretty } = await import('pino-pretty');
  const format = pretty.prettyFactory({
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss.l',
    colorize: true,
    singleLine: true,
  });
  const write = (line: string) => {
    try {
      writeSync(process.stdout.fd, format(line));
    } catch {
      // The write fails if the terminal has been closed. The line is then lost.
    }
  };
  const { logger, setLevel } = makeLogger(level, { write });
  const requestWriter = (api: string) => {
    const child = logger.child({ api });
    return ({ milliseconds, aborted, ...fields }: RequestLine) =>
      child.debug({ ...fields, ms: round(milliseconds), ...(aborted && { aborted }) }, 'request');
  };
  return { logger, requestWriter, setLevel, close: () => Promise.resolve() };
}

function jsonLog(level: string, isShared: boolean): Log {
  const lines = isShared ? new Lines(process.stdout.fd, PIPE_BUF) : new Lines(process.stdout.fd);
  const { logger, setLevel } = makeLogger(level, lines);
  const requestWriter = (api: string) => {
    const write = jsonRequestWriter(api, lines);
    return (line: RequestLine) => {
      if (logger.isLevelEnabled('info')) write(line);
    };
  };
  return { logger, requestWriter, setLevel, close: () => lines.close() };
}

/**
 * Builds the same line as pino, in a third of pino's time, because a line is written for every request. Only the field `client` is
 * escaped, because its text may come from a header. The service itself creates or validates the other texts.
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

/**
 * Maximum size in bytes of an atomic write to a pipe (POSIX; 4,096 on Linux). Larger writes can be mixed with writes of other
 * processes.
 */
const PIPE_BUF = 4096;

let lastTime = 0;
let lastText = '';

/** The current time as ISO 8601. The text is cached for a millisecond: a busy service writes dozens of lines in that time. */
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

function makeLogger(level: string, stream: DestinationStream) {
  // A child logger copies the level of its parent once, at its creation. A later change must be set on each child.
  const family: Logger[] = [];
  const onChild = (child: Logger) => void family.push(child);
  const timestamp = () => `,"time":"${isoNow()}"`;
  const serializers = { err: errorFields };
  const logger = pino({ level, base: null, timestamp, serializers, onChild }, stream);
  family.push(logger);
  const setLevel = (other: string) => {
    for (const member of family) member.level = other;
  };
  return { logger, setLevel };
}

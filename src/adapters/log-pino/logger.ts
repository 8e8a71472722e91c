import { writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';
import { Lines } from './lines.js';

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
  /** Changes the level of what is logged from now on. */
  setLevel(level: string): void;
  /** Writes what is still gathered. Nothing may be logged afterwards. */
  close(): Promise<void>;
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
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({ ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l', colorize: true });
  const write = (line: string) => {
    try {
      writeSync(process.stdout.fd, format(line));
    } catch {
      // The terminal has gone.
    }
  };
  const { logger, setLevel } = makeLogger(level, { write });
  const requestWriter = (api: string) => {
    const child = logger.child({ api });
    return ({ milliseconds, aborted, ...fields }: RequestLine) =>
      child.info({ ...fields, ms: round(milliseconds), ...(aborted && { aborted }) }, 'request');
  };
  return { logger, requestWriter, setLevel, close: () => Promise.resolve() };
}

function jsonLog(level: string): Log {
  const lines = new Lines(process.stdout.fd);
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

function makeLogger(level: string, stream: DestinationStream) {
  // A child takes the level that its parent has when it is made, and keeps it.
  const family: Logger[] = [];
  const onChild = (child: Logger) => void family.push(child);
  const logger = pino({ level, base: null, timestamp: () => `,"time":"${isoNow()}"`, onChild }, stream);
  family.push(logger);
  const setLevel = (other: string) => {
    for (const member of family) member.level = other;
  };
  return { logger, setLevel };
}

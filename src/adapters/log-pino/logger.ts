import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from 'pino';

/** Bytes that are gathered before a write: a system call for each line costs more than making the line. */
const BUFFER = 8192;
/** Milliseconds after which a line is written even so. */
const FLUSH_INTERVAL = 250;

export interface LogOutput {
  readonly logger: Logger;
  /** Writes what is still gathered. Nothing may be logged afterwards. */
  close(): void;
}

/**
 * The log of the process on standard output: JSON, one object a line, or for people when that is a terminal.
 *
 * @param level one of pino's levels, or `silent`
 */
export async function openLog(level: string): Promise<LogOutput> {
  return process.stdout.isTTY ? terminalLog(level) : jsonLog(level);
}

async function terminalLog(level: string): Promise<LogOutput> {
  // Not loaded by a service that nobody watches.
  const { default: pretty } = await import('pino-pretty');
  const stream = pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' });
  return { logger: makeLogger(level, stream), close: () => stream.end() };
}

function jsonLog(level: string): LogOutput {
  const stream = destination({ fd: process.stdout.fd, sync: false, minLength: BUFFER });
  // A reader that goes away, `| head` for one, must not end the service.
  stream.on('error', () => undefined);
  const timer = setInterval(() => stream.flush(), FLUSH_INTERVAL).unref();
  const close = () => {
    clearInterval(timer);
    stream.flushSync();
  };
  return { logger: makeLogger(level, stream), close };
}

function makeLogger(level: string, stream: DestinationStream): Logger {
  return pino({ level, base: null, timestamp: stdTimeFunctions.isoTime }, stream);
}

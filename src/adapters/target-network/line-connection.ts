import { connect } from 'node:net';
import {
  type AddressRule,
  isAllowed,
  isLiteral,
  lookupFor,
  NOT_PUBLIC,
  RefusedAddressError,
} from '#adapters/http-client/address-rules.js';
import { connectionFailure } from '#adapters/http-client/connection-failure.js';
import type { LineConnection } from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';
import { MILLISECONDS } from '#domain/time.js';

/** Largest number of bytes that are read. */
const MAX_READ = 65_536;

interface LineExchange {
  /** With a port: `tcp://example.org:14580`. */
  readonly address: URL;
  readonly rule: AddressRule;
  readonly signal: AbortSignal;
  /** Maximum duration in milliseconds. */
  readonly timeout: number;
  /** Called with each line in both directions, without its end. */
  readonly onLine: (direction: 'sent' | 'received', line: string) => void;
}

/** Connects, lets `speak` exchange lines, and closes the connection after all lines were sent. @throws TargetFailure */
export async function converseOverTcp(
  { address, rule, signal, timeout, onLine }: LineExchange,
  speak: (connection: LineConnection) => Promise<void>,
): Promise<void> {
  const host = address.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isLiteral(host) && !isAllowed(host, rule)) throw new TargetFailure(NOT_PUBLIC);
  const lookup = lookupFor(rule);
  const socket = connect({ host, port: Number(address.port), ...(lookup && { lookup }) });
  socket.setNoDelay(true);
  let failure: TargetFailure | undefined;
  let rest = '';
  let read = 0;
  const lines: string[] = [];
  let wake: (() => void) | undefined;
  let hasClosed = false;
  const end = (reason: TargetFailure) => {
    failure ??= reason;
    socket.destroy();
    wake?.();
  };
  const timer = setTimeout(
    () => end(new TargetFailure(`The target did not answer within ${timeout / MILLISECONDS.second} s.`)),
    timeout,
  );
  const onAbort = () => end(new TargetFailure('The service stops.'));
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    read += chunk.length;
    if (read > MAX_READ) return end(new TargetFailure('The reply of the target is too large.'));
    const parts = `${rest}${chunk}`.split(/\r?\n/);
    rest = parts.pop() ?? '';
    for (const line of parts) onLine('received', line);
    lines.push(...parts);
    wake?.();
  });
  socket.on('error', (error: NodeJS.ErrnoException) =>
    end(
      new TargetFailure(
        error instanceof RefusedAddressError
          ? NOT_PUBLIC
          : connectionFailure(error.code ?? error.name, 'The target'),
      ),
    ),
  );
  socket.on('end', () => {
    if (rest !== '') {
      onLine('received', rest);
      lines.push(rest);
      rest = '';
    }
    hasClosed = true;
    wake?.();
  });
  const next = () => new Promise<void>((resolve) => (wake = resolve));
  try {
    await speak({
      read: async () => {
        while (lines.length === 0) {
          if (failure !== undefined) throw failure;
          if (hasClosed) throw new TargetFailure('The target ended the connection before it answered.');
          await next();
        }
        return lines.shift() as string;
      },
      write: (line) => {
        onLine('sent', line);
        socket.write(`${line}\r\n`);
      },
    });
    if (failure === undefined) {
      // Everything is written when the last callback of the socket runs.
      const written = new Promise<void>((resolve) => {
        wake = resolve;
        socket.end(resolve);
      });
      await written;
    }
    if (failure !== undefined) throw failure;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    socket.destroy();
  }
}

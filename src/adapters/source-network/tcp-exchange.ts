import { connect } from 'node:net';
import { isAllowed, isLiteral, lookupFor, RefusedAddressError } from '#adapters/http-client/address-rules.js';
import { connectionFailure } from '#adapters/http-client/connection-failure.js';
import type { Exchange } from '#application/ports/source-network.js';
import { SourceFailure } from '#domain/sources/source-failure.js';
import { addressFailure } from './address-failure.js';
import { slowReply, unanswered } from './late-reply.js';

/** Largest number of bytes of a reply. */
const MAX_REPLY = 65_536;

interface TcpExchange extends Exchange {
  readonly host: string;
  readonly port: number;
  readonly sent: Uint8Array;
  readonly isWhole: (reply: Uint8Array) => boolean;
  /** Maximum duration in milliseconds. */
  readonly timeout: number;
}

/** Connects, sends bytes, and reads until the reply is whole. @throws SourceFailure */
export function exchangeTcp({
  host,
  port,
  sent,
  isWhole,
  rule,
  signal,
  timeout,
}: TcpExchange): Promise<Uint8Array> {
  if (isLiteral(host) && !isAllowed(host, rule)) return Promise.reject(addressFailure(rule));
  const lookup = lookupFor(rule);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, ...(lookup && { lookup }) });
    let reply: Buffer = Buffer.alloc(0);
    const end = (failure?: SourceFailure) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      if (failure === undefined) resolve(reply);
      else reject(failure);
    };
    const timer = setTimeout(
      () => end(reply.length === 0 ? unanswered(timeout) : slowReply(timeout)),
      timeout,
    );
    const onAbort = () => end(new SourceFailure('The request was ended.'));
    signal.addEventListener('abort', onAbort);
    socket.on('connect', () => socket.write(sent));
    socket.on('data', (chunk: Buffer) => {
      reply = Buffer.concat([reply, chunk]);
      if (isWhole(reply)) end();
      else if (reply.length > MAX_REPLY) end(new SourceFailure('The reply of the source is too large.'));
    });
    socket.on('end', () =>
      end(new SourceFailure('The source ended the connection in the middle of its reply.')),
    );
    socket.on('error', (error: NodeJS.ErrnoException) =>
      end(
        error instanceof RefusedAddressError
          ? addressFailure(rule)
          : new SourceFailure(connectionFailure(error.code ?? error.name, 'The source')),
      ),
    );
    if (signal.aborted) onAbort();
  });
}

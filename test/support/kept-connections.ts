import { connect, type Socket } from 'node:net';

/**
 * Sends requests unchanged, and keeps the connections for later requests, because opening a connection costs several times as much
 * CPU time as a small request. Requests at the same time have a connection each.
 */
export class KeptConnections {
  readonly #url: URL;
  readonly #idle = new Set<Socket>();

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** Sends a request, and returns the bytes of its reply as text in Latin-1. */
  async exchange(request: string | Uint8Array): Promise<string> {
    const [kept] = this.#idle;
    const socket = kept ?? this.#open();
    this.#idle.delete(socket);
    const reply = await replyTo(request, socket);
    // A server may close an idle connection while a request is on its way (RFC 9112, section 9.5).
    if (reply === '' && kept !== undefined) return await this.exchange(request);
    if (!socket.destroyed) this.#idle.add(socket);
    return reply;
  }

  #open(): Socket {
    const { hostname, port } = this.#url;
    const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, '')).setEncoding('latin1');
    return socket.on('error', () => undefined).on('close', () => this.#idle.delete(socket));
  }
}

/** Sends a request on an open connection. Resolves to an empty text if the server closes the connection instead. */
function replyTo(request: string | Uint8Array, socket: Socket): Promise<string> {
  const isHead = Buffer.from(request.slice(0, 5)).toString('latin1') === 'HEAD ';
  return new Promise((resolve, reject) => {
    let received = '';
    const end = () => {
      socket.setTimeout(0, giveUp).off('data', read).off('close', end).off('error', fail);
      resolve(received);
    };
    const read = (text: string) => {
      received += text;
      if (isWhole(received, isHead)) end();
    };
    const fail = (error: NodeJS.ErrnoException) => {
      // The server may close the connection while the client still sends. The bytes received before that are valid.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    };
    const giveUp = () => socket.destroy(new Error(`the reply does not end: ${received}`));
    socket.setTimeout(15_000, giveUp).on('data', read).on('close', end).on('error', fail).write(request);
  });
}

/** Whether the text is a whole reply. The reply of a connection that the server closes ends when the connection is closed. */
function isWhole(received: string, isHead: boolean): boolean {
  const end = received.indexOf('\r\n\r\n');
  const head = received.slice(0, Math.max(end, 0));
  if (end === -1 || /^connection: close$/im.test(head)) return false;
  if (isHead) return true;
  if (/^transfer-encoding: chunked$/im.test(head)) return received.endsWith('\r\n0\r\n\r\n');
  return received.length >= end + 4 + Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
}

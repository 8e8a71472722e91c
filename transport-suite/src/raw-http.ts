import { connect } from 'node:net';

export interface RawReply {
  readonly status: number;
  /** Names as sent, in their order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Sends bytes unchanged, and reads until the server closes the connection or `done` returns true. */
export function exchangeRaw(
  url: string,
  bytes: string | Uint8Array,
  done: (received: string) => boolean = () => false,
): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''), () => socket.write(bytes));
    socket.setEncoding('latin1');
    socket.setTimeout(15_000, () => socket.destroy(new Error(`no end to: ${received}`)));
    socket.on('data', (text: string) => {
      received += text;
      if (done(received)) socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close the connection while the client still sends. What it sent before that counts.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(received));
  });
}

/** Parses a complete stream of replies. `heads` means replies to HEAD, which have no body. */
export function parseReplies(text: string, heads = false): RawReply[] {
  const replies: RawReply[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) throw new Error(`no end of headers: ${rest}`);
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
    });
    const value = (name: string) => headers.find(([key]) => key.toLowerCase() === name)?.[1];
    rest = rest.slice(end + 4);
    let body = '';
    if (value('transfer-encoding') === 'chunked' && !heads) {
      [body, rest] = readChunks(rest);
    } else if (!heads) {
      const length = Number(value('content-length') ?? 0);
      if (rest.length < length) throw new Error(`a body of ${rest.length} bytes, ${length} announced`);
      body = rest.slice(0, length);
      rest = rest.slice(length);
    }
    replies.push({ status: Number(statusLine.split(' ')[1]), headers, body });
  }
  return replies;
}

function readChunks(text: string): [body: string, rest: string] {
  let body = '';
  let rest = text;
  for (;;) {
    const line = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.slice(0, line), 16);
    if (line === -1 || Number.isNaN(size)) throw new Error('chunks that were cut off');
    body += rest.slice(line + 2, line + 2 + size);
    rest = rest.slice(line + 2 + size + 2);
    if (size === 0) return [body, rest];
  }
}

/**
 * Sends one request and reads its reply. The server must close the connection, for example because of `Connection:
 * close`.
 */
export async function request(url: string, bytes: string | Uint8Array): Promise<RawReply> {
  const text = await exchangeRaw(url, bytes);
  const heads = (typeof bytes === 'string' ? bytes : '').startsWith('HEAD ');
  const [reply, ...others] = parseReplies(text, heads);
  if (reply === undefined || others.length > 0)
    throw new Error(`not exactly one reply: ${JSON.stringify(text)}`);
  return reply;
}

/**
 * The parts of a reply that must be equal between transports: everything except the date, the request id and the
 * content of tokens.
 */
export function comparable(reply: RawReply): RawReply {
  const ignored = new Set(['date', 'x-request-id']);
  const headers = reply.headers.filter(([name]) => !ignored.has(name.toLowerCase()));
  const body = reply.body.replace(/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN');
  return { ...reply, body, headers: headers.map(([name, value]) => [name.toLowerCase(), value] as const) };
}

export function header(reply: RawReply, name: string): string | undefined {
  return reply.headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

import { connect } from 'node:net';

export interface RawReply {
  readonly status: number;
  /** The header names in the spelling and order in which the server sent them. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Sends the bytes unchanged, and reads until the server closes the connection or `done` returns true. */
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
    socket.setTimeout(15_000, () =>
      socket.destroy(new Error(`the connection stays open after: ${received}`)),
    );
    socket.on('data', (text: string) => {
      received += text;
      if (done(received)) socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close the connection while the client still sends. The bytes received before that are valid.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(received));
  });
}

/** Parses the bytes of one or more complete replies. @param heads whether the replies answer HEAD requests and have no body */
export function parseReplies(text: string, heads = false): RawReply[] {
  const replies: RawReply[] = [];
  let remaining = text;
  while (remaining !== '') {
    const end = remaining.indexOf('\r\n\r\n');
    if (end === -1) throw new Error(`the headers do not end: ${remaining}`);
    const [statusLine = '', ...lines] = remaining.slice(0, end).split('\r\n');
    const headers = lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
    });
    const value = (name: string) => headers.find(([key]) => key.toLowerCase() === name)?.[1];
    remaining = remaining.slice(end + 4);
    let body = '';
    if (value('transfer-encoding') === 'chunked' && !heads) {
      [body, remaining] = readChunks(remaining);
    } else if (!heads) {
      const length = Number(value('content-length') ?? 0);
      if (remaining.length < length)
        throw new Error(`the body has ${remaining.length} bytes, but its header says ${length}`);
      body = remaining.slice(0, length);
      remaining = remaining.slice(length);
    }
    replies.push({ status: Number(statusLine.split(' ')[1]), headers, body });
  }
  return replies;
}

function readChunks(text: string): [body: string, remaining: string] {
  let body = '';
  let remaining = text;
  for (;;) {
    const lineEnd = remaining.indexOf('\r\n');
    const size = Number.parseInt(remaining.slice(0, lineEnd), 16);
    if (lineEnd === -1 || Number.isNaN(size)) throw new Error('the chunks are cut off');
    body += remaining.slice(lineEnd + 2, lineEnd + 2 + size);
    remaining = remaining.slice(lineEnd + 2 + size + 2);
    if (size === 0) return [body, remaining];
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
    throw new Error(`the server did not send exactly one reply: ${JSON.stringify(text)}`);
  return reply;
}

/** Returns a reply without the parts that differ between two requests: the date, the request id and the content of tokens. */
export function comparable(reply: RawReply): RawReply {
  const ignored = new Set(['date', 'x-request-id']);
  const headers = reply.headers.filter(([name]) => !ignored.has(name.toLowerCase()));
  const body = reply.body.replace(/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN');
  return { ...reply, body, headers: headers.map(([name, value]) => [name.toLowerCase(), value] as const) };
}

export function header(reply: RawReply, name: string): string | undefined {
  return reply.headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

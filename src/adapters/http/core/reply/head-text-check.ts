// oxlint-disable eslint/no-underscore-dangle -- `_keepAliveTimeout` is Node's name.
import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { HeadText } from './head-text.js';

interface Sample {
  readonly method: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const SAMPLES: readonly Sample[] = [
  { method: 'GET', status: 200, headers: { 'content-type': 'a/b', 'content-length': '4' }, body: 'text' },
  { method: 'GET', status: 200, headers: { 'content-length': '3', 'x-more': '' }, body: '°C' },
  { method: 'GET', status: 200, headers: { 'content-length': '2' }, body: Uint8Array.of(0, 255) },
  { method: 'GET', status: 200, headers: { 'content-length': '0' } },
  { method: 'HEAD', status: 200, headers: { 'content-length': '4' } },
  { method: 'POST', status: 503, headers: { 'content-length': '4', 'retry-after': '5' }, body: 'text' },
  { method: 'DELETE', status: 204, headers: {} },
  { method: 'GET', status: 304, headers: { etag: '"1"' } },
];

/**
 * Creates a `HeadText` if it writes the same bytes as this version of Node for all replies in `SAMPLES`.
 *
 * @param Response the class of the server's responses
 * @param keepAliveTimeout keep-alive time-out of the server, in milliseconds
 * @returns undefined if this version of Node, or the class `Response`, writes other bytes than `HeadText`
 */
export function checkedHeadText(
  Response: typeof ServerResponse,
  keepAliveTimeout: number,
): HeadText | undefined {
  const headText = new HeadText(keepAliveTimeout);
  const isSame = (sample: Sample) => {
    const { status, headers, body } = sample;
    const own = transcript(Response, keepAliveTimeout, sample, (response) => {
      if (!headText.write(response, status, headers, body)) throw new Error('HeadText did not write');
    });
    return (
      own ===
      transcript(Response, keepAliveTimeout, sample, (response) => {
        response.writeHead(status, headers).end(body);
      })
    );
  };
  try {
    return SAMPLES.every(isSame) ? headText : undefined;
  } catch {
    return undefined;
  }
}

/** Only the form of the date is compared, because the two replies may be written in different seconds. */
const DATE = /\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/;

/** Returns the bytes that are written to the connection, and the state of the response, as one text. */
function transcript(
  Response: typeof ServerResponse,
  keepAliveTimeout: number,
  { method }: Sample,
  write: (response: ServerResponse) => void,
): string {
  let bytes = '';
  const socket = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.toString('latin1');
      done();
    },
  }) as Socket;
  const message = new IncomingMessage(socket);
  Object.assign(message, { method, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  const response = Object.assign(new Response(message), { _keepAliveTimeout: keepAliveTimeout });
  response.assignSocket(socket);
  write(response);
  const { statusCode, headersSent, writableEnded, writableFinished, writableLength } = response;
  const head = bytes.replace(DATE, '\r\nDate\r\n');
  return JSON.stringify([head, statusCode, headersSent, writableEnded, writableFinished, writableLength]);
}

// oxlint-disable eslint/no-underscore-dangle -- `_header` is Node's name.
import { type ServerResponse, STATUS_CODES } from 'node:http';

/**
 * A value without line ends and with only ASCII characters. Depending on the body, Node writes the head in Latin-1 or UTF-8, and
 * ASCII has the same bytes in both.
 */
const PLAIN_VALUE = /^[\t\x20-\x7e]*$/;
const PLAIN_NAME = /^[a-z0-9-]+$/;
/** Headers that change how Node ends the body or the connection. */
const INTERPRETED = new Set([
  'connection',
  'content-disposition',
  'date',
  'expect',
  'keep-alive',
  'trailer',
  'transfer-encoding',
]);

interface Line {
  readonly value: string;
  readonly text: string;
}

/**
 * Writes head and body of a reply as one text, if the connection stays open. Node's `writeHead` and `end(body)` check every name
 * and every value of every reply and make two writes. The checks and the second write are a tenth of the cost of `GET /`.
 *
 * This class sets a private field of Node, `_header`. At the start `head-text-check.ts` compares the bytes of this class with
 * Node's own.
 */
export class HeadText {
  /** The last lines of the head, which are the same in every reply. */
  readonly #ending: string;
  /** The most recent valid line of each header, by name. All names come from the code, so the map stays small. */
  readonly #lines = new Map<string, Line>();
  /** The text of the header `Date` for the current second. Empty when this second has ended. */
  #date = '';

  /** @param keepAliveTimeout keep-alive time-out of the server, in milliseconds */
  constructor(keepAliveTimeout: number) {
    const seconds = Math.floor(keepAliveTimeout / 1000);
    this.#ending = `Connection: keep-alive\r\n${keepAliveTimeout > 0 ? `Keep-Alive: timeout=${seconds}\r\n` : ''}\r\n`;
  }

  /** @returns false if Node must write this reply; then nothing was written */
  write(
    response: ServerResponse,
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string | Uint8Array | undefined,
  ): boolean {
    const { req } = response;
    if (response.headersSent || !response.shouldKeepAlive || req.httpVersion !== '1.1') return false;
    const hasNoBody = req.method === 'HEAD' || status === 204 || status === 304;
    if (hasNoBody && body !== undefined) return false;
    const length = headers['content-length'];
    if (length === undefined && !hasNoBody) return false;
    if (response.getHeaderNames().length > 0) return false;
    const head = this.#head(status, headers);
    if (head === undefined) return false;
    response.statusCode = status;
    // A body with as many bytes as characters is ASCII. Node can then write the head and the body together.
    const isAscii = typeof body === 'string' && Number(length) === body.length;
    setHeader(response, isAscii ? head + body : head);
    if (isAscii) response.end();
    else response.end(body);
    return true;
  }

  #head(status: number, headers: Readonly<Record<string, string>>): string | undefined {
    const reason = STATUS_CODES[status];
    if (reason === undefined) return undefined;
    let head = `HTTP/1.1 ${status} ${reason}\r\n`;
    for (const name in headers) {
      const value = headers[name] as string;
      const known = this.#lines.get(name);
      const line = known?.value === value ? known.text : this.#line(name, value, known !== undefined);
      if (line === undefined) return undefined;
      head += line;
    }
    return `${head}Date: ${this.#now()}\r\n${this.#ending}`;
  }

  /** @returns the line of a header, or undefined if Node must check and write this header */
  #line(name: string, value: string, isKnown: boolean): string | undefined {
    if (!isKnown && (!PLAIN_NAME.test(name) || INTERPRETED.has(name))) return undefined;
    if (typeof value !== 'string' || !PLAIN_VALUE.test(value)) return undefined;
    const text = `${name}: ${value}\r\n`;
    this.#lines.set(name, { value, text });
    return text;
  }

  /** The current date. Its text is built once a second. */
  #now(): string {
    if (this.#date === '') {
      const now = new Date();
      this.#date = now.toUTCString();
      setTimeout(() => (this.#date = ''), 1000 - now.getMilliseconds()).unref();
    }
    return this.#date;
  }
}

function setHeader(response: ServerResponse, text: string): void {
  (response as ServerResponse & { _header: string })._header = text;
}

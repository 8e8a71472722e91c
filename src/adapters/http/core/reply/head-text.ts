// oxlint-disable eslint/no-underscore-dangle -- `_header` is Node's name.
import { type ServerResponse, STATUS_CODES } from 'node:http';

/** No line end, and the same bytes in Latin-1 as in UTF-8: Node takes either, by the body that follows. */
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
 * Writes replies as one text, head and body together, where the connection stays open. Node's `writeHead` and `end(body)`
 * check every name and every value of every reply and make two writes of it: a tenth of what `GET /` costs.
 *
 * It sets a private field of Node's, `_header`. `head-text-check.ts` compares the bytes with Node's own before it is used.
 */
export class HeadText {
  readonly #ending: string;
  /** By name, the last line that was found to be sound. The names are those that the code has. */
  readonly #lines = new Map<string, Line>();
  /** Empty when its second has ended. */
  #date = '';

  /** @param keepAliveTimeout of the server, in milliseconds */
  constructor(keepAliveTimeout: number) {
    const seconds = Math.floor(keepAliveTimeout / 1000);
    this.#ending = `Connection: keep-alive\r\n${keepAliveTimeout > 0 ? `Keep-Alive: timeout=${seconds}\r\n` : ''}\r\n`;
  }

  /** @returns false where the reply is one that Node has to write; nothing is written then */
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
    // As many bytes as characters: ASCII, which Node can send in one write with the head.
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

  /** @returns undefined for a header that is Node's to judge */
  #line(name: string, value: string, isKnown: boolean): string | undefined {
    if (!isKnown && (!PLAIN_NAME.test(name) || INTERPRETED.has(name))) return undefined;
    if (typeof value !== 'string' || !PLAIN_VALUE.test(value)) return undefined;
    const text = `${name}: ${value}\r\n`;
    this.#lines.set(name, { value, text });
    return text;
  }

  /** The date, made once a second. */
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

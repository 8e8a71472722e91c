import { header, type RawReply, request } from '#transport-suite/raw-http.js';

export interface Answer {
  readonly status: number;
  /** The error code; undefined for a success. */
  readonly error: string | undefined;
  readonly challenge: string | undefined;
  readonly body: Record<string, unknown>;
  readonly reply: RawReply;
}

/** A client that sends raw bytes, so that no library corrects them. */
export class Client {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** @param headers lines without line ends, in addition to the headers of every request */
  async ask(method: string, path: string, headers: readonly string[] = [], body?: string): Promise<Answer> {
    const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
    if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
    const reply = await request(this.#url, Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`));
    const isJson = header(reply, 'content-type') === 'application/json' && reply.body !== '';
    const text = Buffer.from(reply.body, 'latin1').toString();
    const content = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
    return {
      status: reply.status,
      error: content['error'] as string | undefined,
      challenge: header(reply, 'www-authenticate'),
      body: content,
      reply,
    };
  }

  /** Sends a bearer token (none if undefined) and a JSON body. */
  send(method: string, path: string, token?: string, body?: object, more: readonly string[] = []) {
    const headers = [...more];
    if (token !== undefined) headers.push(`Authorization: Bearer ${token}`);
    if (body === undefined) return this.ask(method, path, headers);
    headers.push('Content-Type: application/json');
    return this.ask(method, path, headers, JSON.stringify(body));
  }

  signIn(username: string, password: string, more: readonly string[] = []): Promise<Answer> {
    return this.send('POST', '/v1/auth/authenticate/', undefined, { username, email: null, password }, more);
  }

  /** The token in a reply, which must contain one. */
  static tokenOf({ status, body }: Answer): string {
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body['token'] as string;
  }
}

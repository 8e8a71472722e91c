import { header, parseReplies, type RawReply } from '#transport-suite/raw-http.js';
import { KeptConnections } from './kept-connections.js';

export interface Answer {
  readonly status: number;
  /** The error code; undefined for a success. */
  readonly error: string | undefined;
  readonly challenge: string | undefined;
  readonly body: Record<string, unknown>;
  readonly reply: RawReply;
}

/** A client that writes requests to a socket itself, so that no library corrects the requests. */
export class Client {
  readonly #connections: KeptConnections;

  constructor(url: string) {
    this.#connections = new KeptConnections(url);
  }

  /** Sends a request. @param headers header lines without line ends, in addition to the default headers */
  async ask(method: string, path: string, headers: readonly string[] = [], body?: string): Promise<Answer> {
    const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers];
    if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
    const request = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
    const [reply, ...others] = parseReplies(await this.#connections.exchange(request), method === 'HEAD');
    if (reply === undefined || others.length > 0)
      throw new Error(`the server did not send exactly one reply: ${JSON.stringify([reply, ...others])}`);
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

  /** Sends a request with an optional bearer token and an optional JSON body. */
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

  /** The token in a reply. @throws Error if the reply is not a success */
  static tokenOf({ status, body }: Answer): string {
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body['token'] as string;
  }
}

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ChildProcess } from 'node:child_process';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

export interface RequestOptions {
  readonly token?: string | undefined;
  /** Body of a POST request, sent as JSON. Without a body the request is a GET. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client with a single connection, so that one process of the service handles all its requests. */
export class WorkerClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;

  private constructor(url: string) {
    this.#url = url;
  }

  /** Opens clients until each of `count` processes has one. @throws Error after 50 attempts */
  static async forEach(url: string, count: number): Promise<readonly WorkerClient[]> {
    const found = new Map<string, WorkerClient>();
    for (let attempt = 0; found.size < count; attempt += 1) {
      if (attempt === 50) throw new Error(`Only ${found.size} of ${count} processes answer.`);
      const client = new WorkerClient(url);
      const id = await client.process();
      if (found.has(id)) client.close();
      else found.set(id, client);
    }
    return [...found.values()];
  }

  /** Returns the name of the process that answers: the prefix of its request ids. */
  async process(): Promise<string> {
    const { headers } = await this.ask('/v1/health/info');
    return String(headers['x-request-id']).split('-')[0] ?? '';
  }

  async ask(path: string, { token, body, headers = {} }: RequestOptions = {}): Promise<Answer> {
    const sent = request(`${this.#url}${path}`, {
      agent: this.#agent,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    sent.end(body && JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const received = await text(response);
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: (received === '' ? {} : JSON.parse(received)) as Record<string, unknown>,
    };
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The ids of the child processes of a process. */
export function childrenOf({ pid }: ChildProcess): readonly number[] {
  const found = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return found === '' ? [] : found.split(' ').map(Number);
}

export function isRunning(pid: number): boolean {
  try {
    // A zombie (state Z) is a process that has ended, but whose parent has not read its status. It does not count as running.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ReceivedEvent {
  /** The last received id, like `MessageEvent.lastEventId`. */
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
  /** Whether the event itself had an id. */
  readonly hasId: boolean;
}

/**
 * Parses an event stream by the rules of the WHATWG (HTML, section 9.2.6). Supports only the line ends and fields that the
 * service sends; other lines are an error.
 */
export class EventParser {
  readonly events: ReceivedEvent[] = [];
  /** Number of events by type. */
  readonly counts = new Map<string, number>();
  comments = 0;
  retry: number | undefined;
  lastId = '';
  #rest = '';
  #fields = new Map<string, string>();

  /** The data of all events of a type. */
  dataOf(type: string): readonly Record<string, unknown>[] {
    return this.events.filter((event) => event.type === type).map(({ data }) => data);
  }

  add(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
  }

  #read(line: string): void {
    if (line === '') return this.#dispatch();
    if (line.startsWith(':')) {
      this.comments += 1;
      return;
    }
    const [, name = '', value = ''] = /^(id|event|data|retry): (.+)$/.exec(line) ?? [];
    if (name === '') throw new Error(`This is not a line of an event: ${line}`);
    if (name === 'retry') this.retry = Number(value);
    else this.#fields.set(name, value);
  }

  #dispatch(): void {
    const id = this.#fields.get('id');
    this.lastId = id ?? this.lastId;
    const data = this.#fields.get('data');
    if (data !== undefined) {
      const type = this.#fields.get('event') ?? 'message';
      this.counts.set(type, (this.counts.get(type) ?? 0) + 1);
      this.events.push({
        id: this.lastId,
        type,
        data: JSON.parse(data) as Record<string, unknown>,
        hasId: id !== undefined,
      });
    }
    this.#fields = new Map();
  }
}

/** A client of an event stream on a raw socket. */
export class EventClient extends EventParser {
  readonly socket: Socket;
  head = '';
  /** Received bytes that are not parsed yet. */
  #received = Buffer.alloc(0);
  /** Further bytes, which are not joined before the chunk is complete, because each join copies all of them. */
  #pieces: Buffer[] = [];
  /** Number of bytes without which the chunk is not complete; 0 if the number is unknown. */
  #missing = 0;
  /** Whether the body has ended with its last chunk. */
  isComplete = false;
  isClosed = false;

  private constructor(socket: Socket) {
    super();
    this.socket = socket;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.isClosed = true));
  }

  /** Opens a stream and waits for its first event. @param headers header lines without line ends */
  static async open(
    url: string,
    path = '/v1/events',
    headers: readonly string[] = [],
    localAddress = '127.0.0.1',
  ): Promise<EventClient> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    const client = new EventClient(socket);
    socket.write([`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n'));
    await client.until(() => (client.status === 200 ? client.lastId !== '' : client.status > 0));
    return client;
  }

  get status(): number {
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.head)?.[1] ?? 0);
  }

  header(name: string): string | undefined {
    return new RegExp(`^${name}: (.*)\r$`, 'im').exec(this.head)?.[1];
  }

  /** Waits at most 10 s until a condition is true. @throws Error if the condition stays false */
  async until(isTrue: () => boolean): Promise<void> {
    const end = performance.now() + 10_000;
    while (!isTrue()) {
      if (performance.now() > end)
        throw new Error(`The condition is still false: ${this.head} ${JSON.stringify(this.events)}`);
      await sleep(5);
    }
  }

  close(): void {
    this.socket.destroy();
  }

  #take(bytes: Buffer): void {
    this.#pieces.push(bytes);
    this.#missing -= bytes.length;
    if (this.#missing > 0) return;
    this.#received = Buffer.concat([this.#received, ...this.#pieces.splice(0)]);
    if (this.head === '') {
      const end = this.#received.indexOf('\r\n\r\n');
      if (end === -1) return;
      this.head = this.#received.subarray(0, end + 2).toString();
      this.#received = this.#received.subarray(end + 4);
    }
    if (this.header('transfer-encoding') !== 'chunked') return;
    for (let chunk = this.#chunk(); chunk !== undefined; chunk = this.#chunk()) this.add(chunk);
  }

  #chunk(): string | undefined {
    const lineEnd = this.#received.indexOf('\r\n');
    const size = Number.parseInt(this.#received.subarray(0, Math.max(0, lineEnd)).toString(), 16);
    const end = lineEnd + 2 + size + 2;
    this.#missing = Number.isNaN(end) ? 0 : Math.max(0, end - this.#received.length);
    if (lineEnd === -1 || this.#missing > 0) return undefined;
    const text = this.#received.subarray(lineEnd + 2, end - 2).toString();
    this.#received = this.#received.subarray(end);
    if (size === 0) this.isComplete = true;
    return size === 0 ? undefined : text;
  }
}

import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { Aedes, type AedesOptions } from 'aedes';

export interface TestBrokerOptions extends Pick<
  AedesOptions,
  'authenticate' | 'authorizeSubscribe' | 'authorizePublish'
> {
  /** Port of the broker; by default a free port. */
  readonly port?: number;
  readonly tls?: { readonly cert: string; readonly key: string };
}

export interface PublishOptions {
  readonly qos?: 0 | 1;
  readonly retain?: boolean;
}

export interface ReceivedMessage {
  readonly topic: string;
  readonly payload: string;
  readonly retain: boolean;
}

/** An MQTT 3.1.1 broker on loopback. */
export class TestBroker {
  readonly #aedes: Aedes;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly port: number;
  /** Number of messages that clients have acknowledged. */
  acknowledged = 0;
  /** Number of accepted connections. */
  connections = 0;
  /** The messages of clients and their last wills, with the topics of the broker itself left out. */
  readonly published: ReceivedMessage[] = [];

  private constructor(aedes: Aedes, server: Server) {
    this.#aedes = aedes;
    this.#server = server;
    this.port = (server.address() as { readonly port: number }).port;
    server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    aedes.on('ack', () => (this.acknowledged += 1));
    aedes.on('publish', ({ topic, payload, retain }) => {
      if (!topic.startsWith('$SYS')) this.published.push({ topic, payload: String(payload), retain });
    });
  }

  static async start({ port = 0, tls, ...options }: TestBrokerOptions = {}): Promise<TestBroker> {
    const aedes = await Aedes.createBroker(options);
    const handle = (socket: Socket) => void aedes.handle(socket);
    const server = tls === undefined ? createServer(handle) : createTlsServer(tls, handle);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return new TestBroker(aedes, server);
  }

  /** Number of connected clients. */
  get clients(): number {
    return this.#aedes.connectedClients;
  }

  publish(
    topic: string,
    payload: string | Buffer,
    { qos = 1, retain = false }: PublishOptions = {},
  ): Promise<void> {
    const packet = { cmd: 'publish' as const, topic, payload: Buffer.from(payload), qos, retain, dup: false };
    return new Promise((resolve, reject) => {
      this.#aedes.publish(packet, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** The messages that the broker keeps, by topic. */
  async retained(): Promise<Map<string, string>> {
    const { persistence } = this.#aedes as unknown as {
      readonly persistence: {
        createRetainedStream(
          pattern: string,
        ): AsyncIterable<{ readonly topic: string; readonly payload: Buffer }>;
      };
    };
    const found = new Map<string, string>();
    for await (const { topic, payload } of persistence.createRetainedStream('#'))
      found.set(topic, payload.toString());
    return found;
  }

  /** Breaks all connections. */
  disconnectAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.disconnectAll();
    await new Promise((resolve) => this.#server.close(resolve));
    await new Promise<void>((resolve) => this.#aedes.close(resolve));
  }
}

import { createServer, type Server, type Socket } from 'node:net';
import type { ReceivedMessage } from './test-broker.js';

export interface Mqtt5Options {
  /** Whether the broker keeps retained messages. If not, it refuses a last will that must be retained, as the standard demands. */
  readonly retains?: boolean;
  readonly maximumQoS?: 0 | 1;
  /** The reason code of the acknowledgment of a message; 0 accepts it, undefined leaves it without acknowledgment. */
  readonly acknowledge?: (message: ReceivedMessage) => number | undefined;
}

const RETAIN_NOT_SUPPORTED = 0x9a;
const TYPES = { connect: 1, publish: 3, subscribe: 8, ping: 12 } as const;

/**
 * A broker on loopback that speaks as much of MQTT 5 as a client that publishes needs. It can do what `TestBroker` cannot: refuse a
 * message without ending the connection, and keep no retained messages.
 */
export class Mqtt5Broker {
  readonly published: (ReceivedMessage & { readonly qos: number })[] = [];
  /** For each connection, whether its last will must be retained. */
  readonly wills: boolean[] = [];
  /** The options of the last subscription of each connection, as a byte (MQTT 5, 3.8.3.1). */
  readonly subscriptions: number[] = [];
  readonly #options: Mqtt5Options;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(options: Mqtt5Options) {
    this.#options = options;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(options: Mqtt5Options = {}): Promise<Mqtt5Broker> {
    const broker = new Mqtt5Broker(options);
    await new Promise<void>((resolve) => broker.#server.listen(0, '127.0.0.1', resolve));
    return broker;
  }

  get port(): number {
    return (this.#server.address() as { readonly port: number }).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => this.#sockets.delete(socket));
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (let packet = packetIn(rest); packet !== undefined; packet = packetIn(rest)) {
        this.#answer(socket, packet);
        rest = rest.subarray(packet.length);
      }
    });
  }

  #answer(socket: Socket, { head, body }: Packet): void {
    const { retains = true, maximumQoS = 1, acknowledge = () => 0 } = this.#options;
    const type = head >> 4;
    if (type === TYPES.connect) {
      const mustRetain = ((body[7] as number) & 0x20) !== 0;
      this.wills.push(mustRetain);
      const code = mustRetain && !retains ? RETAIN_NOT_SUPPORTED : 0;
      const properties = [0x24, maximumQoS, ...(retains ? [] : [0x25, 0])];
      if (maximumQoS === 1) properties.splice(0, 2);
      socket.write(packetOf(0x20, [0, code, properties.length, ...properties]));
      if (code !== 0) socket.end();
    } else if (type === TYPES.subscribe) {
      this.subscriptions.push(body.at(-1) as number);
      // Packet id, no properties, and the code 0 for each of the five filters.
      socket.write(packetOf(0x90, [...body.subarray(0, 2), 0, 0, 0, 0, 0, 0]));
    } else if (type === TYPES.publish) {
      const length = body.readUInt16BE(0);
      const topic = body.toString('utf8', 2, 2 + length);
      const qos = (head >> 1) & 3;
      const begin = 2 + length + (qos > 0 ? 2 : 0);
      const properties = body[begin] as number;
      const payload = body.toString('utf8', begin + 1 + properties);
      const message = { topic, payload, retain: (head & 1) === 1 };
      this.published.push({ ...message, qos });
      const code = acknowledge(message);
      if (qos > 0 && code !== undefined)
        socket.write(packetOf(0x40, [...body.subarray(2 + length, begin), code, 0]));
    } else if (type === TYPES.ping) socket.write(packetOf(0xd0, []));
  }
}

interface Packet {
  readonly head: number;
  readonly body: Buffer;
  /** Number of bytes with the head. */
  readonly length: number;
}

/** The first packet, if it is complete. */
function packetIn(bytes: Buffer): Packet | undefined {
  let [size, shift, at] = [0, 0, 1];
  for (; ; at += 1, shift += 7) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    size += (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  const length = at + 1 + size;
  return bytes.length < length
    ? undefined
    : { head: bytes[0] as number, body: bytes.subarray(at + 1, length), length };
}

function packetOf(head: number, body: readonly number[]): Buffer {
  return Buffer.from([head, body.length, ...body]);
}

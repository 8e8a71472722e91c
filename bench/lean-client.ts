import { connect, type Socket } from 'node:net';

/**
 * A client that needs little CPU: one persistent connection, one request at a time, and replies that are counted and discarded.
 * `fetch` needs up to 2 ms for a reply.
 */
export class LeanClient {
  readonly #socket: Promise<Socket>;

  constructor(url: string) {
    const { port } = new URL(url);
    this.#socket = new Promise((resolve, reject) => {
      const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true }, () => resolve(socket));
      socket.once('error', reject);
    });
  }

  /** Sends a request. Resolves to the number of bytes of the reply, which must have status 200. */
  async get(path: string): Promise<number> {
    const socket = await this.#socket;
    return await new Promise((resolve, reject) => {
      let bytes = 0;
      /** Number of bytes of the whole reply; undefined for a chunked body. */
      let length: number | undefined;
      const take = (data: Buffer) => {
        if (bytes === 0) {
          const head = data.toString('latin1', 0, data.indexOf('\r\n\r\n'));
          if (!head.startsWith('HTTP/1.1 200 ')) return end(() => reject(new Error(`${path}: ${head}`)));
          const declared = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
          if (declared !== undefined) length = head.length + 4 + Number(declared);
        }
        bytes += data.length;
        const isWhole = length === undefined ? data.subarray(-5).equals(LAST_CHUNK) : bytes >= length;
        if (isWhole) end(() => resolve(bytes));
      };
      const end = (settle: () => void) => {
        socket.off('data', take);
        settle();
      };
      socket.on('data', take);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    });
  }

  async close(): Promise<void> {
    (await this.#socket).destroy();
  }
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n');

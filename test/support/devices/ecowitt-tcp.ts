import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Live data of a gateway without a piezo gauge, as recorded: 111 bytes. */
export const GOLDEN = Buffer.from(
  'FFFF27006D010096063C08270009274902001607610A00620B00000C00061500017D4016000017000E00001000001100F7120000015C13000015542A' +
    '06404D00AB1AFF3E22391B003D23511C00A024451D00A4253C1E009D263E4C04000000FFFFA400F4FFFFFFFFFF000019001A8F',
  'hex',
);

/** A reply with a size of two bytes and a right checksum. @param data pairs of an address and a value, as hexadecimal digits */
export function packet(command: number, data: string): Buffer {
  const bytes = Buffer.from(data.replaceAll(' ', ''), 'hex');
  const size = bytes.length + 4;
  const content = Buffer.from([command, size >> 8, size % 256, ...bytes]);
  const sum = content.reduce((total, byte) => total + byte, 0);
  return Buffer.concat([Buffer.of(0xff, 0xff), content, Buffer.of(sum % 256)]);
}

/** What a gateway does with a command: a reply in pieces, or the end of the connection behind the pieces. */
export interface TcpReply {
  readonly pieces: readonly Uint8Array[];
  readonly dies?: boolean;
}

export interface TcpGateway {
  readonly address: string;
  /** The requests, as hexadecimal digits. */
  readonly requests: readonly string[];
  readonly close: () => Promise<void>;
}

/** A gateway with the binary protocol. Commands without a reply end the connection. */
export async function tcpGateway(
  replies:
    | Readonly<Record<number, TcpReply | Uint8Array>>
    | ((command: number) => TcpReply | Uint8Array | undefined),
): Promise<TcpGateway> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (request) => {
      requests.push(request.toString('hex').toUpperCase());
      const command = request[2] ?? 0;
      const found = typeof replies === 'function' ? replies(command) : replies[command];
      const reply = found ?? { pieces: [], dies: true };
      const { pieces, dies = false } = reply instanceof Uint8Array ? { pieces: [reply] } : reply;
      for (const piece of pieces) socket.write(piece);
      if (dies) socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

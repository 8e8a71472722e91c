import { createSocket } from 'node:dgram';
import { MachineNetwork } from '#adapters/source-network/network.js';
import type { SourceKind, SourceReport, SourceSettings } from '#application/ports/source-kind.js';
import { NOW } from './asked-device.js';

/** Devices that send datagrams on the loopback interface, and a kind that receives them. */
export interface Datagrams {
  /**
   * Sends a datagram and waits until it was received.
   *
   * @param sent anything but bytes is sent as JSON
   * @returns what the kind has read
   */
  send(sent: unknown, receivedAt?: number): Promise<readonly SourceReport[]>;
  close(): Promise<void>;
}

export async function datagramsTo(kind: SourceKind, settings: SourceSettings = {}): Promise<Datagrams> {
  const port = await freePort();
  let time = NOW;
  let received: (reports: readonly SourceReport[]) => void = () => undefined;
  const end = await new MachineNetwork().listen(port, '127.0.0.1', (datagram) =>
    received(kind.datagrams?.decode(datagram, settings, time) ?? []),
  );
  const socket = createSocket('udp4');
  return {
    send(sent, receivedAt = NOW) {
      time = receivedAt;
      const bytes = sent instanceof Uint8Array ? sent : Buffer.from(JSON.stringify(sent));
      return new Promise((resolve) => {
        received = resolve;
        socket.send(bytes, port, '127.0.0.1');
      });
    },
    close: async () => {
      end();
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', () => resolve()));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

import { createSocket } from 'node:dgram';

export interface UdpDevice {
  /** Host and port, for `--address`. */
  readonly address: string;
  readonly questions: readonly Buffer[];
  close(): Promise<void>;
}

/** A device that answers to datagrams, on a port of the loopback interface. @param answer the datagrams of the reply */
export async function udpDevice(
  answer: (question: Buffer, count: number) => readonly Uint8Array[],
): Promise<UdpDevice> {
  const questions: Buffer[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    questions.push(question);
    for (const reply of answer(question, questions.length)) socket.send(reply, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', () => resolve()));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

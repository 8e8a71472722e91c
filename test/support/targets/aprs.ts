import { once } from 'node:events';
import { startLines } from '../target-bench.js';

/** A simulated server of APRS-IS, which keeps the lines of its clients. No passcode is verified. */
export interface AprsServer extends Awaited<ReturnType<typeof startLines>> {
  /** Resolves when all clients until now have ended their connections, so that all their lines are there. */
  readonly ended: () => Promise<unknown>;
}

export async function startAprs(): Promise<AprsServer> {
  const ends: Promise<unknown>[] = [];
  const server = await startLines(async (socket, read) => {
    ends.push(once(socket, 'end'));
    socket.write('# aprsc 2.1.19\r\n');
    const [, call] = (await read()).split(' ');
    socket.write('# a comment between\r\n');
    socket.write(`# logresp ${call} unverified, server T2TEST\r\n`);
  });
  return { ...server, ended: () => Promise.all(ends) };
}

import type { AddressInfo, ListenOptions, Server } from 'node:net';
import { removeStaleSocket } from './stale-socket.js';

/** @throws NodeJS.ErrnoException EADDRINUSE, EACCES, EADDRNOTAVAIL, ENOENT … */
export async function listenAt(server: Server, where: ListenOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Replaces a socket that nobody listens on. @throws NodeJS.ErrnoException as `listenAt` */
export async function listenAtPath(server: Server, path: string): Promise<void> {
  await removeStaleSocket(path);
  // The socket is made within this call, and with the mode from its first moment on.
  const mask = process.umask(0o117);
  const listening = listenAt(server, { path });
  process.umask(mask);
  await listening;
}

export function urlOf({ address, family, port }: AddressInfo, scheme: 'http' | 'https'): string {
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

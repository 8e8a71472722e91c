import { lstat } from 'node:fs/promises';
import type { AddressInfo, ListenOptions, Server } from 'node:net';
import { DomainError } from '#domain/domain-error.js';
import { removeStaleSocket } from './stale-socket.js';

/** A server that listens on a port or on a Unix domain socket. */
export class Listener {
  readonly #server: Server;
  readonly #scheme: 'http' | 'https';
  #path: string | undefined;
  #inode: bigint | undefined;

  constructor(server: Server, scheme: 'http' | 'https') {
    this.#server = server;
    this.#scheme = scheme;
  }

  /** @returns the URL, with the assigned port. @throws NodeJS.ErrnoException for example EADDRINUSE, EACCES or EADDRNOTAVAIL */
  async listen(host: string, port: number): Promise<string> {
    await listenAt(this.#server, { host, port });
    const { address, family, port: assignedPort } = this.#server.address() as AddressInfo;
    return `${this.#scheme}://${family === 'IPv6' ? `[${address}]` : address}:${assignedPort}`;
  }

  /**
   * Listens on a Unix domain socket. A socket without a listening process is replaced.
   *
   * @param mode permissions of the socket
   * @returns `unix:` and the path
   * @throws NodeJS.ErrnoException for example EADDRINUSE, EACCES or ENOENT
   */
  async listenOnSocket(path: string, mode: 0o600 | 0o660 = 0o660): Promise<string> {
    await listenAtPath(this.#server, path, mode);
    this.#path = path;
    this.#inode = await inodeOf(path);
    return `unix:${path}`;
  }

  /** @throws DomainError SERVICE_UNAVAILABLE if clients can no longer connect */
  async assertListening(): Promise<void> {
    if (!this.#server.listening)
      throw new DomainError('SERVICE_UNAVAILABLE', 'The server no longer listens.');
    if (this.#path !== undefined && (await inodeOf(this.#path)) !== this.#inode)
      throw new DomainError('SERVICE_UNAVAILABLE', 'The socket of the server was removed or replaced.');
  }
}

/** The inode of a file, or undefined if the file does not exist. */
async function inodeOf(path: string): Promise<bigint | undefined> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  return stats?.ino;
}

async function listenAt(server: Server, options: ListenOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function listenAtPath(server: Server, path: string, mode: number): Promise<void> {
  await removeStaleSocket(path);
  // `listen` creates the socket synchronously, so that the mask gives it the right mode from the beginning.
  const mask = process.umask(0o777 & ~mode);
  const listening = listenAt(server, { path });
  process.umask(mask);
  await listening;
}

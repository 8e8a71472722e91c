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

  /** @returns the URL, with the real port. @throws NodeJS.ErrnoException EADDRINUSE, EACCES, EADDRNOTAVAIL … */
  async listen(host: string, port: number): Promise<string> {
    await listenAt(this.#server, { host, port });
    const { address, family, port: realPort } = this.#server.address() as AddressInfo;
    return `${this.#scheme}://${family === 'IPv6' ? `[${address}]` : address}:${realPort}`;
  }

  /**
   * Replaces a socket that nobody listens on.
   *
   * @param mode its permissions
   * @returns the path after `unix:`
   * @throws NodeJS.ErrnoException as `listen`, and ENOENT …
   */
  async listenOnSocket(path: string, mode: 0o600 | 0o660 = 0o660): Promise<string> {
    await listenAtPath(this.#server, path, mode);
    this.#path = path;
    this.#inode = await inodeOf(path);
    return `unix:${path}`;
  }

  /** @throws DomainError SERVICE_UNAVAILABLE if clients can no longer connect */
  async assertListening(): Promise<void> {
    if (!this.#server.listening) throw new DomainError('SERVICE_UNAVAILABLE', 'It no longer listens.');
    if (this.#path !== undefined && (await inodeOf(this.#path)) !== this.#inode)
      throw new DomainError('SERVICE_UNAVAILABLE', 'Its socket was removed or replaced.');
  }
}

/** The inode of a file, undefined if there is none. */
async function inodeOf(path: string): Promise<bigint | undefined> {
  const found = await lstat(path, { bigint: true }).catch(() => undefined);
  return found?.ino;
}

async function listenAt(server: Server, where: ListenOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function listenAtPath(server: Server, path: string, mode: number): Promise<void> {
  await removeStaleSocket(path);
  // The socket is made within this call, and with the mode from its first moment on.
  const mask = process.umask(0o777 & ~mode);
  const listening = listenAt(server, { path });
  process.umask(mask);
  await listening;
}

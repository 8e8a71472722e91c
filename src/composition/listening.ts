import type { ApiName } from '../application/operation/get-info.js';
import type { Runnable } from './runnables.js';
import { socketPath } from './settings/settings.js';

export interface ListeningServer {
  /** @returns the URL */
  listen(): Promise<string>;
  /** @throws DomainError if clients can no longer connect */
  assertListening(): Promise<void> | void;
  close(deadline: number): Promise<boolean>;
}

/** Runs a server. Its address is known once it has started. */
export function listening(
  name: ApiName | 'uploads',
  host: string,
  port: number,
  server: ListeningServer,
): Runnable & { readonly url: () => string } {
  let url = '';
  const start = async () => {
    try {
      url = await server.listen();
    } catch (error) {
      throw new Error(explainListen(name, host, port, error as NodeJS.ErrnoException), { cause: error });
    }
  };
  const check = async () => {
    await server.assertListening();
    return undefined;
  };
  const checks = [{ name: `${name} listener`, check }];
  return { url: () => url, checks, start, stop: (deadline) => server.close(deadline) };
}

function explainListen(
  name: ApiName | 'uploads',
  host: string,
  port: number,
  error: NodeJS.ErrnoException,
): string {
  const isSocket = socketPath(host) !== undefined;
  const prefix = `WEATHERD_${name.toUpperCase()}`;
  const settings = isSocket ? `${prefix}_HOST sets it` : `${prefix}_HOST and ${prefix}_PORT set it`;
  const inUse = isSocket ? 'somebody listens there, or it is no socket' : 'the port is in use';
  const reason = error.code === 'EADDRINUSE' ? inUse : error.message;
  const what = name === 'uploads' ? 'listener for uploads' : `${name} API`;
  return `The ${what} cannot listen on ${host}${isSocket ? '' : ` port ${port}`}: ${reason} (${settings}).`;
}

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ApiName } from '#application/operation/get-info.js';
import type { Runnable } from './runnables.js';
import { socketPath } from './settings/settings.js';

export interface ListeningServer {
  /** Starts to listen. @returns the URL */
  listen(): Promise<string>;
  /** @throws DomainError if clients can no longer connect */
  assertListening(): Promise<void> | void;
  close(deadline: number): Promise<boolean>;
}

/** The listeners of the service. The names of their settings begin with these names. */
export type ListenerName = ApiName | 'uploads' | 'openmeteo';

/** Runs a server as a part of the service. Its URL is known after the start. */
export function listening(
  name: ListenerName,
  host: string,
  port: number,
  server: ListeningServer,
): Runnable & { readonly url: () => string } {
  let url = '';
  const start = async () => {
    try {
      url = await server.listen();
    } catch (error) {
      // oxlint-disable-next-line eslint/preserve-caught-error -- the message has all that the cause would add
      throw new Error(explainListen(name, host, port, error as NodeJS.ErrnoException));
    }
  };
  const check = async () => {
    await server.assertListening();
    return undefined;
  };
  const checks = [{ name: `${name} listener`, check }];
  return { url: () => url, checks, start, stop: (deadline) => server.close(deadline) };
}

const LISTENER_NAMES: Partial<Record<ListenerName, string>> = {
  uploads: 'listener for uploads',
  openmeteo: 'listener for clients of Open-Meteo',
};

/** The message for a listener that could not start: the fault and the advice. */
function explainListen(
  name: ListenerName,
  host: string,
  port: number,
  { code, message }: NodeJS.ErrnoException,
): string {
  const path = socketPath(host);
  const setting = `WEATHERD_${name.toUpperCase()}`;
  const listenerName = LISTENER_NAMES[name] ?? `${name} API`;
  const where = path === undefined ? `${host} port ${port}` : host;
  const faults = path === undefined ? portFaults(setting) : socketFaults(path, setting);
  const reason = faults[code ?? ''] ?? `${message} (${setting}_HOST and ${setting}_PORT set it)`;
  return `The ${listenerName} cannot listen on ${where}: ${reason}.`;
}

/** Returns texts that say why a server cannot listen on a port, with advice, by the error code of the system. */
function portFaults(setting: string): Readonly<Record<string, string>> {
  const noName = `the host name is unknown: correct ${setting}_HOST`;
  return {
    EADDRINUSE: `the port is in use. Stop the program that uses it, or set ${setting}_PORT to another port`,
    EACCES:
      'this user has no permission to use the port. Grant it (AmbientCapabilities=CAP_NET_BIND_SERVICE in the unit), or set ' +
      `${setting}_PORT to 1024 or more and use a proxy`,
    EADDRNOTAVAIL: `this machine does not have the address: correct ${setting}_HOST`,
    ENOTFOUND: noName,
    EAI_AGAIN: noName,
  };
}

/** Returns texts that say why a server cannot listen on a Unix domain socket, with advice, by the error code of the system. */
function socketFaults(path: string, setting: string): Readonly<Record<string, string>> {
  const folder = dirname(path);
  return {
    EADDRINUSE: `another program listens on this path, or the file is not a socket. Set ${setting}_HOST to another path`,
    // Node.js reports a missing folder as EACCES too.
    EACCES: existsSync(folder)
      ? `this user has no permission to create the socket in ${folder}: make the user of the service the owner of the folder`
      : `the folder ${folder} does not exist: create it, or set ${setting}_HOST to another path`,
  };
}

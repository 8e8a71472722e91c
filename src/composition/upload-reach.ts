import { networkInterfaces } from 'node:os';
import type { UploadReach } from '#application/uploads/setup/upload-addresses.js';
import type { Config } from './config.js';
import { isLoopback } from './settings/settings.js';

/**
 * Describes the addresses at which the consoles of weather stations reach the service. The instructions for setting up a console
 * contain these addresses.
 */
export function uploadReachOf(config: Config): UploadReach {
  const { UPLOADS_ENABLED: enabled, UPLOADS_HOST: host, UPLOADS_PORT: port } = config;
  const { EXTERNAL_HOST: apiHost, EXTERNAL_PORT: apiPort } = config;
  const atProxy = config.EXTERNAL_TLS_TERMINATED ? 'at a proxy' : 'none';
  return {
    uploads: { enabled, host, port, loopback: isLoopback(host) },
    api: {
      host: apiHost,
      port: apiPort,
      loopback: isLoopback(apiHost),
      tls: config.EXTERNAL_TLS_CERT === undefined ? atProxy : 'here',
    },
    // The networks of a machine change while the service runs.
    get machine() {
      return machineAddresses();
    },
  };
}

/** The addresses under which other machines in the network may reach this machine, IPv4 first. */
export function machineAddresses(): string[] {
  const all = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address));
  return [
    ...all.filter(({ family }) => family === 'IPv4'),
    ...all.filter(({ family }) => family !== 'IPv4'),
  ].map(({ address }) => address);
}

import type { UploadListening } from '#application/ports/upload-listening.js';
import { readReach, type UploadsReach } from '#domain/uploads/uploads-reach.js';
import { type Config, isLoopback } from './settings.js';

/** The address on which the listener for uploads listens for other machines. */
const ALL_ADDRESSES = '0.0.0.0';
const LOOPBACK = '127.0.0.1';

/**
 * The settings with the reach that is kept in the data. Settings of the environment and of the file override the data.
 *
 * @param stored the text in the data; undefined if there is none
 */
export function withStoredReach(config: Config, stored: string | undefined): Config {
  const reach = readReach(stored);
  return reach === undefined || config.uploadsSource !== 'default' ? config : withReach(config, reach);
}

/** The settings with a reach that an administrator has chosen. */
export function withReach(config: Config, reach: UploadsReach): Config {
  return {
    ...config,
    uploadsSource: 'data',
    UPLOADS_ENABLED: reach !== 'off',
    UPLOADS_HOST: reach === 'network' ? ALL_ADDRESSES : LOOPBACK,
    UPLOADS_INSECURE: reach === 'network',
  };
}

/** Describes the listener that the settings demand. */
export function listeningOf(config: Config): UploadListening {
  const { UPLOADS_ENABLED: enabled, UPLOADS_HOST: host, UPLOADS_PORT: port, uploadsSource: source } = config;
  const reach = isLoopback(host) ? 'loopback' : 'network';
  return { reach: enabled ? reach : 'off', source, host, port };
}

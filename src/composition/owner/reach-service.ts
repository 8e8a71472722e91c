import { ServiceConnection } from '#adapters/workers-cluster/service-connection.js';
import type { Config } from '../config.js';
import { dataFile } from '../data/data-location.js';
import { PACKAGE_INFO } from '../package-info.js';
import { otherOwner, socketToReach } from './owner-socket.js';

/**
 * Connects to the service that writes the data.
 *
 * @returns undefined if no service runs, or if the data are in a database on a server
 * @throws Error if the service belongs to another user, has another version, or does not answer
 */
export async function reachService(config: Config): Promise<ServiceConnection | undefined> {
  const file = dataFile(config);
  if (file === undefined || process.platform === 'win32') return undefined;
  const path = socketToReach(file);
  if (path === undefined) return undefined;
  const owner = otherOwner(path);
  const isOfOther = () =>
    new Error(`The service that uses ${file} belongs to ${owner}: run the command as that user.`);
  let service: ServiceConnection | undefined;
  try {
    service = await ServiceConnection.open(path, PACKAGE_INFO.version);
  } catch (error) {
    if (owner !== undefined && (error as NodeJS.ErrnoException).code === 'EACCES') throw isOfOther();
    throw error;
  }
  if (owner === undefined || service === undefined) return service;
  await service.close();
  throw isOfOther();
}

import type { Config } from '../config.js';
import { dataFile } from '../data/data-location.js';
import { reachService } from '../owner/reach-service.js';
import { reasonOf, sentenceOf } from '../reason.js';
import { type Finding, ok, warn } from './findings.js';

/**
 * Checks whether commands reach the running service. If they do, the service writes their changes itself. If they do not, it
 * notices their changes only later.
 */
export async function checkCommands(config: Config): Promise<readonly Finding[]> {
  if (dataFile(config) === undefined || process.platform === 'win32') return [];
  try {
    const service = await reachService(config);
    await service?.close();
    if (service !== undefined) return [ok('commands', 'Commands write through the running service.')];
  } catch (error) {
    return [warn('commands', sentenceOf(reasonOf(error)))];
  }
  const text =
    'Commands cannot reach the service, so the service notices their changes only later. Its log gives the reason after "commands cannot reach this service".';
  return [warn('commands', text)];
}

import type { Config } from '../config.js';
import { dataFile } from '../data/data-place.js';
import { reachService } from '../owner/reach-service.js';
import { reasonOf, sentenceOf } from '../reason.js';
import { type Finding, ok, warn } from './findings.js';

/** Whether commands reach the running service, which then announces their changes. */
export async function checkCommands(config: Config): Promise<readonly Finding[]> {
  if (dataFile(config) === undefined || process.platform === 'win32') return [];
  try {
    const service = await reachService(config);
    await service?.close();
    if (service !== undefined) return [ok('commands', 'They write through the service.')];
  } catch (error) {
    return [warn('commands', sentenceOf(reasonOf(error)))];
  }
  const text =
    'They cannot reach the service, so it learns later what they change. Its log says why: look for "commands cannot reach this service".';
  return [warn('commands', text)];
}

import { ConfigError, type Config } from '../config.js';
import { assertOwnData, type TypedCommand } from '../data/data-owner.js';
import { readStoredSettings } from '../data/stored-reach.js';
import { PACKAGE_INFO } from '../package-info.js';
import { reasonOf, sentenceOf } from '../reason.js';
import { checkBackups } from './backups.js';
import { checkCertificate } from './certificate.js';
import { checkData, checkDatabase } from './data.js';
import { checkCommands } from './commands.js';
import { examine, fail, type Finding, ok } from './findings.js';
import { checkListeners } from './listeners.js';
import { checkClock, checkNode, isClockSynchronized } from './machine.js';

/**
 * Examines the machine, the settings, the data, the listeners, the certificate and the backups. Nothing is changed.
 *
 * @param readConfig reads the settings. If it throws a ConfigError, only the machine is examined.
 */
export async function diagnose(readConfig: () => Config, command: TypedCommand): Promise<readonly Finding[]> {
  const now = Date.now();
  const node = checkNode(process.versions.node, process.execPath, now);
  const isSynchronized = await isClockSynchronized();
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    const faults = error instanceof ConfigError ? error.faults : [reasonOf(error)];
    return [
      node,
      checkClock(now, isSynchronized, null),
      ...faults.map((fault) => fail('settings', `${fault}.`)),
    ];
  }
  const settings = ok('settings', 'The settings have no fault. "weatherd config" prints them.');
  let lastDay: number | null = null;
  const data = await examine('data', async () => {
    const wrongUser = wrongUserOf(config, command);
    if (wrongUser !== undefined) return [wrongUser];
    const { findings, isThere } = await checkData(config);
    if (!isThere) return findings;
    const database = await examine('database', async () => {
      const result = await checkDatabase(config);
      ({ lastDay } = result);
      return result.findings;
    });
    return [...findings, ...database];
  });
  let fingerprint: string | undefined;
  let isRunning = false;
  const listeners = await examine('service', async () => {
    // If the data cannot be read, another check says so.
    const stored = await readStoredSettings(config).catch(() => config);
    const result = await checkListeners(stored, PACKAGE_INFO.version);
    ({ fingerprint, isRunning } = result);
    return result.findings;
  });
  const commands = isRunning ? await examine('commands', () => checkCommands(config)) : [];
  const certificate = await examine('certificate', () => checkCertificate(config, now, fingerprint));
  // The current time is read again, because the service may have made a backup since the start of this command.
  const backups = await examine('backups', () => checkBackups(config, Date.now(), isRunning));
  // The clock is checked last, because it is compared with the data.
  const clock = checkClock(now, isSynchronized, lastDay);
  return [node, clock, settings, ...data, ...listeners, ...commands, ...certificate, ...backups];
}

/**
 * Returns a failure if this user must not open the data. This is the case for root if another user owns the data, and for a user
 * without access. If this command opened the data, SQLite would create files that belong to the wrong user.
 */
function wrongUserOf(config: Config, command: TypedCommand): Finding | undefined {
  try {
    assertOwnData(config, command, 'data directory');
    return undefined;
  } catch (error) {
    return fail('user', sentenceOf(reasonOf(error)));
  }
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Log } from '#adapters/log-pino/logger.js';
import { isBackupDue } from '#application/operation/backup-rotation.js';
import type { Clock } from '#application/ports/clock.js';
import { MILLISECONDS } from '#domain/time.js';
import type { Config } from '../config.js';
import * as t from '../graph/tokens.js';
import { wireFactory, type Wiring } from '../graph/wiring.js';
import { reasonOf } from '../reason.js';
import { periodic, type Runnable } from '../runnables.js';
import { backupsIn, lockBackups, removeUnfinished } from './backup-folder.js';
import type { BackupOrder, BackupOutcome } from './backup-worker.js';

/** Longest time in milliseconds between two checks whether a backup is due. */
const CHECK_INTERVAL = MILLISECONDS.minute;
/** Longest time in milliseconds between a failure and the next attempt. */
const RETRY_INTERVAL = 15 * MILLISECONDS.minute;
/** Largest number of characters of the error output of a crashed process. */
const MAX_OUTPUT = 2000;

const FAILED = 'The last backup has failed. The log gives the reason.';
const LONG = 'The current backup takes very long.';
const DAMAGED = 'The data have damaged observations, so no old backup is removed.';

/** The part of the service that makes backups by schedule, if they are switched on. */
export function scheduledBackups(config: Config): readonly Wiring[] {
  const { BACKUP_DIR: folder } = config;
  if (folder === undefined) return [];
  return [wireFactory(t.Runnable, (clock, log) => backupsInto(folder, config, clock, log), [t.Clock, t.Log])];
}

function backupsInto(folder: string, config: Config, clock: Clock, { logger }: Log): Runnable {
  const { BACKUP_EVERY: seconds, BACKUP_KEEP: keep } = config;
  const every = seconds * MILLISECONDS.second;
  const failure = { at: -Infinity, isLast: false };
  let isDamaged = false;
  let begunAt: number | undefined;

  const round = async (signal: AbortSignal) => {
    if (clock.uptime() - failure.at < Math.min(every, RETRY_INTERVAL)) return;
    const time = clock.now();
    if (!isBackupDue(backupsIn(folder), time, every)) return;
    begunAt = clock.uptime();
    const outcome = await run({ config, folder, keep, time }, signal);
    if (outcome === undefined || outcome.kind === 'busy') return;
    if (outcome.kind === 'failed') throw new Error(outcome.reason);
    ({ isDamaged } = outcome);
    const { file, removed, gaps } = outcome;
    logger.info({ file, removed }, 'a backup was made');
    for (const gap of gaps) logger.warn({ file }, gap);
    if (isDamaged) logger.warn({ file }, 'the data have damaged observations, so no old backup was removed');
  };
  const work = async (signal: AbortSignal) => {
    try {
      await round(signal);
      failure.isLast = false;
    } catch (error) {
      Object.assign(failure, { at: clock.uptime(), isLast: true });
      throw error;
    } finally {
      begunAt = undefined;
    }
  };
  const timer = periodic({
    work,
    onFailure: (error) => logger.error({ reason: reasonOf(error) }, 'the backup has failed'),
    interval: Math.min(every, CHECK_INTERVAL),
    atOnce: true,
  });
  const check = async () => {
    if (failure.isLast) return FAILED;
    if (begunAt !== undefined && clock.uptime() - begunAt > Math.max(every, MILLISECONDS.hour)) return LONG;
    return isDamaged ? DAMAGED : undefined;
  };
  return {
    checks: [{ name: 'backups', check }],
    start: async () => {
      // An error is ignored here. If the folder cannot be used, the first round reports the reason.
      await clear(config, folder).catch(() => undefined);
      timer.start();
    },
    stop: async (deadline) => {
      const finished = await timer.stop(deadline);
      await clear(config, folder).catch(() => undefined);
      return finished;
    },
  };
}

/** Removes the temporary files of killed backups, unless another process is writing a backup. */
async function clear(config: Config, folder: string): Promise<void> {
  const unlock = await lockBackups(config, folder);
  if (unlock === undefined) return;
  try {
    removeUnfinished(folder);
  } finally {
    unlock();
  }
}

/** Makes one backup in another process. @returns undefined if the signal has aborted it */
async function run(order: BackupOrder, signal: AbortSignal): Promise<BackupOutcome | undefined> {
  const worker = new URL('./backup-worker.js', import.meta.url);
  const child = fork(worker, { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const ended = once(child, 'close') as Promise<[code: number | null, signal: string | null]>;
  let outcome: BackupOutcome | undefined;
  let output = '';
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => (output = `${output}${text}`.slice(-MAX_OUTPUT)));
  child.once('message', (message) => (outcome = message as BackupOutcome));
  const kill = () => child.kill('SIGKILL');
  if (signal.aborted) kill();
  signal.addEventListener('abort', kill, { once: true });
  child.send(order, () => undefined);
  try {
    const [code, killedBy] = await ended;
    if (outcome !== undefined || signal.aborted) return outcome;
    throw new Error(`The process that makes the backup ended early (${killedBy ?? code}). ${output.trim()}`);
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MILLISECONDS } from '#domain/time.js';
import { findingDate, fail, type Finding, ok, warn } from './findings.js';

/** The oldest supported version of Node.js (`engines` in package.json). */
const MIN_NODE = [20, 19] as const;

/** The last day with security updates of each long-term version of Node.js (nodejs/Release). */
const MAINTAINED_UNTIL: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
};

/** Smallest plausible time. A clock with an earlier time was never set: computers without a battery start in 1970 or with an old time. */
const MIN_TIME = Date.UTC(2026, 0, 1);
/** Largest plausible time. */
const MAX_TIME = Date.UTC(2100, 0, 1);

/** Checks whether this version of Node.js can run the service and is still maintained. @param version for example `20.19.0` */
export function checkNode(version: string, path: string, now: number): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const name = `Node.js ${version} (${path})`;
  const [minMajor, minMinor] = MIN_NODE;
  if (major < minMajor || (major === minMajor && minor < minMinor))
    return fail('node', `${name} is too old: install Node.js 22 or 24.`);
  const until = MAINTAINED_UNTIL[major];
  if (major % 2 === 1)
    return warn('node', `${name} is maintained only for some months: install Node.js 22 or 24.`);
  if (until !== undefined && now > Date.parse(until) + MILLISECONDS.day)
    return warn(
      'node',
      `${name} has had no security updates since ${until}: install a newer version, and then install weatherd again.`,
    );
  return ok('node', name);
}

/**
 * Checks whether the clock shows a plausible time.
 *
 * @param isSynchronized whether the system synchronizes the clock; undefined if unknown
 * @param lastDay start of the last UTC day with observations, in milliseconds since 1970
 */
export function checkClock(
  now: number,
  isSynchronized: boolean | undefined,
  lastDay: number | null,
): Finding {
  const text = `The clock shows ${new Date(now).toISOString().replace(/\.\d+/, '')}`;
  const set = 'set it, for example with "timedatectl set-ntp true"';
  if (now < MIN_TIME || now >= MAX_TIME)
    return fail('clock', `${text}, which is wrong: ${set}. Tokens, uploads and backups depend on it.`);
  if (lastDay !== null && lastDay > now + MILLISECONDS.day)
    return fail(
      'clock',
      `${text}, but there are observations of ${findingDate(lastDay)}: ${set}, or remove these rows.`,
    );
  if (isSynchronized === false) return warn('clock', `${text}, but no time server synchronizes it: ${set}.`);
  return ok('clock', `${text}${isSynchronized === true ? ', synchronized' : ''}.`);
}

/** Asks systemd whether the clock is synchronized; undefined on other systems. */
export async function isClockSynchronized(): Promise<boolean | undefined> {
  try {
    const show = ['show', '--property=NTPSynchronized', '--value'];
    const { stdout } = await promisify(execFile)('timedatectl', show, { timeout: 5 * MILLISECONDS.second });
    const [answer] = stdout.trim().split('\n');
    return answer === 'yes' ? true : answer === 'no' ? false : undefined;
  } catch {
    return undefined;
  }
}

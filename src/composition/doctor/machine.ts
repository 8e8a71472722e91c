import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MILLISECONDS } from '#domain/time.js';
import { findingDate, fail, type Finding, ok, warn } from './findings.js';

/** The oldest Node.js that runs this program, as `engines` of package.json says. */
const MIN_NODE = [20, 19] as const;

/** The last days with security updates of the versions of Node.js that are maintained for long (nodejs/Release). */
const MAINTAINED_UNTIL: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
};

/** A clock that shows an earlier time has never been set: computers without a battery begin in 1970 or with an old time. */
const MIN_TIME = Date.UTC(2026, 0, 1);
/** The year of 2100 and later ones are the result of a wrong clock too. */
const MAX_TIME = Date.UTC(2100, 0, 1);

/** Whether this version of Node.js runs the service, and is still maintained. @param version such as `20.19.0` */
export function checkNode(version: string, path: string, now: number): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const what = `Node.js ${version} (${path})`;
  const [leastMajor, leastMinor] = MIN_NODE;
  if (major < leastMajor || (major === leastMajor && minor < leastMinor))
    return fail('node', `${what} is too old: install Node.js 22 or 24.`);
  const until = MAINTAINED_UNTIL[major];
  if (major % 2 === 1)
    return warn('node', `${what} is maintained for some months only: install Node.js 22 or 24.`);
  if (until !== undefined && now > Date.parse(until) + MILLISECONDS.day)
    return warn(
      'node',
      `${what} has had no security updates since ${until}: install a newer one, and then weatherd again.`,
    );
  return ok('node', what);
}

/**
 * Whether the clock can be right.
 *
 * @param isSynchronized whether the system synchronizes it; undefined where nobody tells
 * @param lastDay the begin of the last UTC day with observations, in milliseconds since 1970
 */
export function checkClock(
  now: number,
  isSynchronized: boolean | undefined,
  lastDay: number | null,
): Finding {
  const text = `The clock shows ${new Date(now).toISOString().replace(/\.\d+/, '')}`;
  const set = 'set it, for example with "timedatectl set-ntp true"';
  if (now < MIN_TIME || now >= MAX_TIME)
    return fail('clock', `${text}, which is wrong: ${set}. Tokens, uploads and backups go by it.`);
  if (lastDay !== null && lastDay > now + MILLISECONDS.day)
    return fail(
      'clock',
      `${text}, but there are observations of ${findingDate(lastDay)}: ${set}, or remove these rows.`,
    );
  if (isSynchronized === false)
    return warn('clock', `${text}, but no server of time synchronizes it: ${set}.`);
  return ok('clock', `${text}${isSynchronized === true ? ', synchronized' : ''}.`);
}

/** Whether systemd says that the clock is synchronized; undefined on other systems. */
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

import { randomBytes } from 'node:crypto';

/** The first half of an id, which identifies the process. */
const PROCESS = randomBytes(6).toString('hex');
/** Number of hexadecimal digits that identify the request. */
const DIGITS = 12;
/** Number of ids whose random bytes are generated together. A call for each id would cost ten times as much. */
const BATCH = 512;

let digits = '';
let used = 0;

/**
 * Creates a unique id for a request: 48 random bits for the process and 48 random bits for the request. A counter instead would show
 * every client how many requests the service receives.
 */
export function nextRequestId(): string {
  if (used === digits.length) [digits, used] = [randomBytes((BATCH * DIGITS) / 2).toString('hex'), 0];
  used += DIGITS;
  return `${PROCESS}-${digits.slice(used - DIGITS, used)}`;
}

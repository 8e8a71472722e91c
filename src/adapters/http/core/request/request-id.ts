import { randomBytes } from 'node:crypto';

const START = randomBytes(6).toString('hex');
/** Hexadecimal digits of an id behind those of the process. */
const DIGITS = 12;
/** Ids that are made at once. Asking for random bytes for each would cost ten times as much. */
const AT_ONCE = 512;

let digits = '';
let at = 0;

/**
 * Makes a unique id for a request: 48 random bits for the process and 48 for the request. A count in their place would tell every
 * client how much the service is used.
 */
export function nextRequestId(): string {
  if (at === digits.length) [digits, at] = [randomBytes((AT_ONCE * DIGITS) / 2).toString('hex'), 0];
  at += DIGITS;
  return `${START}-${digits.slice(at - DIGITS, at)}`;
}

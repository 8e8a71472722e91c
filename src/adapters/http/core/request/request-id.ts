import { randomBytes } from 'node:crypto';

const START = randomBytes(6).toString('hex');
let count = 0;

/** A name for a request that no other has: 48 random bits for the process, and a count. A UUID costs ten times that. */
export function nextRequestId(): string {
  count += 1;
  return `${START}-${count.toString(36)}`;
}

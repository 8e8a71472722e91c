import { setImmediate } from 'node:timers/promises';
import { ProtocolError } from '../errors.js';

/** Size in bytes up to which the depth of JSON is not checked. Parsing takes a millisecond at any depth. */
export const SHORT_JSON = 65_536;
/** Largest depth of arrays and objects. Bodies of endpoints have five levels at most. */
const MAX_DEPTH = 32;
/** Number of bytes that are examined in one turn of the event loop: about 2 ms. */
const BYTES_AT_ONCE = 1_048_576;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Refuses deeply nested JSON before it is parsed. For the parser a level takes ten times as long as a number, and much
 * more memory. Text that is not JSON may pass.
 *
 * @throws ProtocolError REQUEST_INVALID
 */
export async function assertShallow(bytes: Uint8Array): Promise<void> {
  let depth = 0;
  let inString = false;
  for (let start = 0; start < bytes.length; start += BYTES_AT_ONCE) {
    if (start > 0) await setImmediate();
    const end = Math.min(start + BYTES_AT_ONCE, bytes.length);
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (inString) {
        if (byte === QUOTE && !isEscaped(bytes, at)) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        depth += 1;
        if (depth > MAX_DEPTH) {
          throw new ProtocolError(
            'REQUEST_INVALID',
            `The body is nested more than ${MAX_DEPTH} levels deep.`,
          );
        }
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    }
  }
}

/** Whether the character is escaped: an odd number of backslashes precedes it. */
function isEscaped(bytes: Uint8Array, at: number): boolean {
  let before = at;
  while (before > 0 && bytes[before - 1] === BACKSLASH) before -= 1;
  return (at - before) % 2 === 1;
}

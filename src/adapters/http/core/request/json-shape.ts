import { setImmediate } from 'node:timers/promises';
import { ProtocolError } from '../errors.js';

/** Largest JSON body in bytes whose shape is not checked. Parsing such a body takes at most a millisecond, whatever its shape is. */
export const SHORT_JSON = 65_536;
/** Largest depth of arrays and objects. Bodies of endpoints have five levels at most. */
const MAX_DEPTH = 32;
/**
 * Largest number of members, arrays and objects together. A valid large body has few members, arrays and objects, because the
 * body has one array of numbers or times for each variable. A member or an empty object takes the parser ten times as long as a
 * number, and needs 70 bytes of memory.
 */
const MAX_PARTS = 2000;
/** Number of bytes that are examined in one turn of the event loop: about 2 ms. */
const SLICE = 1_048_576;

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Refuses JSON that is deeply nested or has many members. The function must be called before parsing, because parsing such JSON
 * would block the event loop. Text that is not JSON may pass.
 *
 * @throws ProtocolError REQUEST_INVALID
 */
export async function assertShape(bytes: Uint8Array): Promise<void> {
  let [depth, parts] = [0, 0];
  let inString = false;
  for (let start = 0; start < bytes.length; start += SLICE) {
    if (start > 0) await setImmediate();
    const end = Math.min(start + SLICE, bytes.length);
    for (let index = start; index < end; index += 1) {
      const byte = bytes[index] as number;
      if (inString) {
        if (byte === QUOTE && !isEscaped(bytes, index)) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === COLON || byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        parts += 1;
        if (byte !== COLON) depth += 1;
        if (depth > MAX_DEPTH) throw invalid(`is nested more than ${MAX_DEPTH} levels deep`);
        if (parts > MAX_PARTS) throw invalid(`has more than ${MAX_PARTS} members, arrays and objects`);
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth -= 1;
    }
  }
}

function invalid(fault: string): ProtocolError {
  return new ProtocolError('REQUEST_INVALID', `The body ${fault}.`);
}

/** Whether the character at `index` is escaped, that is, whether an odd number of backslashes precedes the character. */
function isEscaped(bytes: Uint8Array, index: number): boolean {
  let start = index;
  while (start > 0 && bytes[start - 1] === BACKSLASH) start -= 1;
  return (index - start) % 2 === 1;
}

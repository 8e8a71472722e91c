/**
 * Functions that write text into bytes at an offset and return the offset of the next byte. The offset is a parameter, and the
 * functions have no state, so that V8 can inline them into the loops over columns.
 */

/** Number of bytes that is enough for any number, time or fixed word. */
export const MAX_TOKEN_BYTES = 64;

const MAX_INT32 = 2_147_483_647;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;

/** The first digit of each number from 00 to 99 as an ASCII code. `ONES` has the second digit. */
const TENS = Uint8Array.from({ length: 100 }, (_, number) => ZERO + Math.floor(number / 10));
const ONES = Uint8Array.from({ length: 100 }, (_, number) => ZERO + (number % 10));

/**
 * Writes a number as in JSON, except that -0 keeps its sign. Numbers with at most three decimals, which sensors usually
 * send, are written with 32-bit arithmetic.
 *
 * @param value finite
 */
export function putNumber(bytes: Uint8Array, at: number, value: number): number {
  const scaled = Math.round(value * 1000);
  if (scaled / 1000 === value && scaled <= MAX_INT32 && scaled >= -MAX_INT32 && scaled !== 0) {
    return putThousandths(bytes, at, scaled);
  }
  if (value <= MAX_INT32 && value > 0 && Number.isInteger(value)) return putWhole(bytes, at, value);
  return putAscii(bytes, at, Object.is(value, -0) ? '-0' : String(value));
}

/** Writes a number with up to three decimals. @param scaled 1000 times the number, a 32-bit integer other than 0 */
function putThousandths(bytes: Uint8Array, start: number, scaled: number): number {
  let at = start;
  let remaining = scaled | 0;
  if (remaining < 0) {
    bytes[at] = MINUS;
    at += 1;
    remaining = -remaining;
  }
  const whole = (remaining / 1000) | 0;
  at = putWhole(bytes, at, whole);
  const fraction = remaining - whole * 1000;
  if (fraction === 0) return at;
  const tenths = (fraction / 100) | 0;
  const others = fraction - tenths * 100;
  bytes[at] = POINT;
  bytes[at + 1] = ZERO + tenths;
  if (others === 0) return at + 2;
  bytes[at + 2] = TENS[others] as number;
  if (ONES[others] === ZERO) return at + 3;
  bytes[at + 3] = ONES[others] as number;
  return at + 4;
}

/** Writes a whole number. @param value from 0 to 2,147,483,647 */
function putWhole(bytes: Uint8Array, at: number, value: number): number {
  if (value < 10) {
    bytes[at] = ZERO + value;
    return at + 1;
  }
  if (value < 100) return putTwoDigits(bytes, at, value);
  const above = (value / 100) | 0;
  return putTwoDigits(bytes, putWhole(bytes, at, above), value - above * 100);
}

/** Writes a number with two digits. @param value from 0 to 99 */
export function putTwoDigits(bytes: Uint8Array, at: number, value: number): number {
  bytes[at] = TENS[value] as number;
  bytes[at + 1] = ONES[value] as number;
  return at + 2;
}

/** Writes a text. @param text ASCII */
export function putAscii(bytes: Uint8Array, at: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) bytes[at + index] = text.charCodeAt(index);
  return at + text.length;
}

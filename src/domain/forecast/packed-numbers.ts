/**
 * Numbers as short text: the differences between neighbors, as variable-length quantities in the digits of base 64, as source maps have
 * them. `!` is an absent value, and `~` with a quantity is a run of equal values.
 */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** The value of each digit by the code of its character; -1 for other characters. All digits are ASCII. */
const VALUE_OF = Int8Array.from({ length: 128 }, (_, code) => DIGITS.indexOf(String.fromCharCode(code)));
const [ABSENT, RUN] = ['!', '~'];
const [ABSENT_CODE, RUN_CODE] = [ABSENT.charCodeAt(0), RUN.charCodeAt(0)];
/** A digit has 5 bits, and one bit that says whether more digits follow. */
const [BASE, MORE] = [32, 32];
/** Shortest run of equal values that is written as a run. */
const MIN_RUN = 3;

/** @param decimals number of decimals that are kept @param values finite or NaN */
export function packedNumbers(values: Float64Array, decimals: number): string {
  const scale = 10 ** decimals;
  let [text, before, run] = ['', 0, 0];
  const endRun = () => {
    text += run < MIN_RUN ? DIGITS.charAt(0).repeat(run) : RUN + quantity(run);
    run = 0;
  };
  for (const value of values) {
    const whole = Math.round(value * scale);
    if (whole === before) run += 1;
    else {
      endRun();
      text += Number.isNaN(whole)
        ? ABSENT
        : quantity(whole > before ? 2 * (whole - before) : 2 * (before - whole) + 1);
      if (!Number.isNaN(whole)) before = whole;
    }
  }
  endRun();
  return text;
}

/** @throws Error if the text is not the result of `packedNumbers` for `length` values */
export function unpackedNumbers(text: string, decimals: number, length: number): Float64Array {
  const scale = 10 ** decimals;
  const values = new Float64Array(length);
  let [at, index, before] = [0, 0, 0];
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === ABSENT_CODE) {
      values[index] = Number.NaN;
      index += 1;
      at += 1;
      continue;
    }
    if (code === RUN_CODE) at += 1;
    let [coded, factor, digit] = [0, 1, MORE];
    while (digit >= MORE) {
      digit = VALUE_OF[text.charCodeAt(at)] ?? -1;
      if (digit < 0) throw new Error('the numbers are damaged');
      at += 1;
      coded += (digit % BASE) * factor;
      factor *= BASE;
    }
    const end = code === RUN_CODE ? index + coded : index + 1;
    if (code !== RUN_CODE) before += coded % 2 === 0 ? coded / 2 : -(coded - 1) / 2;
    if (end > length) throw new Error('the numbers are damaged');
    values.fill(before / scale, index, end);
    index = end;
  }
  if (index !== length) throw new Error('the numbers are damaged');
  return values;
}

/** @param value a whole number from 0 */
function quantity(value: number): string {
  let [text, rest] = ['', value];
  while (rest >= BASE) {
    text += DIGITS.charAt((rest % BASE) + MORE);
    rest = Math.floor(rest / BASE);
  }
  return text + DIGITS.charAt(rest);
}

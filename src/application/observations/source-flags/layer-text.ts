import { MILLISECONDS } from '#domain/time.js';
import { type FlagLayer, inOrder, type SourceFlag } from '#domain/weather/source-flags.js';

/**
 * The text of a layer of flags. Flags change rarely from day to day, so the text has their runs:
 *
 *     { "flags": [[",,7", null], ["T,,7", null], [",S,7", "failed …"]],
 *       "values": { "32": [[first, step, "a31ba-2ac3"]] } }
 *
 * A variable has one or more parts: the time of the first value, the distance of the next ones, both in ms, and the runs. In the
 * runs, `a` is a value with the first flag and `a31` are 31 such values; the next flags are `b` to `z`, `Aa` to `Zz` (26 to 701),
 * `AAa` and so on, and `-2` are two times without a value.
 */
interface LayerText {
  readonly flags: readonly FlagText[];
  readonly values: Readonly<Record<string, readonly Part[]>>;
}

/** The import is present in a layer that was made of the layers of several imports. */
type FlagText = readonly [text: string, failure: string | null, importNumber?: number];
type Part = readonly [first: number, step: number, runs: string];

const TOKEN = /-(\d+)|([A-Z]{0,6}[a-z])(\d*)/g;
const LETTERS = 26;
const [CODE_OF_A, CODE_OF_SMALL_A] = [0x41, 0x61];

/** @param importNumber the import of the failures that the text need not name */
export function textOfLayer(layer: FlagLayer, importNumber?: number): string {
  const codes = new Map<string, string>();
  const flags: FlagText[] = [];
  const known = new Map<SourceFlag, string>();
  const codeOf = (flag: SourceFlag) => {
    const found = known.get(flag);
    if (found !== undefined) return found;
    const { text, failure, import: number = importNumber } = flag;
    const entry: FlagText =
      number === importNumber || number === undefined ? [text, failure] : [text, failure, number];
    const key = JSON.stringify(entry);
    const code = codes.get(key) ?? codeNumbered(flags.push(entry) - 1);
    codes.set(key, code);
    known.set(flag, code);
    return code;
  };
  const values = [...layer]
    .filter(([, byTime]) => byTime.size > 0)
    .toSorted(([a], [b]) => a - b)
    .map(([variable, byTime]) => [variable, partsOf(byTime, codeOf)]);
  const text: LayerText = { flags, values: Object.fromEntries(values) as LayerText['values'] };
  return JSON.stringify(text);
}

/**
 * @param importNumber the import of the failures that the text does not name
 * @returns an empty layer if the text is damaged: the flags are lost, and the values stay
 */
export function layerOfText(text: string, importNumber?: number): Map<number, Map<number, SourceFlag>> {
  try {
    const { flags, values } = JSON.parse(text) as LayerText;
    const known = flags.map(([flag, failure, number = importNumber]): SourceFlag => ({
      text: flag,
      failure,
      ...(failure !== null && number !== undefined && { import: number }),
    }));
    return new Map(
      Object.entries(values).map(([variable, parts]) => [Number(variable), flagsIn(parts, known)]),
    );
  } catch {
    return new Map();
  }
}

function partsOf(byTime: ReadonlyMap<number, SourceFlag>, codeOf: (flag: SourceFlag) => string): Part[] {
  const parts: Part[] = [];
  let [first, step, expected, runs] = [Number.NaN, Number.NaN, Number.NaN, ''];
  let [code, count] = ['', 0];
  for (const [time, flag] of inOrder(byTime)) {
    const next = codeOf(flag);
    if (Number.isNaN(step) && !Number.isNaN(first)) {
      step = stepOf(time - first);
      expected = first + step;
    }
    const missing = (time - expected) / step;
    if (missing === 0 && next === code) count += 1;
    else if (Number.isInteger(missing)) {
      runs += runOf(code, count) + (missing > 0 ? `-${missing}` : '');
      [code, count] = [next, 1];
    } else {
      if (count > 0) parts.push([first, step, runs + runOf(code, count)]);
      [first, step, runs, code, count] = [time, Number.NaN, '', next, 1];
    }
    expected = time + step;
  }
  if (count > 0) parts.push([first, Number.isNaN(step) ? MILLISECONDS.day : step, runs + runOf(code, count)]);
  return parts;
}

/** The distance of the values of a part: a day if the second value is some days after the first, otherwise their distance. */
function stepOf(distance: number): number {
  return distance % MILLISECONDS.day === 0 ? MILLISECONDS.day : distance;
}

function runOf(code: string, count: number): string {
  return count === 1 ? code : `${code}${count}`;
}

function flagsIn(parts: readonly Part[], known: readonly SourceFlag[]): Map<number, SourceFlag> {
  const flags = new Map<number, SourceFlag>();
  for (const [first, step, runs] of parts) {
    let time = first;
    for (const [, missing, code, count] of runs.matchAll(TOKEN)) {
      if (missing !== undefined) {
        time += Number(missing) * step;
        continue;
      }
      const flag = known[numberOf(code as string)];
      if (flag === undefined) throw new Error('the text names a flag that it does not have');
      for (let left = Number(count || 1); left > 0; left -= 1) {
        flags.set(time, flag);
        time += step;
      }
    }
  }
  return flags;
}

function codeNumbered(index: number): string {
  const last = String.fromCharCode(CODE_OF_SMALL_A + (index % LETTERS));
  let code = last;
  for (let rest = Math.floor(index / LETTERS); rest > 0; rest = Math.floor((rest - 1) / LETTERS))
    code = String.fromCharCode(CODE_OF_A + ((rest - 1) % LETTERS)) + code;
  return code;
}

function numberOf(code: string): number {
  let before = 0;
  for (let at = 0; at < code.length - 1; at += 1)
    before = before * LETTERS + code.charCodeAt(at) - CODE_OF_A + 1;
  return before * LETTERS + code.charCodeAt(code.length - 1) - CODE_OF_SMALL_A;
}

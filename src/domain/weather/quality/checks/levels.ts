import { MILLISECONDS } from '#domain/time.js';
import { FLAG, lowerBound } from '../../series.js';
import { factorOf, type Window } from './change-factor.js';
import type { ChangeLimit } from './check-numbers.js';
import { type Jumps, RAMP_REACH, SPIKE_SHARE } from './jumps.js';
import { sliceQcSeries, type QcSeries, withoutValues } from './qc-series.js';

/**
 * Length of a block in milliseconds. All values in a block of time are checked at once. Blocks begin at multiples of this length.
 */
export const BLOCK = 6 * MILLISECONDS.hour;
/**
 * The check of a block also uses the values up to this many milliseconds before and after the block. If a fault continues for
 * longer, its end is not among these values.
 */
export const LOOKAHEAD = 48 * MILLISECONDS.hour;
/**
 * Largest number of levels that are compared with each other. A level consists of consecutive values without a jump between them.
 * Values with more levels are noise.
 */
const MAX_LEVELS = 256;
/**
 * A level is a sequence of values without a jump. Before the first stored value and after the last, nothing shows which level is
 * right. The first or the last level is then wrong if the right level beside it has at least this many times as many values.
 */
const MAJORITY = 4;

/**
 * A level is a sequence of values between two jumps, one at its begin and one at its end. A level of at most this many
 * milliseconds can be wrong because of its two jumps alone. A longer level can be real weather. It is wrong only if both jumps
 * are extreme: more than `BEYOND_WEATHER` times the allowed change.
 */
export const MAX_LEVEL_OF_TWO_JUMPS = 6 * MILLISECONDS.hour;
export const BEYOND_WEATHER = 2;

/** Buffers for the levels of one block, which is 6 hours of time (`BLOCK`). They are reused for every block. */
const starts = new Int32Array(MAX_LEVELS + 1);
const isStrong = new Uint8Array(MAX_LEVELS + 1);
const counts = new Int32Array(MAX_LEVELS);
const befores = new Int32Array(MAX_LEVELS);
const isChosen = new Uint8Array(MAX_LEVELS);
const isWrong = new Uint8Array(MAX_LEVELS);

/**
 * Checks the values in `[from, to)`, one block of 6 hours (`BLOCK`) after the other. The check of a block also uses the values up
 * to 48 hours before and after it (`LOOKAHEAD`).
 *
 * A jump is a change that is too large. Jumps divide all these values into levels, which are sequences of values without a jump.
 * A level can follow an earlier level if the change from the last value of the earlier level to the first value of the later
 * level is allowed. Of all sequences of levels that can follow each other, the sequence with the most values is right:
 *
 *     a a a       c c c       f f       a, c, f: right
 *          b b b       d            e   b, d: wrong, because right levels are before and after them
 *                                       e: its first value is suspect, because nothing shows which level is right
 *
 * The values of a stuck sensor are left out, so they do not form a level.
 *
 * @param known the allowed change and the usual change
 * @param setFlag sets a flag of a value, by its index in the QC series
 */
export function checkLevels(
  qcSeries: QcSeries,
  jumpsOf: (qcSeries: QcSeries) => Jumps,
  stuck: Stuck,
  { from, to }: { readonly from: number; readonly to: number },
  known: ChangeLimit,
  setFlag: (index: number, flag: number) => void,
): void {
  const { times } = qcSeries;
  const jumps = jumpsOf(qcSeries);
  const { at } = jumps;
  if (at.length === 0) return;
  const first = Math.max(from, (times[at[0] as number] as number) - LOOKAHEAD - BLOCK);
  const end = Math.min(to, (times[times.length - 1] as number) + 1);
  let window: Window = { begin: 0, low: 0, high: 0, jump: 0 };
  for (let block = first - modulo(first, BLOCK); block < end; block += BLOCK) {
    const begin = block - LOOKAHEAD;
    const low = lowerBound(times, begin, window.low);
    const high = lowerBound(times, block + BLOCK + LOOKAHEAD, Math.max(low, window.high));
    let { jump } = window;
    while (jump < at.length && (at[jump] as number) <= low) jump += 1;
    if (jump === at.length) return;
    window = { begin, low, high, jump };
    if ((at[jump] as number) >= high) continue;
    const [blockFrom, blockTo] = [Math.max(from, block), Math.min(to, block + BLOCK)];
    const set = (index: number, flag: number) => {
      const time = times[index] as number;
      if (time >= blockFrom && time < blockTo) setFlag(index, flag);
    };
    const moving = movingOf(qcSeries, window, stuck);
    if (moving === undefined) checkWindow(qcSeries, jumps, window, known, set);
    else
      checkMovingLevels(moving, jumpsOf(moving), window, known, (time, flag) =>
        set(lowerBound(times, time), flag),
      );
  }
}

/** The stuck values: they do not change for too long. */
export interface Stuck {
  /** A byte for each value of the QC series: 1 if the value is stuck, otherwise 0. */
  readonly isStuck: Uint8Array;
  /**
   * Finds the stuck values of a part of the QC series. Only the values of this part are used, not the values before and after it.
   */
  readonly findIn: (qcSeries: QcSeries, report: (index: number) => void) => void;
}

/**
 * Returns the values of a window without the stuck values. A window is 6 hours of time with the 48 hours before and after them.
 *
 * The stuck values are found from the values inside the window alone, so that the verdicts do not depend on values further away.
 *
 * The result also has the values of a few hours before and after the window. They are needed, because a change at the edge of the
 * window is compared with the change beside it.
 *
 * @returns undefined if no value of the window is stuck
 */
function movingOf(
  qcSeries: QcSeries,
  { begin, low, high }: Window,
  { isStuck, findIn }: Stuck,
): QcSeries | undefined {
  if (!isStuck.subarray(low, high).includes(1)) return undefined;
  const from = lowerBound(qcSeries.times, begin - 2 * RAMP_REACH);
  const to = lowerBound(qcSeries.times, begin + 2 * LOOKAHEAD + BLOCK + 2 * RAMP_REACH);
  const isLeftOut = new Uint8Array(to - from);
  findIn(sliceQcSeries(qcSeries, low, high), (index) => (isLeftOut[low - from + index] = 1));
  return isLeftOut.includes(1) ? withoutValues(sliceQcSeries(qcSeries, from, to), isLeftOut) : undefined;
}

/**
 * Checks the values of a window, which is 6 hours of time with the 48 hours before and after them.
 *
 * @param qcSeries the values without the stuck values of the window
 * @param setFlag gets the time of the value
 */
function checkMovingLevels(
  qcSeries: QcSeries,
  jumps: Jumps,
  { begin }: Window,
  known: ChangeLimit,
  setFlag: (time: number, flag: number) => void,
): void {
  const { times } = qcSeries;
  const [low, high] = [lowerBound(times, begin), lowerBound(times, begin + 2 * LOOKAHEAD + BLOCK)];
  const jump = jumps.at.findIndex((index) => index > low);
  if (jump < 0 || (jumps.at[jump] as number) >= high) return;
  checkWindow(qcSeries, jumps, { begin, low, high, jump }, known, (index, flag) =>
    setFlag(times[index] as number, flag),
  );
}

function checkWindow(
  qcSeries: QcSeries,
  jumps: Jumps,
  window: Window,
  known: ChangeLimit,
  setFlag: (index: number, flag: number) => void,
): void {
  const { usualShare, shifts } = known;
  const factor = usualShare === undefined ? 1 : factorOf(jumps, window, usualShare);
  const levels = findLevels(jumps, window, factor);
  if (levels === 1) return;
  if (levels > MAX_LEVELS) {
    flagEachJump(jumps, window, factor, setFlag);
    return;
  }
  chooseLevels(jumps, levels, factor);
  for (let level = 0; level < levels; level += 1)
    isWrong[level] = isBetweenChosen(level, levels) || isOutnumbered(level, levels, qcSeries, window) ? 1 : 0;
  acceptLongLevels(qcSeries, jumps, levels, factor);
  for (let level = 0; level < levels; level += 1) {
    const [begin, end] = [starts[level] as number, starts[level + 1] as number];
    if (isWrong[level] === 1)
      for (let index = begin; index < end; index += 1)
        setFlag(index, end - begin === 1 ? FLAG.spike : FLAG.step);
  }
  for (let level = 1; level < levels; level += 1) {
    if (isStrong[level] === 0 || isWrong[level] === 1 || isWrong[level - 1] === 1) continue;
    const begin = starts[level] as number;
    if (jumps.sizeAt(begin) > shifts * factor) setFlag(begin, FLAG.step);
  }
}

/**
 * Marks a wrong level, which is a sequence of values between two jumps, as right if weather can explain it. Weather can explain a
 * level between two right levels if the level is long and one of its two jumps is not extreme (see `MAX_LEVEL_OF_TWO_JUMPS`). The
 * first value after each of the two jumps can still be flagged as suspect.
 */
function acceptLongLevels({ times }: QcSeries, jumps: Jumps, levels: number, factor: number): void {
  for (let level = 1; level < levels - 1; level += 1) {
    if (isWrong[level] === 0 || isWrong[level - 1] === 1 || isWrong[level + 1] === 1) continue;
    const [begin, end] = [starts[level] as number, starts[level + 1] as number];
    if ((times[end] as number) - (times[begin] as number) <= MAX_LEVEL_OF_TWO_JUMPS) continue;
    const smaller = Math.min(jumps.relativeChange(begin), jumps.relativeChange(end));
    if (smaller <= BEYOND_WEATHER * factor) isWrong[level] = 0;
  }
}

/**
 * Divides the values of a window into levels, which are sequences of values without a jump. Fills `starts` with the index of the
 * first value of each level. Fills `isStrong` with 1 if the jump before the level exceeds the allowed change. A smaller change
 * counts as a jump only if it is a part of a spike; `isStrong` is then 0.
 *
 * @returns the number of levels; `MAX_LEVELS` + 1 if there are too many
 */
function findLevels(jumps: Jumps, { low, high, jump }: Window, factor: number): number {
  const { at } = jumps;
  let levels = 1;
  starts[0] = low;
  for (let which = jump; which < at.length && (at[which] as number) < high; which += 1) {
    const isLarge = jumps.size(which) > factor;
    if (!isLarge && !isOfSpike(jumps, which, factor, low, high)) continue;
    if (levels === MAX_LEVELS) return MAX_LEVELS + 1;
    starts[levels] = at[which] as number;
    isStrong[levels] = isLarge ? 1 : 0;
    levels += 1;
  }
  starts[levels] = high;
  return levels;
}

/** Whether a change and an opposite change directly before or after it form a spike. */
function isOfSpike(jumps: Jumps, which: number, factor: number, low: number, high: number): boolean {
  return [which - 1, which].some((up) => {
    const index = jumps.at[up] as number;
    return (
      index > low &&
      jumps.at[up + 1] === index + 1 &&
      index + 1 < high &&
      jumps.rises(up) !== jumps.rises(up + 1) &&
      Math.min(jumps.size(up), jumps.size(up + 1)) > SPIKE_SHARE * factor
    );
  });
}

function flagEachJump(
  jumps: Jumps,
  { high, jump }: Window,
  factor: number,
  setFlag: (index: number, flag: number) => void,
): void {
  for (let which = jump; which < jumps.at.length && (jumps.at[which] as number) < high; which += 1)
    if (jumps.size(which) > factor) setFlag(jumps.at[which] as number, FLAG.step);
}

/**
 * Chooses the right levels: of all sequences of levels that can follow each other, the sequence with the most values, see
 * `checkLevels`. If several sequences have the most values, the first is chosen. Fills `isChosen` with 1 for each chosen level.
 */
function chooseLevels(jumps: Jumps, levels: number, factor: number): void {
  let best = 0;
  for (let level = 0; level < levels; level += 1) {
    const begin = starts[level] as number;
    let before = -1;
    // Two adjacent levels are never in the same sequence, because a jump lies between them.
    for (let other = 0; other < level - 1; other += 1) {
      if (before >= 0 && (counts[other] as number) <= (counts[before] as number)) continue;
      if (jumps.areCompatible((starts[other + 1] as number) - 1, begin, factor)) before = other;
    }
    befores[level] = before;
    counts[level] = (starts[level + 1] as number) - begin + (before < 0 ? 0 : (counts[before] as number));
    if ((counts[level] as number) > (counts[best] as number)) best = level;
  }
  isChosen.fill(0, 0, levels);
  for (let level = best; level >= 0; level = befores[level] as number) isChosen[level] = 1;
}

function isBetweenChosen(level: number, levels: number): boolean {
  if (isChosen[level] === 1) return false;
  const first = isChosen.indexOf(1);
  return first < level && isChosen.lastIndexOf(1, levels - 1) > level;
}

/**
 * Whether a level is the first or the last level of all stored values, and has far fewer values than the level beside it, which
 * was chosen as right. A level is a sequence of values without a jump.
 */
function isOutnumbered(
  level: number,
  levels: number,
  { times }: QcSeries,
  { begin, low, high }: Window,
): boolean {
  if (isChosen[level] === 1 || levels === 1) return false;
  const size = (starts[level + 1] as number) - (starts[level] as number);
  const sizeOf = (other: number) =>
    isChosen[other] === 1 ? (starts[other + 1] as number) - (starts[other] as number) : 0;
  const last = levels - 1;
  const isFirst = level === 0 && (times[low] as number) > begin + BLOCK;
  const isLast = level === last && (times[high - 1] as number) < begin + 2 * LOOKAHEAD;
  return (isFirst && size * MAJORITY <= sizeOf(1)) || (isLast && size * MAJORITY <= sizeOf(last - 1));
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

import { V } from '#domain/weather/variables.js';
import { joinedFindings } from '../joined-findings.js';
import type { Finding, NoticeCheck, NoticeInput } from '../notice-check.js';
import { referenceOf } from '../reference.js';

const NUMBERS = {
  /** Days of a window, and days between the begins of two windows. */
  window: 42,
  stride: 7,
  /** Largest compared shift in hours. */
  largest: 12,
  /** Smallest shift in hours that is reported. */
  shift: 0.7,
  /** Smallest correlation at the best shift, and by how much it must exceed the correlation without a shift. */
  correlation: 0.5,
  gain: 0.06,
  /** Smallest share of the hours with a change. */
  share: 0.6,
} as const;

/** Finds a clock that is wrong: the changes of the temperature come earlier or later than at the stations around. */
export const clockByNeighbors: NoticeCheck = {
  kind: 'clock',
  span: 'weeks',
  source: 'method of the project: cross-correlation of hourly changes',
  finds: `the hourly changes of the temperature of ${NUMBERS.window} days fit those of at least 3 neighbors best if the time is shifted by at least ${NUMBERS.shift * 60} minutes`,
  find({ own, neighbors }: NoticeInput): readonly Finding[] {
    const column = own.columns.get(V.temperature);
    const reference = referenceOf(V.temperature, own.hours, neighbors);
    if (column === undefined || reference === undefined) return [];
    const [changes, others] = [changesOf(column), changesOf(reference.values)];
    const findings: Finding[] = [];
    for (let from = 0; from + 24 * NUMBERS.window <= own.hours; from += 24 * NUMBERS.stride) {
      const to = from + 24 * NUMBERS.window;
      const shift = shiftIn(changes, others, from, to);
      if (shift === undefined || Math.abs(shift) < NUMBERS.shift) continue;
      const facts = { clock_minutes: Math.round(60 * shift) };
      findings.push({ variable: V.temperature, from, to, facts, comparedWith: reference.stations });
    }
    return joinedFindings(findings, ({ clock_minutes = 0 }) => Math.sign(clock_minutes));
  },
};

function changesOf(values: Float64Array): Float64Array {
  return values.map((value, hour) => value - (values[hour - 1] ?? Number.NaN));
}

/** Hours by which the clock is ahead of the clocks of the neighbors; undefined if no shift fits. */
function shiftIn(changes: Float64Array, others: Float64Array, from: number, to: number): number | undefined {
  const correlations = new Map<number, number>();
  let best = 0;
  for (let shift = -NUMBERS.largest; shift <= NUMBERS.largest; shift += 1) {
    const correlation = correlationAt(changes, others, from, to, shift);
    if (correlation === undefined) return undefined;
    correlations.set(shift, correlation);
    if (correlation > (correlations.get(best) ?? -1)) best = shift;
  }
  const at = (shift: number) => correlations.get(shift) ?? Number.NaN;
  if (at(best) < NUMBERS.correlation || at(best) - at(0) < NUMBERS.gain) return undefined;
  // The top of the parabola through the best shift and the shifts beside it.
  const [before, after] = [at(best - 1), at(best + 1)];
  const bend = before - 2 * at(best) + after;
  return Number.isNaN(bend) || bend >= 0 ? best : best + (before - after) / (2 * bend);
}

function correlationAt(
  changes: Float64Array,
  others: Float64Array,
  from: number,
  to: number,
  shift: number,
): number | undefined {
  let [count, both, first, second] = [0, 0, 0, 0];
  const [begin, end] = [Math.max(from, shift), Math.min(to, others.length + shift)];
  for (let hour = begin; hour < end; hour += 1) {
    const x = changes[hour] as number;
    const y = others[hour - shift] as number;
    if (Number.isNaN(x) || Number.isNaN(y)) continue;
    count += 1;
    both += x * y;
    first += x * x;
    second += y * y;
  }
  return count < NUMBERS.share * (to - from) || first === 0 || second === 0
    ? undefined
    : both / Math.sqrt(first * second);
}

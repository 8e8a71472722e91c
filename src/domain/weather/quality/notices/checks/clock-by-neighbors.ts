import { percentile } from '#domain/weather/climate/usual.js';
import { V } from '#domain/weather/variables.js';
import { joinedFindings } from '../joined-findings.js';
import type { Finding, NoticeCheck, NoticeInput } from '../notice-check.js';
import { referenceOf } from '../reference.js';
import { medianOf } from '../robust.js';

const NUMBERS = {
  /** Variables whose changes are compared. Fronts and the tide of the pressure show the time best. */
  variables: [V.temperature, V.humidity, V.seaLevelPressure, V.pressure],
  /** Days of a window, and days between the begins of two windows. */
  window: 42,
  stride: 7,
  /** Largest compared shift in hours. */
  largest: 12,
  /** Percentile of the sizes of changes at which larger changes are cut, so that no single front decides. */
  cut: 0.98,
  /** Smallest shift in hours against the usual shift, and smallest fit at the best shift. */
  shift: 0.68,
  fit: 0.6,
  /** Smallest number of windows from which the usual shift is computed. */
  windows: 9,
  /** The temperature alone: smallest shift in hours, smallest correlation, and by how much it must exceed the correlation without a shift. */
  alone: { shift: 0.7, correlation: 0.5, gain: 0.06 },
  /** Smallest share of the hours with a change. */
  share: 0.6,
} as const;

/**
 * Finds a clock that is wrong: the weather comes earlier or later than at the stations around.
 *
 * Weather reaches the stations at the edge of a region first, so that their usual shift is up to an hour. So the shift of all variables is compared
 * with its median. A clock that is always wrong is found by the temperature alone, which follows the sun more than fronts.
 */
export const clockByNeighbors: NoticeCheck = {
  kind: 'clock',
  span: 'weeks',
  source: 'method of the project: cross-correlation of hourly changes',
  finds: `the hourly changes of temperature, humidity and pressure of ${NUMBERS.window} days fit those of at least 3 neighbors best if the time is shifted by ${Math.round(60 * NUMBERS.shift)} minutes more than usual; or those of the temperature, if it is shifted by ${60 * NUMBERS.alone.shift} minutes`,
  find({ own, neighbors }: NoticeInput): readonly Finding[] {
    const compared = NUMBERS.variables.flatMap((variable) => {
      const column = own.columns.get(variable);
      const reference = referenceOf(variable, own.hours, neighbors);
      if (column === undefined || reference === undefined) return [];
      return [
        {
          variable,
          stations: reference.stations,
          own: changesOf(column),
          others: changesOf(reference.values),
        },
      ];
    });
    const [first] = compared;
    if (first === undefined) return [];
    const windows: Window[] = [];
    for (let from = 0; from + 24 * NUMBERS.window <= own.hours; from += 24 * NUMBERS.stride)
      windows.push(windowOf(compared, from, from + 24 * NUMBERS.window));
    const usual = usualShift(windows);
    const findings = windows.flatMap(({ from, to, shift, fit, shiftOfTemperature }): Finding[] => {
      const isUnusual = fit >= NUMBERS.fit && Math.abs(shift - usual) >= NUMBERS.shift;
      const hours = isUnusual ? shift - usual : shiftOfTemperature;
      if (hours === undefined) return [];
      const facts = { clock_minutes: Math.round(60 * hours) };
      return [{ variable: first.variable, from, to, facts, comparedWith: first.stations }];
    });
    return joinedFindings(findings, ({ clock_minutes = 0 }) => Math.sign(clock_minutes));
  },
};

interface Compared {
  readonly variable: number;
  /** Changes from hour to hour of the station, and of the reference. */
  readonly own: Float64Array;
  readonly others: Float64Array;
}

interface Window {
  readonly from: number;
  readonly to: number;
  /** Hours by which the clock is ahead of the clocks of the neighbors, by all variables. NaN if no variable is known. */
  readonly shift: number;
  /** How well this shift fits: the sum of −ln(1 − r²) of the variables. */
  readonly fit: number;
  /** The same by the temperature alone, if it is large and sure. */
  readonly shiftOfTemperature: number | undefined;
}

/** The differences from hour to hour. Differences above a percentile are cut. */
function changesOf(values: Float64Array): Float64Array {
  const changes = values.map((value, hour) => value - (values[hour - 1] ?? Number.NaN));
  const sizes = changes
    .filter((change) => !Number.isNaN(change))
    .map(Math.abs)
    .sort();
  const largest = sizes.length === 0 ? 0 : percentile(sizes, NUMBERS.cut);
  return changes.map((change) => Math.min(largest, Math.max(-largest, change)));
}

function windowOf(compared: readonly Compared[], from: number, to: number): Window {
  const fits = new Float64Array(2 * NUMBERS.largest + 1);
  let shiftOfTemperature: number | undefined;
  let known = 0;
  for (const { variable, own, others } of compared) {
    const correlations = fits.map((_, index) =>
      correlationAt(own, others, from, to, index - NUMBERS.largest),
    );
    if (correlations.some(Number.isNaN)) continue;
    known += 1;
    for (const [index, correlation] of correlations.entries())
      fits[index] = (fits[index] as number) - Math.log(1 - Math.min(0.9999, Math.max(0, correlation) ** 2));
    if (variable === V.temperature) shiftOfTemperature = sureShift(correlations);
  }
  const { shift, value } = topOf(fits);
  return { from, to, shift: known === 0 ? Number.NaN : shift, fit: value, shiftOfTemperature };
}

/** The median shift of the windows; NaN if there are too few, because a wrong clock might be what is usual in them. */
function usualShift(windows: readonly Window[]): number {
  const sure = windows.filter(({ shift, fit }) => fit >= NUMBERS.fit && !Number.isNaN(shift));
  return sure.length < NUMBERS.windows ? Number.NaN : medianOf(sure.map(({ shift }) => shift));
}

function sureShift(correlations: Float64Array): number | undefined {
  const { shift, value } = topOf(correlations);
  const { shift: smallest, correlation, gain } = NUMBERS.alone;
  const isSure = value >= correlation && value - (correlations[NUMBERS.largest] as number) >= gain;
  return isSure && Math.abs(shift) >= smallest ? shift : undefined;
}

/** The shift with the largest value, between whole hours by the parabola through the three largest values, and the value of the whole hour. */
function topOf(values: Float64Array): { readonly shift: number; readonly value: number } {
  let best: number = NUMBERS.largest;
  for (const [index, value] of values.entries()) if (value > (values[best] as number)) best = index;
  const [before, value, after] = [
    values[best - 1] ?? Number.NaN,
    values[best] as number,
    values[best + 1] ?? Number.NaN,
  ];
  const bend = before - 2 * value + after;
  const part = Number.isNaN(bend) || bend >= 0 ? 0 : (before - after) / (2 * bend);
  return { shift: best - NUMBERS.largest + part, value };
}

/** NaN if too few hours have a change. */
function correlationAt(
  changes: Float64Array,
  others: Float64Array,
  from: number,
  to: number,
  shift: number,
): number {
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
    ? Number.NaN
    : both / Math.sqrt(first * second);
}

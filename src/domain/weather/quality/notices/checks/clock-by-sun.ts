import { MILLISECONDS } from '#domain/time.js';
import { sineOfAltitude, sunAt } from '#domain/weather/derived/solar.js';
import { V } from '#domain/weather/variables.js';
import { joinedFindings } from '../joined-findings.js';
import type { Finding, NoticeCheck, NoticeInput } from '../notice-check.js';

const NUMBERS = {
  /** Days of a window, and days between the begins of two windows. */
  window: 20,
  stride: 5,
  /** Smallest number of days with a value of each hour. */
  days: 12,
  /** Smallest brightest hour of a window in W/m². The sun of a dark winter shows no time. */
  brightest: 150,
  /** Hours between the compared shifts of the sun, and the largest shift. */
  step: 0.1,
  largest: 12,
  /** Smallest shift in hours that is reported. */
  shift: 0.7,
  /** Smallest correlation of the brightest hours with the sun. */
  correlation: 0.95,
  /** Exponent of the sine of the altitude: radiation of a clear sky, Haurwitz (1945) in short. */
  exponent: 1.15,
} as const;

/**
 * Finds a clock that is wrong: the brightest values of each hour of the day, over some weeks, are compared with the sun. The brightest
 * values are used because clouds make single days unequal.
 */
export const clockBySun: NoticeCheck = {
  kind: 'clock',
  span: 'weeks',
  source: 'Haurwitz (1945), clear-sky radiation; method of the project',
  finds: `the radiation of ${NUMBERS.window} days fits the sun best if the time is shifted by at least ${NUMBERS.shift * 60} minutes`,
  find: findShifts,
};

function findShifts({ own, position }: NoticeInput): readonly Finding[] {
  const column = own.columns.get(V.radiation);
  if (column === undefined || position === undefined) return [];
  const findings: Finding[] = [];
  const [window, stride] = [24 * NUMBERS.window, 24 * NUMBERS.stride];
  for (let from = 0; from + window <= own.hours; from += stride) {
    const brightest = brightestOf(column, from, window);
    if (brightest === undefined) continue;
    const middle = own.begin + (from + window / 2) * MILLISECONDS.hour;
    const dayBegin = Math.floor(middle / MILLISECONDS.day) * MILLISECONDS.day;
    const first = ((own.begin / MILLISECONDS.hour + from) % 24) + 24;
    const hourOfDay = (index: number) => (first + index) % 24;
    const shift = bestShift(brightest, dayBegin, hourOfDay, position);
    if (shift === undefined || Math.abs(shift) < NUMBERS.shift) continue;
    findings.push({
      variable: V.radiation,
      from,
      to: from + window,
      facts: { clock_minutes: Math.round(60 * shift) },
      comparedWith: [],
    });
  }
  return joinedFindings(findings, ({ clock_minutes = 0 }) => Math.sign(clock_minutes));
}

/** The brightest but one value of each of 24 hours; undefined if values are missing or it is dark. */
function brightestOf(column: Float64Array, from: number, window: number): Float64Array | undefined {
  const brightest = new Float64Array(24);
  for (let hour = 0; hour < 24; hour += 1) {
    let [count, first, second] = [0, -Infinity, -Infinity];
    for (let index = from + hour; index < from + window; index += 24) {
      const value = column[index] as number;
      if (Number.isNaN(value)) continue;
      count += 1;
      if (value > first) [first, second] = [value, first];
      else if (value > second) second = value;
    }
    if (count < NUMBERS.days) return undefined;
    brightest[hour] = Math.max(0, second);
  }
  return Math.max(...brightest) < NUMBERS.brightest ? undefined : brightest;
}

/** The shift in hours by which the clock of the values is ahead of the sun; undefined if no shift fits. */
function bestShift(
  brightest: Float64Array,
  dayBegin: number,
  hourOfDay: (index: number) => number,
  { latitude, longitude }: { readonly latitude: number; readonly longitude: number },
): number | undefined {
  const steps = Math.round(24 / NUMBERS.step);
  const inHour = Math.round(1 / NUMBERS.step);
  const sun = Float64Array.from({ length: steps }, (_, step) => {
    const time = dayBegin + (step + 0.5) * NUMBERS.step * MILLISECONDS.hour;
    return Math.max(0, sineOfAltitude(sunAt(time, longitude), latitude)) ** NUMBERS.exponent;
  });
  // The sun of the hour that begins at each step.
  const hours = Float64Array.from({ length: steps }, (_, start) => {
    let sum = 0;
    for (let step = 0; step < inHour; step += 1) sum += sun[(start + step) % steps] as number;
    return sum;
  });
  let best: { shift: number; correlation: number } | undefined;
  const correlate = correlationWith(brightest);
  const model = new Float64Array(24);
  const largest = Math.round(NUMBERS.largest / NUMBERS.step);
  for (let shift = -largest; shift <= largest; shift += 1) {
    for (let hour = 0; hour < 24; hour += 1) {
      const start = hourOfDay(hour) * inHour - shift;
      model[hour] = hours[(start + 2 * steps) % steps] as number;
    }
    const correlation = correlate(model);
    if (best === undefined || correlation > best.correlation) best = { shift, correlation };
  }
  return best === undefined || best.correlation < NUMBERS.correlation ? undefined : best.shift * NUMBERS.step;
}

/** A function that gives the correlation of other values with these values. */
function correlationWith(values: Float64Array): (other: Float64Array) => number {
  const a = meanOf(values);
  const differences = values.map((value) => value - a);
  let first = 0;
  for (const x of differences) first += x * x;
  return (other) => {
    const b = meanOf(other);
    let [both, second] = [0, 0];
    for (let index = 0; index < other.length; index += 1) {
      const y = (other[index] as number) - b;
      both += (differences[index] as number) * y;
      second += y * y;
    }
    return both / Math.sqrt(first * second);
  };
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) sum += values[index] as number;
  return sum / values.length;
}

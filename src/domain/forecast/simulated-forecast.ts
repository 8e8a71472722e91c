import { MILLISECONDS } from '../time.js';
import type { Forecast } from './forecast.js';
import { F } from './forecast-variables.js';

/** The errors of a simulated model, in units of the size of the errors of each variable. */
export interface SimulatedModel {
  /** Two models with different seeds have different errors. */
  readonly seed: number;
  /** Size of the bias, which depends on the time of the day; 1 for that of a model in a garden. */
  readonly bias: number;
  /** Milliseconds after which the model is replaced by another one, with another bias. Counted from 1970-01-01T00:00:00Z. */
  readonly changesEvery: number;
}

/** How errors of a variable are simulated: the size of one, and whether errors are added or are factors. */
const SIZES: ReadonlyMap<number, { readonly size: number; readonly isRatio: boolean }> = new Map([
  [F.temperature, { size: 1, isRatio: false }],
  [F.dewPoint, { size: 1.2, isRatio: false }],
  [F.pressure, { size: 0.8, isRatio: false }],
  [F.wind, { size: 0.25, isRatio: true }],
  [F.gust, { size: 0.25, isRatio: true }],
  [F.radiation, { size: 0.25, isRatio: true }],
]);

/** Errors of the analysis, and errors that each half day between issue and hour adds, as shares of the size. */
const [AT_ONCE, OF_HALF_DAY] = [0.7, 0.38];
const HALF_DAY = 12 * MILLISECONDS.hour;
/** Milliseconds between two independent errors of hours. */
const NODE = 6 * MILLISECONDS.hour;

/**
 * Makes a forecast from what was, or will be, observed: with a bias, with errors that grow with the lead time, and with a change of the
 * model. A pure function: a later forecast of the same hour shares the errors that both have not resolved yet, as real models do.
 *
 * @param outcomes what will be observed, by number of the variable of forecasts, at `times`
 */
export function simulatedForecast(
  issued: number,
  times: Float64Array,
  outcomes: ReadonlyMap<number, Float64Array>,
  { seed, bias, changesEvery }: SimulatedModel,
): Forecast {
  const values = new Map<number, Float64Array>();
  for (const [number, { size, isRatio }] of SIZES) {
    const column = outcomes.get(number);
    if (column === undefined) continue;
    const biasAt = biasOf(seed + number, Math.floor(issued / changesEvery));
    const noiseAt = noiseOf(seed + number, issued);
    values.set(
      number,
      column.map((outcome, index) => {
        const time = times[index] as number;
        const error = size * (bias * biasAt(time) + noiseAt(time));
        return isRatio ? Math.max(0, outcome * Math.exp(error)) : outcome + error;
      }),
    );
  }
  const rain = outcomes.get(F.rain);
  if (rain !== undefined) addRain(values, rain, times, issued, seed);
  return { issued, times, values };
}

/** The bias of a model by the time of the day: one that is always there, and one that is largest at one hour. */
function biasOf(seed: number, version: number): (time: number) => number {
  const key = seed * 31 + version * 17;
  const [always, daily, hour] = [normal(key, 1) * 0.7, 0.8 + 0.5 * uniform(key, 2), uniform(key, 3)];
  return (time) =>
    always + daily * Math.cos(2 * Math.PI * (hour + (time % MILLISECONDS.day) / MILLISECONDS.day));
}

/**
 * The error by time, which two forecasts of an hour share as far as both lack the newer data: a sum of random functions of time with a
 * variance of about 1, whose values some hours apart are independent.
 */
function noiseOf(seed: number, issued: number): (time: number) => number {
  const first = Math.ceil(issued / HALF_DAY);
  // The hours between two nodes have the same sums.
  const sums = new Map<number, number>();
  const sumAt = (node: number, end: number): number => {
    const key = node * 2 ** 24 + end;
    let sum = sums.get(key);
    if (sum !== undefined) return sum;
    sum = AT_ONCE * normal(seed * 7919, node);
    for (let slot = first; slot < end; slot += 1) sum += OF_HALF_DAY * normal(seed * 7919 + slot, node);
    sums.set(key, sum);
    return sum;
  };
  return (time) => {
    const node = Math.floor(time / NODE);
    const angle = (time / NODE - node) * (Math.PI / 2);
    const end = Math.ceil(time / HALF_DAY);
    return Math.cos(angle) * sumAt(node, end) + Math.sin(angle) * sumAt(node + 1, end);
  };
}

/** Rain at other hours than it falls, and a chance that is too sure of itself. */
function addRain(
  values: Map<number, Float64Array>,
  rain: Float64Array,
  times: Float64Array,
  issued: number,
  seed: number,
): void {
  const noiseAt = noiseOf(seed + F.rain, issued);
  const odds = rain.map((amount, index) => {
    const near = (rain[index - 1] ?? 0) + amount + (rain[index + 1] ?? 0);
    return Number.isNaN(amount)
      ? Number.NaN
      : (near > 0 ? 1.5 : -2.5) + 1.5 * noiseAt(times[index] as number);
  });
  values.set(
    F.rainChance,
    odds.map((one) => 100 / (1 + Math.exp(-1.6 * one))),
  );
  values.set(
    F.rain,
    odds.map((one, index) => (one > 0 ? Math.max(0.2, rain[index] as number) : 0)),
  );
  values.set(
    F.weatherCode,
    odds.map((one) => (Number.isNaN(one) ? Number.NaN : one > 0 ? 61 : one > -1.5 ? 3 : 1)),
  );
}

/** A number from 0 to 1 that depends on its arguments alone. */
function uniform(key: number, index: number): number {
  let mixed = Math.imul((key | 0) ^ 0x9e37_79b9, 0x85eb_ca6b) ^ Math.imul(index | 0, 0xc2b2_ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b_3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a_2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}

function normal(key: number, index: number): number {
  const [one, other] = [uniform(key, 2 * index), uniform(key, 2 * index + 1)];
  return Math.sqrt(-2 * Math.log(1 - one)) * Math.cos(2 * Math.PI * other);
}

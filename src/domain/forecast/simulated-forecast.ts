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
    values.set(
      number,
      column.map((outcome, index) => {
        const time = times[index] as number;
        const error =
          size *
          (bias * biasAt(seed + number, time, Math.floor(issued / changesEvery)) +
            noiseAt(seed + number, issued, time));
        return isRatio ? Math.max(0, outcome * Math.exp(error)) : outcome + error;
      }),
    );
  }
  const rain = outcomes.get(F.rain);
  if (rain !== undefined) addRain(values, rain, times, issued, seed);
  return { issued, times, values };
}

/** The bias of a model at a time of the day: one that is always there, and one that is largest at one hour. */
function biasAt(seed: number, time: number, version: number): number {
  const key = seed * 31 + version * 17;
  const phase = 2 * Math.PI * (uniform(key, 3) + (time % MILLISECONDS.day) / MILLISECONDS.day);
  return normal(key, 1) * 0.7 + (0.8 + 0.5 * uniform(key, 2)) * Math.cos(phase);
}

/** The error that two forecasts of an hour share as far as both lack the newer data. */
function noiseAt(seed: number, issued: number, time: number): number {
  let noise = AT_ONCE * smooth(seed, 0, time);
  for (let slot = Math.ceil(issued / HALF_DAY); slot * HALF_DAY < time; slot += 1)
    noise += OF_HALF_DAY * smooth(seed, slot, time);
  return noise;
}

/** A random function of time with a variance of about 1, whose values some hours apart are independent. */
function smooth(seed: number, slot: number, time: number): number {
  const node = Math.floor(time / NODE);
  const share = time / NODE - node;
  const [one, other] = [Math.cos((share * Math.PI) / 2), Math.sin((share * Math.PI) / 2)];
  return one * normal(seed * 7919 + slot, node) + other * normal(seed * 7919 + slot, node + 1);
}

/** Rain at other hours than it falls, and a chance that is too sure of itself. */
function addRain(
  values: Map<number, Float64Array>,
  rain: Float64Array,
  times: Float64Array,
  issued: number,
  seed: number,
): void {
  const odds = rain.map((amount, index) => {
    const time = times[index] as number;
    const near = (rain[index - 1] ?? 0) + amount + (rain[index + 1] ?? 0);
    return Number.isNaN(amount)
      ? Number.NaN
      : (near > 0 ? 1.5 : -2.5) + 1.5 * noiseAt(seed + F.rain, issued, time);
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

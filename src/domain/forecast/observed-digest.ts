import { MILLISECONDS } from '../time.js';
import { DAYS_BEFORE, type FinishedHour } from './learn.js';

const bits = new Float64Array(1);
const words = new Uint32Array(bits.buffer);

/**
 * A checksum of the observations that the scores of hours depend on: those of the hours, and those of the days before, which persistence
 * forecasts. The checksums of hours can be added (modulo 2^32), so that the checksum of a month grows with its scores.
 */
export function observedDigest(hours: readonly FinishedHour[]): number {
  let sum = 0;
  for (const { time, observed, before } of hours)
    for (const number of observed.keys())
      for (let days = 0; days <= DAYS_BEFORE; days += 1) {
        const value = before(number, days);
        if (Number.isNaN(value)) continue;
        bits[0] = value;
        let mixed =
          Math.imul(Math.floor(time / MILLISECONDS.hour), 0x9e37_79b9) ^
          Math.imul(number * 16 + days, 0x85eb_ca6b);
        for (const word of words) {
          mixed = Math.imul(mixed ^ word ^ (mixed >>> 15), 0x2c1b_3c6d);
          mixed ^= mixed >>> 13;
        }
        sum = addedDigests(sum, mixed);
      }
  return sum;
}

/** The checksum of the hours of both. */
export function addedDigests(one: number, other: number): number {
  return (one + other) >>> 0;
}

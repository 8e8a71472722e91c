import { V, type Variable } from '../variables.js';
import { type BucketRows, type ColumnSums, flagsOf, isKnown } from './column-sums.js';
import { spansOf } from './coverage.js';
import { Evenness } from './evenness.js';
import { emptyFields, layoutOf } from './layout.js';
import { sectorOf, SECTORS } from './sectors.js';
import { NO_STATISTICS, type Statistics } from './statistics.js';

type Field = Float64Array;
type Ten = [...[Field, Field, Field, Field, Field], ...[Field, Field, Field, Field, Field]];

/** Smallest length of a resultant wind, in m/s times the number of reports. Below this length, the winds cancel each other out. */
const MIN_RESULTANT = 1e-9;

const sine = (degrees: number) => Math.sin((degrees * Math.PI) / 180);
const cosine = (degrees: number) => Math.cos((degrees * Math.PI) / 180);
/** The sines and cosines of whole degrees, which most directions are. Computing them takes a third of the time of the mean. */
const SINES = Float64Array.from({ length: 361 }, (_, degrees) => sine(degrees));
const COSINES = Float64Array.from({ length: 361 }, (_, degrees) => cosine(degrees));

/**
 * The mean wind direction of each of several buckets: the direction of the resultant wind, which is the sum of the wind
 * vectors. In buckets without any known speed, all directions have the same weight, and so have published directions of days: the speed
 * in their row is the speed at the end of the day. A calm (speed 0) without a direction is a report
 * too, in a bucket with at least one direction: it counts in the speed of the resultant wind and in the covered time.
 */
export class DirectionMean implements ColumnSums {
  readonly fields: readonly Field[];
  readonly #variable: Variable;

  constructor(variable: Variable, buckets: number) {
    this.#variable = variable;
    this.fields = emptyFields(layoutOf(variable), buckets);
  }

  add(index: number, rows: BucketRows): void {
    const { number } = this.#variable;
    const { series, bucket, coverages, delay } = rows;
    const directions = series.values.get(number);
    if (directions === undefined) return;
    const flags = flagsOf(rows, number);
    const speeds = this.#variable.period === 'day' ? undefined : knownSpeeds(rows);
    const { times, from, to, rowAt } = reportsOf(rows, (row) =>
      speeds === undefined
        ? isKnown(directions, flags, row)
        : !Number.isNaN(speeds[row - rows.from]) &&
          (speeds[row - rows.from] === 0 || isKnown(directions, flags, row)),
    );
    // A stored part of the rows has no column for a variable without values. So that the sums do not depend on how the rows are
    // divided into parts, a bucket without any direction has none of its calms.
    let known = from;
    while (known < to && !isKnown(directions, flags, rowAt(known))) known += 1;
    if (known === to) return;
    const { covered, interval, isRegular } = coverages.of({ times, from, to }, bucket, this.#variable);
    const first = speeds === undefined ? 3 : 0;
    const [counts, easts, norths] = this.fields.slice(first) as [Field, Field, Field];
    const [coveredTimes, irregular, calms, sectors] = this.fields.slice(6) as [Field, Field, Field, Field];
    const add = (at: number, weight: number, span: number) => {
      const row = rowAt(at);
      const speed = speeds?.[row - rows.from] ?? 1;
      if (!isKnown(directions, flags, row)) {
        calms[index] = (calms[index] as number) + 1;
        return;
      }
      const direction = directions[row] as number;
      const isWhole = Number.isInteger(direction) && direction >= 0 && direction <= 360;
      const east = isWhole ? (SINES[direction] as number) : sine(direction);
      const north = isWhole ? (COSINES[direction] as number) : cosine(direction);
      counts[index] = (counts[index] as number) + 1;
      easts[index] = (easts[index] as number) + weight * speed * east;
      norths[index] = (norths[index] as number) + weight * speed * north;
      if (speed === 0) return;
      const sector = index * SECTORS + sectorOf(direction, SECTORS);
      sectors[sector] = (sectors[sector] as number) + span;
    };
    coveredTimes[index] = covered;
    if (isRegular) {
      for (let at = from; at < to; at += 1) add(at, 1, Number.isNaN(interval) ? 1 : interval);
      return;
    }
    irregular[index] = 1;
    const length = bucket.end - bucket.start;
    let total = 0;
    spansOf(times, from, to, length, interval, delay, (_at, span) => (total += span));
    // The weight of a report is the time that it covers, divided by the mean of these times: 1.5 for a report that covers 15
    // minutes if the mean is 10 minutes. The weights of a bucket add up to the number of its reports. In a bucket with regular
    // reports each weight is 1. So the sums of both kinds of buckets can be added.
    const mean = total / (to - from);
    spansOf(times, from, to, length, interval, delay, (at, span) => add(at, span / mean, span));
  }

  /**
   * Number of directions in the mean, and the mean in degrees, over the buckets from `from` to `to` (not included). The mean is NaN
   * without wind, or if the winds cancel each other out.
   */
  statistics(from: number, to: number): Statistics {
    const [weighted, , , , , , covered, irregular, calms] = this.fields as Ten;
    let hasSpeeds = false;
    for (let bucket = from; bucket < to && !hasSpeeds; bucket += 1)
      hasSpeeds = weighted[bucket] !== 0 || calms[bucket] !== 0;
    const [counts, easts, norths] = this.fields.slice(hasSpeeds ? 0 : 3) as [Field, Field, Field];
    const evenness = new Evenness();
    let [count, reports, east, north, eastTime, northTime] = [0, 0, 0, 0, 0, 0];
    for (let bucket = from; bucket < to; bucket += 1) {
      const own = (counts[bucket] as number) + (hasSpeeds ? (calms[bucket] as number) : 0);
      if (own === 0) continue;
      count += counts[bucket] as number;
      reports += own;
      east += easts[bucket] as number;
      north += norths[bucket] as number;
      const time = evenness.add(own, covered[bucket] as number, !Number.isNaN(irregular[bucket]));
      eastTime += ((easts[bucket] as number) * time) / own;
      northTime += ((norths[bucket] as number) * time) / own;
    }
    if (reports === 0) return NO_STATISTICS;
    const { isWeighted, known } = evenness;
    const [x, y, divisor] = isWeighted ? [eastTime, northTime, evenness.covered] : [east, north, reports];
    const length = Math.hypot(x, y);
    const isCanceled = length < MIN_RESULTANT * (isWeighted ? divisor / reports : 1);
    const degrees = (Math.atan2(x, y) * 180) / Math.PI;
    return {
      count,
      min: Number.NaN,
      minTime: Number.NaN,
      max: Number.NaN,
      maxTime: Number.NaN,
      mean: isCanceled ? Number.NaN : degrees < 0 ? degrees + 360 : degrees,
      sum: Number.NaN,
      covered: known,
      isWeighted,
      integral: undefined,
      maxDirection: undefined,
      wind: {
        vectorSpeed: hasSpeeds ? length / divisor : Number.NaN,
        sector: this.#sector(from, to),
      },
      rain: undefined,
    };
  }

  #sector(from: number, to: number): number {
    const sectors = this.fields.at(-1) as Field;
    let [longest, prevailing] = [0, Number.NaN];
    for (let sector = 0; sector < SECTORS; sector += 1) {
      let time = 0;
      for (let at = from * SECTORS + sector; at < to * SECTORS; at += SECTORS) time += sectors[at] as number;
      if (time > longest) [longest, prevailing] = [time, sector];
    }
    return prevailing;
  }
}

/** The wind speed of each row of the bucket; NaN for an unknown speed. Undefined if all speeds are unknown. */
function knownSpeeds(rows: BucketRows): Field | undefined {
  const { series, from, to } = rows;
  const speeds = series.values.get(V.windSpeed);
  if (speeds === undefined) return undefined;
  const flags = flagsOf(rows, V.windSpeed);
  const known = speeds.slice(from, to);
  if (flags !== undefined)
    for (let row = from; row < to; row += 1) if (flags[row] !== 0) known[row - from] = Number.NaN;
  return known.every(Number.isNaN) ? undefined : known;
}

/** The times of the rows for which `isReport` returns true. `rowAt` converts an index in `times` to a row of the series. */
function reportsOf({ series: { times }, from, to }: BucketRows, isReport: (row: number) => boolean) {
  let first = from;
  while (first < to && isReport(first)) first += 1;
  if (first === to) return { times, from, to, rowAt: (at: number) => at };
  const rows: number[] = [];
  for (let row = from; row < to; row += 1) if (isReport(row)) rows.push(row);
  const own = Float64Array.from(rows, (row) => times[row] as number);
  return { times: own, from: 0, to: rows.length, rowAt: (at: number) => rows[at] as number };
}

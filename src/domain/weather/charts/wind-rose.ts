import type { Series } from '../series.js';
import { sectorOf } from '../summaries/sectors.js';
import type { UnitSystem } from '../units.js';
import { V } from '../variables.js';

/** Numbers of sectors: the points of the compass, and tens of degrees as in coded messages. */
export const SECTOR_COUNTS = [8, 16, 36] as const;

/** A slower wind is a calm, in m/s. WMO-No. 8: half a meter a second (a knot) is the unit of reported speeds, and less is a calm. */
export const CALM_BELOW = 0.5;

/** Degrees in which coded messages have directions, and their number. */
const TEN = 10;
const TENS = 360 / TEN;

/** Usual lower bounds of the classes of speed but the first, in the unit of the system. */
export const DEFAULT_BOUNDS: Readonly<Record<UnitSystem, readonly number[]>> = {
  metric: [2, 4, 6, 8, 12],
  imperial: [4, 8, 13, 18, 25],
  si: [2, 4, 6, 8, 12],
};

/**
 * Numbers of winds by sector and class of speed. Each row with a speed or a direction is counted once: in a sector and a class, as a calm,
 * as one without direction, or as one without speed.
 */
export class WindRose {
  readonly #counts: readonly Float64Array[];
  /** The winds whose directions are tens of degrees, by ten and class of speed. */
  readonly #tens: readonly Float64Array[];
  readonly #bounds: readonly number[];
  #hasOthers = false;
  #calms = 0;
  #withoutDirection = 0;
  #withoutSpeed = 0;

  /** @param bounds lower bounds of the classes but the first, in m/s, rising from above `CALM_BELOW` */
  constructor(sectors: number, bounds: readonly number[]) {
    this.#bounds = bounds;
    const classes = bounds.length + 1;
    this.#counts = Array.from({ length: sectors }, () => new Float64Array(classes));
    this.#tens = Array.from({ length: TENS }, () => new Float64Array(classes));
  }

  /**
   * By sector, clockwise from north, then by class of speed. If all directions are tens of degrees, each is spread over the ten degrees
   * around it. Otherwise a sector of 22.5° with three tens in it would have half as many winds again as one with two
   * (S. Applequist, 2012: Wind Rose Bias Correction, Journal of Applied Meteorology and Climatology 51).
   */
  get counts(): readonly Float64Array[] {
    if (this.#hasOthers || this.#counts.length === TENS) return this.#counts;
    const width = 360 / this.#counts.length;
    const spread = this.#counts.map(({ length }) => new Float64Array(length));
    for (const [index, counts] of this.#tens.entries()) {
      const begin = index * TEN - TEN / 2;
      const sector = sectorOf(begin, spread.length);
      const left = width - ((begin + width / 2 + 360) % width);
      const share = Math.min(1, left / TEN);
      addTo(spread[sector], counts, share);
      addTo(spread[(sector + 1) % spread.length], counts, 1 - share);
    }
    return spread;
  }

  /** Winds slower than `CALM_BELOW`, with or without a direction. */
  get calms(): number {
    return this.#calms;
  }

  /** Winds that are no calms, and whose direction is unknown. */
  get withoutDirection(): number {
    return this.#withoutDirection;
  }

  get withoutSpeed(): number {
    return this.#withoutSpeed;
  }

  /** Adds the winds of rows. All values count, whatever their flags. */
  add({ times, values }: Series): void {
    const [speeds, directions] = [values.get(V.windSpeed), values.get(V.windDirection)];
    for (let row = 0; row < times.length; row += 1)
      this.#addWind(speeds?.[row] ?? Number.NaN, directions?.[row] ?? Number.NaN);
  }

  #addWind(speed: number, direction: number): void {
    if (speed < CALM_BELOW) this.#calms += 1;
    else if (Number.isNaN(speed)) this.#withoutSpeed += Number.isNaN(direction) ? 0 : 1;
    else if (Number.isNaN(direction)) this.#withoutDirection += 1;
    else {
      let speedClass = 0;
      while (speed >= (this.#bounds[speedClass] ?? Infinity)) speedClass += 1;
      addOne(this.#counts[sectorOf(direction, this.#counts.length)], speedClass);
      if (direction % TEN === 0) addOne(this.#tens[sectorOf(direction, TENS)], speedClass);
      else this.#hasOthers = true;
    }
  }
}

function addOne(counts: Float64Array | undefined, speedClass: number): void {
  if (counts !== undefined) counts[speedClass] = (counts[speedClass] as number) + 1;
}

function addTo(sums: Float64Array | undefined, counts: Float64Array, share: number): void {
  for (const [index, count] of counts.entries())
    if (sums !== undefined) sums[index] = (sums[index] as number) + share * count;
}

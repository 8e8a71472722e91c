import type { Series } from '../series.js';
import { sectorOf } from '../summaries/sectors.js';
import type { UnitSystem } from '../units.js';
import { V } from '../variables.js';

/** Permitted numbers of sectors: 8 and 16 points of the compass, and 36 steps of ten degrees as in coded messages. */
export const SECTOR_COUNTS = [8, 16, 36] as const;

/**
 * Speed in m/s below which the wind counts as calm. It is the step in which wind speeds are reported: half a meter a second, or a
 * knot (WMO-No. 8).
 */
export const CALM_BELOW = 0.5;

/** `DIRECTION_STEP`: degrees between two wind directions in coded messages. `DIRECTION_STEPS`: number of these directions. */
const DIRECTION_STEP = 10;
const DIRECTION_STEPS = 360 / DIRECTION_STEP;

/**
 * Default lower bounds of the speed classes, in the speed unit of each unit system. The first class has no bound here: it begins
 * at `CALM_BELOW`.
 */
export const DEFAULT_BOUNDS: Readonly<Record<UnitSystem, readonly number[]>> = {
  metric: [2, 4, 6, 8, 12],
  imperial: [4, 8, 13, 18, 25],
  si: [2, 4, 6, 8, 12],
};

/**
 * Counts observations of the wind by sector and speed class. Each row with a speed or a direction is counted once: in a sector
 * and a class, as a calm, as an observation without direction, or as an observation without speed.
 */
export class WindRose {
  readonly #counts: readonly Float64Array[];
  /** Numbers of observations whose directions are multiples of ten degrees, by direction and speed class. */
  readonly #tens: readonly Float64Array[];
  readonly #bounds: readonly number[];
  #hasOthers = false;
  #calms = 0;
  #withoutDirection = 0;
  #withoutSpeed = 0;

  /** @param bounds lower bounds of the speed classes except the first, in m/s, ascending, greater than `CALM_BELOW` */
  constructor(sectors: number, bounds: readonly number[]) {
    this.#bounds = bounds;
    const classes = bounds.length + 1;
    this.#counts = Array.from({ length: sectors }, () => new Float64Array(classes));
    this.#tens = Array.from({ length: DIRECTION_STEPS }, () => new Float64Array(classes));
  }

  /**
   * Numbers of observations by sector, clockwise from north, and then by speed class.
   *
   * If a station reports only multiples of ten degrees, some sectors of 22.5° contain three of these directions, and other
   * sectors only two. So that the sectors are comparable, each observation is then spread over ten degrees: five degrees on each
   * side of its direction (S. Applequist, 2012: Wind Rose Bias Correction, Journal of Applied Meteorology and Climatology 51).
   */
  get counts(): readonly Float64Array[] {
    if (this.#hasOthers || this.#counts.length === DIRECTION_STEPS) return this.#counts;
    const width = 360 / this.#counts.length;
    const spread = this.#counts.map(({ length }) => new Float64Array(length));
    for (const [index, counts] of this.#tens.entries()) {
      const begin = index * DIRECTION_STEP - DIRECTION_STEP / 2;
      const sector = sectorOf(begin, spread.length);
      const remaining = width - ((begin + width / 2 + 360) % width);
      const share = Math.min(1, remaining / DIRECTION_STEP);
      addTo(spread[sector], counts, share);
      addTo(spread[(sector + 1) % spread.length], counts, 1 - share);
    }
    return spread;
  }

  /** Number of observations with a speed below `CALM_BELOW`, with or without a direction. */
  get calms(): number {
    return this.#calms;
  }

  /** Number of observations with a speed of at least `CALM_BELOW` and no direction. */
  get withoutDirection(): number {
    return this.#withoutDirection;
  }

  /** Number of rows with a direction and no speed. */
  get withoutSpeed(): number {
    return this.#withoutSpeed;
  }

  /** Counts the wind of each row of a series. All values count, whatever their flags. */
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
      if (direction % DIRECTION_STEP === 0)
        addOne(this.#tens[sectorOf(direction, DIRECTION_STEPS)], speedClass);
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

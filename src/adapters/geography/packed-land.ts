import { setImmediate } from 'node:timers/promises';
import { clipPolygon } from 'lineclip';
import { KeyedQueue } from '#application/keyed-queue.js';
import type { BoundingBox } from '#application/ports/station-search.js';
import { DomainError } from '#domain/domain-error.js';
import { readOnce, readPackedFile } from './packed-file.js';

/** Columns of the points of all rings. Positions are differences to the previous point, in steps of `scale` from `translate`. */
export interface LandColumns {
  readonly scale: readonly [x: number, y: number];
  readonly translate: readonly [x: number, y: number];
  /** Number of points of each ring. The last point is equal to the first. */
  readonly lengths: readonly number[];
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Level of detail of each point, a digit of base 32. Small digits are small details. */
  readonly levels: string;
}

interface Ring {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly levels: Uint8Array;
  /** West, south, east and north. */
  readonly bounds: Corners;
}

type Corners = readonly [west: number, south: number, east: number, north: number];

/** Largest number of points in a reply: less than 100 kB after compression. */
const MAX_POINTS = 15_000;
const LEVELS = 32;
/** Maximum number of boxes of one network that are clipped or wait. A box takes about 50 ms of the main thread. */
const MAX_PENDING_OF_NETWORK = 6;
/** Seconds after which a refused visitor may try again. */
const RETRY_AFTER = 2;
/** A box has about this many different coordinates on each side. The other decimals are rounded. */
const RESOLUTION = 4000;

/**
 * The land in a box as rings of longitudes and latitudes by turns. A point is on land if an odd number of rings contains it. If
 * the box crosses the antimeridian, its eastern part has longitudes above 180.
 */
export interface LandInBox {
  readonly rings: readonly (readonly number[])[];
}

/** Clips the land of the world to a box, and simplifies it to a bounded number of points. */
export class PackedLand {
  readonly #read: () => Promise<readonly Ring[]>;
  readonly #clipping = new KeyedQueue();

  constructor(file: URL) {
    this.#read = readOnce(async () => toRings((await readPackedFile(file)) as LandColumns));
  }

  /**
   * Clips the land to a box in degrees. The boxes of a network are clipped one after the other, and other work of the service is
   * done between them.
   *
   * @param network the network of the visitor
   * @throws DomainError SERVICE_UNAVAILABLE if the network already waits for many boxes
   */
  async inBox(box: BoundingBox, network: string): Promise<LandInBox> {
    if (this.#clipping.lengthOf(network) >= MAX_PENDING_OF_NETWORK)
      throw new DomainError('SERVICE_UNAVAILABLE', 'Too many maps are being drawn. Try again shortly.', {
        retryAfter: RETRY_AFTER,
      });
    return await this.#clipping.run(network, async () => {
      const rings = await this.#read();
      await setImmediate();
      return clip(rings, box);
    });
  }
}

function clip(rings: readonly Ring[], { west, south, east, north }: BoundingBox): LandInBox {
  const width = east - west + (west <= east ? 0 : 360);
  const parts = SHIFTS.map((shift): Part => ({
    box: [west - shift, south, west + width - shift, north],
    shift,
  }));
  const level = levelFor(rings, parts);
  const decimals = Math.max(0, Math.ceil(Math.log10(RESOLUTION / Math.max(width, north - south, 1e-3))));
  return {
    rings: parts.flatMap(({ box, shift }) =>
      rings
        .filter(({ bounds }) => overlap(bounds, box))
        .map((ring) => simplified(ring, level))
        .filter(({ length }) => length > 0)
        .map((points) => clipPolygon(points, [...box]))
        .filter(({ length }) => length > 2)
        .map((points) => points.flatMap(([x, y]) => [rounded(x + shift, decimals), rounded(y, decimals)])),
    ),
  };
}

/** Rings are continuous across the antimeridian, so the land of a box can be this number of degrees farther west. */
const SHIFTS = [-720, -360, 0, 360, 720];

/** The box in the longitudes of some rings. `shift` is added to the longitudes of the rings. */
interface Part {
  readonly box: Corners;
  readonly shift: number;
}

/** The lowest level of detail at which the box has at most `MAX_POINTS` points. */
function levelFor(rings: readonly Ring[], parts: readonly Part[]): number {
  const counts = new Uint32Array(LEVELS);
  for (const { box } of parts)
    for (const { x, y, levels, bounds } of rings) {
      if (!overlap(bounds, box)) continue;
      for (let index = 0; index < levels.length; index++) {
        const level = levels[index] ?? 0;
        if (isInside(x[index] ?? NaN, y[index] ?? NaN, box)) counts[level] = (counts[level] ?? 0) + 1;
      }
    }
  let points = 0;
  let level = LEVELS;
  while (level > 0 && points + (counts[level - 1] ?? 0) <= MAX_POINTS) {
    level -= 1;
    points += counts[level] ?? 0;
  }
  return level;
}

/** The points of a ring with at least this level of detail; no points if fewer than three of them are left. */
function simplified({ x, y, levels }: Ring, level: number): [number, number][] {
  const points: [number, number][] = [];
  for (let index = 0; index < levels.length; index++)
    if ((levels[index] ?? 0) >= level) points.push([x[index] ?? NaN, y[index] ?? NaN]);
  // The last point of a ring is equal to its first point.
  return points.length > 3 ? points : [];
}

function isInside(x: number, y: number, [west, south, east, north]: Corners): boolean {
  return x >= west && x <= east && y >= south && y <= north;
}

function overlap(a: Corners, b: Corners): boolean {
  return a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];
}

function rounded(degrees: number, decimals: number): number {
  return Number(degrees.toFixed(decimals));
}

function toRings({ scale, translate, lengths, x, y, levels }: LandColumns): readonly Ring[] {
  let [at, column, row] = [0, 0, 0];
  return lengths.map((length) => {
    const ring = {
      x: new Float32Array(length),
      y: new Float32Array(length),
      levels: new Uint8Array(length),
    };
    for (let index = 0; index < length; index++, at++) {
      column += x[at] ?? 0;
      row += y[at] ?? 0;
      ring.x[index] = translate[0] + column * scale[0];
      ring.y[index] = translate[1] + row * scale[1];
      ring.levels[index] = Number.parseInt(levels[at] ?? '0', LEVELS);
    }
    return { ...ring, bounds: boundsOf(ring) };
  });
}

function boundsOf({ x, y }: Pick<Ring, 'x' | 'y'>): Corners {
  const bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [index, longitude] of x.entries()) {
    const latitude = y[index] ?? NaN;
    bounds[0] = Math.min(bounds[0], longitude);
    bounds[1] = Math.min(bounds[1], latitude);
    bounds[2] = Math.max(bounds[2], longitude);
    bounds[3] = Math.max(bounds[3], latitude);
  }
  return bounds;
}

import type { BoundingBox, Position } from '#application/ports/station-search.js';
import { invalid } from './ogc-error.js';

/** Rings of a polygon: the outer one and its holes. A point is `[longitude, latitude]` in degrees; the last is equal to the first. */
export type Polygon = readonly Ring[];
type Ring = readonly Point[];
type Point = readonly [longitude: number, latitude: number];

/** Largest number of points of all rings together. The time of `contains` grows with it. */
const MAX_POINTS = 500;

const TOKEN = /\s*([A-Za-z]+|[(),]|[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?)\s*/y;

/** Reads a geometry as Well-Known Text (OGC 06-103r4): `POINT(4.9 52.4)`, longitude first. @throws ProtocolError REQUEST_INVALID */
export function readPoint(text: string): Position {
  const reader = new Reader(text);
  reader.keyword(['POINT']);
  reader.take('(');
  const [longitude, latitude] = reader.point();
  reader.take(')');
  reader.end();
  return { latitude, longitude };
}

/** Reads `POLYGON(…)` or `MULTIPOLYGON(…)` as Well-Known Text. @throws ProtocolError REQUEST_INVALID */
export function readPolygons(text: string): readonly Polygon[] {
  const reader = new Reader(text);
  const polygon = () => reader.list(() => ringOf(reader.list(() => reader.point())));
  const keyword = reader.keyword(['POLYGON', 'MULTIPOLYGON']);
  const polygons = keyword === 'POLYGON' ? [polygon()] : reader.list(polygon);
  reader.end();
  return polygons;
}

function ringOf(points: Ring): Ring {
  const [first, last] = [points[0] as Point, points.at(-1) as Point];
  if (points.length < 4 || first[0] !== last[0] || first[1] !== last[1])
    throw invalid(
      'coords: Each ring of a polygon needs at least four points, of which the last is the first.',
    );
  return points;
}

/** The smallest box around polygons. */
export function boxOf(polygons: readonly Polygon[]): BoundingBox {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [longitude, latitude] of polygons.flat(2)) {
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return { west, south, east, north };
}

/** Whether a position is in one of the polygons, or on an edge. Edges are straight lines between degrees, as in maps. */
export function contains(polygons: readonly Polygon[], position: Position): boolean {
  return polygons.some((polygon) => isInside(polygon, position));
}

/** The rule of even and odd crossings, over all rings, so that a hole is outside. */
function isInside(polygon: Polygon, { longitude: x, latitude: y }: Position): boolean {
  let isOdd = false;
  for (const ring of polygon)
    for (let index = 1; index < ring.length; index += 1) {
      const [[x1, y1], [x2, y2]] = [ring[index - 1] as Point, ring[index] as Point];
      const side = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
      const isBetween = (x - x1) * (x - x2) <= 0 && (y - y1) * (y - y2) <= 0;
      if (side === 0 && isBetween) return true;
      if (y1 > y !== y2 > y && side > 0 === y2 > y1) isOdd = !isOdd;
    }
  return isOdd;
}

class Reader {
  readonly #text: string;
  #at = 0;
  #points = 0;

  constructor(text: string) {
    this.#text = text;
  }

  keyword(known: readonly string[]): string {
    const word = this.#next().toUpperCase();
    if (known.includes(word)) return word;
    throw invalid(`coords: Must be a ${known.join(' or a ')} in Well-Known Text.`);
  }

  /** One or more items in parentheses, separated by commas. */
  list<T>(item: () => T): T[] {
    this.take('(');
    const items = [item()];
    let token = this.#next();
    while (token === ',') {
      items.push(item());
      token = this.#next();
    }
    if (token !== ')') throw this.#fault('a comma or a closing parenthesis');
    return items;
  }

  point(): Point {
    this.#points += 1;
    if (this.#points > MAX_POINTS)
      throw invalid(`coords: A geometry has at most ${MAX_POINTS} points. Simplify the polygon.`);
    const [longitude, latitude] = [this.#number(), this.#number()];
    if (Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90) return [longitude, latitude];
    throw this.#fault('a longitude from -180 to 180 and a latitude from -90 to 90');
  }

  #number(): number {
    const token = this.#next();
    return token === '' ? Number.NaN : Number(token);
  }

  take(token: string): void {
    if (this.#next() !== token) throw this.#fault(JSON.stringify(token));
  }

  end(): void {
    if (this.#at < this.#text.length) throw this.#fault('the end of the geometry');
  }

  /** The next token; an empty text at the end, and for a character that begins no token. */
  #next(): string {
    TOKEN.lastIndex = this.#at;
    const [whole = '', token = ''] = TOKEN.exec(this.#text) ?? [];
    this.#at += whole.length;
    return token;
  }

  #fault(expected: string): Error {
    return invalid(`coords: Expected ${expected} before character ${this.#at + 1}.`);
  }
}

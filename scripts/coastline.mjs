// The coastline of the map: data of Natural Earth (public domain) from the package world-atlas.
import { readFileSync } from 'node:fs';
import { mesh } from 'topojson-client';

/** Decimal places of a degree. The resulting 0.01 degrees are 1.1 km, finer than the source data (scale 1 : 50 million). */
const PLACES = 2;

/** Returns the coastline as the text of a GeoJSON geometry. */
export function coastline() {
  const atlas = JSON.parse(readFileSync('node_modules/world-atlas/land-50m.json', 'utf8'));
  const { type, coordinates } = mesh(atlas, atlas.objects.land);
  return JSON.stringify({ type, coordinates: coordinates.flatMap(parts).map((line) => line.map(rounded)) });
}

/**
 * Cuts a line at the antimeridian, because a map would connect the points on both sides across the whole world. Also removes the
 * edges of the data that are not coasts: the antimeridian and the South Pole.
 */
function parts(line) {
  const found = [[]];
  line.forEach((point, index) => {
    const before = line[index - 1];
    const isCut =
      before !== undefined && (Math.abs(point[0] - before[0]) > 180 || (isEdge(before) && isEdge(point)));
    if (isCut) found.push([]);
    found.at(-1).push(point);
  });
  return found.filter(({ length }) => length > 1);
}

function isEdge([longitude, latitude]) {
  return Math.abs(longitude) > 179.99 || latitude < -89.9;
}

function rounded([longitude, latitude]) {
  return [Number(longitude.toFixed(PLACES)), Number(latitude.toFixed(PLACES))];
}

/** A position in degrees. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** A town with its name on the map. */
export interface Place extends Position {
  readonly name: string;
  readonly population: number;
}

/** A box in degrees. `west` is from −180 to 180; `east` is greater than 180 if the box crosses the antimeridian. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Returns the narrowest box around positions; undefined without positions. */
export function boxAround(positions: readonly Position[]): Box | undefined {
  const [first] = positions;
  if (first === undefined) return undefined;
  const longitudes = positions.map(({ longitude }) => longitude).toSorted((a, b) => a - b);
  // The box begins east of the widest gap between neighboring longitudes, on a circle.
  let [west, east] = [longitudes[0] as number, longitudes.at(-1) as number];
  let widest = west + 360 - east;
  for (const [index, longitude] of longitudes.entries()) {
    const before = longitudes[index - 1];
    if (before === undefined || longitude - before <= widest) continue;
    widest = longitude - before;
    [west, east] = [longitude, before + 360];
  }
  const latitudes = positions.map(({ latitude }) => latitude);
  return {
    west,
    south: latitudes.reduce((a, b) => Math.min(a, b)),
    east,
    north: latitudes.reduce((a, b) => Math.max(a, b)),
  };
}

/** Returns the longitude plus a multiple of 360 that is nearest to `center`. */
export function nearestLongitude(longitude: number, center: number): number {
  return longitude + 360 * Math.round((center - longitude) / 360);
}

/**
 * The box of a request for the data of a view. Its sides are multiples of a power of two, so that a short movement of the map
 * needs no other request, and caches can answer.
 */
export interface RequestBox {
  /** West, south, east and north, separated by commas, with longitudes from −180 to 180. */
  readonly bbox: string;
  /** The box in the longitudes of the view. */
  readonly box: Box;
  /** Added to the longitudes of the reply, so that they are in the box. */
  readonly shift: number;
  /** Whether the box goes around the earth. The map then repeats it. */
  readonly isWorld: boolean;
}

/** @param view the shown box; its longitudes may be outside of −180 to 180 */
export function requestBox({ west, south, east, north }: Box): RequestBox {
  const [width, height] = [east - west, north - south];
  const step = 2 ** Math.ceil(Math.log2(Math.max(width, height, 1e-6) / 4));
  const down = (value: number) => Math.floor(value / step) * step;
  const up = (value: number) => Math.ceil(value / step) * step;
  const box = {
    // Movements of up to a fifth of the view stay in the box.
    west: down(west - width / 5),
    south: Math.max(down(south - height / 5), -90),
    east: up(east + width / 5),
    north: Math.min(up(north + height / 5), 90),
  };
  if (box.east - box.west >= 360) {
    const shift = 360 * Math.round((west + east) / 720);
    return {
      bbox: `-180,${box.south},180,${box.north}`,
      box: { ...box, west: -180 + shift, east: 180 + shift },
      shift,
      isWorld: true,
    };
  }
  const shift = 360 * Math.floor((box.west + 180) / 360);
  const [from, to] = [box.west - shift, box.east - shift];
  return { bbox: [from, box.south, to > 180 ? to - 360 : to, box.north].join(), box, shift, isWorld: false };
}

/** Whether the data of a request are good enough for a view: the box contains the view and is not much larger. */
export function isCovered(view: Box, { box, isWorld }: RequestBox): boolean {
  const isInside =
    (isWorld || (view.west >= box.west && view.east <= box.east)) &&
    view.south >= box.south &&
    view.north <= box.north;
  return isInside && sizeOf(box) <= 4 * sizeOf(view);
}

const sizeOf = ({ west, south, east, north }: Box) => Math.max(east - west, north - south);

/** Distance between two positions in km. */
export function distanceBetween(a: Position, b: Position): number {
  const radians = Math.PI / 180;
  const [x, y] = [
    (a.longitude - b.longitude) * Math.cos(((a.latitude + b.latitude) / 2) * radians),
    a.latitude - b.latitude,
  ];
  // A degree on a meridian has 111.2 km.
  return 111.2 * Math.hypot(x, y);
}

/** A station at a position in px. */
export interface Spot {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** The shown value; undefined if no value may be shown. */
  readonly value: number | undefined;
  /** Direction of the wind in degrees if the spot has a barb, which then ends in this direction. */
  readonly barb?: number | undefined;
}

/** Stations that are drawn together: one dot, two dots with one label, or one mark for more stations. */
export interface Group<Item extends Spot> {
  readonly items: readonly Item[];
  /** The position of the only station, or the middle of the stations. */
  readonly x: number;
  readonly y: number;
}

/** Stations nearer than this distance in px share a label. */
export const SHARING = 36;

/**
 * Groups stations that are near each other. A station joins the first group whose first station is less than `SHARING` away. If
 * there is no such group, the station starts a new one. A grid of cells speeds up the search: 10,000 stations take a few ms.
 */
export function groupSpots<Item extends Spot>(spots: readonly Item[]): readonly Group<Item>[] {
  const groups: Item[][] = [];
  const cells = new Map<string, Item[][]>();
  for (const spot of spots) {
    const [column, row] = [Math.floor(spot.x / SHARING), Math.floor(spot.y / SHARING)];
    const near = [-1, 0, 1]
      .flatMap((right) => [-1, 0, 1].flatMap((down) => cells.get(`${column + right} ${row + down}`) ?? []))
      .find(([first]) => first !== undefined && Math.hypot(first.x - spot.x, first.y - spot.y) < SHARING);
    if (near !== undefined) {
      near.push(spot);
      continue;
    }
    const group = [spot];
    groups.push(group);
    const cell = cells.get(`${column} ${row}`);
    if (cell === undefined) cells.set(`${column} ${row}`, [group]);
    else cell.push(group);
  }
  return groups.map((items) => ({
    items,
    x: items.reduce((sum, { x }) => sum + x, 0) / items.length,
    y: items.reduce((sum, { y }) => sum + y, 0) / items.length,
  }));
}

/** The smallest and the largest value of stations; undefined if none has a value. */
export function rangeOf(items: readonly Spot[]): readonly [number, number] | undefined {
  const values = items.flatMap(({ value }) => value ?? []);
  return values.length === 0 ? undefined : [Math.min(...values), Math.max(...values)];
}

/** A rectangle in px. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export function overlap(a: Area, b: Area): boolean {
  return a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
}

const areaAt = (x: number, y: number, width: number, height: number): Area => ({
  left: x - width / 2,
  top: y - height / 2,
  right: x + width / 2,
  bottom: y + height / 2,
});

/** A text beside or at a position. Texts that come first are placed first. */
export interface Label {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Half of the width and of the height of the drawn dots that the label stands beside; 0 for a text at the position itself. */
  readonly reach: readonly [x: number, y: number];
}

/** The middle of a placed text, relative to the position of its label. */
export type Placed = ReadonlyMap<string, readonly [x: number, y: number]>;

const HEIGHT = 18;
/** Distance between a dot and its text. */
const GAP = 4;
/** Half of the size of a dot with its ring. */
const DOT = 10;
/** Length of a barb. */
const BARB = 30;

/** The areas that dots and barbs cover. */
export function coveredBy(spots: readonly Spot[]): Area[] {
  return spots.flatMap(({ x, y, barb }) => {
    const dot = areaAt(x, y, 2 * DOT, 2 * DOT);
    if (barb === undefined) return dot;
    const [right, up] = [Math.sin((barb * Math.PI) / 180), Math.cos((barb * Math.PI) / 180)];
    const along = [0.6, 0.9].map((share) => areaAt(x + right * BARB * share, y - up * BARB * share, 12, 12));
    return [dot, ...along];
  });
}

/**
 * Places texts without overlaps: right of, below, left of or above their position. A text that finds no place is left out.
 *
 * @param covered areas without text; the areas of placed texts are added
 * @param view texts are only placed in this area
 */
export function placeLabels(labels: readonly Label[], covered: Area[], view: Area): Placed {
  const placed = new Map<string, readonly [number, number]>();
  for (const { key, x, y, width, reach } of labels) {
    const [right, down] = [reach[0] + GAP + width / 2, reach[1] + HEIGHT / 2];
    const places: readonly (readonly [number, number])[] =
      reach[0] === 0
        ? [
            [0, 0],
            [0, -HEIGHT],
            [0, HEIGHT],
            [0, -2 * HEIGHT],
            [0, 2 * HEIGHT],
            [width / 2 + DOT, 0],
            [-width / 2 - DOT, 0],
          ]
        : [
            [right, 0],
            [0, down],
            [-right, 0],
            [0, -down],
          ];
    const free = places.find(([dx, dy]) => {
      const area = areaAt(x + dx, y + dy, width, HEIGHT);
      const isInView =
        area.left >= view.left &&
        area.right <= view.right &&
        area.top >= view.top &&
        area.bottom <= view.bottom;
      return isInView && !covered.some((other) => overlap(area, other));
    });
    if (free === undefined) continue;
    placed.set(key, free);
    covered.push(areaAt(x + free[0], y + free[1], width, HEIGHT));
  }
  return placed;
}

/**
 * Places a popover beside a dot, in the view. Of the corners, the first that covers the fewest other dots is chosen.
 *
 * @returns left and top in px
 */
export function placePopover(
  at: Pick<Spot, 'x' | 'y'>,
  [width, height]: readonly [number, number],
  dots: readonly Pick<Spot, 'x' | 'y'>[],
  view: Area,
): readonly [left: number, top: number] {
  const within = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high));
  const distance = 2 * DOT;
  const corners = [
    [at.x + distance, at.y - distance],
    [at.x - distance - width, at.y - distance],
    [at.x + distance, at.y + distance - height],
    [at.x - distance - width, at.y + distance - height],
    [at.x - width / 2, at.y + distance],
    [at.x - width / 2, at.y - distance - height],
  ].map(([left = 0, top = 0]): readonly [number, number] => [
    within(left, view.left + 8, view.right - width - 8),
    within(top, view.top + 8, view.bottom - height - 8),
  ]);
  const coveredDots = ([left, top]: readonly [number, number]) => {
    const area = { left, top, right: left + width, bottom: top + height };
    const own = overlap(area, areaAt(at.x, at.y, DOT, DOT)) ? 100 : 0;
    return own + dots.filter(({ x, y }) => overlap(area, areaAt(x, y, 2 * DOT, 2 * DOT))).length;
  };
  const counts = corners.map(coveredDots);
  return corners[counts.indexOf(Math.min(...counts))] ?? [8, 8];
}

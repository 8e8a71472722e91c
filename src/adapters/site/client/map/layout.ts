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

/** A position in px. */
type Point = Pick<Spot, 'x' | 'y'>;

/** Stations that are drawn together, with one label. */
export interface Group<Item extends Spot> {
  readonly items: readonly Item[];
  /** Whether each of the two stations has an own dot. All other groups of more than one station have one mark. */
  readonly isPair: boolean;
  /** The middle of a pair; the position of the first station of any other group. */
  readonly x: number;
  readonly y: number;
}

/** Stations nearer than this distance in px share a label. */
export const SHARING = 36;
/** Width and height in px of the area of a mark that can be pressed. */
const PRESSED = 32;
/** Width and height in px that another mark leaves free at least (WCAG 2.5.8). */
const TARGET = 24;

/**
 * Groups stations that are near each other. A station joins the first group whose first station is less than `SHARING` away. If
 * there is no such group, the station starts a new one. Each group is drawn at its first station, so that all marks are at least
 * `SHARING` apart. Only a pair has two marks, if they cover no other mark and almost nothing of each other.
 */
export function groupSpots<Item extends Spot>(spots: readonly Item[]): readonly Group<Item>[] {
  const groups = new Cells<[Item, ...Item[]]>();
  for (const spot of spots) {
    const near = groups
      .near(spot)
      .find(([first]) => Math.hypot(first.x - spot.x, first.y - spot.y) < SHARING);
    if (near === undefined) groups.add(spot, [spot]);
    else near.push(spot);
  }
  const marks = new Cells<Point>();
  for (const [first] of groups.all) marks.add(first, first);
  return groups.all.map((items) => {
    const [first, second] = items;
    const isPair = items.length === 2 && second !== undefined && arePair(first, second, marks);
    if (!isPair) return { items, isPair, x: first.x, y: first.y };
    marks.add(second, second);
    return { items, isPair, x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 };
  });
}

function arePair(first: Point, second: Point, marks: Cells<Point>): boolean {
  const isFree = (mark: Point) =>
    marks.near(mark).every((other) => other === first || separation(mark, other) >= PRESSED);
  return separation(first, second) >= TARGET && isFree(first) && isFree(second);
}

/** The larger one of the horizontal and the vertical distance. */
const separation = (a: Point, b: Point) => Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y));

/** Finds what is near a position with a grid of cells, so that 10,000 stations take a few ms. */
class Cells<Content> {
  readonly all: Content[] = [];
  readonly #cells = new Map<string, Content[]>();

  add(at: Point, content: Content): void {
    const cell = cellOf(at).join(' ');
    this.all.push(content);
    this.#cells.set(cell, [...(this.#cells.get(cell) ?? []), content]);
  }

  /** All that is less than `SHARING` away, and some more. */
  near(at: Point): readonly Content[] {
    const [column, row] = cellOf(at);
    return [-1, 0, 1].flatMap((right) =>
      [-1, 0, 1].flatMap((down) => this.#cells.get(`${column + right} ${row + down}`) ?? []),
    );
  }
}

const cellOf = ({ x, y }: Point) => [Math.floor(x / SHARING), Math.floor(y / SHARING)] as const;

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

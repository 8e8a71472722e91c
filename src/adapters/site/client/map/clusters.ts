/** A station at its place on the map of a zoom level, in px. */
export interface Placed {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

export interface Cluster<Item extends Placed> {
  /** In the order in which they were given; the first one is at (x, y). */
  readonly items: readonly Item[];
  readonly x: number;
  readonly y: number;
}

/** The space of a marker with its name, in px. */
const [WIDTH, HEIGHT] = [96, 64];

/**
 * Joins stations whose markers would cover each other. A station belongs to the first cluster whose own place is less than a marker
 * away, and begins a cluster if there is none. Clusters are found by the cells of a grid, so that 10,000 stations take a few ms.
 */
export function clustered<Item extends Placed>(stations: readonly Item[]): readonly Cluster<Item>[] {
  const clusters: { items: Item[]; x: number; y: number }[] = [];
  const cells = new Map<string, typeof clusters>();
  for (const station of stations) {
    const [column, row] = [Math.floor(station.x / WIDTH), Math.floor(station.y / HEIGHT)];
    const near = neighbors(column, row)
      .flatMap((cell) => cells.get(cell) ?? [])
      .find(({ x, y }) => Math.abs(x - station.x) < WIDTH && Math.abs(y - station.y) < HEIGHT);
    if (near !== undefined) {
      near.items.push(station);
      continue;
    }
    const cluster = { items: [station], x: station.x, y: station.y };
    clusters.push(cluster);
    const cell = `${column} ${row}`;
    cells.set(cell, [...(cells.get(cell) ?? []), cluster]);
  }
  return clusters;
}

/** A cell and the eight around it. */
function neighbors(column: number, row: number): string[] {
  return [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => `${column + x} ${row + y}`));
}

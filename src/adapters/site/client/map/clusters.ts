/** The position in px of a station on the map at one zoom level. */
export interface MapPoint {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

export interface Cluster<Item extends MapPoint> {
  /** Stations in the order of the input; the first station is at (x, y). */
  readonly items: readonly Item[];
  readonly x: number;
  readonly y: number;
}

/** Size of a marker with its name, in px. */
const [WIDTH, HEIGHT] = [96, 64];

/**
 * Combines stations whose markers would overlap. A station joins the first cluster that is less than the size of a marker away.
 * If there is no such cluster, the station starts a new cluster. A grid of cells speeds up the search: 10,000 stations take a few
 * ms.
 */
export function clusterStations<Item extends MapPoint>(stations: readonly Item[]): readonly Cluster<Item>[] {
  const clusters: { items: Item[]; x: number; y: number }[] = [];
  const cells = new Map<string, typeof clusters>();
  for (const station of stations) {
    const [column, row] = [Math.floor(station.x / WIDTH), Math.floor(station.y / HEIGHT)];
    const nearCluster = neighbors(column, row)
      .flatMap((cell) => cells.get(cell) ?? [])
      .find(({ x, y }) => Math.abs(x - station.x) < WIDTH && Math.abs(y - station.y) < HEIGHT);
    if (nearCluster !== undefined) {
      nearCluster.items.push(station);
      continue;
    }
    const cluster = { items: [station], x: station.x, y: station.y };
    clusters.push(cluster);
    const cell = `${column} ${row}`;
    cells.set(cell, [...(cells.get(cell) ?? []), cluster]);
  }
  return clusters;
}

/** Keys of a cell and its eight neighbors. */
function neighbors(column: number, row: number): string[] {
  return [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => `${column + x} ${row + y}`));
}

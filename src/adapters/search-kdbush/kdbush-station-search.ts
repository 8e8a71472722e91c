import { setImmediate, setTimeout } from 'node:timers/promises';
import { around, distance } from 'geokdbush';
import KDBush from 'kdbush';
import type {
  BoundingBox,
  FoundStation,
  Position,
  StationFilter,
  StationSearch,
} from '#application/ports/station-search.js';
import type { Directory, StationDirectory } from '#application/stations/station-directory.js';
import type { Audience } from '#domain/weather/stations/audience.js';
import type { Station } from '#domain/weather/station.js';

/**
 * Maximum number of results for which the tree is faster than computing every distance. The time of a search in the tree grows
 * with the number of results.
 */
const TREE_RESULTS = 1000;
/** Number of stations that are examined in one turn of the event loop: about 2 ms. */
const STATIONS_PER_TURN = 16_384;
/**
 * Pause between two builds of the index: the duration of the last build multiplied by `times`, but at most `most` milliseconds.
 */
const REBUILD_PAUSE = { times: 10, most: 1000 } as const;

interface Index {
  readonly directory: Directory;
  /** The stations, sorted by id. */
  readonly stations: readonly Station[];
  /** The searchable text of each station. */
  readonly texts: readonly string[];
  readonly tree: KDBush;
}

/** Whether the station with this index in the list matches. */
type Matches = (index: number) => boolean;

/**
 * Searches stations in a k-d tree in memory. Distances are computed on the sphere, so they are correct at the poles and across the
 * antimeridian.
 */
export class KdbushStationSearch implements StationSearch {
  readonly #directory: Pick<StationDirectory, 'current'>;
  readonly #indexes = new Map<Audience, Index>();
  /** The builds in progress, shared by all searches that wait for them. */
  readonly #building = new Map<Audience, Promise<Index>>();
  #pausedUntil = 0;
  /**
   * Settles when the last scan has ended. A scan computes the distance to every station. Scans run one after the other, so that
   * several scans do not block the event loop.
   */
  #lastScan: Promise<unknown> = Promise.resolve();

  constructor(directory: Pick<StationDirectory, 'current'>) {
    this.#directory = directory;
  }

  async search(
    audience: Audience,
    filter: StationFilter,
    offset: number,
    limit: number,
  ): Promise<readonly FoundStation[]> {
    const index = await this.#current(audience);
    const { stations, texts } = index;
    const { near, radius = Infinity, bbox, after } = filter;
    const text = filter.text?.toLowerCase();
    const matches = (at: number) =>
      (after === undefined || (stations[at] as Station).id > after) &&
      (bbox === undefined || isWithin(stations[at] as Station, bbox)) &&
      (text === undefined || (texts[at] as string).includes(text));
    if (near === undefined) return slice(stations, matches, offset, limit);
    const found =
      nearestInTree(index, near, radius, matches, offset + limit)?.slice(offset) ??
      (await this.#oneAtATime(() => scan(stations, near, radius, matches, offset, limit)));
    return found.map(({ at, kilometers }) => ({ station: stations[at] as Station, distance: kilometers }));
  }

  async count(audience: Audience, { bbox }: Pick<StationFilter, 'bbox'>): Promise<number> {
    const { list } = await this.#directory.current(audience);
    return bbox === undefined
      ? list.length
      : list.reduce((count, station) => count + Number(isWithin(station, bbox)), 0);
  }

  matcher({
    near,
    radius = Infinity,
    bbox,
  }: Omit<StationFilter, 'text' | 'after'>): (station: Station) => boolean {
    return (station) =>
      (bbox === undefined || isWithin(station, bbox)) &&
      (near === undefined ||
        distance(near.longitude, near.latitude, station.longitude, station.latitude) <= radius);
  }

  async #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastScan.then(work);
    this.#lastScan = result.catch(() => undefined);
    return await result;
  }

  /** Returns an index of the stations as they were at the time of the call or later. */
  async #current(audience: Audience): Promise<Index> {
    const directory = await this.#directory.current(audience);
    // A directory lists the stations that an audience may see: everybody, or the signed-in users. If everybody may see all
    // stations with their exact positions, both audiences have the same directory and share an index.
    let index = [...this.#indexes.values()].find((one) => one.directory === directory);
    // The first round may wait for a build that began before this call, so that its index may be outdated. The build of the
    // second round begins after this call, so two rounds are enough.
    for (let round = 0; round < 2 && index?.directory !== directory; round += 1) {
      let building = this.#building.get(audience);
      if (building === undefined) {
        building = this.#build(audience).finally(() => this.#building.delete(audience));
        this.#building.set(audience, building);
      }
      index = await building;
    }
    return index as Index;
  }

  async #build(audience: Audience): Promise<Index> {
    const pause = this.#pausedUntil - performance.now();
    if (pause > 0) await setTimeout(pause);
    const directory = await this.#directory.current(audience);
    const startedAt = performance.now();
    const stations = directory.list;
    const tree = new KDBush(stations.length);
    for (const { longitude, latitude } of stations) tree.add(longitude, latitude);
    tree.finish();
    await setImmediate();
    const texts = stations.map(({ id, name, identifiers }) =>
      [id, name, ...Object.values(identifiers)].join('\n').toLowerCase(),
    );
    const endedAt = performance.now();
    this.#pausedUntil = endedAt + Math.min(REBUILD_PAUSE.most, REBUILD_PAUSE.times * (endedAt - startedAt));
    const index = { directory, stations, texts, tree };
    this.#indexes.set(audience, index);
    return index;
  }
}

interface Candidate {
  /** Index in the list of stations. */
  readonly at: number;
  /** Distance in kilometers. */
  readonly kilometers: number;
}

const byDistance = (a: Candidate, b: Candidate) => a.kilometers - b.kilometers || a.at - b.at;

/**
 * Finds the `count` nearest stations, sorted by distance, then by index. `scan` uses the same order, so that no station is
 * missing or repeated if one page comes from the tree and the next page from `scan`.
 *
 * The caller must use `scan` instead in two cases:
 *
 * - `count` is more than `TREE_RESULTS`. `scan` is then faster.
 * - The last result and the first station after it have the same distance. Only `scan` then gives the right order.
 *
 * @returns the stations; undefined in these two cases
 */
function nearestInTree(
  { stations, tree }: Index,
  { longitude, latitude }: Position,
  radius: number,
  matches: Matches,
  count: number,
): Candidate[] | undefined {
  if (count > TREE_RESULTS) return undefined;
  const measure = measureFrom(stations, longitude, latitude);
  // The tree computes distances with another formula. A slightly larger radius ensures that the tree finds all stations within
  // `radius`.
  const found = around(tree, longitude, latitude, count + 1, radius * (1 + 1e-9), matches)
    .map((at) => ({ at, kilometers: measure(at) }))
    .filter(({ kilometers }) => kilometers <= radius)
    .sort(byDistance);
  if (found.length > count && found[count]?.kilometers === found[count - 1]?.kilometers) return undefined;
  return found.slice(0, count);
}

/** Finds the same stations as `nearestInTree` by computing every distance. The duration does not depend on the offset of the page. */
async function scan(
  stations: readonly Station[],
  { longitude, latitude }: Position,
  radius: number,
  matches: Matches,
  offset: number,
  limit: number,
): Promise<Candidate[]> {
  const measure = measureFrom(stations, longitude, latitude);
  const distances = new Float64Array(stations.length).fill(Number.NaN);
  let count = 0;
  for (let at = 0; at < stations.length; at += 1) {
    if (at > 0 && at % STATIONS_PER_TURN === 0) await setImmediate();
    if (!matches(at)) continue;
    const kilometers = measure(at);
    if (kilometers > radius) continue;
    distances[at] = kilometers;
    count += 1;
  }
  if (offset >= count || limit === 0) return [];
  await setImmediate();
  // Stations that are no results have the distance NaN, which is sorted after all numbers.
  const sorted = distances.toSorted();
  const [nearest, furthest] = [
    sorted[offset] as number,
    sorted[Math.min(offset + limit, count) - 1] as number,
  ];
  const found: Candidate[] = [];
  for (const [at, kilometers] of distances.entries()) {
    if (kilometers >= nearest && kilometers <= furthest) found.push({ at, kilometers });
  }
  // Several stations can have the distance `nearest`. Counts how many of them were results of earlier pages (before `offset`).
  let before = 0;
  while ((sorted[offset - before - 1] as number) === nearest) before += 1;
  return found.sort(byDistance).slice(before, before + limit);
}

function measureFrom(stations: readonly Station[], longitude: number, latitude: number) {
  return (at: number): number => {
    const station = stations[at] as Station;
    return distance(longitude, latitude, station.longitude, station.latitude);
  };
}

function slice(
  stations: readonly Station[],
  matches: Matches,
  offset: number,
  limit: number,
): FoundStation[] {
  const found: FoundStation[] = [];
  let skipped = 0;
  for (const [index, station] of stations.entries()) {
    if (found.length === limit) break;
    if (!matches(index)) continue;
    if (skipped < offset) skipped += 1;
    else found.push({ station, distance: undefined });
  }
  return found;
}

function isWithin({ latitude, longitude }: Station, { west, south, east, north }: BoundingBox): boolean {
  if (latitude < south || latitude > north) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}

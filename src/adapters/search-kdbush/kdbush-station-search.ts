import { setImmediate, setTimeout } from 'node:timers/promises';
import { around, distance } from 'geokdbush';
import KDBush from 'kdbush';
import type {
  BoundingBox,
  FoundStation,
  Place,
  StationFilter,
  StationSearch,
} from '../../application/ports/station-search.js';
import type { Directory, StationDirectory } from '../../application/stations/station-directory.js';
import type { Station } from '../../domain/weather/station.js';

/** Up to so many results the tree is quicker than measuring every distance; its work grows with their number. */
const TREE_RESULTS = 1000;
/** Stations that are looked at in one turn of the event loop: about 2 ms. */
const STATIONS_OF_TURN = 16_384;
/** A tree is made at most every so many times as long as making it took, and no less often than once a second. */
const REST = { times: 10, most: 1000 } as const;

interface Index {
  readonly directory: Directory;
  /** In the order of ids. */
  readonly stations: readonly Station[];
  /** What a text is looked for in. */
  readonly texts: readonly string[];
  readonly tree: KDBush;
}

/** Whether the station with this place in the list is looked for. */
type Matches = (index: number) => boolean;

/** Stations in a k-d tree in memory, on the sphere: right at the poles and across the antimeridian. */
export class KdbushStationSearch implements StationSearch {
  readonly #directory: Pick<StationDirectory, 'current'>;
  #index: Index | undefined;
  /** One for all searches that wait for it. */
  #making: Promise<Index> | undefined;
  #restUntil = 0;
  /** The end of the last scan: they take turns, so that many at once do not hold the event loop together. */
  #scanned: Promise<unknown> = Promise.resolve();

  constructor(directory: Pick<StationDirectory, 'current'>) {
    this.#directory = directory;
  }

  async search(filter: StationFilter, offset: number, limit: number): Promise<readonly FoundStation[]> {
    const index = await this.#current();
    const { stations, texts } = index;
    const { near, radius = Infinity, bbox } = filter;
    const text = filter.text?.toLowerCase();
    const matches = (at: number) =>
      (bbox === undefined || isWithin(stations[at] as Station, bbox)) &&
      (text === undefined || (texts[at] as string).includes(text));
    if (near === undefined) return slice(stations, matches, offset, limit);
    const found =
      nearestInTree(index, near, radius, matches, offset + limit)?.slice(offset) ??
      (await this.#inTurn(() => scan(stations, near, radius, matches, offset, limit)));
    return found.map(({ at, apart }) => ({ station: stations[at] as Station, distance: apart }));
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const scanned = this.#scanned.then(work);
    this.#scanned = scanned.catch(() => undefined);
    return await scanned;
  }

  /** The index of the stations as they were at some moment after the call. */
  async #current(): Promise<Index> {
    const directory = await this.#directory.current();
    let index = this.#index;
    // The one that is being made may have begun before the call; the one behind it has not.
    for (let round = 0; round < 2 && index?.directory !== directory; round += 1) {
      this.#making ??= this.#make().finally(() => (this.#making = undefined));
      index = await this.#making;
    }
    return index as Index;
  }

  async #make(): Promise<Index> {
    const rest = this.#restUntil - performance.now();
    if (rest > 0) await setTimeout(rest);
    const directory = await this.#directory.current();
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
    this.#restUntil = endedAt + Math.min(REST.most, REST.times * (endedAt - startedAt));
    this.#index = { directory, stations, texts, tree };
    return this.#index;
  }
}

interface Near {
  /** Place in the list of stations. */
  readonly at: number;
  /** Kilometres. */
  readonly apart: number;
}

const byDistance = (a: Near, b: Near) => a.apart - b.apart || a.at - b.at;

/**
 * The `count` nearest, in order; those with the same distance in the order of the list, so that pages fit together however
 * each was found. Undefined where that takes a scan: for many, and where the last ones are among several with the same
 * distance.
 */
function nearestInTree(
  { stations, tree }: Index,
  { longitude, latitude }: Place,
  radius: number,
  matches: Matches,
  count: number,
): Near[] | undefined {
  if (count > TREE_RESULTS) return undefined;
  const measure = measureFrom(stations, longitude, latitude);
  // A little further, for the tree compares another function of the distance.
  const found = around(tree, longitude, latitude, count + 1, radius * (1 + 1e-9), matches)
    .map((at) => ({ at, apart: measure(at) }))
    .filter(({ apart }) => apart <= radius)
    .sort(byDistance);
  if (found.length > count && found[count]?.apart === found[count - 1]?.apart) return undefined;
  return found.slice(0, count);
}

/** As `nearestInTree`, by measuring every distance: equally quick wherever a page begins. */
async function scan(
  stations: readonly Station[],
  { longitude, latitude }: Place,
  radius: number,
  matches: Matches,
  offset: number,
  limit: number,
): Promise<Near[]> {
  const measure = measureFrom(stations, longitude, latitude);
  const distances = new Float64Array(stations.length).fill(Number.NaN);
  let count = 0;
  for (let at = 0; at < stations.length; at += 1) {
    if (at > 0 && at % STATIONS_OF_TURN === 0) await setImmediate();
    if (!matches(at)) continue;
    const apart = measure(at);
    if (apart > radius) continue;
    distances[at] = apart;
    count += 1;
  }
  if (offset >= count || limit === 0) return [];
  await setImmediate();
  // NaN is sorted behind all numbers.
  const sorted = distances.toSorted();
  const [least, most] = [sorted[offset] as number, sorted[Math.min(offset + limit, count) - 1] as number];
  const found: Near[] = [];
  for (const [at, apart] of distances.entries()) {
    if (apart >= least && apart <= most) found.push({ at, apart });
  }
  // Of those with the least distance some may belong to the page before.
  let before = 0;
  while ((sorted[offset - before - 1] as number) === least) before += 1;
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

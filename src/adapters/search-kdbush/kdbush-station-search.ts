import { around, distance } from 'geokdbush';
import KDBush from 'kdbush';
import type {
  BoundingBox,
  FoundStation,
  StationFilter,
  StationSearch,
} from '../../application/ports/station-search.js';
import type { StationStore } from '../../application/ports/station-store.js';
import type { Station } from '../../domain/station.js';

interface Index {
  readonly version: string;
  readonly stations: readonly Station[];
  /** What a text is looked for in. */
  readonly texts: readonly string[];
  readonly tree: KDBush;
}

/** Stations in a k-d tree in memory, on the sphere: right at the poles and across the antimeridian. */
export class KdbushStationSearch implements StationSearch {
  readonly #store: StationStore;
  #index: Index | undefined;

  constructor(store: StationStore) {
    this.#store = store;
  }

  async search(filter: StationFilter, offset: number, limit: number): Promise<readonly FoundStation[]> {
    const { stations, texts, tree } = await this.#current();
    const { near, radius, bbox } = filter;
    const text = filter.text?.toLowerCase();
    const matches = (index: number) =>
      (bbox === undefined || isWithin(stations[index] as Station, bbox)) &&
      (text === undefined || (texts[index] as string).includes(text));
    if (near === undefined) return slice(stations, matches, offset, limit);
    const { longitude, latitude } = near;
    return around(tree, longitude, latitude, offset + limit, radius ?? Infinity, matches)
      .slice(offset)
      .map((index) => {
        const station = stations[index] as Station;
        const apart = distance(longitude, latitude, station.longitude, station.latitude);
        return { station, distance: apart };
      });
  }

  /** Made anew when a station has changed, by whatever instance. */
  async #current(): Promise<Index> {
    const version = await this.#store.version();
    if (this.#index?.version === version) return this.#index;
    const stations = await this.#store.list();
    const tree = new KDBush(stations.length);
    for (const { longitude, latitude } of stations) tree.add(longitude, latitude);
    tree.finish();
    const texts = stations.map(({ id, name, identifiers }) =>
      [id, name, ...Object.values(identifiers)].join('\n').toLowerCase(),
    );
    this.#index = { version, stations, texts, tree };
    return this.#index;
  }
}

function slice(
  stations: readonly Station[],
  matches: (index: number) => boolean,
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

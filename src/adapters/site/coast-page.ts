import { LRUCache } from 'lru-cache';
import { MILLISECONDS } from '#domain/time.js';
import { etagOf, NO_SNIFF, refusal } from './replies.js';
import type { SitePage, SiteReply } from './site-page.js';

/** A box in degrees. If it crosses the antimeridian, `west` is greater than `east`. */
interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/**
 * Returns the land in a box; see `LandInBox` of the adapter of geography. Throws DomainError SERVICE_UNAVAILABLE if the network of
 * the visitor already waits for many boxes.
 */
export type LandReader = (box: Box, network: string) => Promise<object>;

/** Number of replies that are kept, of up to 200 kB each. Maps ask for boxes of a grid, so that their requests repeat. */
const MAX_REPLIES = 32;
const HEADERS = {
  ...NO_SNIFF,
  'content-type': 'application/json',
  'cache-control': `public, max-age=${MILLISECONDS.day / 1000}`,
};

/** The route `/map/coast?bbox=WEST,SOUTH,EAST,NORTH`: the land in a box, for the map. */
export function coastPage(read: LandReader): SitePage {
  const replies = new LRUCache<string, SiteReply>({ max: MAX_REPLIES });
  return {
    path: '/map/coast',
    answer: async ({ search, network }) => {
      const box = boxOf(new URLSearchParams(search).get('bbox') ?? '');
      if (box === undefined) return REFUSAL;
      const key = Object.values(box).join();
      let reply = replies.get(key);
      if (reply === undefined) {
        const body = JSON.stringify(await read(box, network));
        reply = { status: 200, headers: HEADERS, etag: etagOf(body), body };
        replies.set(key, reply);
      }
      return reply;
    },
  };
}

const REFUSAL = refusal(
  400,
  'bbox must be WEST,SOUTH,EAST,NORTH in degrees: longitudes from -180 to 180, latitudes from -90 to 90.',
);

function boxOf(text: string): Box | undefined {
  const parts = text.split(',');
  const [west = NaN, south = NaN, east = NaN, north = NaN] = parts.map((part) =>
    /^-?\d+(?:\.\d+)?$/.test(part) ? Number(part) : NaN,
  );
  const isValid =
    parts.length === 4 &&
    [west, east].every((longitude) => Math.abs(longitude) <= 180) &&
    [south, north].every((latitude) => Math.abs(latitude) <= 90) &&
    south <= north;
  return isValid ? { west, south, east, north } : undefined;
}

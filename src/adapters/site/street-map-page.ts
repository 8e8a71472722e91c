import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { NO_SNIFF, refusal } from './replies.js';
import type { SitePage } from './site-page.js';

/** Largest number of bytes of a reply. The tiles and directories of such a file are smaller. */
export const MAX_RANGE = 1_000_000;
/** Number of bytes that are read at once. */
const PIECE = 65_536;
const COMMON = { ...NO_SNIFF, 'accept-ranges': 'bytes' };

/**
 * The route `/map/tiles.pmtiles`: ranges of a file of map tiles, which the operator provides. The browser reads the directory of the
 * file and then the shown tiles. A file can have many gigabytes, so the service never sends it as a whole.
 *
 * HEAD has no range (RFC 9110, section 14.2). It gets the length of the file.
 *
 * @param isPublic whether everybody may read weather data, so that shared caches may keep replies
 */
export function streetMapPage(file: string, isPublic: boolean): SitePage {
  const cacheControl = `${isPublic ? 'public, max-age=3600' : 'private, no-cache'}, no-transform`;
  return {
    path: '/map/tiles.pmtiles',
    readsAsUser: true,
    answer: async ({ method, headers: { range, 'if-range': condition } }) => {
      const version = await versionOf(file);
      const { size, etag } = version;
      const headers = {
        ...COMMON,
        'content-type': 'application/vnd.pmtiles',
        'cache-control': cacheControl,
      };
      if (method === 'HEAD')
        return { status: 200, headers, etag, body: { length: size, open: () => Readable.from([]) } };
      const isOtherVersion = condition !== undefined && condition !== `"${etag}"`;
      const asked = range === undefined || isOtherVersion ? undefined : parseRange(range, size);
      if (asked === undefined) return refusal(400, NEEDS_RANGE, COMMON);
      if (asked === 'outside')
        return refusal(416, `The file has ${size} bytes.`, { ...COMMON, 'content-range': `bytes */${size}` });
      const { first, last } = asked;
      return {
        status: 206,
        headers: { ...headers, 'content-range': `bytes ${first}-${last}/${size}` },
        etag,
        body: {
          length: last - first + 1,
          open: () => Readable.from(readPart(file, version, asked), { objectMode: false }),
        },
      };
    },
  };
}

interface Range {
  readonly first: number;
  readonly last: number;
}

/**
 * Parses the header `Range` with one range of bytes (RFC 9110, section 14.1.2), and shortens the range to `MAX_RANGE` bytes.
 *
 * @returns undefined if the header has another form, `outside` if the file has none of the bytes
 */
export function parseRange(header: string, size: number): Range | 'outside' | undefined {
  const [, start = '', end = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header.trim()) ?? [];
  if (start === '' && end === '') return undefined;
  const first = start === '' ? Math.max(0, size - Number(end)) : Number(start);
  const last = start === '' || end === '' ? Infinity : Number(end);
  if (last < first) return undefined;
  if (first >= size) return 'outside';
  return { first, last: Math.min(last, size - 1, first + MAX_RANGE - 1) };
}

interface Version {
  readonly size: number;
  readonly etag: string;
}

async function versionOf(file: string): Promise<Version> {
  return toVersion(await stat(file, { bigint: true }));
}

function toVersion({ size, mtimeNs }: { readonly size: bigint; readonly mtimeNs: bigint }): Version {
  return { size: Number(size), etag: `${size.toString(36)}-${mtimeNs.toString(36)}` };
}

/**
 * Reads a part of the file.
 *
 * @throws Error if the file is no longer the version whose size and ETag were sent. The connection then ends, so that the client
 *   does not take the bytes for a part of this version
 */
async function* readPart(file: string, { etag }: Version, { first, last }: Range): AsyncGenerator<Buffer> {
  const handle = await open(file);
  try {
    if (toVersion(await handle.stat({ bigint: true })).etag !== etag)
      throw new Error('The file has changed.');
    for (let at = first; at <= last;) {
      const length = Math.min(PIECE, last - at + 1);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) throw new Error('The file has become shorter.');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

const NEEDS_RANGE =
  `This file is sent in parts. Send the header "Range: bytes=FIRST-LAST" with one range; a reply has at most ${MAX_RANGE} bytes. ` +
  'With If-Range, send the current ETag.';

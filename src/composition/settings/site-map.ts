import { closeSync, openSync, readSync } from 'node:fs';
import { reasonAt } from '../reason.js';

const SETTING = 'WEATHERD_SITE_MAP';
/** Length of the header of PMTiles, version 3, and the positions of the bytes that are checked. */
const HEADER = { length: 127, version: 7, compressions: [97, 98], tileType: 99 } as const;
const [NO_COMPRESSION, GZIP, VECTOR_TILES] = [1, 2, 1];

/** The faults of the file with the map of streets: the browser can draw only vector tiles in PMTiles, version 3. */
export function siteMapFaults(file: string): readonly string[] {
  let header: Buffer;
  try {
    header = readHeader(file);
  } catch (error) {
    return [`${SETTING}: ${reasonAt(file, error)}`];
  }
  const isArchive = header.length === HEADER.length && header.toString('latin1', 0, 7) === 'PMTiles';
  if (!isArchive || header[HEADER.version] !== 3)
    return [
      `${SETTING}: ${file} is not a file in the format PMTiles, version 3: create it with pmtiles extract`,
    ];
  if (header[HEADER.tileType] !== VECTOR_TILES)
    return [`${SETTING}: ${file} has no vector tiles (MVT): use a map such as the daily builds of Protomaps`];
  const isReadable = HEADER.compressions.every((at) => [NO_COMPRESSION, GZIP].includes(header[at] ?? 0));
  return isReadable ? [] : [`${SETTING}: ${file} is compressed in a way that browsers cannot read: use gzip`];
}

/** Reads the header; fewer bytes if the file is shorter. */
function readHeader(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(HEADER.length);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

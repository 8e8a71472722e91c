import { gzipSync } from 'node:zlib';

/**
 * A file in the format PMTiles, version 3, with one vector tile (MVT) of zoom 1, which is a quarter of the world: land everywhere, and
 * a motorway from the north to the south at the longitude of New York.
 */
export function makeStreetMap(): Buffer {
  const road = Math.round(((-73.9 + 180) / 180) * EXTENT);
  const land = [move(0, 0), line([EXTENT, 0], [0, EXTENT], [-EXTENT, 0]), CLOSE];
  const tile = gzipSync(
    Buffer.concat([
      layer('earth', POLYGON, land.flat(), {}),
      layer('roads', LINE, [...move(road, 0), ...line([0, EXTENT])], { kind: 'highway' }),
    ]),
  );
  // One entry: tile 1, which is the first of zoom 1, one run of one tile, its length, and its offset plus one.
  const root = gzipSync(Buffer.from([1, 1, 1, ...varint(tile.length), 1]));
  const metadata = gzipSync('{}');
  const header = Buffer.alloc(127);
  header.write('PMTiles', 'latin1');
  header[7] = 3;
  const sections = [root, metadata, Buffer.alloc(0), tile];
  let [offset, position] = [header.length, 8];
  for (const { length } of sections) {
    header.writeBigUInt64LE(BigInt(offset), position);
    header.writeBigUInt64LE(BigInt(length), position + 8);
    [offset, position] = [offset + length, position + 16];
  }
  // Numbers of tiles, entries and contents; clustered; gzip inside and outside; vector tiles; zoom 1 to 1.
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(1n, at);
  header.set([1, 2, 2, 1, 1, 1], 96);
  const bounds = [-180, 0, 0, 85];
  for (const [index, degrees] of bounds.entries()) header.writeInt32LE(degrees * 1e7, 102 + 4 * index);
  return Buffer.concat([header, ...sections]);
}

const EXTENT = 4096;
const [LINE, POLYGON] = [2, 3];

/** Commands of a geometry of MVT. */
const move = (x: number, y: number) => [9, zigzag(x), zigzag(y)];
const line = (...steps: readonly (readonly [number, number])[]) => [
  (steps.length << 3) | 2,
  ...steps.flat().map(zigzag),
];
const CLOSE = [15];

function layer(
  name: string,
  type: number,
  geometry: readonly number[],
  properties: Readonly<Record<string, string>>,
): Buffer {
  const entries = Object.entries(properties);
  const feature = Buffer.concat([
    bytes(2, Buffer.from(entries.flatMap((_entry, index) => [index, index]))),
    number(3, type),
    bytes(4, Buffer.from(geometry.flatMap(varint))),
  ]);
  const content = [
    number(15, 2),
    bytes(1, Buffer.from(name)),
    bytes(2, feature),
    ...entries.map(([key]) => bytes(3, Buffer.from(key))),
    ...entries.map(([, value]) => bytes(4, bytes(1, Buffer.from(value)))),
    number(5, EXTENT),
  ];
  return bytes(3, Buffer.concat(content));
}

/** Fields of Protocol Buffers. */
const number = (field: number, value: number) => Buffer.from([...varint(field << 3), ...varint(value)]);
const bytes = (field: number, value: Buffer) =>
  Buffer.concat([Buffer.from([...varint((field << 3) | 2), ...varint(value.length)]), value]);
const zigzag = (value: number) => (value << 1) ^ (value >> 31);

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}

import type { StationPlace } from '#domain/weather/station.js';
import { FrameError, type FrameHeader, FrameSpace, HEADER_SIZE, KIND } from './frame-header.js';
import type { FrameFormat } from './frame-reader.js';
import { MAX_FRAME_ROWS } from './observations-frame.js';

const RECORD = 256;
const ID = { at: 56, size: 64 } as const;
const NAME = { at: 120, size: 104 } as const;
const ZERO_FROM = 224;
const NONE = -(2n ** 63n);
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A record in a frame of stations. */
export interface StationRecord extends StationPlace {
  /** Time of the first observation in milliseconds since 1970-01-01T00:00:00Z; null for a station without observations. */
  readonly first: number | null;
  readonly last: number | null;
  /** Number of observations. */
  readonly count: number;
}

export function stationsFrame(stations: readonly StationRecord[]): Uint8Array<ArrayBuffer> {
  const space = new FrameSpace(stations.length * RECORD);
  for (const [index, station] of stations.entries()) {
    const at = HEADER_SIZE + index * RECORD;
    const view = new DataView(space.buffer, at, RECORD);
    view.setUint32(0, station.number, true);
    view.setFloat64(8, station.latitude, true);
    view.setFloat64(16, station.longitude, true);
    view.setFloat64(24, station.elevation ?? Number.NaN, true);
    view.setBigInt64(32, station.first === null ? NONE : BigInt(station.first), true);
    view.setBigInt64(40, station.last === null ? NONE : BigInt(station.last), true);
    view.setBigUint64(48, BigInt(station.count), true);
    space.bytes.set(Buffer.from(station.id), at + ID.at);
    space.bytes.set(Buffer.from(cutName(station.name)), at + NAME.at);
  }
  return space.seal(KIND.stations, stations.length);
}

/** Cuts a name to the number of bytes of its field, but not in the middle of a character. */
export function cutName(name: string): string {
  const field = new Uint8Array(NAME.size - 1);
  return name.slice(0, new TextEncoder().encodeInto(name, field).read);
}

/** @throws FrameError if the header of a stations frame is inconsistent */
function assertStationsLength({ rows, columns, length }: FrameHeader): void {
  if (rows > MAX_FRAME_ROWS)
    throw new FrameError(`the frame has ${rows} rows, more than ${MAX_FRAME_ROWS}`, 'FRAME_TOO_LARGE');
  if (columns !== 0) throw new FrameError(`a stations frame must have 0 columns, not ${columns}`);
  if (length !== rows * RECORD) {
    throw new FrameError(
      `the header has a length of ${length} bytes, but ${rows} stations need ${rows * RECORD}`,
    );
  }
}

/** @throws FrameError with the number of the record and its fault */
function readStations({ rows }: FrameHeader, payload: Uint8Array): StationPlace[] {
  return Array.from({ length: rows }, (_, index) => {
    try {
      return readRecord(payload.subarray(index * RECORD, (index + 1) * RECORD));
    } catch (error) {
      throw new FrameError(`record ${index}: ${(error as Error).message}`);
    }
  });
}

function readRecord(record: Uint8Array): StationPlace {
  const view = new DataView(record.buffer, record.byteOffset, RECORD);
  if (view.getUint32(4, true) !== 0) throw new FrameError('bytes 4 to 7 are not zero');
  if (record.subarray(ZERO_FROM).some((byte) => byte !== 0)) {
    throw new FrameError(`bytes ${ZERO_FROM} to 255 are not zero`);
  }
  const elevation = view.getFloat64(24, true);
  return {
    number: view.getUint32(0, true),
    id: readText(record, ID, 'id'),
    name: readText(record, NAME, 'name'),
    latitude: view.getFloat64(8, true),
    longitude: view.getFloat64(16, true),
    elevation: Number.isNaN(elevation) ? null : elevation,
  };
}

/** The text up to the first zero byte. An id may fill the whole field. */
function readText(record: Uint8Array, { at, size }: { at: number; size: number }, field: string): string {
  const bytes = record.subarray(at, at + size);
  const end = bytes.indexOf(0);
  if (end === -1 && field === 'name') throw new FrameError('the name does not end with a zero byte');
  if (end !== -1 && bytes.subarray(end).some((byte) => byte !== 0)) {
    throw new FrameError(`the ${field} continues after its zero byte`);
  }
  try {
    return UTF8.decode(end === -1 ? bytes : bytes.subarray(0, end));
  } catch {
    throw new FrameError(`the ${field} is not valid UTF-8`);
  }
}

export const STATIONS_FRAME: FrameFormat<StationPlace[]> = {
  kind: KIND.stations,
  assertLength: assertStationsLength,
  read: readStations,
};

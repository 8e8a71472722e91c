import { EMPTY_SERIES, type Series } from '#domain/weather/series.js';
import type { SumsQuery } from '#domain/weather/summaries/sums-query.js';
import type { PackedPart } from '../packed-part.js';

/** Rows of a station of a question. */
export interface StationPart {
  /** Index of the station in the question. */
  readonly index: number;
  readonly part: PackedPart;
}

/**
 * A step of a question that a thread answers. The steps of a question go to the same thread one after the other, because the thread
 * keeps the sums between them. The first step has the question. The last one gets the sums.
 *
 * The parts are sent as arrays of numbers, because copying an object for each chunk (packed rows of some days) to a thread takes
 * longer than reading the chunk.
 */
export interface SumStep {
  readonly query?: SumsQuery | undefined;
  /** The numbers of `PART` for each part. */
  readonly parts: Float64Array<ArrayBuffer>;
  /** The numbers of `CHUNK` for each chunk of all parts. */
  readonly chunks: Float64Array<ArrayBuffer>;
  /** The blobs of all chunks, one after the other. Each begins at a multiple of `ALIGNMENT`. */
  readonly blobs: Uint8Array<ArrayBuffer>;
  /** The decoded rows of parts that have some, by index of the part in the step. */
  readonly rest: ReadonlyMap<number, Series>;
  readonly isLast: boolean;
}

/** The places of the numbers of a part: the index of its station, the number of its series, its times, and the number of its chunks. */
const PART = { index: 0, series: 1, from: 2, to: 3, chunks: 4, length: 5 } as const;
/** The places of the numbers of a chunk: its first day, its number of days, its number of rows, and the bytes of its blob. */
const CHUNK = { day: 0, days: 1, rows: 2, bytes: 3, length: 4 } as const;
/** Columns of 8-byte numbers in blobs can be used in place. */
const ALIGNMENT = 8;

/** Makes a step. The blobs are copied, because the driver of the database keeps many of them in one buffer. */
export function makeStep(
  query: SumsQuery | undefined,
  stationParts: readonly StationPart[],
  isLast: boolean,
): SumStep {
  const all = stationParts.flatMap(({ part }) => part.chunks);
  const parts = new Float64Array(stationParts.length * PART.length);
  const rest = new Map<number, Series>();
  for (const [at, { index, part }] of stationParts.entries()) {
    parts.set([index, part.series, part.from, part.to, part.chunks.length], at * PART.length);
    if (part.rest.times.length > 0) rest.set(at, part.rest);
  }
  const chunks = new Float64Array(all.length * CHUNK.length);
  const blobs = new Uint8Array(all.reduce((sum, { data }) => sum + aligned(data.length), 0));
  let begin = 0;
  for (const [at, { day, days, rows, data }] of all.entries()) {
    chunks.set([day, days, rows, data.length], at * CHUNK.length);
    blobs.set(data, begin);
    begin += aligned(data.length);
  }
  return { query, parts, chunks, blobs, rest, isLast };
}

/** The buffers of a step, which are moved to the thread. */
export function buffersOfStep({ parts, chunks, blobs }: SumStep): ArrayBuffer[] {
  return [parts.buffer, chunks.buffer, blobs.buffer];
}

/** The parts of a step, in the thread. */
export function* partsOfStep({ parts, chunks, blobs, rest }: SumStep): Generator<StationPart> {
  let [chunk, begin] = [0, 0];
  for (let at = 0; at < parts.length / PART.length; at += 1) {
    const of = (place: number) => parts[at * PART.length + place] as number;
    const series = of(PART.series);
    const own = Array.from({ length: of(PART.chunks) }, (_, index) => {
      const ofChunk = (place: number) => chunks[(chunk + index) * CHUNK.length + place] as number;
      const data = Buffer.from(blobs.buffer, begin, ofChunk(CHUNK.bytes));
      begin += aligned(data.length);
      return {
        station: series,
        day: ofChunk(CHUNK.day),
        days: ofChunk(CHUNK.days),
        rows: ofChunk(CHUNK.rows),
        data,
      };
    });
    chunk += own.length;
    const part = {
      series,
      from: of(PART.from),
      to: of(PART.to),
      chunks: own,
      rest: rest.get(at) ?? EMPTY_SERIES,
    };
    yield { index: of(PART.index), part };
  }
}

/** Approximate number of the rows of a part. */
export function rowsOfPart({ chunks, rest }: PackedPart): number {
  return chunks.reduce((sum, { rows }) => sum + rows, rest.times.length);
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

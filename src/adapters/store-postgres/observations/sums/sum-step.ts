import { EMPTY_SERIES, type Series } from '#domain/weather/series.js';
import type { BucketSums } from '#domain/weather/summaries/bucket.js';
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
 * keeps the sums between them. Steps of other questions may come between them. The first step has the question.
 *
 * The parts are sent as arrays of numbers, because copying an object for each chunk (packed rows of some days) to a thread takes
 * longer than reading the chunk.
 */
export interface SumStep {
  /** Number of the question. */
  readonly question: number;
  readonly query?: SumsQuery | undefined;
  /**
   * What the thread does after it has summed the rows of the step:
   *
   * - `keep`: it keeps the sums for the next step
   * - `answer`: it answers with the sums and forgets them
   * - `forget`: it forgets the sums, because nobody needs them any more
   */
  readonly after: 'keep' | 'answer' | 'forget';
  /** The numbers of `PART` for each part. */
  readonly parts: Float64Array<ArrayBuffer>;
  /** The numbers of `CHUNK` for each chunk of all parts. */
  readonly chunks: Float64Array<ArrayBuffer>;
  /** The blobs of all chunks, one after the other. Each begins at a multiple of `ALIGNMENT`. */
  readonly blobs: Uint8Array<ArrayBuffer>;
  /** The decoded rows of parts that have some, by index of the part in the step. */
  readonly rest: ReadonlyMap<number, Series>;
}

/**
 * The answer of a thread to a step: the sums, or whether it has kept them. The sums are `lost` if the thread is not the one that got
 * the steps before: a thread that ends is replaced.
 */
export type StepAnswer = BucketSums | 'kept' | 'forgotten' | 'lost';

/** The places of the numbers of a part: the index of its station, the number of its series, its times, and the number of its chunks. */
const PART = { index: 0, series: 1, from: 2, to: 3, chunks: 4, length: 5 } as const;
/** The places of the numbers of a chunk: its first day, its number of days, its number of rows, and the bytes of its blob. */
const CHUNK = { day: 0, days: 1, rows: 2, bytes: 3, length: 4 } as const;
/** Columns of 8-byte numbers in blobs can be used in place. */
const ALIGNMENT = 8;

/** Makes a step. The blobs are copied, because the driver of the database keeps many of them in one buffer. */
export function makeStep(
  { question, query, after }: Pick<SumStep, 'question' | 'query' | 'after'>,
  stationParts: readonly StationPart[] = [],
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
  return { question, query, after, parts, chunks, blobs, rest };
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

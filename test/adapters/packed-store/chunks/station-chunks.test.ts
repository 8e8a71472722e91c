import { expect } from 'chai';
import fc from 'fast-check';
import {
  type ChunkDays,
  contains,
  type CountedChunk,
  endOf,
  isPossible,
  possibleStarts,
  chunkStartOf,
} from '#adapters/packed-store/chunks/chunk-days.js';
import {
  mergeIntoChunks,
  replaceDays,
  type StationChunks,
} from '#adapters/packed-store/chunks/station-chunks.js';
import { MILLISECONDS } from '#domain/time.js';
import { EMPTY_SERIES, type Series } from '#domain/weather/series.js';

const DAY = MILLISECONDS.day;
/** Largest number of rows of a chunk of several days. */
const MOST = 1024;

/** The chunks of one station in memory. */
class Chunks implements StationChunks {
  readonly all = new Map<number, ChunkDays & { readonly series: Series }>();
  /** Number of chunks that were written. */
  written = 0;

  find(_station: number, day: number): ChunkDays | undefined {
    return [...this.all.values()].find((chunk) => contains(chunk, day));
  }
  isFree(_station: number, { day, days }: ChunkDays): boolean {
    return ![...this.all.values()].some((chunk) => chunk.day < day + days && chunk.day + chunk.days > day);
  }
  before(_station: number, day: number): CountedChunk | undefined {
    const found = this.sorted.findLast((chunk) => chunk.day < day);
    return found && { ...found, rows: found.series.times.length };
  }
  rows(_station: number, day: number): Series | undefined {
    return this.all.get(day)?.series;
  }
  put(_station: number, { day, days }: ChunkDays, series: Series): void {
    this.written += 1;
    this.all.set(day, { day, days, series });
  }
  remove(_station: number, day: number): void {
    this.all.delete(day);
  }

  get sorted() {
    return [...this.all.values()].sort((a, b) => a.day - b.day);
  }
  /** The lengths in the order of the chunks. */
  get lengths(): number[] {
    return this.sorted.map(({ days }) => days);
  }
  get content(): Map<number, number> {
    const pairs = this.sorted.flatMap(({ series: { times, values } }) =>
      Array.from(times, (time, row): [number, number] => [time, values.get(1)?.[row] ?? Number.NaN]),
    );
    return new Map(pairs);
  }

  /** Merges rows with the value 0 or another one. */
  merge(times: Iterable<number>, value = 0): void {
    const rising = [...new Set(times)].sort((a, b) => a - b);
    mergeIntoChunks(this, 1, seriesOf(rising.map((time) => [time, value])));
  }

  assertSound(): void {
    let end = -Infinity;
    for (const chunk of this.sorted) {
      expect(isPossible(chunk), `${chunk.days} days from ${chunk.day}`).to.equal(true);
      expect(chunkStartOf(chunk)).to.be.at.least(end);
      end = endOf(chunk);
      const { times } = chunk.series;
      expect(times.length).to.be.above(0);
      expect(times[0]).to.be.at.least(chunkStartOf(chunk));
      expect(times.at(-1)).to.be.below(end);
      if (chunk.days > 1) expect(times.length).to.be.at.most(MOST);
    }
  }
}

function seriesOf(rows: readonly (readonly [time: number, value: number])[]): Series {
  if (rows.length === 0) return EMPTY_SERIES;
  const times = Float64Array.from(rows, ([time]) => time);
  return { times, values: new Map([[1, Float64Array.from(rows, ([, value]) => value)]]), flags: new Map() };
}

/** Rows at a constant interval. */
const regular = (from: number, interval: number, count: number) =>
  Array.from({ length: count }, (_, index) => from + index * interval);

/** A merge of rows of a sparse, an hourly or a dense station, in some order of time. */
const merged = fc
  .record({
    from: fc.integer({ min: -200, max: 200 }),
    minutes: fc.constantFrom(10, 60, 180, 1440, 4000),
    count: fc.integer({ min: 1, max: 400 }),
    value: fc.integer({ min: 1, max: 1000 }),
  })
  .map(({ from, minutes, count, value }) => ({
    times: regular(from * DAY, minutes * MILLISECONDS.minute, count),
    value,
  }));

describe('chunks of a station', () => {
  for (const [interval, minutes, days] of [
    ['ten minutes', 10, 1],
    ['15 minutes', 15, 1],
    ['half an hour', 30, 8],
    ['an hour', 60, 8],
    ['three hours', 180, 64],
    ['a day', 1440, 64],
    ['a week', 10_080, 64],
  ] as const) {
    it(`have ${days} ${days === 1 ? 'day' : 'days'} with rows every ${interval}, whatever is merged at a time`, () => {
      for (const rows of [1, 2, 192, 4000]) {
        const chunks = new Chunks();
        const times = regular(0, minutes * MILLISECONDS.minute, Math.min(4000, 250 * rows));
        // A merge brings the rows of a day at least, or several.
        const atOnce = Math.max(rows, Math.ceil(1440 / minutes));
        for (let at = 0; at < times.length; at += atOnce) chunks.merge(times.slice(at, at + atOnce));
        expect(new Set(chunks.lengths), `${rows} rows at once`).to.deep.equal(new Set([days]));
      }
    });
  }

  it('are divided into 8 days and days when their station sends more often than before', () => {
    const chunks = new Chunks();
    chunks.merge(regular(0, DAY, 60));
    expect(chunks.lengths).to.deep.equal([64]);
    // Hourly: 24 rows a day are at most 192 of 8 days.
    chunks.merge(regular(0, MILLISECONDS.hour, 64 * 24));
    expect(chunks.lengths).to.deep.equal(Array.from({ length: 8 }, () => 8));
    chunks.merge(regular(16 * DAY, 10 * MILLISECONDS.minute, 8 * 144));
    expect(chunks.lengths).to.deep.equal([8, 8, ...Array.from({ length: 8 }, () => 1), 8, 8, 8, 8, 8]);
  });

  it('become single days for rows of ten minutes that are merged one by one, once there are enough of them', () => {
    const chunks = new Chunks();
    for (const time of regular(0, 10 * MILLISECONDS.minute, 30 * 144)) chunks.merge([time]);
    expect(chunks.lengths).to.deep.equal(Array.from({ length: 30 }, () => 1));
    // A station that sends seldom keeps long chunks.
    const daily = new Chunks();
    for (const time of regular(0, DAY, 200)) daily.merge([time]);
    expect(daily.lengths).to.deep.equal([64, 64, 64, 64]);
  });

  it('never overlap and lose no row, after any merges and replaced days', () => {
    const replaced = fc.record({
      day: fc.integer({ min: -200, max: 300 }),
      count: fc.integer({ max: 100, min: 1 }),
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(merged, replaced), { minLength: 1, maxLength: 8 }), (steps) => {
        const chunks = new Chunks();
        const model = new Map<number, number>();
        for (const step of steps) {
          if ('times' in step) {
            chunks.merge(step.times, step.value);
            for (const time of step.times) model.set(time, step.value);
          } else {
            // Every second row is removed, and the others get another value.
            const days = new Map<number, [number, number][]>();
            for (const time of [...model.keys()].sort((a, b) => a - b)) {
              const day = Math.floor(time / DAY);
              if (day < step.day || day >= step.day + step.count) continue;
              const rows = days.get(day) ?? [];
              days.set(day, rows);
              model.delete(time);
              if ((time / MILLISECONDS.minute / 10) % 2 === 0) rows.push([time, -step.day]);
            }
            for (const rows of days.values()) for (const [time, value] of rows) model.set(time, value);
            const changed = [...days].map(([day, rows]) => [day, seriesOf(rows)] as const);
            replaceDays(chunks, 1, changed);
          }
          chunks.assertSound();
        }
        expect(chunks.content).to.deep.equal(new Map([...model].sort(([a], [b]) => a - b)));
      }),
      { numRuns: 100 },
    );
  });

  it('do not change when the same rows are merged again, after an interruption', () => {
    fc.assert(
      fc.property(fc.array(merged, { minLength: 1, maxLength: 4 }), fc.nat(3), (steps, times) => {
        const [once, again] = [new Chunks(), new Chunks()];
        for (const { times: all, value } of steps) {
          once.merge(all, value);
          again.merge(all.slice(0, Math.ceil((all.length * times) / 4)), value);
          again.merge(all, value);
          again.merge(all, value);
        }
        again.assertSound();
        expect(again.content).to.deep.equal(once.content);
      }),
      { numRuns: 50 },
    );
  });

  it('are written once when many days of them are replaced', () => {
    const chunks = new Chunks();
    chunks.merge(regular(0, DAY, 64));
    chunks.merge(regular(64 * DAY, MILLISECONDS.hour, 24 * 64));
    chunks.written = 0;
    const changed = Array.from({ length: 128 }, (_, day) => [day, seriesOf([[day * DAY + 5, 1]])] as const);
    replaceDays(chunks, 1, changed);
    expect(chunks.written).to.equal(1 + 8);
    expect([...chunks.content.keys()]).to.deep.equal(changed.map(([day]) => day * DAY + 5));
  });

  it('begin at one of the possible starts of each of their days', () => {
    fc.assert(
      fc.property(fc.integer({ min: -300_000, max: 300_000 }), fc.constantFrom(1, 8, 64), (day, days) => {
        const place = { day: Math.floor(day / days) * days, days };
        expect(contains(place, day)).to.equal(true);
        expect(isPossible(place)).to.equal(true);
        expect(possibleStarts(day)).to.include(place.day);
      }),
    );
  });
});

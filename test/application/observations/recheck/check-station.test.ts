import { expect } from 'chai';
import fc from 'fast-check';
import { LocalAnnouncer } from '#adapters/announcer-local/local-announcer.js';
import { CheckStation } from '#application/observations/recheck/check-station.js';
import type { NeighborReads } from '#application/observations/recheck/neighbor-reads.js';
import type { ObservationQuery, ObservationStore } from '#application/ports/observation-store.js';
import type { OverrideStore } from '#application/ports/override-store.js';
import type { RecheckStore } from '#application/ports/recheck-store.js';
import { CHECK_REACH } from '#domain/weather/quality/recheck-range.js';
import { DomainError, type DomainErrorDetails } from '#domain/domain-error.js';
import type { Series } from '#domain/weather/series.js';
import { rejectionOf } from '../../../support/rejection.js';
import { STATION } from '../../../support/weather-world.js';

const MIB = 2 ** 20;
const DAY = 86_400_000;

/** A station whose rows are evenly distributed in `[0, length)`. */
interface Made {
  /** Milliseconds between two rows. */
  readonly interval: number;
  readonly length: number;
  readonly variables: number;
  readonly neighbors: number;
}

/** Checks all rows of a station, and returns the reads and the checked ranges. */
async function check(
  { interval, length, variables, neighbors }: Made,
  answers: {
    readonly rows?: (query: ObservationQuery) => readonly Series[];
    readonly isStored?: (rows: Series) => boolean;
    readonly differs?: (range: { readonly from: number; readonly to: number }) => boolean;
  } = {},
) {
  const inventory = {
    first: 0,
    last: length - 1,
    count: Math.ceil(length / interval),
    variables: Array.from({ length: variables }, (_, index) => index + 1),
  };
  const reads: ObservationQuery[] = [];
  const checked: { readonly from: number; readonly to: number }[] = [];
  const observations = {
    describe: async () => ({ station: { ...STATION, number: 1 }, inventory, revision: '1' }),
    async *read(query: ObservationQuery) {
      reads.push(query);
      yield* answers.rows?.(query) ?? [];
    },
  };
  const near = {
    of: async () => [],
    inventories: async () => Array.from({ length: neighbors }, () => inventory),
  };
  const station = new CheckStation({
    observations: observations as unknown as ObservationStore,
    overrides: { list: async () => [] } as unknown as OverrideStore,
    recheck: {
      recheck: async (_station: number, _revision: string, rows: Series) =>
        answers.isStored?.(rows) === false ? undefined : { stations: [], from: [], to: [], revisions: [] },
    } as unknown as RecheckStore,
    checker: {
      check: async ({ range }) => {
        checked.push(range);
        const rows = { times: Float64Array.of(range.from, range.to), values: new Map(), flags: new Map() };
        return answers.differs?.(range) === true ? rows : undefined;
      },
    },
    announcer: new LocalAnnouncer(),
  });
  let pauses = 0;
  const isDone = await station.execute(
    STATION.id,
    { from: -Infinity, to: Infinity },
    near as unknown as NeighborReads,
    async () => void (pauses += 1),
  );
  return { isDone, reads, checked, pauses };
}

/** Where the checked ranges do not follow each other from 0 to `end`. */
function gapsOf(checked: readonly { readonly from: number; readonly to: number }[], end: number): number[] {
  const begins = [...checked.map(({ from }) => from), end];
  return begins.filter((from, index) => from !== (checked[index - 1]?.to ?? 0));
}

describe('CheckStation', () => {
  it('divides the rows of a station so that memory is bounded and few rows are read twice, at any interval', async () => {
    const made = fc.record({
      interval: fc.constantFrom(100, 1000, 2500, 10_000, 60_000, 600_000, 3_600_000, DAY),
      days: fc.integer({ min: 1, max: 20_000 }),
      variables: fc.integer({ min: 1, max: 40 }),
      neighbors: fc.constantFrom(0, 1, 20),
    });
    await fc.assert(
      fc.asyncProperty(made, async ({ days, interval, variables, neighbors }) => {
        // At most 3 million rows, because a longer range only repeats the same parts.
        const length = Math.min(days * DAY, 3e6 * interval);
        const { isDone, reads, checked, pauses } = await check({ interval, length, variables, neighbors });
        expect(isDone).to.equal(true);
        expect(pauses).to.equal(checked.length);
        expect(gapsOf(checked, length)).to.deep.equal([]);
        const rate = ((9 * variables + 8) * (1 + neighbors)) / interval;
        const [lengths, extra] = [reads.map(({ from, to }) => to - from), CHECK_REACH / 100];
        const most = Math.max(128 * MIB, 3 * CHECK_REACH * rate);
        expect(Math.max(...lengths) * rate).to.be.at.most(most + extra * rate);
        // A part has more than 8 MiB only if it has the minimum length.
        const large = lengths.filter((long) => long * rate > 8.2 * MIB);
        if (large.length > 0) expect(Math.max(...large)).to.be.at.most(4 * CHECK_REACH + extra);
        const read = reads.reduce((sum, { from, to }) => sum + Math.min(length, to) - Math.max(0, from), 0);
        const times = 4 * CHECK_REACH * rate <= 128 * MIB ? 2 : 3;
        expect(read).to.be.at.most(times * length + 2 * CHECK_REACH);
      }),
      { numRuns: 60 },
    );
  });

  it('reads no more than the memory allows where rows are denser than on average', async () => {
    const dense = {
      times: new Float64Array(100_000),
      values: new Map([[1, new Float64Array(100_000)]]),
      flags: new Map(),
    };
    let taken = 0;
    const isDense = ({ from, to }: ObservationQuery) => from < 700 * DAY && to > 600 * DAY;
    const { isDone, reads, checked } = await check(
      { interval: DAY, length: 2000 * DAY, variables: 1, neighbors: 0 },
      {
        *rows(query: ObservationQuery) {
          for (let day = 600; isDense(query) && day < 700; day += 1)
            if (query.from <= day * DAY && day * DAY < query.to) {
              taken += 1;
              yield dense;
            }
        },
      } as never,
    );
    expect(isDone).to.equal(true);
    expect(gapsOf(checked, 2000 * DAY)).to.deep.equal([]);
    for (const { from, to } of checked) {
      const bytes = Math.max(
        0,
        Math.min(700 * DAY, to + CHECK_REACH) - Math.max(600 * DAY, from - CHECK_REACH),
      );
      expect((bytes / DAY) * 1.7e6).to.be.at.most(20 * MIB);
    }
    expect(taken).to.be.at.most(100 * 20);
    expect(reads.length).to.be.greaterThan(checked.length);
  });

  it('checks shorter parts while rows are written, and leaves the range if even these change', async () => {
    const made: Made = { interval: 60_000, length: 64 * DAY, variables: 3, neighbors: 0 };
    const tooLong = (most: number) => (rows: Series) =>
      (rows.times[1] as number) - (rows.times[0] as number) <= most;
    const short = await check(made, { differs: () => true, isStored: tooLong(5 * DAY), rows: () => [] });
    expect(short.isDone).to.equal(true);
    expect(
      short.checked.filter(({ from, to }) => to - from <= 5 * DAY).map(({ from }) => from / DAY),
    ).to.deep.equal(Array.from({ length: 16 }, (_, index) => index * 4));
    const never = await check(made, { differs: () => true, isStored: () => false });
    expect(never.isDone).to.equal(false);
    expect(never.checked.length).to.be.at.most(2 * 14);
  });

  it('leaves rows that another user of the store has locked to the next round, and fails for other faults', async () => {
    const made: Made = { interval: 60_000, length: DAY, variables: 1, neighbors: 0 };
    const failing = (details: DomainErrorDetails) =>
      check(made, {
        rows: () => {
          throw new DomainError('STORE_UNAVAILABLE', 'no rows', details);
        },
      });
    expect((await failing({ locked: true })).isDone).to.equal(false);
    expect(await rejectionOf(failing({}))).to.have.property('message', 'no rows');
  });
});

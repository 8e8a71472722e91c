import { expect } from 'chai';
import fc from 'fast-check';
import sinon from 'sinon';
import { DueSearches } from '#application/observations/notices/due-searches.js';
import { ListNotices, type NoticesInput } from '#application/observations/notices/list-notices.js';
import { NoticeRecords } from '#application/observations/notices/notice-records.js';
import { ReadQualityState } from '#application/observations/notices/read-quality-state.js';
import { RenewNotices, SEARCH_INTERVAL } from '#application/observations/notices/renew-notices.js';
import type { SearchNotices } from '#application/observations/notices/search-notices.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { AddOverride } from '#application/observations/overrides/add-override.js';
import { RemoveOverride } from '#application/observations/overrides/remove-override.js';
import { RecheckObservations } from '#application/observations/recheck/recheck-observations.js';
import { RemoveValues } from '#application/observations/removal/remove-values.js';
import type { Clock } from '#application/ports/clock.js';
import type { Notice } from '#domain/weather/quality/notices/notice.js';
import type { Audience } from '#domain/weather/stations/audience.js';
import { V } from '#domain/weather/variables.js';
import { catchUp } from '../../../support/recheck.js';
import { addStation, record, sentColumns } from '../../../support/weather-world.js';
import { CALLER, World } from '../../../support/world.js';

const DAY = 86_400_000;
const FROM = '2019-03-01T00:00:00Z';
/** The calm: days 40 to 50. */
const [CALM, END] = [Date.parse(FROM) + 40 * DAY, Date.parse(FROM) + 50 * DAY];

describe('notices of a station', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.make();
    for (const [index, id] of ['JFK', 'EWR', 'LGA', 'HID'].entries()) {
      await addStation(world, {
        id,
        latitude: 40.6 + index / 50,
        ...(id === 'HID' && { visibility: 'hidden' }),
      });
      const speeds = Array.from({ length: 60 * 24 }, (_, hour) => {
        const isCalm = id === 'JFK' && hour >= 40 * 24 && hour < 50 * 24;
        return isCalm ? 0 : 3 + Math.round(10 * Math.sin(hour / 7 + index)) / 10;
      });
      await record(world, FROM, { wind_speed: speeds }, id);
    }
  });
  afterEach(() => world.stores.close());

  const recheck = () => catchUp(world.get(RecheckObservations));
  const renew = () => world.get(RenewNotices).execute();
  const list = async (audience: Audience = 'users', input: Partial<NoticesInput> = {}) => {
    const described = await world.get(DescribeStation).execute('JFK', undefined, { audience });
    return await world
      .get(ListNotices)
      .execute(described, { from: undefined, to: undefined, ...input }, audience);
  };

  it('are found after the values were checked, and disappear with the values', async () => {
    expect(await list()).to.deep.include({ searchedAt: null, notices: [] });
    await renew();
    expect((await list()).searchedAt, 'before the values were checked').to.equal(null);
    await recheck();
    await renew();
    const { searchedAt, notices } = await list();
    expect(searchedAt).to.equal(world.clock.now());
    expect(notices.map(({ kind, variable }) => [kind, variable])).to.deep.equal([
      ['stuck_calm', V.windSpeed],
    ]);
    expect(notices[0]?.since).to.be.within(CALM - 3_600_000, CALM);
    expect(notices[0]?.until).to.be.within(END - 3_600_000, END);
    expect(notices[0]?.facts).to.have.property('calm_hours', 240);
    expect(
      world
        .get(RenewNotices)
        .ongoing()
        .every(([, count]) => count === 0),
    ).to.equal(true);

    await world.get(RemoveValues).execute('JFK', { from: CALM, to: END, variables: undefined }, CALLER, {});
    await recheck();
    await renew();
    expect((await list()).notices).to.deep.equal([]);
  });

  it('disappear with an override of their values at the next search, and come back without it', async () => {
    const kinds = async () => {
      await recheck();
      await renew();
      return (await list()).notices.map(({ kind }) => kind);
    };
    expect(await kinds()).to.deep.equal(['stuck_calm']);
    const override = {
      variable: 'wind_speed',
      from: CALM - DAY,
      to: END + DAY,
      verdict: 'bad',
      reason: 'Stuck',
    } as const;
    const isUrgent = async () => (await world.get(NoticeRecords).find(1)).due?.isUrgent;
    const { id } = await world.get(AddOverride).execute('JFK', override, CALLER);
    expect(await isUrgent()).to.equal(true);
    expect(await kinds()).to.deep.equal([]);
    expect(await isUrgent()).to.equal(undefined);
    await world.get(RemoveOverride).execute('JFK', id, CALLER);
    expect(await isUrgent()).to.equal(true);
    expect(await kinds()).to.deep.equal(['stuck_calm']);
  });

  it('are found while a removed station has values that wait for their verdicts', async () => {
    await recheck();
    await record(world, FROM, { wind_speed: [9] }, 'LGA');
    await world.stores.recheck.requests(0);
    await world.stores.stations.hide('LGA', world.clock.now());
    await recheck();
    await renew();
    expect((await list()).searchedAt).to.equal(world.clock.now());
  });

  it('are searched when the verdicts are final, if a search was postponed', async () => {
    const begun: boolean[] = [];
    const end = world
      .get(RecheckObservations)
      .onFinished(() => void begun.push(world.get(RenewNotices).isPostponed()));
    await world.stores.recheck.requests(0);
    await renew();
    await recheck();
    await renew();
    end();
    await recheck();
    expect([begun[0], begun.length > 0, world.get(RenewNotices).isPostponed()]).to.deep.equal([
      true,
      true,
      false,
    ]);
    expect((await list()).searchedAt).to.equal(world.clock.now());
  });

  it('name only the neighbors that the reader sees', async () => {
    await recheck();
    await renew();
    const namesFor = async (audience: Audience) => (await list(audience)).notices[0]?.comparedWith.toSorted();
    expect(await namesFor('users')).to.deep.equal(['EWR', 'HID', 'LGA']);
    expect(await namesFor('everybody')).to.deep.equal(['EWR', 'LGA']);
  });

  it('are searched with one read of the hours of each station, besides its own search', async () => {
    await recheck();
    const read = sinon.spy(world.stores.observations, 'read');
    await renew();
    expect(read.args.map(([{ stations = [] }]) => stations[0] ?? 0).toSorted((a, b) => a - b)).to.deep.equal([
      1, 1, 2, 2, 3, 3, 4, 4,
    ]);
  });

  it('compare published daily amounts of rain with those of the neighbors', async () => {
    const days = 60;
    const times = Float64Array.from({ length: days }, (_, day) => Date.parse(FROM) + (day + 1) * DAY);
    for (const station of ['JFK', 'EWR', 'LGA', 'HID']) {
      const amounts = Array.from({ length: days }, (_, day) =>
        station === 'JFK' && day === 30 ? 150 : day % 9,
      );
      const columns = sentColumns({ daily_precipitation_amount: amounts });
      await world.get(RecordObservations).execute({ stations: station, times, columns }, CALLER);
    }
    await recheck();
    await renew();
    const { notices } = await list('users', { kinds: ['day_unlike_neighbors'] });
    expect(notices.map(({ variable, facts }) => [variable, facts['amount']])).to.deep.equal([
      [V.dailyPrecipitation, 150],
    ]);
    expect(notices[0]?.comparedWith.toSorted()).to.deep.equal(['EWR', 'HID', 'LGA']);
  });

  it('are counted for the newest values until seven days after their end', async () => {
    await recheck();
    await renew();
    const station = (await world.get(DescribeStation).execute('JFK')).station;
    const state = (now: number) => world.get(ReadQualityState).execute(station, now);
    expect(await state(CALM)).to.deep.equal({ notices: 1, checked: 1 });
    expect(await state(END + 6.9 * DAY)).to.deep.equal({ notices: 1, checked: 1 });
    expect(await state(END + 7 * DAY)).to.deep.equal({ notices: 0, checked: 1 });
    const [notice] = (await world.get(NoticeRecords).find(station.number)).notices as [Notice];
    await world
      .get(NoticeRecords)
      .change(station.number, (before) => ({ ...before, notices: [{ ...notice, until: null }] }), 1);
    expect(await state(END + 900 * DAY)).to.deep.equal({ notices: 1, checked: 1 });
  });

  it('are limited to a range and to kinds', async () => {
    await recheck();
    await renew();
    const count = async (input: Partial<NoticesInput>) => (await list('users', input)).notices.length;
    expect(await count({ to: CALM - DAY })).to.equal(0);
    expect(await count({ to: CALM + DAY })).to.equal(1);
    expect(await count({ from: END - DAY })).to.equal(1);
    expect(await count({ from: END + DAY })).to.equal(0);
    expect(await count({ kinds: ['clock'] })).to.equal(0);
    expect(await count({ kinds: ['stuck_calm', 'clock'] })).to.equal(1);
  });
});

describe('RenewNotices', () => {
  /** Searches once, after `age` ms, with values due from `from` on. @returns the searched ranges */
  async function searched(
    age: number | null,
    from: number,
    waiting = 0,
    isUrgent = false,
  ): Promise<number[]> {
    const world = await World.make();
    const now = world.clock.now();
    const records = world.get(NoticeRecords);
    const due = { from: now + from, to: now, count: 1, ...(isUrgent && { isUrgent }) };
    await records.change(
      1,
      (notices) => ({ ...notices, searchedAt: age === null ? null : now - age, due }),
      now,
    );
    const ranges: number[] = [];
    const search = {
      execute: async (_station: number, _before: unknown, range: { from: number }) => {
        ranges.push(range.from - now);
        return [];
      },
    };
    const renew = new RenewNotices({
      clock: world.clock,
      records,
      due: world.get(DueSearches),
      search: search as unknown as SearchNotices,
      recheck: { waiting: async () => waiting } as never,
    });
    await renew.execute();
    await renew.execute();
    expect((await records.find(1)).due).to.deep.equal(ranges.length > 0 ? null : due);
    await world.stores.close();
    return ranges;
  }

  it('searches newest values every six hours, others at once, and none before their verdicts', async () => {
    const cases: readonly (readonly [
      age: number | null,
      from: number,
      waiting: number,
      isSearched: boolean,
      isUrgent?: boolean,
    ])[] = [
      [1, -10 * DAY, 0, true, true],
      [1, -10 * DAY, 1, false, true],
      [null, -10 * DAY, 0, true],
      [null, -10 * DAY, 1, false],
      [SEARCH_INTERVAL - 1, -40 * DAY, 0, false],
      [SEARCH_INTERVAL, -40 * DAY, 0, true],
      [1, -400 * DAY, 0, true],
      [1, -400 * DAY, 1, false],
      [SEARCH_INTERVAL, -400 * DAY, 1, false],
      [2 * SEARCH_INTERVAL, -40 * DAY, 1, true],
    ];
    for (const [age, from, waiting, isSearched, isUrgent] of cases)
      expect(
        await searched(age, from, waiting, isUrgent),
        JSON.stringify([age, from, waiting, isUrgent]),
      ).to.deep.equal(isSearched ? [from] : []);
  });
});

describe('RenewNotices › delays', () => {
  /** A world in which stations 1 to `stations` are due. */
  async function dueWorld(
    stations: number,
    execute: (station: number) => Promise<readonly Notice[]>,
    given?: Clock,
  ) {
    const world = await World.make();
    const clock = given ?? world.clock;
    const records = world.get(NoticeRecords);
    const due = { from: clock.now() - DAY, to: clock.now(), count: 1 };
    for (let station = 1; station <= stations; station += 1)
      await records.change(station, (notices) => ({ ...notices, due }), 1);
    const waiting = sinon.stub().resolves(0);
    const renew = new RenewNotices({
      clock,
      records,
      due: world.get(DueSearches),
      search: { execute } as unknown as SearchNotices,
      recheck: { waiting } as never,
    });
    return { world, records, waiting, renew };
  }

  it('searches a station that was never searched, although values wait at each execution', async () => {
    const { world, records, waiting, renew } = await dueWorld(1, async () => []);
    waiting.resolves(1);
    const isSearchedAfter = async (time: number) => {
      world.clock.time += time;
      await renew.execute();
      return (await records.find(1)).searchedAt !== null;
    };
    expect(await isSearchedAfter(0)).to.equal(false);
    expect(await isSearchedAfter(2 * SEARCH_INTERVAL - 1)).to.equal(false);
    expect(await isSearchedAfter(1)).to.equal(true);
    await world.stores.close();
  });

  it('searches old values again after a rest of ten times the search, but other stations and overrides at once', async () => {
    const searched: number[] = [];
    const clock = { now: () => 1000 * DAY, uptime: () => 0 };
    const { world, records, renew } = await dueWorld(
      3,
      async (station) => {
        searched.push(station);
        const uptime = clock.uptime() + 60_000;
        clock.uptime = () => uptime;
        return [];
      },
      clock,
    );
    const noteOld = (station: number, isUrgent = false) =>
      records.change(
        station,
        (notices) => ({ ...notices, due: { from: 0, to: DAY, count: 1, ...(isUrgent && { isUrgent }) } }),
        1,
      );
    const round = async () => {
      await renew.execute();
      return searched.splice(0);
    };
    expect(await round(), 'the first search of each station').to.deep.equal([1, 2, 3]);
    await noteOld(1);
    expect(await round(), 'without a rest').to.deep.equal([1]);
    await noteOld(1);
    await noteOld(2, true);
    expect(await round(), 'during the rest').to.deep.equal([2]);
    const uptime = clock.uptime() + 600_000;
    clock.uptime = () => uptime - 1;
    expect(await round()).to.deep.equal([]);
    clock.uptime = () => uptime;
    expect(await round(), 'after the rest').to.deep.equal([1]);
    await world.stores.close();
  });

  it('searches the other stations if the search of one fails, and tries this one again', async () => {
    let isBroken = true;
    const { world, records, renew } = await dueWorld(3, async (station) => {
      if (station === 2 && isBroken) throw new Error('broken');
      return [];
    });
    const searched = async () => {
      const all = await Promise.all([1, 2, 3].map((station) => records.find(station)));
      return all.map(({ searchedAt }) => searchedAt !== null);
    };
    expect(await renew.execute().catch((error: Error) => error.message)).to.equal('broken');
    expect(await searched()).to.deep.equal([true, false, true]);
    isBroken = false;
    await renew.execute();
    expect(await searched()).to.deep.equal([true, true, true]);
    await world.stores.close();
  });
});

describe('RenewNotices › removed stations', () => {
  it('stores nothing for a station that was removed during the search', async () => {
    const world = await World.make();
    const { storedRecords } = world.stores;
    const records = world.get(NoticeRecords);
    await records.change(1, (notices) => ({ ...notices, due: { from: 0, to: DAY, count: 1 } }), 1);
    const renew = new RenewNotices({
      clock: world.clock,
      records,
      due: world.get(DueSearches),
      search: {
        execute: async () => {
          await storedRecords.purge('notices ', Infinity);
          return [];
        },
      } as unknown as SearchNotices,
      recheck: { waiting: async () => 0 } as never,
    });
    await renew.execute();
    expect(await storedRecords.records('notices ')).to.deep.equal([]);
    await world.stores.close();
  });
});

describe('values that are checked again', () => {
  const range = { from: 0, to: DAY };
  /** Searches once; `during` runs in the middle of the search. @returns whether a range is due afterwards */
  async function isDueAfter(
    during: (due: DueSearches) => Promise<void>,
    setUp: (world: World, due: DueSearches) => Promise<DueSearches> = async (_world, due) => due,
  ): Promise<boolean> {
    const world = await World.make();
    const [records, due] = [world.get(NoticeRecords), world.get(DueSearches)];
    due.note(1, range);
    await due.flush();
    const other = await setUp(world, due);
    const search = {
      execute: async () => {
        await during(other);
        return [];
      },
    };
    const recheck = { waiting: async () => 0 } as never;
    const clock = world.clock;
    await new RenewNotices({ clock, records, due, search: search as never, recheck }).execute();
    const isDue = (await records.find(1)).due !== null;
    await world.stores.close();
    return isDue;
  }
  const noteAgain = async (due: DueSearches) => {
    due.note(1, range);
    await due.flush();
  };

  it('during a search stay due, whichever process has checked them', async () => {
    expect(await isDueAfter(async () => undefined)).to.equal(false);
    expect(await isDueAfter(noteAgain)).to.equal(true);
    const anotherProcess = async (world: World) =>
      new DueSearches(new NoticeRecords(world.stores.storedRecords), world.clock);
    expect(await isDueAfter(noteAgain, anotherProcess)).to.equal(true);
  });

  it('are due again after another process has searched', async () => {
    const world = await World.make();
    const records = world.get(NoticeRecords);
    const recheck = { waiting: async () => 0 } as never;
    const search = { execute: async () => [] } as never;
    const [one, other] = [1, 2].map(() => {
      const due = new DueSearches(records, world.clock);
      return { due, renew: new RenewNotices({ clock: world.clock, records, due, search, recheck }) };
    }) as [{ due: DueSearches; renew: RenewNotices }, { due: DueSearches; renew: RenewNotices }];
    await noteAgain(one.due);
    await other.renew.execute();
    expect((await records.find(1)).due).to.equal(null);
    await one.renew.execute();
    await noteAgain(one.due);
    expect((await records.find(1)).due).not.to.equal(null);
    await world.stores.close();
  });
});

describe('DueSearches', () => {
  it('stores ranges that contain all noted ones, and writes nothing for values of the same month', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 0, max: 500 }), fc.boolean()), {
          minLength: 1,
          maxLength: 12,
        }),
        async (notes) => {
          const world = await World.make();
          const records = world.get(NoticeRecords);
          const due = world.get(DueSearches);
          for (const [station, day, isFlushed] of notes) {
            due.note(station, { from: day * DAY, to: (day + 1) * DAY });
            if (isFlushed) await due.flush();
          }
          await due.flush();
          for (const [station, day] of notes) {
            const range = (await records.find(station)).due;
            expect(range?.from).to.be.at.most(day * DAY);
            expect(range?.to).to.be.at.least((day + 1) * DAY);
          }
          const revisions = async () =>
            (await world.stores.storedRecords.records('notices ')).map(({ revision }) => revision);
          const before = await revisions();
          for (const [station, day] of notes) due.note(station, { from: day * DAY, to: (day + 1) * DAY });
          await due.flush();
          expect(await revisions()).to.deep.equal(before);
          await world.stores.close();
        },
      ),
      { numRuns: 10 },
    );
  });

  it('keeps that a range is urgent, whether or not the range was due before', async () => {
    for (const order of [[true], [false, true], [true, false]]) {
      const world = await World.make();
      const due = world.get(DueSearches);
      for (const isUrgent of order) {
        due.note(1, { from: 0, to: DAY }, isUrgent);
        if (!isUrgent) await due.flush();
      }
      await due.flush();
      expect((await world.get(NoticeRecords).find(1)).due?.isUrgent, String(order)).to.equal(true);
      await world.stores.close();
    }
  });

  it('takes a range without begin and end', async () => {
    const world = await World.make();
    world.get(DueSearches).note(1, { from: -Infinity, to: Infinity });
    await world.get(DueSearches).flush();
    const { due } = await world.get(NoticeRecords).find(1);
    expect([due?.from, due?.to].every((bound) => Number.isFinite(bound))).to.equal(true);
    await world.stores.close();
  });
});

describe('NoticeRecords', () => {
  it('keep what two processes change at the same time, and begin anew if the text is damaged', async () => {
    const world = await World.make();
    const { storedRecords } = world.stores;
    const [one, other] = [new NoticeRecords(storedRecords), new NoticeRecords(storedRecords)];
    const notice = (since: number): Notice => ({
      kind: 'level',
      variable: 1,
      since,
      until: null,
      facts: {},
      comparedWith: [],
    });
    const add = (records: NoticeRecords, since: number) =>
      records.change(7, (before) => ({ ...before, notices: [...before.notices, notice(since)] }), 1);
    await Promise.all([add(one, 1), add(other, 2), add(one, 3)]);
    const { notices } = await one.find(7);
    expect(notices.map(({ since }) => since)).to.have.members([1, 2, 3]);
    const [stored] = await storedRecords.records('notices ');
    await storedRecords.put([{ ...(stored as NonNullable<typeof stored>), text: '{"due":' }]);
    expect(await one.list()).to.deep.equal([]);
    expect((await one.find(7)).notices).to.deep.equal([]);
    await add(one, 4);
    expect((await one.find(7)).notices).to.have.length(1);
    await world.stores.close();
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { SumFromAggregates } from '#application/observations/read/sum-from-aggregates.js';
import { MaintainDailyAggregates } from '#application/observations/read/maintain-daily-aggregates.js';
import { Summarize, type SummarizeInput } from '#application/observations/read/summarize.js';
import type { Stores } from '#application/ports/stores.js';
import { MILLISECONDS } from '#domain/time.js';
import { WATCH } from '../../support/verify-watch.js';
import { summaryPage } from './daily-aggregates.js';
import { hourlyRows } from './erase.js';
import { JFK } from './station-store.js';

/** The time of hour 0 of `hourlyRows`. */
const START = Date.UTC(2024, 1, 28);
const { hour: HOUR, day: DAY } = MILLISECONDS;
const CALENDAR = new TemporalCalendar();
const ZONES = ['America/New_York', 'Europe/Lisbon', 'Asia/Kathmandu', 'UTC'];

/** Rules for the removal of old rows in every store. */
export function retentionContract(opened: () => Stores): void {
  let stores: Stores;
  let station: number;
  let keep: MaintainDailyAggregates;
  let summarize: Summarize;

  const begin = async (id: string, timeZone: string) => {
    stores = opened();
    const [put] = await stores.stations.put([{ ...JFK, id, timeZone, limits: {} }]);
    station = put?.station.number ?? 0;
    const { observations, dailyAggregates } = stores;
    keep = new MaintainDailyAggregates(CALENDAR, observations, dailyAggregates);
    summarize = new Summarize(CALENDAR, observations, new SumFromAggregates(CALENDAR, dailyAggregates, keep));
  };
  const write = (hours: readonly number[], seed = 0) => {
    // Some values fail the step check, so that flags depend on the row before.
    const value = (hour: number) => ((hour * 7 + seed) % 11 === 0 ? 45 : ((hour + seed) % 13) / 3);
    const rows = hours.map(
      (hour) =>
        [station, hour, { 1: value(hour), 6: hour % 9, 7: (hour * 31) % 360, 9: (hour % 4) / 5 }] as const,
    );
    return stores.observations.write([{ batch: hourlyRows(rows) }]);
  };
  const pageOf = (id: string, input: Partial<SummarizeInput>) => summaryPage(stores, summarize, id, input);
  const summaries = async (id: string) => {
    const range = { from: START - 40 * DAY, to: START + 200 * DAY };
    const variables = ['air_temperature', 'wind_speed', 'wind_from_direction', 'precipitation_amount'];
    const pages = [];
    for (const interval of ['day', 'month', 'year'] as const)
      pages.push(await pageOf(id, { ...range, interval, variables }));
    return pages;
  };
  const monthsUntil = async (timeZone: string, limit: number) => {
    const [inventory] = await stores.observations.inventory([station]);
    const first = inventory?.first ?? limit;
    const months = CALENDAR.buckets('month', timeZone, 0, Math.min(first, limit), limit);
    return months.filter(({ end }) => end <= limit);
  };
  /** Removes the months that end before `limit`. */
  const expire = async (id: string, timeZone: string, limit: number) => {
    const months = await monthsUntil(timeZone, limit);
    const [from, to] = [months[0]?.start, months.at(-1)?.end];
    if (from === undefined || to === undefined) return 0;
    const known = await stores.stations.find(id);
    if (known !== undefined) await keep.compute(known, months);
    return await erase(from, to);
  };
  const erase = async (from: number, to: number) => {
    let rows = 0;
    let rest = [{ station, from, to, isExpiry: true }] as Parameters<typeof stores.observations.erase>[0];
    while (rest.length > 0) {
      const step = await stores.observations.erase(rest);
      rows += step.erased.reduce((sum, one) => sum + one.rows, 0);
      ({ remaining: rest } = step);
    }
    return rows;
  };
  const rowsBefore = async (time: number) => {
    let rows = 0;
    const query = { stations: [station], from: -8.64e15, to: time };
    for await (const { times } of stores.observations.read(query)) rows += times.length;
    return rows;
  };
  const everySecond = Array.from({ length: 12 * 130 }, (_, index) => index * 2);

  it('leaves the summaries of days, months and years as they were, to the last bit', async () => {
    let round = 0;
    const step = fc.record({
      hours: fc.array(fc.integer({ min: 0, max: 24 * 140 }), { maxLength: 15 }),
      day: fc.nat(200),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ZONES),
        fc.array(step, { minLength: 1, maxLength: 3 }),
        async (zone, steps) => {
          round += 1;
          const id = `old-${round}`;
          await begin(id, zone);
          await write(everySecond, round);
          for (const [index, { hours, day }] of steps.entries()) {
            if (hours.length > 0) await write(hours, index);
            const before = await summaries(id);
            await expire(id, zone, START + day * DAY);
            expect(await summaries(id)).to.deep.equal(before);
            await keep.execute();
            expect(await summaries(id)).to.deep.equal(before);
            const found = await stores.verifier.verify(WATCH);
            expect(found.damage).to.deep.equal([]);
            expect(found.differences).to.deep.equal([]);
          }
        },
      ),
      { numRuns: 4 },
    );
  });

  it('removes whole months, and the rows after them keep their flags', async () => {
    await begin('months', 'America/New_York');
    await write(everySecond);
    const april = Date.UTC(2024, 3, 1, 4);
    const flagsAfter = async () => {
      const flags: string[] = [];
      const query = { stations: [station], from: april, to: april + 3 * DAY };
      for await (const batch of stores.observations.read(query)) flags.push(String(batch.flags.get(1)));
      return flags;
    };
    const before = await flagsAfter();
    const expected = await rowsBefore(april);
    expect(await expire('months', 'America/New_York', april + 20 * DAY)).to.equal(expected);
    expect(await rowsBefore(april)).to.equal(0);
    expect(await flagsAfter()).to.deep.equal(before);
    const [inventory] = await stores.observations.inventory([station]);
    expect(inventory?.first).to.equal(april);
    expect(await stores.dailyAggregates.expiredMonths(station)).to.deep.equal({
      from: Date.UTC(2024, 1, 1, 5),
      to: april,
    });
    // Without bounds, summaries begin with the first month whose sums are kept.
    expect((await pageOf('months', { interval: 'month' })).from).to.equal(Date.UTC(2024, 1, 1, 5));
  });

  it('removes nothing of months without a table of days', async () => {
    await begin('bare', 'UTC');
    await write(everySecond);
    expect(await erase(Date.UTC(2024, 1, 1), Date.UTC(2024, 3, 1))).to.equal(0);
    expect(await rowsBefore(8.64e15)).to.equal(everySecond.length);
  });

  it('takes no rows of removed months any more, and summaries do not change', async () => {
    await begin('late', 'UTC');
    await write(everySecond);
    const april = Date.UTC(2024, 3, 1);
    await expire('late', 'UTC', april);
    const before = await summaries('late');
    const hour = (april - START) / HOUR;
    const { outcomes, changes } = await write([3, 5, hour]);
    expect(outcomes[0]).to.include({ inserted: 0, updated: 0, unchanged: 3 });
    expect(changes.stations).to.have.length(0);
    expect(await summaries('late')).to.deep.equal(before);
    expect([...(await stores.stations.expiredUntil())]).to.deep.equal([[station, april]]);
    expect((await write([hour + 1])).outcomes[0]).to.include({ inserted: 1 });
  });

  it('keeps the sums of a station without any rows', async () => {
    await begin('silent', 'UTC');
    await write(everySecond);
    const before = await summaries('silent');
    expect(await expire('silent', 'UTC', START + 400 * DAY)).to.equal(everySecond.length);
    expect((await stores.observations.inventory([station]))[0]?.count).to.equal(0);
    expect(await summaries('silent')).to.deep.equal(before);
    await stores.stations.remove('silent');
    while (await stores.stations.eraseRows(station));
    expect(await stores.dailyAggregates.expiredMonths(station)).to.equal(undefined);
  });

  it('keeps a period for each station', async () => {
    await begin('a-period', 'UTC');
    expect([...(await stores.stations.periods())]).to.deep.equal([]);
    await stores.stations.setPeriod(station, 5);
    await stores.stations.setPeriod(station + 1, null);
    await stores.stations.setPeriod(station, 6);
    expect([...(await stores.stations.periods())]).to.deep.equal([
      [station, 6],
      [station + 1, null],
    ]);
    for (const period of [5, null, undefined])
      expect(await stores.stations.setPeriod(station, 7, { period })).to.equal(false);
    expect(await stores.stations.setPeriod(station, undefined, { period: 6 })).to.equal(true);
    expect(await stores.stations.setPeriod(station, 5, { period: undefined })).to.equal(true);
    expect(await stores.stations.setPeriod(station, null, { period: 5 })).to.equal(true);
    expect(await stores.stations.setPeriod(station, undefined, { period: null })).to.equal(true);
    expect([...(await stores.stations.periods())]).to.deep.equal([[station + 1, null]]);
  });
}

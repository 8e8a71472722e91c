import { expect } from 'chai';
import sinon from 'sinon';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import { visitorReaderOf } from '#adapters/http/core/pages/read-in-process.js';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { RemoveForecast } from '#application/forecast/manage/remove-forecast.js';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { useCaseOf } from '#composition/graph/wiring.js';
import { MILLISECONDS } from '#domain/time.js';
import { addForecastHistory } from '../../../../support/forecast-history.js';
import { computedCases, type ReadJson } from '../../../../support/forecast-proof.js';
import { rejectionOf } from '../../../../support/rejection.js';
import { addStation } from '../../../../support/weather-world.js';
import { CALLER, UPLOAD_REACH, World } from '../../../../support/world.js';

/** Clocks were set back in Amsterdam on 25 October 2026. */
const NOW = Date.UTC(2026, 10, 6, 14, 20);
const PATH = '/v1/stations/garden/forecast/verification';

interface CasesReply {
  readonly cases: readonly {
    readonly time: string;
    readonly issued: string;
    readonly raw: number;
    readonly forecast: number;
    readonly p10: number | null;
    readonly p90: number | null;
    readonly observed: number;
  }[];
}

describe('single forecasts and what was observed', function () {
  this.timeout(60_000);
  let world: World;
  let read: ReadJson;
  const casesOf = async (query: string) => ((await read(`${PATH}/cases?${query}`)) as CasesReply).cases;

  before(async () => {
    world = await World.make();
    world.clock.time = NOW;
    await addForecastHistory(useCaseOf(world.container), 'garden', { days: 40, now: NOW });
    const readAll = visitorReaderOf(makeExternalEndpoints(world.container, 'public', UPLOAD_REACH));
    read = (path) =>
      readAll(path).catch((error: { code: string }) => {
        if (error.code !== 'FORECAST_UNKNOWN') throw error;
      });
  });

  it('are those of issued forecasts and of observations that passed, for each variable, lead and hour', async () => {
    const calendar = new TemporalCalendar();
    // Every row of the table needs the same forecasts.
    const replies = new Map<string, Promise<unknown>>();
    const readOnce: ReadJson = (path) => {
      const reply = replies.get(path) ?? read(path);
      replies.set(path, reply);
      return reply;
    };
    for (const [variable, lead, hour] of [
      ['air_temperature', '24-47', 5],
      ['air_temperature', '0-5', 12],
      ['air_temperature', '216-239', 0],
      ['wind_speed', '48-71', 23],
      ['precipitation_amount', '12-23', 2],
    ] as const) {
      const hours = calendar
        .buckets('day', 'Europe/Amsterdam', hour * 60, NOW - 31 * MILLISECONDS.day, NOW)
        .map(({ start }) => start)
        .filter((start) => start <= NOW - 90 * MILLISECONDS.minute)
        .slice(-30);
      const input = { station: 'garden', variable, until: NOW, interval: MILLISECONDS.hour };
      const [from, to] = lead.split('-').map(Number) as [number, number];
      // oxlint-disable-next-line no-await-in-loop -- one reply after the other
      const expected = await computedCases(readOnce, input, { lead: [from, to], hours });
      // oxlint-disable-next-line no-await-in-loop -- one reply after the other
      const found = await casesOf(`variable=${variable}&lead=${lead}&hour=${hour}&days=30`);
      expect(found.length, `${variable} ${lead} ${hour}`).to.be.within(20, 30);
      expect(found.map((one) => ({ ...one, time: Date.parse(one.time) }))).to.deep.equal(expected);
    }
  });

  it('are of the hour of the station, also after its clocks were set back', async () => {
    const cases = await casesOf('hour=12&days=40');
    const hours = new Set(cases.map(({ time }) => time.slice(11, 16)));
    expect([...hours]).to.deep.equal(['10:00', '11:00']);
    expect(cases.length).to.be.within(30, 40);
    for (const { time, issued, p10, p90, forecast } of cases) {
      expect((Date.parse(time) - Date.parse(issued)) / MILLISECONDS.hour).to.be.within(24, 47.999);
      if (p10 !== null && p90 !== null) expect(forecast).to.be.within(p10, p90);
    }
  });

  it('read one forecast a day, whatever a client asks for', async () => {
    const newest = sinon.spy(world.get(ForecastRecords), 'newest');
    await casesOf('hour=12&days=40');
    expect(newest.callCount).to.be.within(30, 40);
    newest.restore();
    for (const query of ['days=93', 'days=0', 'hour=24', 'variable=frost', 'lead=5-7'])
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      expect(await rejectionOf(casesOf(query)), query).to.have.property('code', 'REQUEST_INVALID');
  });

  it('are beside a forecast whose days are those of the station, or of another time zone', async () => {
    const startsOf = async (query: string) => {
      const { days } = (await read(`/v1/stations/garden/forecast${query}`)) as {
        readonly days: readonly { readonly start: string }[];
      };
      return days.slice(0, 2).map(({ start }) => start);
    };
    expect(await startsOf('')).to.deep.equal(['2026-11-05T23:00:00Z', '2026-11-06T23:00:00Z']);
    for (const [zone, hour] of [
      ['station', 'T23:00:00Z'],
      ['Europe/Amsterdam', 'T23:00:00Z'],
      ['Pacific/Auckland', 'T11:00:00Z'],
      ['%2B05:30', 'T18:30:00Z'],
    ] as const)
      expect((await startsOf(`?timezone=${zone}`))[0], zone).to.match(new RegExp(`${hour}$`));
    expect(await rejectionOf(startsOf('?timezone=Mars/Olympus'))).to.have.property('code', 'REQUEST_INVALID');
  });

  it('stay after the provider was removed, with the scores and the forecasts of the past', async () => {
    const [before, verification] = [await casesOf('hour=5'), (await read(PATH)) as { ordered: boolean }];
    const issued = before.at(-1)?.issued ?? '';
    const orders = world.get(ForecastOrders);
    const station = await world.stores.stations.find('garden');
    const order = await orders.of(station?.number ?? 0);
    await world.get(RemoveForecast).execute('garden', CALLER);
    expect(await read('/v1/stations/garden/forecast')).to.equal(undefined);
    expect(await read(`/v1/stations/garden/forecast?issued=${issued}`)).to.have.property('issued', issued);
    expect(await casesOf('hour=5')).to.deep.equal(before);
    expect(verification.ordered).to.equal(true);
    expect(await read(PATH)).to.deep.equal({ ...verification, ordered: false });
    if (order !== undefined) await orders.put(order);
  });

  it('are unknown at a station without forecasts', async () => {
    await addStation(world, { id: 'roof' });
    for (const path of ['', '/cases'])
      // oxlint-disable-next-line no-await-in-loop -- two requests
      expect(await read(`/v1/stations/roof/forecast/verification${path}`)).to.equal(undefined);
  });
});

import { expect } from 'chai';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { STATION_INDICES } from '#domain/weather/indices/station-indices.js';
import { NoticeRecords } from '#application/observations/notices/notice-records.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { orderForecast } from '../../support/forecast-world.js';
import { type RunningApi, runApi, serviceTransports } from '../../support/api-server.js';
import { addStation, record } from '../../support/weather-world.js';
import { UPLOAD_REACH, World } from '../../support/world.js';

const ROUTES_OF_INDICES = [...new Set(STATION_INDICES.map(({ name }) => name))];

/** Routes that read weather, with a query for each. */
const READS: Readonly<Record<string, string>> = {
  '/v1/stations/{id}': '/v1/stations/JFK',
  '/v1/stations/{id}/observations': '/v1/stations/JFK/observations?from=2013-07-01&to=2013-07-02',
  '/v1/stations/{id}/observations/latest': '/v1/stations/JFK/observations/latest?include=today,trend,rain',
  '/v1/stations/{id}/now': '/v1/stations/JFK/now',
  '/v1/stations/{id}/summaries': '/v1/stations/JFK/summaries?interval=day',
  '/v1/stations/{id}/wind-rose': '/v1/stations/JFK/wind-rose',
  '/v1/stations/{id}/notices': '/v1/stations/JFK/notices',
  '/v1/stations/{id}/source-flags':
    '/v1/stations/JFK/source-flags?variables=air_temperature&from=2013-07-01&to=2013-07-02',
  '/v1/stations/{id}/derived': '/v1/stations/JFK/derived?variables=heat_index',
  '/v1/stations/{id}/climate/months': '/v1/stations/JFK/climate/months',
  '/v1/stations/{id}/climate/degree-days': '/v1/stations/JFK/climate/degree-days',
  '/v1/stations/{id}/climate/usual': '/v1/stations/JFK/climate/usual',
  '/v1/stations/{id}/climate/indices': '/v1/stations/JFK/climate/indices',
  '/v1/stations/{id}/climate/records': '/v1/stations/JFK/climate/records',
  '/v1/stations/{id}/climate/normals': '/v1/stations/JFK/climate/normals',
  '/v1/stations/{id}/climate/anomalies': '/v1/stations/JFK/climate/anomalies',
  '/v1/stations/{id}/climate/drought': '/v1/stations/JFK/climate/drought',
  '/v1/stations/{id}/climate/return-levels': '/v1/stations/JFK/climate/return-levels',
  '/v1/stations/{id}/reports/noaa/{file}': '/v1/stations/JFK/reports/noaa/2013-07.txt',
  '/v1/stations/{id}/files': '/v1/stations/JFK/files',
  ...Object.fromEntries(
    ROUTES_OF_INDICES.map((name) => [
      `/v1/stations/{id}/indices/${name}`,
      `/v1/stations/JFK/indices/${name}?from=2013-07-01&to=2013-07-03`,
    ]),
  ),
  '/v1/stations': '/v1/stations',
  '/v1/observations': '/v1/observations?stations=JFK&last=24h',
  '/v1/observations/latest': '/v1/observations/latest',
  '/v1/summaries': '/v1/summaries?stations=JFK&interval=day&from=2013-07-01&to=2013-07-02',
};
/** Routes whose replies a cache may use for a day, because they contain no weather. */
const WITHOUT_WEATHER = new Set([
  '/v1/places',
  '/v1/users/{name}',
  '/v1/alarms/{name}',
  '/v1/hooks/{name}',
  '/v1/sources/{name}',
  '/v1/stations/{id}/retention',
  '/v1/forecasts/{id}',
  '/v1/stations/{id}/forecast',
  '/v1/stations/{id}/forecast/verification',
  '/v1/stations/{id}/forecast/verification/cases',
  // The files of settled months, which http-month-files.test.ts tests.
  '/v1/stations/{id}/files/{month}',
  '/v1/upload-keys/{id}/mappings',
]);
/** Their replies do not show the corrected value itself, or only after a whole month or years. */
const UNCHANGED = new Set([
  '/v1/stations',
  '/v1/stations/{id}/now',
  '/v1/stations/{id}/notices',
  '/v1/stations/{id}/files',
  '/v1/stations/{id}/climate/degree-days',
  '/v1/stations/{id}/climate/usual',
  '/v1/stations/{id}/climate/normals',
  '/v1/stations/{id}/climate/anomalies',
  '/v1/stations/{id}/climate/drought',
  '/v1/stations/{id}/climate/return-levels',
  '/v1/stations/{id}/climate/indices',
  // They are computed from whole days, from cold, from particles or from the sun.
  ...ROUTES_OF_INDICES.map((name) => `/v1/stations/{id}/indices/${name}`),
]);

/** A cache as RFC 9111 describes it: it answers by itself as long as a stored reply is fresh, and otherwise asks with its ETag. */
class Cache {
  readonly #stored = new Map<string, { readonly reply: Response; readonly text: string }>();

  /** @param seconds since the replies were stored */
  async read(url: string, seconds: number): Promise<{ readonly text: string; readonly status: number }> {
    const known = this.#stored.get(url);
    const control = known?.reply.headers.get('cache-control') ?? '';
    const lifetime = /\bno-cache\b/.test(control) ? 0 : Number(/max-age=(\d+)/.exec(control)?.[1] ?? 0);
    if (known !== undefined && seconds < lifetime) return { text: known.text, status: 200 };
    const etag = known?.reply.headers.get('etag');
    const reply = await fetch(url, etag ? { headers: { 'if-none-match': etag } } : {});
    const { status } = reply;
    if (status === 304 && known !== undefined) return { text: known.text, status };
    const text = await reply.text();
    if (!/\bno-store\b/.test(reply.headers.get('cache-control') ?? ''))
      this.#stored.set(url, { reply, text });
    return { text, status };
  }
}

for (const [name, load] of serviceTransports) {
  describe(`replies that a cache has stored › ${name}`, () => {
    let world: World;
    let running: RunningApi;
    let contents: string[];

    beforeEach(async () => {
      world = await World.make();
      world.clock.time = Date.parse('2013-07-02T02:10:00Z');
      await addStation(world);
      await record(world, '2013-07-01T04:00:00Z', {
        air_temperature: Array.from({ length: 23 }, (_hour, index) => 20 + (index % 9)),
        relative_humidity: Array.from({ length: 23 }, () => 0.6),
      });
      const authorize = world.get(Authorize);
      const endpoints = makeExternalEndpoints(world.container, 'public', UPLOAD_REACH);
      contents = endpoints.filter(({ success }) => success.kind === 'content').map(({ path }) => path);
      running = await runApi(await load(), {
        endpoints,
        authorize: (given, access) => authorize.execute({ token: given, ...access }),
      });
    });
    afterEach(() => running.server.close(1000));

    it('show a correction at once, and cost no body while nothing changes', async () => {
      expect(READS).to.include.all.keys(...contents.filter((path) => !WITHOUT_WEATHER.has(path)));
      const cache = new Cache();
      const before = new Map<string, string>();
      for (const [path, target] of Object.entries(READS)) {
        const { text, status } = await cache.read(`${running.url}${target}`, 0);
        expect(status, `${target} ${text}`).to.equal(200);
        before.set(path, text);
      }
      for (const target of Object.values(READS)) {
        const reply = await fetch(`${running.url}${target}`);
        const text = await reply.text();
        const etag = reply.headers.get('etag');
        if (etag === null) continue;
        const again = await cache.read(`${running.url}${target}`, 1);
        expect(again, target).to.deep.equal({ text, status: 304 });
      }
      await record(world, '2013-07-01T18:00:00Z', {
        air_temperature: [31, 33],
        precipitation_amount: [0, 1],
        wind_speed: [3, 4],
      });
      for (const [path, target] of Object.entries(READS)) {
        const { text } = await cache.read(`${running.url}${target}`, 1);
        const direct = await (await fetch(`${running.url}${target}`)).text();
        expect(text, target).to.equal(direct);
        if (!UNCHANGED.has(path)) expect(text, target).not.to.equal(before.get(path));
      }
    });

    it('show new notices at once', async () => {
      const cache = new Cache();
      const url = `${running.url}/v1/stations/JFK/notices`;
      await cache.read(url, 0);
      const latest = `${running.url}/v1/stations/JFK/observations/latest?include=quality_control`;
      await cache.read(latest, 0);
      const station = await world.stores.stations.find('JFK');
      const notice = {
        kind: 'level',
        variable: 1,
        since: Date.parse('2013-07-01T05:00:00Z'),
        until: null,
      } as const;
      const notices = [{ ...notice, facts: { change: 3 }, comparedWith: [] }];
      await world.get(NoticeRecords).change(station?.number ?? 0, (before) => ({ ...before, notices }), 1);
      const { text, status } = await cache.read(url, 1);
      expect([status, JSON.parse(text).notices]).to.have.nested.property('[1][0].kind', 'level');
      expect((await cache.read(url, 1)).status).to.equal(304);
      const newest = await cache.read(latest, 1);
      expect([newest.status, JSON.parse(newest.text)]).to.have.nested.property(
        '[1].quality_control.notices',
        1,
      );
      expect((await cache.read(latest, 1)).status).to.equal(304);
    });

    it('say at once that there is a new forecast, and that it is too old', async () => {
      const cache = new Cache();
      const latest = `${running.url}/v1/stations/JFK/observations/latest?include=forecast`;
      const issuedIn = ({ text }: { readonly text: string }) => JSON.parse(text).forecast_issued as unknown;
      expect(issuedIn(await cache.read(latest, 0))).to.equal(null);
      for (const hour of [6, 7]) {
        world.clock.time = Date.parse(`2013-07-02T0${hour}:30:00Z`);
        await orderForecast(world, 'JFK');
        expect(issuedIn(await cache.read(latest, 1))).to.equal(`2013-07-02T0${hour}:30:00Z`);
        expect((await cache.read(latest, 1)).status).to.equal(304);
      }
      world.clock.time = Date.parse('2013-07-04T07:30:00Z');
      expect(issuedIn(await cache.read(latest, 1))).to.equal(null);
    });

    it('are not current when the local day of the station has ended, though nothing was written', async () => {
      const cache = new Cache();
      const tables = Object.values(READS).filter((target) => target.includes('/climate/'));
      const statuses = async (query = '') => {
        const read = tables.map((target) => cache.read(`${running.url}${target}${query}`, 1));
        return new Set((await Promise.all(read)).map(({ status }) => status));
      };
      await Promise.all([statuses(), statuses('?timezone=UTC')]);
      world.clock.time = Date.parse('2013-07-02T03:59:59Z');
      expect([...(await statuses())]).to.deep.equal([304]);
      const months = `${running.url}/v1/stations/JFK/climate/months`;
      expect((await cache.read(months, 1)).text).to.contain('"until":null');
      world.clock.time = Date.parse('2013-07-02T04:00:00Z');
      expect([...(await statuses())]).to.deep.equal([200]);
      expect((await cache.read(months, 1)).text).to.contain('"until":"2013-07-01"');
      // In UTC it was 2 July before.
      expect([...(await statuses('?timezone=UTC'))]).to.deep.equal([304]);
    });
  });
}

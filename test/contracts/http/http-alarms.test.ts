import { expect } from 'chai';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { pause } from '#application/pause.js';
import { NoteSensors } from '#application/sensors/note-sensors.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, defaultTransport } from '../../support/api-server.js';
import { Client } from '../../support/client.js';
import { type AlarmsInWorld, alarmsIn } from '../../support/alarms-world.js';
import { issueTemperatures } from '../../support/forecast-world.js';
import { PRIVATE_URLS } from '../../support/private-urls.js';
import { addStation, record } from '../../support/weather-world.js';
import { CALLER, UPLOAD_REACH, World } from '../../support/world.js';

type Json = Record<string, unknown>;

const FROST = {
  station: 'JFK',
  condition: { kind: 'below', variable: 'air_temperature', threshold: 32, clear: 35.6, unit: '°F', for: 0 },
  target: { url: 'https://example.org/hook/x?key=c', secret: 'a-secret-of-this-hook' },
};
const STORED = { kind: 'below', variable: 'air_temperature', threshold: 0, clear: 2, unit: '°C', for: 0 };
const SINCE = '2026-01-31T12:00:00.789Z';

for (const [name, load] of defaultTransport) {
  describe(`alarms over HTTP › ${name}`, () => {
    let world: World;
    let alarms: AlarmsInWorld;
    let running: RunningApi;
    let client: Client;
    let token: string;

    beforeEach(async () => {
      world = await World.make();
      alarms = alarmsIn(world);
      await world.addUser('ada', true);
      await addStation(world);
      const authorize = world.get(Authorize);
      running = await runApi(await load(), {
        endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
        authorize: (given, access) => authorize.execute({ token: given, ...access }),
      });
      client = new Client(running.url);
      token = await world.elevate(await world.signIn('ada'));
    });
    afterEach(() => running.server.close(1000));

    const send = (method: string, target: string, body?: Json) => client.send(method, target, token, body);
    const read = async (target: string, as?: string) => (await client.send('GET', target, as)).body;
    /** Writes a temperature of the present time and evaluates the alarms. */
    const write = async (value: number, station = 'JFK') => {
      await record(world, new Date(world.clock.time).toISOString(), { air_temperature: [value] }, station);
      for (let turn = 0; turn < 5; turn += 1) await pause();
      await alarms.evaluate.execute();
      world.clock.up += 2000;
    };

    it('send messages for people to the services of the list', async () => {
      world.targetKinds.push({
        name: 'chat',
        title: 'Chat',
        settings: { secret: true, url: false },
        notify: async () => undefined,
      });
      expect((await send('GET', '/v1/alarms')).body['kinds']).to.deep.include({
        name: 'chat',
        title: 'Chat',
        settings: [
          { name: 'secret', required: true },
          { name: 'url', required: false },
        ],
        interval: null,
      });
      const put = (target: object) => send('PUT', '/v1/alarms/frost', { ...FROST, target });
      const added = await put({ kind: 'chat', secret: 'hunter22', url: 'https://example.org/topic' });
      expect(added.body['alarm']).to.deep.include({
        target: {
          kind: 'service',
          service: 'chat',
          shown: 'chat at https://example.org/…',
          allow_private: false,
        },
      });
      expect(await put({ kind: 'chat' })).to.deep.include({
        error: 'REQUEST_INVALID',
      });
      const weather = { kind: 'wunderground', account: 'K', secret: 'k' };
      expect((await put(weather)).error).to.equal('REQUEST_INVALID');
      expect((await put({ kind: 'chat', secret: 'k', url: 'http://127.0.0.1/' })).error).to.equal(
        'REQUEST_INVALID',
      );
      await send('POST', '/v1/alarms/frost/test');
      const [{ message } = { message: undefined }] = alarms.delivery.sent;
      expect(message?.personal).to.deep.include({ urgency: 'normal', id: message?.id });
      expect(message?.personal?.text).to.contain('test');
    });

    it('are added, listed with what they say, tested and removed, without their secrets', async () => {
      const added = await send('PUT', '/v1/alarms/frost', FROST);
      expect(added.status).to.equal(200);
      const own = {
        name: 'frost',
        station: 'JFK',
        condition: STORED,
        target: { kind: 'post', shown: 'https://example.org/…', allow_private: false },
        made_by: 'ada',
        made_at: SINCE,
      };
      expect(added.body['alarm']).to.deep.equal(own);
      alarms.delivery.outcome = { failed: 'The target answered with status 500.' };
      await write(-1.5);
      const state = {
        station: 'JFK',
        status: 'raised',
        since: SINCE,
        variable: 'air_temperature',
        value: -1.5,
        time: SINCE,
        interval: null,
        undelivered_since: SINCE,
      };
      expect((await send('GET', '/v1/alarms')).body['alarms']).to.deep.equal([{ ...own, states: [state] }]);
      const test = await send('POST', '/v1/alarms/frost/test');
      expect(test.body).to.include({ delivered: false, reason: 'The target answered with status 500.' });
      alarms.delivery.outcome = 'delivered';
      expect((await send('POST', '/v1/alarms/frost/test')).body).to.include({
        delivered: true,
        reason: null,
      });
      expect((await send('DELETE', '/v1/alarms/frost')).status).to.equal(200);
      expect((await send('GET', '/v1/alarms')).body['alarms']).to.deep.equal([]);
      const { body } = await send('GET', '/v1/audit');
      const events = (body['events'] as Json[]).filter(({ action }) => String(action).startsWith('alarm-'));
      const detail = {
        station: 'JFK',
        condition: 'air_temperature below 0 °C, clears at 2 °C',
        target: 'https://example.org/…',
      };
      expect(
        events.map(({ action, actor, subject, detail: of }) => [action, actor, subject, of]),
      ).to.deep.equal([
        ['alarm-remove', 'ada', 'frost', detail],
        ['alarm-add', 'ada', 'frost', detail],
      ]);
    });

    it('watch notices of any kind and variable, or of given ones', async () => {
      const put = async (condition: Json) =>
        await send('PUT', '/v1/alarms/noticed', {
          station: null,
          condition: { kind: 'notice', ...condition },
        });
      const stored = async (condition: Json) =>
        ((await put(condition)).body['alarm'] as Json | undefined)?.['condition'];
      const any = { kind: 'notice', notice: null, variable: null, days: 7 };
      expect(await stored({})).to.deep.equal(any);
      const given = { notice: 'stuck_calm', variable: 'wind_speed', days: 30 };
      expect(await stored(given)).to.deep.equal({ ...any, ...given });
      for (const wrong of [{ notice: 'none' }, { variable: 'none' }, { days: -1 }, { days: 367 }, { for: 1 }])
        expect((await put(wrong)).status, JSON.stringify(wrong)).to.equal(400);
    });

    it('watch the batteries of sensors, and name the sensor', async () => {
      const put = async (condition: Json) =>
        await send('PUT', '/v1/alarms/roof-battery', { station: 'JFK', condition });
      expect((await put({ kind: 'battery', days: 3 })).status).to.equal(400);
      for (const below of [0, 101, 1.5])
        expect((await put({ kind: 'battery', below })).status, String(below)).to.equal(400);
      const limited = (await put({ kind: 'battery', below: 20 })).body['alarm'] as Json;
      expect(limited['condition']).to.deep.equal({ kind: 'battery', below: 20 });
      const added = (await put({ kind: 'battery' })).body['alarm'] as Json;
      expect(added['condition']).to.deep.equal({ kind: 'battery' });
      const number = (await world.get(StationDirectory).current()).byId.get('JFK')?.number as number;
      const low = [{ sensor: 'iss 1', isBatteryLow: true }];
      world.get(NoteSensors).note(number, { source: 'roof' }, low, world.clock.time);
      await write(3);
      const [listed] = (await send('GET', '/v1/alarms')).body['alarms'] as [{ states: Json[] }];
      expect(listed.states[0]).to.include({ status: 'raised', sensor: 'iss 1', since: SINCE });
      const { body } = await client.send('GET', '/v1/stations/JFK/observations/latest');
      expect(body['alarms']).to.deep.equal([
        { name: 'roof-battery', condition: { kind: 'battery' }, since: SINCE },
      ]);
    });

    it('watch the forecast, and say what it expects in the units that are asked for', async () => {
      const put = async (condition: Json) =>
        await send('PUT', '/v1/alarms/frost-tonight', {
          station: 'JFK',
          condition: { kind: 'forecast', comparison: 'below', variable: 'air_temperature', ...condition },
        });
      const stored = {
        kind: 'forecast',
        comparison: 'below',
        variable: 'air_temperature',
        threshold: 0,
        unit: '°C',
        within: 43_200,
        probability: 0.5,
      };
      const added = (await put({ threshold: 32, unit: '°F' })).body['alarm'] as Json;
      expect(added['condition']).to.deep.equal(stored);
      for (const wrong of [
        {},
        { threshold: 0, clear: 1 },
        { threshold: 0, comparison: 'beside' },
        { threshold: 0, within: 60 },
        { threshold: 0, probability: 1 },
        { threshold: 0, variable: 'visibility_in_air' },
        { threshold: 0, variable: 'precipitation_amount' },
      ])
        expect((await put(wrong)).status, JSON.stringify(wrong)).to.equal(400);
      await world.get(AddForecast).execute(['JFK'], 'open-meteo', CALLER);
      await issueTemperatures(world, 'JFK', [1, -2, 3, 6, 6, 6]);
      await write(5);
      const time = '2026-01-31T14:00:00.000Z';
      const [listed] = (await send('GET', '/v1/alarms')).body['alarms'] as [{ states: Json[] }];
      expect(listed.states[0]).to.deep.include({
        status: 'raised',
        since: SINCE,
        variable: 'air_temperature',
        value: -2,
        time,
        chance: 0.98,
        until: time,
      });
      const shown = async (query = '') =>
        ((await read(`/v1/stations/JFK/observations/latest${query}`))['alarms'] as Json[] | undefined)?.[0];
      const raised = { name: 'frost-tonight', condition: stored, since: SINCE };
      expect(await shown()).to.deep.equal({ ...raised, expected: { time, value: -2, chance: 0.98 } });
      expect(await shown('?units=imperial')).to.deep.equal({
        ...raised,
        condition: { ...stored, threshold: 32, unit: '°F' },
        expected: { time, value: 28.4, chance: 0.98 },
      });
      world.clock.time += 3 * 3_600_000;
      world.clock.up += 3 * 3_600_000;
      await write(4);
      expect(await shown()).to.equal(undefined);
      token = await world.elevate(await world.signIn('ada'));
      const [after] = (await send('GET', '/v1/alarms')).body['alarms'] as [{ states: Json[] }];
      expect(after.states[0]).to.deep.include({ status: 'cleared', ended: 'passed', value: null });
    });

    it('are shown with the newest values while they are raised, in the units that are asked for', async () => {
      await send('PUT', '/v1/alarms/frost', FROST);
      await write(3);
      const one = '/v1/stations/JFK/observations/latest';
      expect(await read(one)).not.to.have.property('alarms');
      await write(-1.5);
      const raised = { name: 'frost', condition: STORED, since: SINCE };
      expect((await read(one))['alarms']).to.deep.equal([raised]);
      const imperial = { ...STORED, threshold: 32, clear: 35.6, unit: '°F' };
      for (const target of [
        `${one}?units=imperial`,
        '/v1/observations/latest?units=imperial&include=today',
      ]) {
        const body = await read(target);
        const [shown = body] = (body['stations'] ?? []) as Json[];
        expect(shown['alarms'], target).to.deep.equal([{ ...raised, condition: imperial }]);
        expect(JSON.stringify(body)).not.to.match(/example\.org|secret/);
      }
      expect((await read('/v1/observations/latest'))['stations']).to.have.nested.property(
        '[0].alarms[0].name',
        'frost',
      );
      world.clock.time += 1000;
      await write(2);
      expect(await read(one)).not.to.have.property('alarms');
      expect((await read('/v1/observations/latest'))['stations']).not.to.have.nested.property('[0].alarms');
    });

    it('of hidden stations are not shown to everybody', async () => {
      await addStation(world, { id: 'LGA', identifiers: {}, visibility: 'hidden' });
      await world.get(AddAlarm).execute(
        {
          name: 'cold',
          station: null,
          condition: { kind: 'below', variable: 1, threshold: 0, clear: 0, for: 0 },
          target: null,
        },
        CALLER,
      );
      await write(-1, 'LGA');
      expect(JSON.stringify(await read('/v1/observations/latest'))).not.to.contain('cold');
      expect(JSON.stringify(await read('/v1/observations/latest', token))).to.contain('cold');
      expect((await client.send('GET', '/v1/stations/LGA/observations/latest')).error).to.equal(
        'STATION_UNKNOWN',
      );
    });

    it('are refused if they cannot be', async () => {
      const { condition, target } = FROST;
      for (const [change, error] of [
        [{ station: 'none' }, 'STATION_UNKNOWN'],
        [{ condition: { ...condition, variable: 'none' } }, 'REQUEST_INVALID'],
        [{ condition: { ...condition, unit: 'hPa' } }, 'REQUEST_INVALID'],
        [{ condition: { ...condition, clear: 0 } }, 'REQUEST_INVALID'],
        [{ condition: { kind: 'silent', intervals: 0 } }, 'REQUEST_INVALID'],
        [{ target: { ...target, url: 'ftp://example.org' } }, 'REQUEST_INVALID'],
        [{ target: { ...target, secret: 'short' } }, 'REQUEST_INVALID'],
        ...PRIVATE_URLS.map((url) => [{ target: { ...target, url } }, 'REQUEST_INVALID'] as const),
        [{ target: { command: ['/bin/sh'] } }, 'REQUEST_INVALID'],
        [{ target: { ...target, allow_private: true } }, 'REQUEST_INVALID'],
      ] as const)
        expect(
          (await send('PUT', '/v1/alarms/frost', { ...FROST, ...change })).error,
          JSON.stringify(change),
        ).to.equal(error);
      for (const other of ['-x', 'a%20b', 'x'.repeat(65)])
        expect((await send('PUT', `/v1/alarms/${other}`, FROST)).error, other).to.equal('REQUEST_INVALID');
      expect((await send('DELETE', '/v1/alarms/none')).error).to.equal('ALARM_UNKNOWN');
      expect((await send('POST', '/v1/alarms/none/test')).error).to.equal('ALARM_UNKNOWN');
      expect((await send('GET', '/v1/alarms')).body['alarms']).to.deep.equal([]);
    });

    it('stay as they are if they are sent again, and begin anew if they are replaced', async () => {
      const put = async (alarm: Json) => await send('PUT', '/v1/alarms/frost', alarm);
      await put(FROST);
      await write(-1);
      await put(FROST);
      const states = async () => ((await send('GET', '/v1/alarms')).body['alarms'] as Json[])[0]?.['states'];
      expect(await states()).to.have.length(1);
      // Only its target is another one.
      const target = { url: 'https://example.net/' };
      expect((await put({ ...FROST, target })).body).to.have.nested.property(
        'alarm.target.shown',
        target.url,
      );
      expect((await put({ ...FROST, target: { url: PRIVATE_URLS[0] } })).status).to.equal(400);
      expect(await states()).to.have.length(1);
      expect((await put({ ...FROST, condition: { ...FROST.condition, threshold: 0 } })).status).to.equal(200);
      expect(await states()).to.deep.equal([]);
      expect((await world.auditTrail()).filter((event) => event.startsWith('alarm'))).to.deep.equal([
        'alarm-add done frost',
        'alarm-change done frost',
        'alarm-remove done frost',
        'alarm-add done frost',
      ]);
    });
  });
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import sinon from 'sinon';
import { exchangeRaw, header } from '#transport-suite/raw-http.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { ObservationFeed } from '#application/observations/live/observation-feed.js';
import { StreamSlots } from '#application/observations/live/stream-slots.js';
import { CommitQueue } from '#application/observations/ingest/commit-queue.js';
import { PutStations } from '#application/stations/put-stations.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { Station } from '#domain/weather/station.js';
import { V, VARIABLES } from '#domain/weather/variables.js';
import { alarmsIn } from '../../support/alarms-world.js';
import { type RunningApi, runApi, serviceTransports } from '../../support/api-server.js';
import { Client } from '../../support/client.js';
import { EventClient, EventParser } from '../../support/event-client.js';
import { Relay } from '../../support/relay.js';
import { addStation, record, STATION } from '../../support/weather-world.js';
import { CALLER, UPLOAD_REACH, World } from '../../support/world.js';

type Json = Record<string, unknown>;

/** Prints what a browser's EventSource dispatches, one line an event, until it has had as many as asked for. */
const EVENT_SOURCE = `
  const [url, count] = process.argv.slice(1);
  const source = new EventSource(url);
  let seen = 0;
  // The timer of its next attempt does not keep the process alive.
  setInterval(() => undefined, 1000);
  source.onopen = () => console.log('open');
  for (const type of ['observation', 'reset', 'message'])
    source.addEventListener(type, (event) => {
      console.log(type, event.lastEventId, JSON.parse(event.data).from);
      if ((seen += 1) === Number(count)) process.exit();
    });
`;

for (const [name, load] of serviceTransports) {
  describe(`events over HTTP › ${name}`, () => {
    let world: World;
    let running: RunningApi;
    let clients: EventClient[] = [];

    const start = async (readAccess: 'public' | 'token' = 'public') => {
      world = await World.make();
      await addStation(world);
      await addStation(world, { id: 'LGA', latitude: 40.77, longitude: -73.87 });
      await addStation(world, { id: 'Oslo', latitude: 59.9, longitude: 10.7 });
      const authorize = world.get(Authorize);
      running = await runApi(await load(), {
        endpoints: makeExternalEndpoints(world.container, readAccess, UPLOAD_REACH),
        authorize: (given, access) => authorize.execute({ token: given, ...access }),
      });
    };
    beforeEach(() => start());
    afterEach(async () => {
      sinon.restore();
      for (const client of clients.splice(0)) client.close();
      world.get(ObservationFeed).close();
      await running.server.close(1000);
    });

    const open = async (query = '', headers: readonly string[] = []) => {
      const client = await EventClient.open(running.url, `/v1/events${query}`, headers);
      clients.push(client);
      return client;
    };
    const ask = (path: string, headers: readonly string[] = []) =>
      new Client(running.url).ask('GET', path, headers);
    /** A row of the hour after midnight of 2013-01-01. */
    const write = (hour: number, station = 'JFK', value = hour) =>
      record(
        world,
        new Date(Date.UTC(2013, 0, 1, hour)).toISOString(),
        { air_temperature: [value] },
        station,
      );
    const observations = (client: EventClient, count: number) =>
      client.until(() => (client.counts.get('observation') ?? 0) >= count);

    it('sends the newest values with the fields of latest, as server-sent events that nobody holds back', async () => {
      const client = await open('', ['Accept-Encoding: br, gzip']);
      const headers = [
        'content-type',
        'cache-control',
        'x-accel-buffering',
        'content-encoding',
        'content-length',
      ];
      expect(headers.map((one) => client.header(one))).to.deep.equal([
        'text/event-stream',
        'no-store',
        'no',
        undefined,
        undefined,
      ]);
      expect(client.retry).to.equal(3000);
      await record(world, '2013-01-01T00:00:00Z', {
        air_temperature: [1, -0],
        relative_humidity: [70, Number.NaN],
        wind_speed: [5, 468.6],
      });
      await observations(client, 1);
      const { body } = await ask('/v1/stations/JFK/observations/latest');
      const latest = Object.entries(body['latest'] as Record<string, object>).map(([variable, value]) => {
        const { age: _age, ...rest } = value as { age: number };
        return [variable, rest];
      });
      expect(client.events).to.have.length(1);
      expect(client.events[0]?.type).to.equal('observation');
      expect(client.events[0]?.data).to.deep.equal({
        station: 'JFK',
        from: '2013-01-01T00:00:00Z',
        to: '2013-01-01T01:00:00Z',
        revision: '1',
        units: body['units'],
        last_seen: body['last_seen'],
        latest: Object.fromEntries(latest),
      });
    });

    it('includes derived quantities as the newest values do', async () => {
      const query = 'include=derived&units=imperial';
      const client = await open(`?stations=JFK&${query}`);
      const time = '2013-01-01T00:00:00Z';
      await record(world, time, { air_temperature: [10], relative_humidity: [50], wind_speed: [5] });
      await observations(client, 1);
      const { body } = await ask(`/v1/stations/JFK/observations/latest?${query}`);
      const derived = {
        dew_point: { time, value: 32.07 },
        apparent_temperature: { time, value: 40.14 },
        feels_like: { time, value: 40.14, quantity: 'apparent_temperature' },
      };
      expect(body['derived']).to.deep.equal(derived);
      // A row without humidity has neither, although an earlier row has humidity.
      await record(world, '2013-01-01T01:00:00Z', { air_temperature: [10], wind_speed: [5] });
      await observations(client, 2);
      expect(client.dataOf('observation').map((data) => data['derived'])).to.deep.equal([derived, {}]);
    });

    it('includes the raised alarms, and has an event when an alarm is raised or cleared', async () => {
      const { evaluate } = alarmsIn(world);
      const condition = { kind: 'above', variable: V.temperature, threshold: 8, clear: 6, for: 0 } as const;
      const alarm = { name: 'warm', station: 'JFK', condition, target: null };
      await world.get(AddAlarm).execute(alarm, COMMAND_LINE);
      const client = await open('?include=alarms');
      const raised = (index: number) =>
        ((client.dataOf('observation')[index] as Json)['alarms'] as Json[]).map(({ name: of }) => of);
      const evaluateLater = async (index: number) => {
        await evaluate.execute();
        world.clock.up += 3000;
        await observations(client, index + 1);
        return raised(index);
      };
      const writeNow = (value: number) =>
        record(world, new Date(world.clock.time).toISOString(), { air_temperature: [value] });
      await writeNow(9);
      await observations(client, 1);
      expect(raised(0)).to.deep.equal([]);
      expect(await evaluateLater(1)).to.deep.equal(['warm']);
      const { from, to, last_seen: last } = client.dataOf('observation')[1] as Json;
      expect([from, to]).to.deep.equal([last, last]);
      world.clock.time += 60_000;
      await writeNow(5);
      await observations(client, 3);
      expect(await evaluateLater(3)).to.deep.equal([]);
    });

    it('includes the trend, the day and the rain as the newest values do, for few stations', async () => {
      world.clock.time = Date.parse('2013-01-02T10:20:00Z');
      const query = 'include=today,trend,rain&units=imperial';
      const [client, other] = [await open(`?stations=JFK&${query}`), await open('?include=trend')];
      const hours = Array.from({ length: 34 }, (_, hour) => hour);
      const send = async (value: number) =>
        await record(world, '2013-01-01T01:00:00Z', {
          air_temperature: hours.map((hour) => (hour === 33 ? 5 : Math.abs(hour - 30) / 2)),
          wind_speed_of_gust: hours.map((hour) => (hour === 31 ? 12 : 5)),
          precipitation_amount: hours.map(() => value),
        });
      for (const [index, value] of [0.1, 0.2].entries()) {
        await send(value);
        await observations(client, index + 1);
        const { body } = await ask(`/v1/stations/JFK/observations/latest?${query}`);
        const { today, trend, rain } = body;
        expect(client.dataOf('observation').at(-1)).to.deep.include({ today, trend, rain });
      }
      await observations(other, 2);
      expect(other.dataOf('observation')[1]).to.have.any.keys('trend');
      expect(other.dataOf('observation')[1]).to.not.have.any.keys('today', 'rain');
      const ids = (count: number) => Array.from({ length: count }, () => 'JFK').join();
      for (const refused of ['include=rain', `include=rain&stations=${ids(20)},LGA,none`, 'include=all'])
        expect((await ask(`/v1/events?${refused}`)).status, refused).to.equal(
          refused.endsWith('none') ? 404 : 400,
        );
    });

    it('sends only the chosen variables, in the chosen units', async () => {
      const other = await open();
      const client = await open('?variables=wind_speed,dew_point_temperature&units=imperial');
      await record(world, '2013-01-01T00:00:00Z', { air_temperature: [1], wind_speed: [5] });
      await observations(client, 1);
      await observations(other, 1);
      expect(other.dataOf('observation')[0]?.['units']).to.deep.equal({
        air_temperature: '°C',
        wind_speed: 'm/s',
      });
      const [{ units, latest } = {}] = client.dataOf('observation');
      expect([units, latest]).to.deep.equal([
        { wind_speed: 'mph' },
        { wind_speed: { time: '2013-01-01T00:00:00Z', value: 11.1846814603, verdict: 'pass' } },
      ]);
    });

    it('sends the stations that are named, or that lie in a box or around a place', async () => {
      const queries = {
        '': ['JFK', 'LGA', 'Oslo'],
        '?stations=JFK,Oslo': ['JFK', 'Oslo'],
        '?bbox=-74,40,-73,41': ['JFK', 'LGA'],
        '?near=40.77,-73.87&radius=5': ['LGA'],
        '?near=40.77,-73.87&radius=50&bbox=-73.8,40,-73,41': ['JFK'],
      };
      const open1 = await Promise.all(Object.keys(queries).map((query) => open(query)));
      for (const station of ['JFK', 'LGA', 'Oslo']) await write(1, station);
      for (const [index, [query, stations]] of Object.entries(queries).entries()) {
        const client = open1[index] as EventClient;
        await observations(client, stations.length);
        const found = client.dataOf('observation').map(({ station }) => station);
        expect(found, query).to.have.members(stations);
      }
    });

    it('sends the events of a station that is made later, and not those of one that was removed', async () => {
      const client = await open('?bbox=-74,40,-73,41');
      await addStation(world, { id: 'NYC' });
      await world.get(RemoveStation).execute('LGA', CALLER);
      await write(1, 'NYC');
      await observations(client, 1);
      await write(2, 'JFK');
      await observations(client, 2);
      expect(client.dataOf('observation').map(({ station }) => station)).to.deep.equal(['NYC', 'JFK']);
      const again = await open('?bbox=-74,40,-73,41', [`Last-Event-ID: ${String(client.events[0]?.id)}`]);
      await observations(again, 1);
      await world.get(RemoveStation).execute('JFK', CALLER);
      const without = await open('?bbox=-74,40,-73,41', [`Last-Event-ID: ${String(client.events[0]?.id)}`]);
      await write(3, 'NYC');
      await observations(without, 1);
      expect(without.dataOf('observation').map(({ station }) => station)).to.deep.equal(['NYC']);
    });

    it('resumes after the last id, from the header or the query, with every event and its id', async () => {
      const client = await open('?stations=JFK');
      const steady = await open('?stations=JFK');
      await write(1);
      await observations(client, 1);
      client.close();
      for (const hour of [2, 3, 4]) {
        await write(hour);
        await observations(steady, hour);
      }
      const header1 = [`Last-Event-ID: ${client.lastId}`];
      for (const again of [
        await open('?stations=JFK', header1),
        await open(`?stations=JFK&last_event_id=${client.lastId}`),
        await open(`?stations=JFK&last_event_id=unknown-1`, header1),
        await open('?stations=JFK&units=si', header1),
      ]) {
        await observations(again, 3);
        expect(again.events.map(({ id, hasId }) => [id, hasId])).to.deep.equal(
          steady.events.slice(1).map(({ id }) => [id, true]),
        );
        await again.until(() => again.lastId === steady.lastId);
      }
      await write(5);
      await observations(steady, 5);
      const times = steady.dataOf('observation').map(({ from }) => String(from).slice(11, 13));
      expect(times).to.deep.equal(['01', '02', '03', '04', '05']);
    });

    it('resumes from the id that every stream begins with', async () => {
      const [first, steady] = [await open(), await open()];
      first.close();
      await write(1);
      await observations(steady, 1);
      const again = await open('', [`Last-Event-ID: ${first.lastId}`]);
      await observations(again, 1);
      expect(again.events.map(({ id }) => id)).to.deep.equal(steady.events.map(({ id }) => id));
    });

    it('sends a reset with an id for a position that it does not know, and continues from there', async () => {
      const steady = await open('?stations=JFK');
      await write(1);
      await observations(steady, 1);
      const [epoch = '', sequence] = steady.lastId.split('-');
      for (const [id, query, reason] of [
        ['0123456789ab-1', '?stations=JFK', 'unknown_position'],
        ['garbage', '?stations=JFK', 'unknown_position'],
        ['', '?stations=JFK&last_event_id=x%0Ay', 'unknown_position'],
        [`${epoch}-${Number(sequence) + 1}`, '?stations=JFK', 'unknown_position'],
        // Nobody has asked for these stations before, so their events were not kept.
        [`${epoch}-0`, '?stations=LGA', 'too_old'],
      ] as const) {
        const client = await open(query, id === '' ? [] : [`Last-Event-ID: ${id}`]);
        await client.until(() => client.events.length > 0);
        expect(client.events[0], id).to.deep.include({ type: 'reset', data: { reason }, hasId: true });
        expect(client.events[0]?.id).to.equal(steady.lastId);
        expect(client.dataOf('observation'), id).to.deep.equal([]);
      }
    });

    it('writes a comment and the present id every 15 s', async () => {
      const timers = sinon.useFakeTimers({ toFake: ['setInterval'] });
      const [client, other] = [await open('?stations=JFK'), await open('?stations=LGA')];
      await write(1);
      await observations(client, 1);
      expect(other.lastId).not.to.equal(client.lastId);
      timers.tick(15_000);
      await other.until(() => other.comments === 1);
      expect(other.lastId).to.equal(client.lastId);
      timers.tick(15_000);
      await other.until(() => other.comments === 2);
      expect(client.events).to.have.length(1);
    });

    // The same code on every transport, and the slowest test: one transport is enough.
    if (name === 'express')
      it('gives a reader that was slow the newest event of each station', async () => {
        const ids = Array.from({ length: 400 }, (_, index) => `s${index}`);
        await world.get(PutStations).execute(
          ids.map((id) => ({ ...STATION, id })),
          CALLER,
        );
        const { byId } = await world.get(StationDirectory).current();
        const numbers = Uint32Array.from(ids, (id) => (byId.get(id) as Station).number);
        const [slow, steady] = [await open(), await open()];
        slow.socket.pause();
        // More than the buffers of both sockets hold.
        const rounds = 5;
        for (let round = 1; round <= rounds; round += 1) {
          const column = (value: number) => new Float64Array(ids.length).fill(value);
          const values = new Map(VARIABLES.map((one) => [one.number, column(round)]));
          const times = column(Date.UTC(2013, 0, 1, round));
          // All stations in one commit.
          await world
            .get(CommitQueue)
            .write({ batch: { stations: numbers.slice(), times, values, flags: new Map() } });
          await observations(steady, ids.length * round);
        }
        slow.socket.resume();
        await slow.until(() => slow.lastId === steady.lastId);
        const late = slow.events.filter(({ hasId }) => !hasId);
        expect(slow.events.length).to.be.lessThan(ids.length * rounds);
        expect(late.map(({ data }) => data['station'])).to.have.members(ids);
        for (const { data, id } of late) {
          expect(data['to']).to.equal('2013-01-01T05:00:00Z');
          expect(String(data['from']) < '2013-01-01T05:00:00Z').to.equal(true);
          // So that a reader whose line breaks now gets the others again.
          expect(id).to.equal(slow.events.findLast(({ hasId }) => hasId)?.id);
        }
      });

    it('limits the streams of a network, and gives a place back when one ends', async () => {
      await Promise.all(Array.from({ length: 100 }, () => open()));
      const { status, error, reply } = await ask('/v1/events');
      expect([status, error, header(reply, 'retry-after')]).to.deep.equal([429, 'RATE_LIMITED', '30']);
      expect(header(reply, 'ratelimit')).to.equal('"streams";r=0;t=30');
      const [first] = clients;
      first?.close();
      const slots = world.get(StreamSlots);
      await clients[1]?.until(() => slots.count === 99);
      expect((await open()).status).to.equal(200);
      for (const client of clients) client.close();
      await clients[1]?.until(() => slots.count === 0);
    });

    it('answers HEAD with the same headers and without a stream', async () => {
      const client = await open();
      const { reply } = await new Client(running.url).ask('HEAD', '/v1/events');
      expect([reply.status, reply.body, header(reply, 'content-length')]).to.deep.equal([200, '', undefined]);
      for (const one of ['content-type', 'cache-control', 'x-accel-buffering'])
        expect(header(reply, one)).to.equal(client.header(one));
      await client.until(() => world.get(StreamSlots).count === 1);
    });

    it('ends its streams in order when the service stops', async () => {
      const open2 = [await open(), await open('?stations=JFK')];
      running.beginClosing();
      world.get(ObservationFeed).close();
      expect(await running.server.close(5000)).to.equal(true);
      for (const client of open2) {
        await client.until(() => client.isClosed);
        expect(client.isComplete).to.equal(true);
      }
    });

    it('writes events without chunks for a client of HTTP/1.0', async () => {
      const sent = 'GET /v1/events HTTP/1.0\r\nHost: localhost\r\n\r\n';
      const received = exchangeRaw(running.url, sent, (text) => text.includes('"LGA"'));
      const steady = await open();
      await steady.until(() => world.get(StreamSlots).count === 2);
      for (const station of ['JFK', 'LGA']) await write(1, station);
      const [head = '', ...lines] = (await received).split('\r\n\r\n');
      const parser = new EventParser();
      parser.add(lines.join('\r\n\r\n'));
      expect(head.toLowerCase()).not.to.contain('transfer-encoding');
      expect(parser.dataOf('observation').map(({ station }) => station)).to.deep.equal(['JFK', 'LGA']);
    });

    it('refuses what is no selection, with the reason', async () => {
      for (const [query, status, message] of [
        ['stations=NONE', 404, 'There is no station "NONE". GET /v1/stations lists the stations.'],
        ['stations=JFK,NONE', 404, 'There is no station "NONE". GET /v1/stations lists the stations.'],
        ['stations=JFK&bbox=1,1,2,2', 400, 'Use only one of stations, near with radius, or bbox.'],
        ['radius=3', 400, 'A radius needs a position: send near too.'],
        ['near=1,2', 400, 'near requires radius, in kilometers.'],
        ['bbox=1,2,3', 400, 'query.bbox: Must be WEST,SOUTH,EAST,NORTH'],
        ['variables=warmth', 400, 'There is no variable "warmth".'],
        ['units=x', 400, 'query.units: '],
        ['station=JFK', 400, 'query: Unrecognized key: "station".'],
        [
          `stations=${'a,'.repeat(1000)}a`,
          400,
          'stations has 1001 ids, but the maximum is 1000: use bbox instead.',
        ],
      ] as const) {
        const answer = await ask(`/v1/events?${query}`);
        expect(answer.status, query).to.equal(status);
        expect(answer.body['message'], query).to.contain(message);
      }
      expect(world.get(StreamSlots).count).to.equal(0);
    });

    it('needs a token where reading needs one, and then ends after 15 minutes', async () => {
      world.get(ObservationFeed).close();
      await running.server.close(1000);
      await start('token');
      await world.addUser('ada');
      const token = await world.signIn('ada');
      expect((await ask('/v1/events')).error).to.equal('AUTH_TOKEN_INVALID');
      const timers = sinon.useFakeTimers({ toFake: ['setInterval'] });
      const client = await open('', [`Authorization: Bearer ${token}`]);
      await write(1);
      await observations(client, 1);
      timers.tick(14.5 * 60_000);
      await client.until(() => client.comments === 58);
      timers.tick(60_000);
      await client.until(() => client.isComplete);
    });

    it('is understood by an EventSource, which connects again and misses nothing', async () => {
      const steady = await open('?stations=JFK');
      const relay = await Relay.start(running.url);
      const parameters = ['--experimental-eventsource', '--no-warnings', '-e', EVENT_SOURCE];
      const child = spawn(process.execPath, [...parameters, `${relay.url}/v1/events?stations=JFK`, '3']);
      let printed = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
      await steady.until(() => printed === 'open\n');
      await write(1);
      await steady.until(() => printed.includes('T01'));
      relay.endBodies();
      await steady.until(() => world.get(StreamSlots).count === 1);
      await write(2);
      await steady.until(() => printed.includes('T02'));
      await write(3);
      await once(child, 'close');
      await relay.close();
      const ids = steady.events.map(({ id }) => id);
      await observations(steady, 3);
      expect(printed.split('\n').slice(1)).to.deep.equal([
        `observation ${ids[0]} 2013-01-01T01:00:00Z`,
        'open',
        `observation ${ids[1]} 2013-01-01T02:00:00Z`,
        `observation ${steady.events[2]?.id} 2013-01-01T03:00:00Z`,
        '',
      ]);
    });
  });
}

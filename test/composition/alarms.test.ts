import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { RemoveAlarm } from '#application/alarms/remove-alarm.js';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { CheckData } from '#application/operation/check-data.js';
import { PutStations } from '#application/stations/put-stations.js';
import type { UseCaseOf } from '#application/use-cases.js';
import { AlarmLease, Leases } from '#composition/graph/tokens.js';
import type { Service } from '#composition/service.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { MILLISECONDS } from '#domain/time.js';
import { storeTemperatures } from '../support/forecast-world.js';
import { Place, storeNames } from '../support/place.js';
import { RawStore } from '../support/raw-store.js';
import { sentColumns, STATION } from '../support/weather-world.js';

const SECRET = 'a-secret-of-this-hook';

interface Got {
  readonly signature: string;
  readonly id: string;
  readonly body: string;
  readonly event: string;
}

/** Writes a row of the present time. */
const write = (useCase: UseCaseOf, value: number) =>
  useCase(RecordObservations).execute(
    {
      stations: 'JFK',
      times: Float64Array.of(Date.now()),
      columns: sentColumns({ air_temperature: [value] }),
    },
    COMMAND_LINE,
  );

for (const store of storeNames) {
  describe(`alarms of the service › ${store}`, () => {
    let place: Place;
    let services: Service[] = [];
    let target: Server;
    let url: string;
    let status: number;
    const got: Got[] = [];

    const serve = async () => {
      const service = await place.serve({
        WEATHERD_HOOKS_ALLOW_PRIVATE: 'true',
        // Nobody answers there.
        WEATHERD_FORECAST_OPEN_METEO_URL: 'http://127.0.0.1:1/',
      });
      services.push(service);
      return service;
    };
    const receive = async (request: IncomingMessage) => {
      const body = await text(request);
      const { event } = JSON.parse(body) as { event: string };
      const { 'weatherd-signature': signature, 'weatherd-id': id } = request.headers;
      got.push({ signature: String(signature), id: String(id), body, event });
    };
    const events = () => got.map(({ event }) => event);
    const until = async (isReached: () => boolean) => {
      while (!isReached()) await wait(20);
    };
    /** Sends as a station does, because a single row may be too old already when the alarms are evaluated. */
    const sendUntilCleared = async (useCase: UseCaseOf) => {
      for (let value = 1; !events().includes('alarm.cleared'); value++) {
        await write(useCase, value);
        await wait(200);
      }
    };

    beforeEach(async () => {
      place = await Place.make(store);
      status = 204;
      got.length = 0;
      target = createServer((request, response) => {
        void receive(request).then(() => response.writeHead(status).end());
      });
      await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/alarms`;
    });
    afterEach(async () => {
      await Promise.all(services.splice(0).map((service) => service.stop()));
      target.closeAllConnections();
      target.close();
      await place.remove();
    });

    const prepare = async ({ application: { useCase } }: Service) => {
      await useCase(PutStations).execute([{ ...STATION, reportingInterval: 2 }], COMMAND_LINE);
      await useCase(AddAlarm).execute(
        {
          name: 'silent',
          station: 'JFK',
          condition: { kind: 'silent', intervals: 1 },
          target: { kind: 'post', url, secret: SECRET, allowPrivate: false },
        },
        COMMAND_LINE,
      );
    };

    it('tells a target, with a signature, when a station falls silent and when it sends again', async () => {
      const service = await serve();
      await prepare(service);
      await write(service.application.useCase, 1);
      await until(() => events().includes('alarm.raised'));
      await sendUntilCleared(service.application.useCase);
      expect(events().slice(0, 2)).to.deep.equal(['alarm.raised', 'alarm.cleared']);
      for (const { signature, id, body } of got) {
        const [, time = '', digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
        expect(digest).to.equal(createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex'));
        expect(JSON.parse(body)).to.deep.include({
          id,
          alarm: 'silent',
          station: { id: 'JFK', name: STATION.name },
          interval: { seconds: 2, source: 'station' },
        });
      }
      expect(new Set(got.map(({ id }) => id)).size).to.equal(got.length);
    });

    it('sends what the target has not taken after a restart, and then no more', async () => {
      status = 503;
      const service = await serve();
      await prepare(service);
      await until(() => got.length > 0);
      await service.stop();
      services = [];
      const [first] = got;
      status = 204;
      const tries = got.length;
      const next = await serve();
      await until(() => got.length > tries);
      expect(got.at(-1)?.body).to.equal(first?.body);
      // A second one is not sent: the next message is the one of the row.
      await sendUntilCleared(next.application.useCase);
      expect(events().slice(tries, tries + 2)).to.deep.equal(['alarm.raised', 'alarm.cleared']);
    });

    it('tell once of a frost that a forecast expects, and another instance tells that it is withdrawn', async () => {
      const both = [await serve(), await serve()] as const;
      const { useCase, container } = both[0].application;
      const [added] = await useCase(PutStations).execute([STATION], COMMAND_LINE);
      await useCase(AddForecast).execute(['JFK'], 'open-meteo', COMMAND_LINE);
      const series = { station: added?.station.number ?? 0, provider: 'open-meteo' };
      const issue = (values: readonly number[]) =>
        storeTemperatures(container.get(ForecastRecords), series, Date.now(), values, 1);
      await issue([1, -2, 6, 6, 6, 6, 6, 6]);
      const condition = {
        kind: 'forecast',
        comparison: 'below',
        variable: 1,
        threshold: 0,
        within: 12 * MILLISECONDS.hour,
        probability: 0.5,
      } as const;
      await useCase(AddAlarm).execute(
        { name: 'frost', station: 'JFK', condition, target: { kind: 'post', url, allowPrivate: false } },
        COMMAND_LINE,
      );
      await until(() => got.length > 0);
      const isHeld = await Promise.all(
        both.map(({ application }) => application.container.get(AlarmLease).acquire()),
      );
      const owner = both[isHeld.indexOf(true)] as Service;
      services = both.filter((service) => service !== owner);
      await issue([6, 6, 6, 6, 6, 6, 6, 6]);
      await owner.stop();
      await until(() => events().includes('alarm.cleared'));
      expect(events()).to.deep.equal(['alarm.raised', 'alarm.cleared']);
      expect(JSON.parse(got[1]?.body ?? '')).to.include({ ended: 'withdrawn', value: 6 });
    });

    it('leave out an alarm that cannot be read, which the check of the data names', async () => {
      const { application } = await serve();
      const { useCase } = application;
      await useCase(PutStations).execute([STATION], COMMAND_LINE);
      const condition = { kind: 'below', variable: 1, threshold: 0, clear: 0, for: 0 } as const;
      for (const name of ['damaged', 'sound'])
        await useCase(AddAlarm).execute({ name, station: 'JFK', condition, target: null }, COMMAND_LINE);
      const broken = store === 'sqlite' ? '{"kind":' : '{"kind": "above", "variable": 1}';
      await new RawStore(place).run("UPDATE @alarm SET condition = ? WHERE name = 'damaged'", [broken]);
      // Another instance has changed something, so that the alarms are read again.
      await useCase(AddAlarm).execute(
        { name: 'other', station: null, condition, target: null },
        COMMAND_LINE,
      );
      await write(useCase, -1);
      const latest = async () =>
        (await (await fetch(`${services[0]?.externalUrl}/v1/stations/JFK/observations/latest`)).json()) as {
          alarms?: { name: string }[];
        };
      // A round that began before the alarm `other` was added evaluates only the alarm `sound`.
      while (((await latest()).alarms ?? []).length < 2) await wait(20);
      expect((await latest()).alarms?.map(({ name }) => name)).to.deep.equal(['other', 'sound']);
      const { stations, advice } = await useCase(CheckData).execute({ discard: false }, COMMAND_LINE);
      expect(stations.map(({ station, column }) => [station, column])).to.deep.equal([['JFK', 'alarm']]);
      expect(advice[0]).to.contain('The alarm damaged').and.contain('weatherd alarm remove damaged');
      await useCase(RemoveAlarm).execute('damaged', COMMAND_LINE);
      expect((await useCase(CheckData).execute({ discard: false }, COMMAND_LINE)).stations).to.deep.equal([]);
    });

    it('are sent by one of several instances, and by another one when that stops', async () => {
      const one = await serve();
      await prepare(one);
      await until(() => events().includes('alarm.raised'));
      const other = await serve();
      expect(await other.application.container.get(Leases)('alarm-sender')?.acquire()).to.equal(false);
      // Instances on one data file tell each other nothing; a look once a minute finds the rows of the others.
      await sendUntilCleared((store === 'sqlite' ? one : other).application.useCase);
      await one.stop();
      services = [other];
      await until(() => events().filter((event) => event === 'alarm.raised').length > 1);
      expect(new Set(got.map(({ id }) => id)).size).to.equal(got.length);
    });
  });
}

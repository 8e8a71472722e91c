import { expect } from 'chai';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { PutStations } from '#application/stations/put-stations.js';
import type { UseCaseOf } from '#application/use-cases.js';
import { openApplication } from '#composition/container.js';
import type { Service } from '#composition/service.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { EventClient } from '../support/event-client.js';
import { Place, storeNames } from '../support/place.js';
import { sentColumns, STATION } from '../support/weather-world.js';

/** Writes a row of the hour after midnight of 2013-01-01. */
const write = (useCase: UseCaseOf, hour: number) =>
  useCase(RecordObservations).execute(
    {
      stations: 'JFK',
      times: Float64Array.of(Date.UTC(2013, 0, 1, hour)),
      columns: sentColumns({ air_temperature: [hour] }),
    },
    COMMAND_LINE,
  );

const times = (client: EventClient) =>
  client.dataOf('observation').map(({ from }) => String(from).slice(11, 13));

for (const store of storeNames) {
  describe(`events of the service › ${store}`, () => {
    let place: Place;
    let services: Service[] = [];

    const serve = async () => {
      const service = await place.serve();
      services.push(service);
      return service;
    };
    beforeEach(async () => {
      place = await Place.make(store);
    });
    afterEach(async () => {
      await Promise.all(services.splice(0).map((service) => service.stop()));
      await place.remove();
    });

    it('come after the commit, and end when the service stops, long before the deadline', async () => {
      const service = await serve();
      await service.application.useCase(PutStations).execute([STATION], COMMAND_LINE);
      const client = await EventClient.open(service.externalUrl, '/v1/events?stations=JFK');
      await write(service.application.useCase, 1);
      await client.until(() => times(client).length === 1);
      expect(await service.stop()).to.equal(true);
      services = [];
      await client.until(() => client.isClosed);
      expect([client.isComplete, times(client)]).to.deep.equal([true, ['01']]);
    });

    if (store !== 'postgres') return;

    it('come from other instances and from commands', async () => {
      const [one, other] = [await serve(), await serve()];
      await one.application.useCase(PutStations).execute([STATION], COMMAND_LINE);
      const clients = [await EventClient.open(one.externalUrl), await EventClient.open(other.externalUrl)];
      const all = (count: number) =>
        Promise.all(clients.map((client) => client.until(() => times(client).length === count)));
      await write(one.application.useCase, 1);
      await all(1);
      await write(other.application.useCase, 2);
      await all(2);
      const command = await openApplication(place.config(), () => undefined);
      await write(command.useCase, 3);
      await command.close();
      await all(3);
      for (const client of clients) expect(times(client)).to.deep.equal(['01', '02', '03']);
      // The position of one instance means nothing to the other.
      const moved = await EventClient.open(other.externalUrl, '/v1/events', [
        `Last-Event-ID: ${String(clients[0]?.lastId)}`,
      ]);
      await moved.until(() => moved.events.length === 1);
      expect(moved.dataOf('reset')).to.deep.equal([{ reason: 'unknown_position' }]);
      for (const client of [...clients, moved]) client.close();
    });
  });
}

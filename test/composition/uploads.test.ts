import { expect } from 'chai';
import { PutStations } from '#application/stations/put-stations.js';
import { AddUploadKey } from '#application/uploads/keys/add-upload-key.js';
import { ReceiveUpload } from '#application/uploads/receive-upload.js';
import { ListUploadStatus } from '#application/uploads/status/list-upload-status.js';
import { ListPendingUploads } from '#application/uploads/pending/list-pending-uploads.js';
import type { Service } from '#composition/service.js';
import { Place, storeNames } from '../support/place.js';
import { ADMITTED, outcomeText, rain, reading, upload } from '../support/uploads-world.js';
import { STATION } from '../support/weather-world.js';
import { CALLER } from '../support/world.js';

const MINUTE = 60_000;

for (const name of storeNames) {
  describe(`uploads › ${name}`, () => {
    let place: Place;
    let services: Service[];
    beforeEach(async () => {
      place = await Place.make(name);
      services = [];
    });
    afterEach(async () => {
      for (const service of services) await service.stop();
      await place.remove();
    });

    const serve = async () => {
      const service = await place.serve();
      services.push(service);
      return service;
    };
    const now = Date.now();
    /** Sends a total of the day, some minutes ago. */
    const send = async ({ application }: Service, minutes: number, day: number, key?: string) => {
      const sent = upload({
        sender: key === undefined ? { identity: 'AA11' } : { key },
        time: { sent: now - minutes * MINUTE, isLive: false },
        readings: [reading('air_temperature', 54.5, { unit: '°F' })],
        counters: rain({ day, year: day + 100 }),
        raw: `${minutes} ${day}`,
      });
      return outcomeText(
        await application
          .useCase(ReceiveUpload)
          .execute(sent, { receivedAt: now, address: '10.0.0.7' }, ADMITTED),
      );
    };
    const makeKey = async ({ application }: Service) => {
      await application.useCase(PutStations).execute([STATION], CALLER);
      return (await application.useCase(AddUploadKey).execute({ station: 'JFK' }, CALLER)).secret;
    };
    const sumOf = async () => {
      const stores = await place.open();
      let sum = 0;
      for await (const { values } of stores.observations.read({ from: 0, to: Infinity, variables: [9] }))
        for (const amount of values.get(9) ?? []) sum += Number.isNaN(amount) ? 0 : amount;
      await stores.close();
      return Number(sum.toFixed(6));
    };

    it('count rain on, and keep status and pending senders, over a stop of the service', async () => {
      const first = await serve();
      const key = await makeKey(first);
      expect(await send(first, 50, 1, key)).to.equal('stored');
      expect(await send(first, 40, 1.4, key)).to.equal('stored');
      expect(await send(first, 40, 1.4)).to.equal('pending');
      expect(await first.stop()).to.equal(true);
      services = [];
      const second = await serve();
      expect(await send(second, 40, 1.4, key)).to.equal('unchanged');
      expect(await send(second, 30, 2, key)).to.equal('stored');
      const [view] = await second.application.useCase(ListUploadStatus).execute();
      expect(view?.status.counts).to.deep.equal({ stored: 3, unchanged: 1, refused: 0 });
      // The repetition has the same text and the same time of receipt here.
      expect(view?.status.raw.length).to.equal(3);
      expect((await second.application.useCase(ListPendingUploads).execute()).length).to.equal(1);
      await second.stop();
      services = [];
      expect(await sumOf()).to.equal(1);
    });

    if (name === 'postgres')
      it('count the rain once, whichever of two instances gets an upload, and both at once too', async () => {
        const [one, other] = [await serve(), await serve()];
        const key = await makeKey(one);
        for (let count = 0; count <= 20; count += 1) {
          const both = count % 3 === 0 ? [one, other] : [count % 2 === 0 ? one : other];
          const outcomes = await Promise.all(
            both.map((service) => send(service, 50 - count, count * 0.4, key)),
          );
          expect(outcomes).to.include('stored');
        }
        expect(await sumOf()).to.equal(8);
      });
  });
}

import { expect } from 'chai';
import { FindValues } from '#application/observations/removal/find-values.js';
import { PutStations } from '#application/stations/put-stations.js';
import type { Service } from '#composition/service.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { hourlyRows } from '../contracts/stores/erase.js';
import { JFK } from '../contracts/stores/station-store.js';
import { Place } from '../support/place.js';
import { RawStore } from '../support/raw-store.js';
import { domainErrorOf } from '../support/rejection.js';
import { WATCH } from '../support/verify-watch.js';

const DAYS = 'from=2024-03-01&to=2024-03-04';
/** Routes of one station. */
const ROUTES = [
  '',
  '/observations',
  `/observations?${DAYS}`,
  `/observations?${DAYS}&variables=wind_speed`,
  '/observations?format=csv',
  '/observations?format=parquet',
  '/observations?points=100',
  '/observations/latest',
  '/summaries?interval=day',
  `/summaries?${DAYS}&interval=hour`,
  '/wind-rose',
  `/derived?${DAYS}&variables=wet_bulb`,
  '/lasting-steps?variables=air_temperature',
  '/climate/months',
  '/climate/records',
  '/climate/indices',
  '/climate/normals',
  '/climate/degree-days',
  '/reports/noaa/2024-03.txt',
];
/** Routes of several stations. */
const MANY = [
  `/v1/observations?stations=JFK,other&${DAYS}`,
  `/v1/observations?${DAYS}`,
  `/v1/summaries?stations=JFK,other&interval=day&${DAYS}`,
];

describe('a station whose totals and newest values are damaged', () => {
  let place: Place;
  let service: Service;
  afterEach(async () => {
    await service.stop();
    await place.remove();
  });

  const get = async (path: string) => {
    const response = await fetch(`${service.externalUrl}${path}`);
    const text = await response.text();
    return { status: response.status, text: text.replaceAll(/"(age|as_of|now)":("[^"]*"|[\d.]+)/g, '') };
  };
  const textOf = async (path: string) => {
    const { status, text } = await get(path);
    return status === 200 ? text : `${status} ${text}`;
  };

  for (const store of ['sqlite', 'postgres'])
    it(`(in ${store}) is refused by every route until it is computed again, and no other station is`, async () => {
      place = await Place.make(store);
      let stores = await place.open();
      const made = await stores.stations.put(
        ['JFK', 'other'].map((id) => ({ ...JFK, id, timeZone: 'UTC', limits: {} })),
      );
      const hours = Array.from({ length: 24 * 20 }, (_, hour) => hour);
      for (const { station } of made) {
        const rows = hours.map((hour) => [station.number, hour, { 1: hour % 30, 6: hour % 7 }] as const);
        await stores.observations.write([{ batch: hourlyRows(rows) }]);
      }
      await (stores.observations as unknown as { merge(): Promise<void> }).merge();
      await stores.close();
      service = await place.serve();
      const own = ROUTES.map((route) => `/v1/stations/JFK${route}`);
      const before = await Promise.all([...own, ...MANY].map(textOf));
      for (const [index, text] of before.entries()) expect(text, String(index)).to.not.match(/^\d{3} /);
      const others = await Promise.all(ROUTES.map((route) => textOf(`/v1/stations/other${route}`)));
      await service.stop();

      const number = made[0]?.station.number;
      await new RawStore(place).run(`UPDATE @newest SET rows = rows + 1 WHERE station = ${number}`);
      service = await place.serve();
      for (const path of [...own, ...MANY]) {
        const { status, text } = await get(path);
        expect([status, text.includes('DATA_DAMAGED')], `${path} ${text.slice(0, 200)}`).to.deep.equal([
          503,
          true,
        ]);
      }
      expect((await get('/stations/JFK')).status).to.equal(503);
      expect((await get('/v1/stations/JFK?inventory=false')).status).to.equal(200);
      for (const [index, route] of ROUTES.entries())
        expect(await textOf(`/v1/stations/other${route}`), route).to.equal(others[index]);
      const range = { from: '2024-03-01', to: '2024-03-04' };
      await domainErrorOf(service.application.useCase(FindValues).execute('JFK', range), 'DATA_DAMAGED');
      // Its settings can be changed.
      await service.application
        .useCase(PutStations)
        .execute([{ ...JFK, timeZone: 'UTC', limits: {} }], COMMAND_LINE);
      await service.stop();

      stores = await place.open();
      await stores.verifier.discard(WATCH);
      await stores.close();
      service = await place.serve();
      for (const [index, path] of [...own, ...MANY].entries())
        expect(await textOf(path), path).to.equal(before[index]);
    });
});

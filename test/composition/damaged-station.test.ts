import { expect } from 'chai';
import { AddOverride } from '#application/observations/overrides/add-override.js';
import { FindValues } from '#application/observations/removal/find-values.js';
import { FindOldRows } from '#application/operation/find-old-rows.js';
import { PutStations } from '#application/stations/put-stations.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { RestoreStation } from '#application/stations/restore-station.js';
import type { Service } from '#composition/service.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { hourlyRows } from '../contracts/stores/erase.js';
import { JFK } from '../contracts/stores/station-store.js';
import { Place } from '../support/place.js';
import { eventually } from '../support/process.js';
import { RawStore } from '../support/raw-store.js';
import { domainErrorOf } from '../support/rejection.js';

interface Body {
  readonly stations?: readonly { readonly id: string; readonly damaged?: readonly string[] }[];
  readonly station?: { readonly damaged?: readonly string[] };
  readonly error?: string;
  readonly message?: string;
  readonly checks?: readonly {
    readonly name: string;
    readonly state: string;
    readonly detail: string | null;
  }[];
}

describe('stations whose ids were exchanged', () => {
  it('are in no list of newest values, and their rows are not those of the other one', async () => {
    const place = await Place.make('sqlite');
    const stores = await place.open();
    const made = await stores.stations.put(['a', 'b', 'c'].map((id) => ({ ...JFK, id, limits: {} })));
    const rows = made.map(({ station: { number } }) => [number, 4, { 1: number }] as const);
    await stores.observations.write([{ batch: hourlyRows(rows) }]);
    await stores.close();
    const raw = new RawStore(place);
    for (const [id, former] of [
      ['x', 'a'],
      ['a', 'b'],
      ['b', 'x'],
    ])
      await raw.run('UPDATE @station SET id = ? WHERE id = ?', [id, former]);
    const service = await place.serve();
    try {
      const latest = await fetch(`${service.externalUrl}/v1/observations/latest`);
      const { stations } = (await latest.json()) as { stations: { station: { id: string } }[] };
      expect(stations.map(({ station }) => station.id)).to.deep.equal(['c']);
      for (const path of [
        'observations?stations=a,c&from=2024-02-01&to=2024-04-01',
        'stations/a/observations',
      ])
        expect((await fetch(`${service.externalUrl}/v1/${path}`)).status, path).to.equal(503);
    } finally {
      await service.stop();
      await place.remove();
    }
  });
});

describe('a station with a field that cannot be read', () => {
  let place: Place;
  let service: Service;
  afterEach(async () => {
    await service.stop();
    await place.remove();
  });

  const get = async (path: string, url = service.externalUrl) => {
    const response = await fetch(`${url}${path}`);
    return [response.status, (await response.json().catch(() => ({}))) as Body] as const;
  };

  for (const store of ['sqlite', 'postgres'])
    for (const [column, value, name] of [
      ['limits', '{"air_temperature":[1]}', 'limits'],
      ['earlier', '{}', 'history'],
      ['time_zone', 'Mars/Olympus', 'time_zone'],
    ] as const) {
      it(`(${column} in ${store}) fails its own routes alone, and is repaired by PUT`, async () => {
        place = await Place.make(store);
        service = await place.serve();
        const { useCase } = service.application;
        await useCase(PutStations).execute([JFK, { ...JFK, id: 'other' }], COMMAND_LINE);
        await new RawStore(place).run(`UPDATE @station SET ${column} = ? WHERE id = 'JFK'`, [value]);
        // Another instance has changed something, so that the stations are read again.
        await useCase(PutStations).execute([{ ...JFK, id: 'other', name: 'New' }], COMMAND_LINE);
        const [status, listed] = await get('/v1/stations');
        expect(status).to.equal(200);
        const { stations = [] } = listed;
        expect(stations.map(({ id, damaged }) => [id, damaged])).to.deep.equal([
          ['JFK', [name]],
          ['other', undefined],
        ]);
        const [shown, { station }] = await get('/v1/stations/JFK');
        expect([shown, station?.damaged]).to.deep.equal([200, [name]]);
        const days = 'from=2024-01-01&to=2024-01-02';
        for (const path of [
          `observations?${days}`,
          `summaries?${days}&interval=day`,
          `wind-rose?${days}`,
          `derived?${days}&variables=dew_point`,
          'observations/latest',
          'climate/months',
          'reports/noaa/2024-01.txt',
        ]) {
          const [failed, body] = await get(`/v1/stations/JFK/${path}`);
          expect([failed, body.error], path).to.deep.equal([503, 'DATA_DAMAGED']);
          expect(body.message, path).to.contain(`column ${column}`).and.contain('PUT /v1/stations/JFK');
          const [other] = await get(`/v1/stations/other/${path}`);
          expect(other, path).to.equal(200);
        }
        for (const path of [`observations?${days}`, `summaries?${days}&interval=day`]) {
          expect((await get(`/v1/${path}&stations=JFK,other`))[1].error, path).to.equal('DATA_DAMAGED');
          expect((await get(`/v1/${path}&stations=other`))[0], path).to.equal(200);
        }
        const range = { from: '2024-01-01', to: '2024-01-02' };
        const request = { ...range, variable: 'air_temperature', verdict: 'bad' as const, reason: 'x' };
        await domainErrorOf(useCase(AddOverride).execute('JFK', request, COMMAND_LINE), 'DATA_DAMAGED');
        await domainErrorOf(useCase(FindValues).execute('JFK', range), 'DATA_DAMAGED');
        const old = { period: 1, stations: ['JFK'] };
        await domainErrorOf(useCase(FindOldRows).execute(old), 'DATA_DAMAGED');
        expect(await useCase(FindOldRows).execute({ period: 1 })).to.deep.equal([]);
        const checkOf = async () => {
          const [, { checks }] = await get('/v1/health/checks', service.internalUrl);
          return checks?.find((check) => check.name === 'stations');
        };
        await eventually(checkOf, (check) => check?.state === 'degraded');
        expect((await checkOf())?.detail)
          .to.contain('"JFK"')
          .and.contain(`column ${column}`);
        await useCase(RemoveStation).execute('JFK', COMMAND_LINE);
        await useCase(RestoreStation).execute('JFK', COMMAND_LINE);
        const [repaired] = await useCase(PutStations).execute([JFK], COMMAND_LINE);
        expect(repaired?.station).to.deep.include(JFK).and.not.have.property('damaged');
        expect((await get('/v1/stations/JFK/observations/latest'))[0]).to.equal(200);
        await get('/v1/stations');
        await eventually(checkOf, (check) => check?.state === 'ok');
      });
    }
});

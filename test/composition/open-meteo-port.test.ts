import { expect } from 'chai';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { PutStations } from '#application/stations/put-stations.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { Place } from '../support/place.js';
import { STATION } from '../support/weather-world.js';

const QUERY = 'latitude=40.6&longitude=-73.8&current=temperature_2m';

describe('WEATHERD_OPENMETEO_PORT', () => {
  let place: Place;
  before(async () => {
    place = await Place.ready('sqlite');
  });
  after(() => place.remove());

  it('opens a listener with the routes of Open-Meteo alone, with the limits of the external API', async () => {
    const service = await place.serve({
      WEATHERD_OPENMETEO_PORT: '0',
      WEATHERD_OPENMETEO_RADIUS: '50',
      WEATHERD_RATE_LIMIT: '3',
    });
    await service.application.useCase(PutStations).execute([STATION], COMMAND_LINE);
    const url = service.openMeteoUrl ?? '';
    expect(url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    const statuses = [];
    for (const path of [`/v1/forecast?${QUERY}`, '/v1/stations', '/', `/v1/forecast?${QUERY}`])
      statuses.push((await fetch(url + path)).status);
    expect(statuses).to.deep.equal([200, 404, 404, 429]);
    expect((await fetch(`${service.externalUrl}/openmeteo/v1/forecast?${QUERY}`)).status).to.equal(200);
    await service.stop();
    expect(await fetch(url).catch(() => 'closed')).to.equal('closed');
  });

  it('says which setting is wrong if the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const fault = await place.serve({ WEATHERD_OPENMETEO_PORT: String(port) }).then(
      () => '',
      (error: unknown) => (error as Error).message,
    );
    other.close();
    expect(fault).to.equal(
      `The listener for clients of Open-Meteo cannot listen on 127.0.0.1 port ${port}: the port is in use. Stop the program that uses it, or set WEATHERD_OPENMETEO_PORT to another port.`,
    );
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PutStations } from '#application/stations/put-stations.js';
import type { Service } from '#composition/service.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { MILLISECONDS } from '#domain/time.js';
import { JFK } from '../contracts/stores/station-store.js';
import { Place } from '../support/place.js';
import { eventually, statusOf } from '../support/process.js';
import { TestBroker } from '../support/test-broker.js';

interface Columns {
  readonly time: readonly string[];
  readonly [variable: string]: readonly unknown[];
}

describe('a service with an MQTT broker', () => {
  let place: Place;
  let broker: TestBroker;
  let service: Service;
  // Whole minutes of the last hour, in seconds since 1970.
  const start = Math.floor(Date.now() / MILLISECONDS.minute - 30) * 60;

  const serve = async () => {
    const mapping = join(place.folder, 'mapping.json');
    writeFileSync(mapping, JSON.stringify({ sources: [{ preset: 'weewx-mqtt', station: JFK.id }] }));
    return place.serve({
      WEATHERD_MQTT_URL: `mqtt://127.0.0.1:${broker.port}`,
      WEATHERD_MQTT_MAPPING: mapping,
    });
  };
  const isConnected = () =>
    eventually(
      async () => broker.clients,
      (clients) => clients === 1,
    );
  const publish = async (minute: number, dayRain: number) => {
    const message = {
      dateTime: `${start + 60 * minute}.0`,
      outTemp_C: `${minute}`,
      dayRain_cm: `${dayRain}`,
    };
    await broker.publish('weather/loop', JSON.stringify(message));
  };
  const rows = async (): Promise<Columns> => {
    const from = new Date(start * 1000).toISOString();
    const response = await fetch(`${service.externalUrl}/v1/stations/${JFK.id}/observations?from=${from}`);
    return ((await response.json()) as { observations: Columns }).observations;
  };
  const until = (count: number) => eventually(rows, ({ time }) => time.length === count);
  const checked = async () => {
    const response = await fetch(`${service.internalUrl}/v1/health/checks`);
    const { checks } = (await response.json()) as {
      checks: { name: string; state: string; detail: string | null }[];
    };
    return checks.find(({ name }) => name === 'mqtt broker');
  };

  before(async () => {
    place = await Place.make('sqlite');
    broker = await TestBroker.start();
    service = await serve();
    await service.application.container.get(PutStations).execute([JFK], COMMAND_LINE);
    await isConnected();
  });
  after(async () => {
    await service.stop();
    await broker.stop();
    await place.remove();
  });

  it('keeps the sum of a rain counter right over restarts of the service and of the broker', async () => {
    await publish(0, 0.1);
    await publish(1, 0.15);
    // The broker delivers a message again.
    await publish(1, 0.15);
    await until(2);
    await service.stop();
    await publish(2, 0.25);
    service = await serve();
    await until(3);
    const { port } = broker;
    await broker.stop();
    await eventually(checked, (check) => check?.state === 'degraded');
    expect(await statusOf(`${service.externalUrl}/v1/health/liveliness`)).to.equal(200);
    broker = await TestBroker.start({ port });
    await isConnected();
    await eventually(checked, (check) => check?.state === 'ok');
    await publish(3, 0.3);
    const { time, ...values } = await until(4);
    expect(time).to.have.length(4);
    expect(values['air_temperature']).to.deep.equal([0, 1, 2, 3]);
    expect(values['precipitation_amount']).to.deep.equal([null, 0.5, 1, 0.5]);
  });
});

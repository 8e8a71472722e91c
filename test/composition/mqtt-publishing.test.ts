import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { RemoveForecast } from '#application/forecast/manage/remove-forecast.js';
import { ChangeStations } from '#application/stations/change-stations.js';
import { PutStations } from '#application/stations/put-stations.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import type { Service } from '#composition/service.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { JFK } from '../contracts/stores/station-store.js';
import { openMeteoService } from '../support/devices/open-meteo.js';
import { Place } from '../support/place.js';
import { eventually } from '../support/process.js';
import { TestBroker } from '../support/test-broker.js';
import { sentColumns } from '../support/weather-world.js';

const DEVICE = 'homeassistant/device/weatherd_JFK/config';
const STATE = 'home/weatherd/JFK/state';
const STATUS = 'home/weatherd/status';

describe('a service that publishes at an MQTT broker', () => {
  let place: Place;
  let broker: TestBroker;
  let service: Service | undefined;
  beforeEach(async () => {
    place = await Place.ready('sqlite');
    broker = await TestBroker.start();
  });
  afterEach(async () => {
    await service?.stop();
    await broker.stop();
    await place.remove();
  });

  const serve = async (settings: Readonly<Record<string, string>> = {}) => {
    service = await place.serve({
      WEATHERD_MQTT_URL: `mqtt://127.0.0.1:${broker.port}`,
      WEATHERD_MQTT_PUBLISH: 'home/weatherd',
      ...settings,
    });
    return service.application.useCase;
  };
  const record = async (useCase: Service['application']['useCase'], temperature: number) => {
    const times = Float64Array.of(Math.floor(Date.now() / 1000) * 1000);
    const columns = sentColumns({ air_temperature: [temperature], precipitation_amount: [0.4] });
    await useCase(RecordObservations).execute({ stations: 'JFK', times, columns }, COMMAND_LINE);
  };
  const untilRetained = (topics: readonly string[]) =>
    eventually(
      () => broker.retained(),
      (retained) => [...retained.keys()].toSorted().join() === topics.toSorted().join(),
    );
  const temperature = (retained: ReadonlyMap<string, string>) =>
    (JSON.parse(retained.get(STATE) ?? '{}') as { readonly air_temperature?: number }).air_temperature;

  it('shows a station, follows it, and withdraws it when it is hidden or removed', async () => {
    const useCase = await serve({ WEATHERD_PUBLIC_URL: 'https://weather.example.org/' });
    await useCase(PutStations).execute([JFK], COMMAND_LINE);
    await untilRetained([STATUS]);
    await record(useCase, 3.4);
    const retained = await untilRetained([STATUS, DEVICE, STATE]);
    expect(retained.get(STATUS)).to.equal('online');
    expect(temperature(retained)).to.equal(3.4);
    expect(JSON.parse(retained.get(DEVICE) ?? '{}')).to.have.nested.include({
      'dev.name': JFK.name,
      'dev.cu': 'https://weather.example.org/stations/JFK',
      'o.name': 'weatherd',
      avty_t: STATUS,
      stat_t: STATE,
      'cmps.air_temperature.exp_aft': 10_800,
      'cmps.rain_today.uniq_id': 'weatherd_JFK_rain_today',
    });
    const hide = { id: 'JFK', change: { visibility: 'hidden' } } as const;
    await useCase(ChangeStations).execute([hide], COMMAND_LINE);
    await untilRetained([STATUS]);
    await useCase(ChangeStations).execute([{ id: 'JFK', change: { visibility: 'public' } }], COMMAND_LINE);
    await untilRetained([STATUS, DEVICE, STATE]);
    await useCase(RemoveStation).execute('JFK', COMMAND_LINE);
    await untilRetained([STATUS]);
  });

  it('withdraws at its start a station that was removed while it did not publish', async () => {
    let useCase = await serve();
    await useCase(PutStations).execute([JFK], COMMAND_LINE);
    await record(useCase, 1);
    await untilRetained([STATUS, DEVICE, STATE]);
    await service?.stop();
    expect((await broker.retained()).get(STATUS)).to.equal('offline');
    service = await place.serve();
    await service.application.useCase(RemoveStation).execute('JFK', COMMAND_LINE);
    await service.stop();
    useCase = await serve();
    await untilRetained([STATUS]);
  });

  it('shows the forecast of a station while the station has one', async () => {
    const provider = await openMeteoService();
    try {
      const useCase = await serve({ WEATHERD_FORECAST_OPEN_METEO_URL: provider.url });
      await useCase(PutStations).execute([JFK], COMMAND_LINE);
      await record(useCase, 3.4);
      await untilRetained([STATUS, DEVICE, STATE]);
      await useCase(AddForecast).execute(['JFK'], 'open-meteo', COMMAND_LINE);
      const topic = 'home/weatherd/JFK/forecast';
      const retained = await untilRetained([STATUS, DEVICE, STATE, topic]);
      const forecast = JSON.parse(retained.get(topic) ?? '{}') as Readonly<Record<string, unknown>>;
      const reply = await fetch(`${service?.externalUrl}/v1/stations/JFK/forecast`);
      const { issued, days } = (await reply.json()) as {
        readonly issued: string;
        readonly days: readonly Readonly<Record<string, unknown>>[];
      };
      expect(forecast).to.deep.include({
        attribution: 'Weather data by Open-Meteo.com, https://open-meteo.com/',
        simulated: false,
        forecast_minimum_today: days[0]?.['air_temperature_minimum'],
        forecast_maximum_tomorrow: days[1]?.['air_temperature_maximum'],
        forecast_rain_chance_today: null,
      });
      expect(Date.parse(forecast['issued'] as string)).to.be.within(
        Date.parse(issued) - 1000,
        Date.parse(issued) + 1000,
      );
      await useCase(RemoveForecast).execute('JFK', COMMAND_LINE);
      const left = await untilRetained([STATUS, DEVICE, STATE]);
      expect(JSON.parse(left.get(DEVICE) ?? '{}')).to.have.deep.nested.property(
        'cmps.forecast_minimum_today',
        { p: 'sensor' },
      );
    } finally {
      await provider.close();
    }
  });

  it('never takes in what it publishes, with a mapping of all topics', async () => {
    const mapping = join(place.folder, 'mapping.json');
    const fields = { air_temperature: { variable: 'air_temperature' }, x: { variable: 'wind_speed' } };
    writeFileSync(
      mapping,
      JSON.stringify({ sources: [{ topic: '#', payload: 'json', station: 'JFK', fields }] }),
    );
    const useCase = await serve({ WEATHERD_MQTT_MAPPING: mapping });
    await useCase(PutStations).execute([JFK], COMMAND_LINE);
    await record(useCase, 1);
    await untilRetained([STATUS, DEVICE, STATE]);
    const rows = async () => {
      const from = new Date(Date.now() - 3_600_000).toISOString();
      const path = `/v1/stations/JFK/observations?from=${from}`;
      const reply = await fetch(`${service?.externalUrl}${path}`);
      const { observations } = (await reply.json()) as {
        observations: Readonly<Record<string, readonly unknown[]>>;
      };
      return observations;
    };
    // A message of another topic is taken in. It comes after the state, so the state was not.
    await broker.publish('other/topic', '{"x": 5}');
    const { time, ...values } = await eventually(rows, ({ wind_speed: speed = [] }) => speed.includes(5));
    const temperatures = (values['air_temperature'] ?? []).filter((value) => value !== null);
    expect(temperatures).to.deep.equal([1]);
    expect(time?.length).to.be.at.most(2);
  });

  it('reports a broker that is away in one health check, and shows the newest state when it is back', async () => {
    const useCase = await serve();
    await useCase(PutStations).execute([JFK], COMMAND_LINE);
    await record(useCase, 1);
    await untilRetained([STATUS, DEVICE, STATE]);
    const checked = async () => {
      const reply = await fetch(`${service?.internalUrl}/v1/health/checks`);
      const { checks } = (await reply.json()) as {
        checks: { name: string; state: string; detail: string }[];
      };
      const found = checks.filter(({ name }) => name === 'mqtt broker');
      expect(found).to.have.length(1);
      return found[0];
    };
    expect((await checked())?.state).to.equal('ok');
    const { port } = broker;
    await broker.stop();
    const away = await eventually(checked, (check) => check?.state === 'degraded');
    expect(away?.detail).to.include('The MQTT broker is not connected');
    broker = await TestBroker.start({ port });
    await eventually(checked, (check) => check?.state === 'ok');
    const retained = await untilRetained([STATUS, DEVICE, STATE]);
    expect(temperature(retained)).to.equal(1);
  });
});

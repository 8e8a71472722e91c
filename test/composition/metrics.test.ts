import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { metricOf } from '#adapters/formats/openmetrics/metric.js';
import { AddUser } from '#application/accounts/users/add-user.js';
import { AddHook } from '#application/hooks/manage/add-hook.js';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { AddSource } from '#application/sources/manage/add-source.js';
import { PutStations } from '#application/stations/put-stations.js';
import type { Service } from '#composition/service.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { VARIABLES } from '#domain/weather/variables.js';
import { type MetricFamily, parsePrometheus } from '../support/openmetrics.js';
import { ecowittGateway, type EcowittGateway } from '../support/devices/ecowitt.js';
import { Place } from '../support/place.js';
import { eventually } from '../support/process.js';
import { sentColumns, STATION } from '../support/weather-world.js';
import { labelText } from '../support/recorded.js';

const SECRET = 'Th3-internal-secret-of-some-length!';

describe('the metrics of a running service', () => {
  let place: Place;
  let service: Service;
  let gateway: EcowittGateway;
  before(async () => {
    place = await Place.make('sqlite');
    service = await place.serve({
      WEATHERD_UPLOADS_ENABLED: 'true',
      WEATHERD_UPLOADS_PORT: '0',
      WEATHERD_INTERNAL_SECRET: SECRET,
      WEATHERD_METRICS_STATIONS: 'true',
      // The metrics exist although no broker listens on this port.
      WEATHERD_MQTT_URL: 'mqtt://127.0.0.1:1',
      WEATHERD_MQTT_PUBLISH: 'weatherd',
    });
    const { useCase } = service.application;
    await useCase(PutStations).execute([STATION], COMMAND_LINE);
    // A row behind the beginning of the hook.
    const target = { kind: 'command', command: ['/bin/true'] } as const;
    await useCase(AddHook).execute({ name: 'forward', target, stations: null }, COMMAND_LINE);
    gateway = await ecowittGateway();
    const source = { name: 'roof', kind: 'ecowitt', station: 'JFK', every: 60, mappings: [], secrets: {} };
    const settings = { address: gateway.address };
    await useCase(AddSource).execute({ ...source, settings, allowAnyAddress: false }, COMMAND_LINE);
    await eventually(metrics, (text) => text.includes('weatherd_source_last_report_timestamp_seconds{'));
    const columns = sentColumns({ air_temperature: [1] });
    const times = Float64Array.of(Date.now() + 1);
    await useCase(RecordObservations).execute({ stations: 'JFK', times, columns }, COMMAND_LINE);
    await eventually(metrics, (text) => text.includes('weatherd_deliveries_total{'));
  });
  after(async () => {
    await service.stop();
    await gateway.close();
    await place.remove();
  });

  const metrics = async () => {
    const response = await fetch(`${service.internalUrl}/metrics`, {
      headers: { authorization: `Bearer ${SECRET}` },
    });
    return await response.text();
  };
  const labelsOf = (families: readonly MetricFamily[], name: string) =>
    families
      .find((family) => family.name === name)
      ?.samples.map(({ labels, value }) => `${labelText(labels)} ${value}`);

  it('name routes by their declared path, and hold no path, query, address, name or secret of a client', async () => {
    const { externalUrl: external, internalUrl: internal, uploadsUrl: uploads } = service;
    const password = 'correct horse battery';
    const user = { name: 'grace', email: 'grace@example.org', password, administrator: true };
    await service.application.useCase(AddUser).execute(user, COMMAND_LINE);
    const json = { 'content-type': 'application/json' };
    const signIn = async (given: string) => {
      const body = JSON.stringify({ username: 'grace', email: null, password: given });
      return await fetch(`${external}/v1/auth/authenticate/`, { method: 'POST', headers: json, body });
    };
    const { token } = (await (await signIn(password)).json()) as { token: string };
    await signIn('planted-wrong-password');
    for (let path = 0; path < 50; path += 1) {
      await fetch(`${external}/planted-${path}/x?token=planted`);
      await fetch(`${external}/v1/stations/planted-${path}`);
      await fetch(`${uploads}/u/planted${path}/?tempf=50&PASSWORD=planted`);
    }
    for (const method of ['PATCH', 'PROPFIND', 'REPORT']) await fetch(`${external}/planted`, { method });
    await fetch(`${external}/v1/stations`, { headers: { authorization: `Bearer ${token}` } });
    await fetch(`${internal}/v1/observations`, { headers: { authorization: 'Bearer planted' } });
    await fetch(`${uploads}/data/report/`, { method: 'POST', body: 'PASSKEY=planted&tempf=50' });
    const text = await metrics();
    for (const leaked of ['planted', 'grace', password, token, SECRET, '127.0.0.1', place.folder])
      expect(text).not.to.include(leaked);
    const families = parsePrometheus(text);
    expect(labelsOf(families, 'weatherd_http_requests')).to.include.members([
      'external none GET 404 50',
      'external none other 404 3',
      'external /v1/stations/{id} GET 404 50',
      'external /v1/auth/authenticate/ POST 200 1',
      'external /v1/auth/authenticate/ POST 403 1',
      'internal /v1/observations GET 401 1',
      'uploads ecowitt POST 200 1',
    ]);
    expect(labelsOf(families, 'weatherd_sign_in_failures')).to.include('credentials 1');
    expect(labelsOf(families, 'weatherd_uploads')).to.include('ecowitt pending 1');
  });

  it('include those of the process and of the store, and count the scrapes themselves', async () => {
    await metrics();
    const families = parsePrometheus(await metrics());
    const names = families.map(({ name }) => name);
    expect(names).to.include.members([
      'process_cpu_seconds',
      'process_resident_memory_bytes',
      'weatherd_store_bytes',
      'weatherd_station_last_observation_age_seconds',
    ]);
    for (const { name } of families) expect(name).to.match(/^(?:weatherd|process|nodejs)_/);
    expect(
      labelsOf(families, 'weatherd_http_requests')?.some((line) =>
        line.startsWith('internal /metrics GET 200'),
      ),
    ).to.equal(true);
  });

  it('are those that docs/operating/metrics.md lists, with their labels', async () => {
    const [chapter = ''] = readFileSync('docs/operating/metrics.md', 'utf8').split('\n## ');
    const documented = [...chapter.matchAll(/^\| `(\w+)` +\| ([\w, ]*?) *\|/gm)].map(
      ([, name = '', labels = '']) => [name, labels === '' ? [] : labels.split(', ')] as const,
    );
    const families = parsePrometheus(await metrics());
    const nameOf = ({ name, type }: MetricFamily) => (type === 'counter' ? `${name}_total` : name);
    expect(documented.map(([name]) => name)).to.have.members(families.map(nameOf));
    for (const family of families) {
      const used = new Set(family.samples.flatMap(({ labels }) => Object.keys(labels)));
      used.delete('le');
      const labels = documented.find(([name]) => name === nameOf(family))?.[1] ?? [];
      if (family.samples.length > 0) expect([...used], family.name).to.have.members(labels);
    }
  });

  it('are what the dashboard and the rules of the documentation ask for, with labels that exist', async () => {
    const labelsOfName = new Map<string, ReadonlySet<string>>([['up', new Set()]]);
    for (const { name, type, samples } of parsePrometheus(await metrics()))
      for (const { suffix = type === 'counter' ? '_total' : '', labels } of samples)
        labelsOfName.set(name + suffix, new Set(Object.keys(labels)));
    const weather = ['weather_station_info', 'weather_observation_timestamp_seconds'];
    for (const name of [...VARIABLES.map((variable) => metricOf(variable).name), ...weather])
      labelsOfName.set(name, new Set(['station']));
    const { panels } = JSON.parse(readFileSync('docs/grafana/weatherd.json', 'utf8')) as {
      readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
    };
    const rules = [...readFileSync('docs/operating/metrics.md', 'utf8').matchAll(/^ +expr: (.*)$/gm)];
    const expressions = [
      ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      ...rules.map(([, expr = '']) => expr),
    ];
    expect(expressions).to.have.length.greaterThan(35);
    for (const expression of expressions) {
      const selectors = [...expression.matchAll(/\b(up|(?:weatherd?|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
      expect(selectors, expression).to.have.length.greaterThan(0);
      for (const [, name = '', matchers = ''] of selectors) {
        const known = labelsOfName.get(name);
        expect(known, `${name} in ${expression}`).not.to.equal(undefined);
        const named = [
          ...matchers.matchAll(/(\w+)(?:=|!)/g),
          ...expression.matchAll(/by \((\w+(?:, \w+)*)\)/g),
        ];
        for (const label of named.flatMap(([, labels = '']) => labels.split(', ')))
          expect(
            [...(known ?? []), 'job', 'instance', ...(/^(?:process|nodejs)_/.test(name) ? ['process'] : [])],
            expression,
          ).to.include(label);
      }
    }
  });
});

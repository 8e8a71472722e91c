import { expect } from 'chai';
import { internalGuard } from '#adapters/http/internal/guard.js';
import { header } from '#transport-suite/raw-http.js';
import { PublishState } from '#application/operation/publish-state.js';
import { makeInternalEndpoints } from '#composition/modules/endpoints.js';
import { type RunningApi, runApi, defaultTransport } from '../../support/api-server.js';
import { Client } from '../../support/client.js';
import { parseOpenMetrics, parsePrometheus } from '../../support/openmetrics.js';
import { World } from '../../support/world.js';

const TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const OPENMETRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const SECRET = 's'.repeat(40);

/** `Accept` headers and the format of the reply. Those of Prometheus are as its versions 2.0, 2.42 and 3.5 send them. */
const ACCEPTED: readonly (readonly [accept: string | undefined, type: string])[] = [
  [undefined, TEXT],
  ['', TEXT],
  ['*/*', TEXT],
  ['text/html,application/xhtml+xml,*/*;q=0.8', TEXT],
  ['application/json', TEXT],
  ['text/plain', TEXT],
  ['text/plain; version=0.0.4; charset=utf-8', TEXT],
  ['application/openmetrics-text', OPENMETRICS],
  ['application/openmetrics-text; version=1.0.0; charset=utf-8', OPENMETRICS],
  ['application/openmetrics-text;q=0.5,text/plain', TEXT],
  ['application/openmetrics-text;version=0.0.1,text/plain;version=0.0.4;q=0.5,*/*;q=0.1', TEXT],
  [
    'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.7,text/plain;version=0.0.4;q=0.3',
    TEXT,
  ],
  [
    'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
    OPENMETRICS,
  ],
  [
    'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,' +
      'text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
    OPENMETRICS,
  ],
];

for (const [name, load] of defaultTransport) {
  describe(`metrics on ${name}`, () => {
    let world: World;
    let running: RunningApi | undefined;
    afterEach(() => running?.server.close(100));

    const start = async (secret?: string): Promise<Client> => {
      world = await World.make();
      world.get(PublishState);
      const endpoints = makeInternalEndpoints(world.container, secret !== undefined);
      const guard = internalGuard({ secret, hosts: ['localhost'], allowedHosts: [] });
      running = await runApi(await load(), { endpoints, guard });
      return new Client(running.url);
    };

    it('are in the format that the client prefers, each as strict as its grammar', async () => {
      const client = await start();
      for (const [accept, type] of ACCEPTED) {
        const headers = accept === undefined ? [] : [`Accept: ${accept}`];
        const { reply, status } = await client.ask('GET', '/metrics', headers);
        expect([status, header(reply, 'content-type')], accept).to.deep.equal([200, type]);
        expect(header(reply, 'vary')).to.equal('Accept, Accept-Encoding');
        expect(header(reply, 'cache-control')).to.equal('no-store');
        const families = type === TEXT ? parsePrometheus(reply.body) : parseOpenMetrics(reply.body);
        expect(families.map((family) => family.name)).to.include('weatherd_build_info');
      }
      expect((await client.ask('POST', '/metrics')).error).to.equal('METHOD_NOT_ALLOWED');
    });

    it('need the internal secret, where there is one', async () => {
      const client = await start(SECRET);
      expect((await client.send('GET', '/metrics')).error).to.equal('AUTH_TOKEN_INVALID');
      expect((await client.send('GET', '/metrics', `${SECRET}s`)).error).to.equal('AUTH_TOKEN_INVALID');
      const { status, reply } = await client.send('GET', '/metrics', SECRET);
      expect(status).to.equal(200);
      expect(reply.body).not.to.include(SECRET);
    });

    it('are there while the store fails, without what must be read from it', async () => {
      const client = await start();
      world.stores.recheck.waiting = () => Promise.reject(new Error('down'));
      const { status, reply } = await client.send('GET', '/metrics');
      expect(status).to.equal(200);
      const names = parsePrometheus(reply.body).map((family) => family.name);
      expect(names).to.include('weatherd_event_streams');
      expect(names).not.to.include('weatherd_judging_requests');
    });
  });
}

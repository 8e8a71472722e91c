import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { EventClient } from '../support/event-client.js';
import { type MetricFamily, parsePrometheus } from '../support/openmetrics.js';
import { storeNames } from '../support/place.js';
import { postgresServer } from '../support/postgres.js';
import { eventually, type Served, signIn, Workplace } from '../support/process.js';
import { STATION } from '../support/weather-world.js';
import { childrenOf, WorkerClient } from '../support/worker-client.js';

const PASSWORD = 'correct horse battery staple';
const WORKERS = 2;

/** The service with worker processes, and an upload key of its station. */
async function serve(place: Workplace, settings: Readonly<Record<string, string>>) {
  const { stdout } = await place.run(['upload-key', 'add', '--station', 'JFK', '--json'], '', settings);
  const { key } = JSON.parse(stdout) as { key: string };
  const served = await place.serve({
    ...settings,
    WEATHERD_WORKERS: String(WORKERS),
    WEATHERD_DATA_DIR: place.dataDir,
  });
  let log = '';
  served.child.stdout?.on('data', (piece: string) => (log += piece));
  const write = async (client: WorkerClient, value: number) => {
    const body = { time: [new Date().toISOString()], air_temperature: [value] };
    const { status } = await client.ask('/v1/stations/JFK/observations', { token: key, body });
    expect(status).to.equal(200);
  };
  return { served, write, log: () => log };
}

async function metricsOf({ internal }: Served): Promise<Map<string, MetricFamily>> {
  const report = await fetch(`${internal}/metrics`);
  return new Map(parsePrometheus(await report.text()).map((family) => [family.name, family]));
}

/** Sum of the samples that have these labels. */
function sumOf(metrics: ReadonlyMap<string, MetricFamily>, name: string, labels = {}): number {
  const samples = metrics.get(name)?.samples ?? [];
  const wanted = Object.entries(labels);
  const chosen = samples.filter((one) => wanted.every(([label, value]) => one.labels[label] === value));
  return chosen.reduce((sum, { value }) => sum + value, 0);
}

/** The counters and the counts of histograms, by name and labels. */
function countsOf(metrics: ReadonlyMap<string, MetricFamily>): ReadonlyMap<string, number> {
  const counting = [...metrics.values()].filter(({ type }) => type !== 'gauge');
  return new Map(
    counting.flatMap(({ name, samples }) =>
      samples.map((one) => [`${name} ${one.suffix} ${JSON.stringify(one.labels)}`, one.value] as const),
    ),
  );
}

for (const store of storeNames) {
  describe(`the metrics of a service with worker processes › ${store}`, () => {
    let place: Workplace;
    const settings: Record<string, string> = {};

    before(async () => {
      place = await Workplace.make();
      if (store === 'postgres')
        settings['WEATHERD_DATABASE_URL'] = await (await postgresServer()).newDatabase();
      await place.makeData(settings, [STATION]);
    });
    after(async () => {
      await place.remove();
      if (store === 'postgres')
        await (await postgresServer()).release(settings['WEATHERD_DATABASE_URL'] ?? '');
    });

    it('are one report of all processes, and no count falls when one hangs, is killed and comes back', async () => {
      const { served, write, log } = await serve(place, settings);
      const clients = await WorkerClient.forEach(served.external, WORKERS);
      const info = { api: 'external', route: '/v1/health/info' };
      const requests = async () => sumOf(await metricsOf(served), 'weatherd_http_requests', info);
      const atFirst = await requests();
      expect(atFirst).to.be.at.least(WORKERS);
      for (const client of clients) {
        await client.process();
        await client.ask('/v1/auth/authenticate/', {
          body: { username: 'nobody', email: null, password: 'a wrong password' },
        });
        await write(client, 1);
      }
      const stream = await EventClient.open(served.external);
      const metrics = await metricsOf(served);
      expect(sumOf(metrics, 'weatherd_http_requests', info)).to.equal(atFirst + WORKERS);
      expect(sumOf(metrics, 'weatherd_sign_in_failures')).to.equal(WORKERS);
      expect(sumOf(metrics, 'weatherd_rows', { source: 'external_api' })).to.equal(WORKERS);
      expect(sumOf(metrics, 'weatherd_event_streams')).to.equal(1);
      expect(sumOf(metrics, 'weatherd_build_info')).to.equal(1);
      stream.close();
      const processes = metrics.get('process_start_time_seconds')?.samples.map(({ labels }) => labels);
      expect(processes).to.deep.equal([{}, { process: '1' }, { process: '2' }]);

      let before = countsOf(metrics);
      const counts = async () => {
        await setTimeout(100);
        const now = countsOf(await metricsOf(served));
        for (const [name, value] of before) expect(now.get(name), name).to.be.at.least(value);
        before = now;
        return now;
      };
      const [doomed = 0] = childrenOf(served.child);
      process.kill(doomed, 'SIGSTOP');
      await counts();
      process.kill(doomed, 'SIGKILL');
      await eventually(counts, () => log().includes('a worker process serves again'));
      for (const client of clients) client.close();
      const present = await requests();
      for (const client of await WorkerClient.forEach(served.external, WORKERS)) {
        await client.process();
        client.close();
      }
      expect(await requests()).to.be.at.least(present + 2 * WORKERS);
      await counts();
      served.child.kill('SIGTERM');
      expect(await served.ended).to.have.property('status', 0);
    });
  });
}

describe('the work of the main process beside worker processes', () => {
  let place: Workplace;
  let target: Server;
  let received: Record<string, unknown>[];

  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData({}, [STATION]);
    received = [];
    target = createServer((request, response) => {
      void text(request).then((body) => {
        received.push(JSON.parse(body) as Record<string, unknown>);
        response.end();
      });
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await place.remove();
    target.closeAllConnections();
    target.close();
  });

  it('sends each message of hooks and alarms once, whichever process took the row, and makes one backup', async () => {
    const post = ['--post', `http://127.0.0.1:${(target.address() as AddressInfo).port}/`, '--allow-private'];
    for (const parameters of [
      ['hook', 'add', 'forward', '--all', ...post],
      ['alarm', 'add', 'warm', '--station', 'JFK', '--above', 'air_temperature=5', ...post],
    ]) {
      const { status, stderr } = await place.run(parameters);
      expect(status, stderr).to.equal(0);
    }
    const backups = join(place.folder, 'backups');
    mkdirSync(backups);
    const { served, write } = await serve(place, { WEATHERD_BACKUP_DIR: backups });
    const clients = await WorkerClient.forEach(served.external, WORKERS);
    const values = () => received.filter(({ event }) => event === 'observation').length;
    for (const [index, client] of clients.entries()) {
      await write(client, 10 + index);
      await eventually(
        async () => values(),
        (count) => count > index,
      );
    }
    await eventually(
      async () => received,
      (all) => all.some(({ event }) => event === 'alarm.raised'),
    );
    await eventually(
      () => served.log(),
      (log) => log.includes('"msg":"a backup was made"'),
    );
    for (const client of clients) client.close();
    served.child.kill('SIGTERM');
    const { status, stdout } = await served.ended;
    expect(status).to.equal(0);
    const events = received.map(({ event }) => String(event));
    expect(events.toSorted()).to.deep.equal(['alarm.raised', 'observation', 'observation']);
    expect(stdout.split('"msg":"a backup was made"')).to.have.length(2);
    expect(readdirSync(backups).filter((name) => name.endsWith('.db'))).to.have.length(1);
  });

  it('shows its defects in the health of each worker process', async () => {
    // No folder, so that the backup fails.
    const backups = join(place.folder, 'backups');
    writeFileSync(backups, '');
    await place.run(['user', 'add', 'ada', '--administrator'], PASSWORD);
    const { served } = await serve(place, { WEATHERD_BACKUP_DIR: backups });
    const { body } = await signIn(served.external, { username: 'ada', email: null, password: PASSWORD });
    const failure = 'backups: The last backup has failed. The log gives the reason.';
    const clients = await WorkerClient.forEach(served.external, WORKERS);
    const elevated = await clients[0]?.ask('/v1/auth/elevate/', {
      token: body.token,
      body: { password: PASSWORD },
    });
    const token = String(elevated?.body['token']);
    for (const client of clients) {
      const checks = async () => JSON.stringify((await client.ask('/v1/health/checks', { token })).body);
      expect(await eventually(checks, (found) => found.includes(failure))).to.contain('"main process"');
      client.close();
    }
  });
});

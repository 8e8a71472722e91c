import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { connect } from 'node:tls';
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { EventClient } from '../support/event-client.js';
import { makeCertificate } from '../support/certificate.js';
import { postgresServer } from '../support/postgres.js';
import { eventually, type Served, statusOf, Workplace } from '../support/process.js';
import { childrenOf, isRunning, WorkerClient } from '../support/worker-client.js';
import { storeNames } from '../support/place.js';
import { STATION } from '../support/weather-world.js';

const PASSWORD = 'correct horse battery staple';
const WORKERS = 2;
const ROWS = '/v1/stations/JFK/observations?from=2013-01-01T00:00:00Z&to=2013-01-02T00:00:00Z';

const rowAt = (hour: number) => ({
  body: { time: [new Date(Date.UTC(2013, 0, 1, hour)).toISOString()], air_temperature: [hour] },
});
/** The errors in a log. An answer that was late because the machine was busy is none. */
const errorsOf = (log: string) =>
  log
    .split('\n')
    .filter((line) => line.includes('"level":50') && !line.includes('The check did not end in time.'));
const times = (client: EventClient) =>
  client.dataOf('observation').map(({ from }) => String(from).slice(11, 13));

for (const store of storeNames) {
  describe(`worker processes › ${store}`, () => {
    let place: Workplace;
    let settings: Record<string, string>;
    let served: Served;
    let clients: readonly WorkerClient[];

    before(async () => {
      place = await Workplace.make();
      settings = {};
      if (store === 'postgres')
        settings['WEATHERD_DATABASE_URL'] = await (await postgresServer()).newDatabase();
      await place.makeData(settings, [STATION]);
      await place.run(['user', 'add', 'ada'], PASSWORD, settings);
      await place.run(['user', 'grant', 'ada', '--all'], '', settings);
      served = await place.serve({
        ...settings,
        WEATHERD_WORKERS: String(WORKERS),
        WEATHERD_READ_ACCESS: 'token',
        WEATHERD_DATA_DIR: place.dataDir,
      });
      clients = await WorkerClient.forEach(served.external, WORKERS);
    });
    after(async () => {
      for (const client of clients ?? []) client.close();
      served?.child.kill('SIGTERM');
      await served?.ended;
      if (store === 'postgres')
        await (await postgresServer()).release(settings['WEATHERD_DATABASE_URL'] ?? '');
      await place.remove();
    });

    const [at, other] = [0, 1].map((index) => () => clients[index] as WorkerClient) as [
      () => WorkerClient,
      () => WorkerClient,
    ];
    const signIn = async (client: WorkerClient) => {
      const { body } = await client.ask('/v1/auth/authenticate/', {
        body: { username: 'ada', email: null, password: PASSWORD },
      });
      return String(body['token']);
    };
    const elevate = async (client: WorkerClient, token: string) => {
      const { body } = await client.ask('/v1/auth/elevate/', { token, body: { password: PASSWORD } });
      return String(body['token']);
    };
    const write = async (client: WorkerClient, token: string, hour: number) => {
      const { status } = await client.ask('/v1/stations/JFK/observations', { token, ...rowAt(hour) });
      expect(status).to.equal(200);
    };

    it('share sessions: a token of one is valid at the other, and its end takes effect there at once', async () => {
      for (const [one, two] of [
        [at(), other()],
        [other(), at()],
      ] as const) {
        const token = await signIn(one);
        const status = async () => (await two.ask('/v1/stations', { token })).status;
        expect(await status()).to.equal(200);
        const elevated = await elevate(two, token);
        expect((await one.ask('/v1/auth/drop/', { token: elevated, body: {} })).status).to.equal(200);
        expect((await two.ask('/v1/auth/drop/', { token: elevated, body: {} })).status).to.equal(401);
        expect(await status()).to.equal(200);
        await one.ask('/v1/auth/revoke/', { token, body: { scope: 'session' } });
        expect(await status()).to.equal(401);
      }
    });

    it('show what the other has written, with another ETag', async () => {
      const token = await elevate(at(), await signIn(at()));
      await write(at(), token, 1);
      const read = (headers = {}) => other().ask(ROWS, { token, headers });
      const { headers: before } = await read();
      const same = await read({ 'if-none-match': before.etag });
      expect(same.status).to.equal(304);
      for (let hour = 2; hour < 6; hour += 1) {
        await write(at(), token, hour);
        const { status, body } = await read({ 'if-none-match': before.etag });
        expect(status).to.equal(200);
        expect(JSON.stringify(body)).to.contain(`2013-01-01T0${hour}:00:00`);
      }
    });

    it('send the events of all, and say "reset" to a client that resumes at another', async () => {
      const token = await elevate(at(), await signIn(at()));
      const headers = [`Authorization: Bearer ${token}`];
      // Connections are given to the processes in turn.
      const streams = [
        await EventClient.open(served.external, '/v1/events', headers),
        await EventClient.open(served.external, '/v1/events', headers),
      ] as const;
      const [first, second] = streams;
      const epochs = streams.map(({ lastId }) => lastId.split('-')[0]);
      expect(new Set(epochs).size).to.equal(WORKERS);
      await write(at(), token, 10);
      await Promise.all(streams.map((stream) => stream.until(() => times(stream).length === 1)));
      await write(other(), token, 11);
      await Promise.all(streams.map((stream) => stream.until(() => times(stream).length === 2)));
      expect(streams.map(times)).to.deep.equal([
        ['10', '11'],
        ['10', '11'],
      ]);
      first.close();
      second.close();
      const resumed = await Promise.all(
        streams.map(() =>
          EventClient.open(served.external, '/v1/events', [...headers, `Last-Event-ID: ${first.lastId}`]),
        ),
      );
      // The one that gave the id continues without a word.
      const resets = resumed.filter((stream) => stream.dataOf('reset').length > 0);
      expect(resets.map((stream) => stream.dataOf('reset'))).to.deep.equal([
        [{ reason: 'unknown_position' }],
      ]);
      for (const stream of resumed) stream.close();
    });

    it('go on when one is killed, which is started again', async () => {
      let log = '';
      served.child.stdout?.on('data', (piece: string) => (log += piece));
      const before = childrenOf(served.child);
      expect(before).to.have.length(WORKERS);
      const doomed = await Promise.all(clients.map((client) => client.process()));
      const answers: number[] = [];
      const over = new AbortController();
      let isKilled = false;
      const ask = async () => {
        while (!over.signal.aborted) {
          answers.push(await statusOf(`${served.external}/v1/health/info`).catch(() => 0));
          // Until the kill, a request is always under way.
          if (isKilled) await setTimeout(10);
        }
      };
      const asking = [ask(), ask()];
      await eventually(
        async () => answers.length,
        (count) => count > 10,
      );
      process.kill(before[0] ?? 0, 'SIGKILL');
      const atDeath = answers.length;
      isKilled = true;
      await eventually(
        async () => log,
        (text) => text.includes('a worker process serves again'),
      );
      over.abort();
      await Promise.all(asking);
      // Each asker may lose a request that the process had, and a connection that it was about to get.
      const afterDeath = answers.slice(atDeath);
      expect(afterDeath.filter((status) => status !== 200).length).to.be.at.most(2 * asking.length);
      expect(afterDeath.filter((status) => status === 200).length).to.be.above(10);
      expect(childrenOf(served.child)).to.have.length(WORKERS).and.not.to.include(before[0]);
      expect(log).to.contain('"reason":"the process was ended by SIGKILL"');
      const checks = () => fetch(`${served.internal}/v1/health/checks`).then((reply) => reply.text());
      expect(await eventually(checks, (text) => !text.includes('"degraded"'))).not.to.contain('"failed"');
      for (const client of clients) client.close();
      clients = await WorkerClient.forEach(served.external, WORKERS);
      const now = await Promise.all(clients.map((client) => client.process()));
      expect(now.filter((one) => doomed.includes(one))).to.have.length(WORKERS - 1);
    });

    it('are not alive without a process that answers, say so, and are alive again later', async () => {
      const status = () => statusOf(`${served.internal}/v1/health/liveliness`);
      expect(await status()).to.equal(200);
      const stopped = childrenOf(served.child);
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      await eventually(status, (code) => code === 503);
      const checks = await fetch(`${served.internal}/v1/health/checks`).then((reply) => reply.text());
      expect(checks).to.contain('No worker process serves the external API.');
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
      await eventually(status, (code) => code === 200);
    });

    it('keep their port when all are killed, and end with the main process, however it ends', async () => {
      for (const pid of childrenOf(served.child)) process.kill(pid, 'SIGKILL');
      const status = () => statusOf(`${served.external}/v1/health/info`).catch(() => 0);
      await eventually(status, (code) => code === 200);
      await eventually(
        async () => childrenOf(served.child),
        (now) => now.length === WORKERS,
      );
      const left = childrenOf(served.child);
      served.child.kill('SIGKILL');
      await served.ended;
      await eventually(
        async () => left.filter(isRunning),
        (running) => running.length === 0,
      );
    });
  });
}

describe('worker processes › start and end', () => {
  let place: Workplace;
  beforeEach(async () => (place = await Workplace.make()));
  afterEach(() => place.remove());
  const settings = { WEATHERD_WORKERS: String(WORKERS) };

  it('greet once, finish what is under way on SIGTERM and on SIGINT of a terminal, and leave no process', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const served = await place.serve(settings);
      expect(served.greeting.split('Try next')).to.have.length(2);
      expect(served.greeting).to.contain(`(express, ${WORKERS} worker processes)`);
      const all = childrenOf(served.child);
      expect(all).to.have.length(WORKERS);
      // As a terminal does, and systemd: to every process of the service.
      for (const pid of all) process.kill(pid, signal);
      expect(await statusOf(`${served.external}/v1/health/info`)).to.equal(200);
      const stream = await EventClient.open(served.external);
      served.child.kill(signal);
      const { status, stdout } = await served.ended;
      expect(status).to.equal(0);
      expect(stream.isComplete).to.equal(true);
      expect(stdout.split('"msg":"listening"')).to.have.length(2);
      expect(errorsOf(stdout)).to.deep.equal([]);
      expect(all.filter(isRunning)).to.deep.equal([]);
    }
  });

  it('end with the reason if none can start', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const ended = await place.runProcess(['serve'], '', {
      ...settings,
      WEATHERD_EXTERNAL_PORT: String(port),
    });
    taken.close();
    expect(ended.status).to.equal(1);
    expect(ended.stderr).to.contain(
      `weatherd: The external API cannot listen on 127.0.0.1 port ${port}: the port is in use. Stop the program that uses it, or set WEATHERD_EXTERNAL_PORT to another port.\n`,
    );
  });

  it('take new TLS files on SIGHUP, all of them, and one that is started again has them too', async () => {
    const pairOf = (name: string) => {
      const folder = join(place.folder, name);
      mkdirSync(folder);
      makeCertificate(folder);
      return { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    };
    const [old, fresh] = [pairOf('old'), pairOf('fresh')];
    const file = join(place.folder, 'weatherd.json');
    const configure = (tls: object) => writeFileSync(file, JSON.stringify({ external: { tls } }));
    configure(old);
    const served = await place.serve(settings, ['--config', file, 'serve']);
    const presented = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect({
          host: '127.0.0.1',
          port: Number(new URL(served.external).port),
          rejectUnauthorized: false,
        });
        socket.once('error', reject).once('secureConnect', () => {
          resolve(socket.getPeerCertificate().fingerprint256);
          socket.destroy();
        });
      });
    const several = async () => {
      const found: string[] = [];
      for (let count = 0; count < 2 * WORKERS; count += 1) found.push(await presented());
      return [...new Set(found)];
    };
    const before = await several();
    expect(before).to.have.length(1);
    configure(fresh);
    served.child.kill('SIGHUP');
    const after = await eventually(several, (found) => found.length === 1 && found[0] !== before[0]);
    let log = '';
    served.child.stdout?.on('data', (piece: string) => (log += piece));
    const [first = 0] = childrenOf(served.child);
    process.kill(first, 'SIGKILL');
    await eventually(
      async () => log,
      (text) => text.includes('a worker process serves again'),
    );
    expect(await several()).to.deep.equal(after);
  });
});

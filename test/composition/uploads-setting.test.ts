import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Check } from '#application/ports/check.js';
import { MonitorHealth } from '#application/operation/monitor-health.js';
import { ChangeUploads } from '#application/uploads/listening/change-uploads.js';
import { readStoredSettings } from '#composition/data/stored-reach.js';
import { loadConfig } from '#composition/config.js';
import type { Service } from '#composition/service.js';
import { listeningOf, withReach, withStoredReach } from '#composition/settings/uploads-reach.js';
import { UploadsSwitch } from '#composition/sources/uploads-switch.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';
import type { UploadsReach } from '#domain/uploads/uploads-reach.js';
import { Place, storeNames } from '../support/place.js';
import { eventually, Workplace } from '../support/process.js';
import { domainErrorOf } from '../support/rejection.js';
import { CALLER } from '../support/world.js';

const EVENT: AuditEvent = {
  time: 0,
  action: 'setting-change',
  outcome: 'done',
  actor: null,
  subject: 'uploads',
  address: null,
  requestId: null,
  detail: { value: 'network' },
};
const UPLOAD = '/weatherstation/updateweatherstation.php?ID=garden&PASSWORD=x&tempf=50';

describe('where the setting of uploads comes from', () => {
  let place: Workplace;
  before(async () => (place = await Workplace.make()));
  after(() => place.remove());

  for (const [environment, file, stored, reach, source] of [
    [{}, {}, undefined, 'off', 'default'],
    [{}, {}, 'network', 'network', 'data'],
    [{}, {}, 'loopback', 'loopback', 'data'],
    [{}, {}, 'off', 'off', 'data'],
    [{}, {}, 'a word of a later version', 'off', 'default'],
    [{ WEATHERD_UPLOADS_PORT: '0' }, { uploads: { port: 1 } }, 'network', 'network', 'data'],
    [{}, { uploads: { enabled: true } }, 'off', 'loopback', 'file'],
    [{}, { uploads: { insecure: true } }, 'network', 'off', 'file'],
    [{ WEATHERD_UPLOADS_ENABLED: 'false' }, { uploads: { host: '::1' } }, 'network', 'off', 'environment'],
    [{ WEATHERD_UPLOADS_HOST: '127.0.0.2' }, {}, 'network', 'off', 'environment'],
    [
      { WEATHERD_UPLOADS_ENABLED: 'true', WEATHERD_UPLOADS_HOST: '::', WEATHERD_UPLOADS_INSECURE: 'true' },
      {},
      'off',
      'network',
      'environment',
    ],
  ] as const)
    it(`${JSON.stringify(environment)}, ${JSON.stringify(file)} and "${stored}" are ${reach} of ${source}`, () => {
      const path = join(place.folder, 'weatherd.json');
      writeFileSync(path, JSON.stringify(file));
      const config = withStoredReach(loadConfig(path, environment), stored);
      expect(listeningOf(config)).to.include({ reach, source });
    });
});

for (const store of storeNames)
  describe(`commands that examine an installation › ${store}`, () => {
    let place: Place;
    before(async () => (place = await Place.make(store)));
    after(() => place.remove());

    it('read the setting of uploads in the data, and create no data', async () => {
      const reachNow = async (settings = {}) =>
        listeningOf(await readStoredSettings(place.config(settings))).reach;
      expect(await reachNow()).to.equal('off');
      const stores = await place.open();
      expect(await reachNow()).to.equal('off');
      await stores.settings.put('uploads', 'network', EVENT);
      expect(await reachNow()).to.equal('network');
      await stores.close();
      expect(await reachNow()).to.equal('network');
      expect(await reachNow({ WEATHERD_UPLOADS_ENABLED: 'false' })).to.equal('off');
    });
  });

describe('the switch of uploads', () => {
  /** A machine whose network addresses are all used by other programs. */
  const makeSwitch = (onSwitch: () => void = () => undefined) => {
    const open: string[] = [];
    const watched: Check[] = [];
    const makeListener = (host: string, port: number) => ({
      url: () => `http://${host}:${port}`,
      checks: [{ name: host, check: async () => undefined }],
      start: () => {
        if (host === '0.0.0.0')
          throw new Error('The listener for uploads cannot listen: the port is in use.');
        expect(open, 'the port is free').to.deep.equal([]);
        open.push(host);
      },
      stop: async () => {
        open.pop();
        return true;
      },
    });
    const uploads = new UploadsSwitch({
      config: withReach(loadConfig(undefined, {}), 'off'),
      open: async () => ({ makeListener, find: () => undefined }),
      listens: true,
      health: {
        watch: async (checks) => void watched.push(...checks),
        unwatch: (checks) =>
          void watched.splice(0, watched.length, ...watched.filter((one) => !checks.includes(one))),
      },
      onSwitch,
    });
    return { uploads, open, watched };
  };

  it('is as before if the new address cannot be used', async () => {
    let switched = 0;
    const { uploads, open, watched } = makeSwitch(() => (switched += 1));
    await domainErrorOf(uploads.switchTo('network'), 'LISTENER_UNAVAILABLE');
    expect([uploads.state().reach, open, watched]).to.deep.equal(['off', [], []]);
    await uploads.switchTo('loopback');
    await uploads.switchTo('loopback');
    await domainErrorOf(uploads.switchTo('network'), 'LISTENER_UNAVAILABLE');
    expect(uploads.state()).to.deep.equal({
      reach: 'loopback',
      source: 'data',
      host: '127.0.0.1',
      port: 8082,
    });
    expect([open, watched.map(({ name }) => name), switched]).to.deep.equal([
      ['127.0.0.1'],
      ['127.0.0.1'],
      2,
    ]);
    await uploads.switchTo('off');
    expect([uploads.state().reach, uploads.url, open, watched]).to.deep.equal(['off', undefined, [], []]);
  });
});

describe('uploads that are switched in the running service', () => {
  let place: Place;
  let service: Service;
  let busy: Server | undefined;
  beforeEach(async () => (place = await Place.make('sqlite')));
  afterEach(async () => {
    busy?.close();
    await service.stop();
    await place.remove();
  });

  const change = async (reach: UploadsReach) =>
    await service.application.container.get(ChangeUploads).execute(reach, CALLER);
  const statusOf = async (base: string | undefined) =>
    await fetch(`${base}${UPLOAD}`).then(
      ({ status }) => status,
      () => undefined,
    );
  const checks = () => service.application.container.get(MonitorHealth).statuses();
  const hasCheck = () => checks().some(({ name, state }) => name === 'uploads listener' && state === 'ok');

  it('begin and end at once, and are as before after a restart', async () => {
    service = await place.serve({ WEATHERD_UPLOADS_PORT: '0' });
    expect([service.uploadsUrl, hasCheck()]).to.deep.equal([undefined, false]);
    await change('loopback');
    const first = service.uploadsUrl;
    expect([await statusOf(first), hasCheck()]).to.deep.equal([200, true]);
    await change('network');
    expect(new URL(service.uploadsUrl ?? '').hostname).to.equal('0.0.0.0');
    expect(await statusOf(first)).to.equal(undefined);
    const { port } = new URL(service.uploadsUrl ?? '');
    expect(await statusOf(`http://127.0.0.1:${port}`)).to.equal(200);
    await service.stop();
    service = await place.serve({ WEATHERD_UPLOADS_PORT: '0' });
    expect(new URL(service.uploadsUrl ?? '').hostname).to.equal('0.0.0.0');
    await change('off');
    expect([service.uploadsUrl, hasCheck()]).to.deep.equal([undefined, false]);
    await service.stop();
    service = await place.serve({ WEATHERD_UPLOADS_PORT: '0' });
    expect(service.uploadsUrl).to.equal(undefined);
    await service.stop();
    service = await place.serve({ WEATHERD_UPLOADS_PORT: '0', WEATHERD_UPLOADS_ENABLED: 'true' });
    expect(await statusOf(service.uploadsUrl)).to.equal(200);
  });

  it('stay off if another program uses the port, and say so', async () => {
    busy = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => busy?.once('listening', resolve));
    const { port } = busy.address() as AddressInfo;
    service = await place.serve({ WEATHERD_UPLOADS_PORT: String(port) });
    expect(await change('loopback')).to.deep.equal({
      refused: {
        code: 'LISTENER_UNAVAILABLE',
        message: `The listener for uploads cannot listen on 127.0.0.1 port ${port}: the port is in use. Stop the program that uses it, or set WEATHERD_UPLOADS_PORT to another port.`,
      },
    });
    expect([service.uploadsUrl, hasCheck()]).to.deep.equal([undefined, false]);
    busy.close();
    busy = undefined;
    expect(await change('loopback')).to.have.property('listening');
    expect(await statusOf(service.uploadsUrl)).to.equal(200);
  });
});

describe('uploads that are switched through worker processes', () => {
  let place: Workplace;
  before(async () => (place = await Workplace.make()));
  after(() => place.remove());

  it('are the same in all processes, in the printed settings, and in the instructions for consoles', async () => {
    await place.makeData();
    await place.run(['user', 'add', 'ada', '--administrator'], 'correct horse');
    const settings = { WEATHERD_WORKERS: '2', WEATHERD_UPLOADS_PORT: '0', WEATHERD_DATA_DIR: place.dataDir };
    const { external, child, ended } = await place.serve(settings);
    const ask = async (
      path: string,
      body?: object,
      token?: string,
      method = body === undefined ? 'GET' : 'POST',
    ) => {
      const headers = {
        connection: 'close',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      };
      const reply = await fetch(external + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
    };
    const signedIn = await ask('/v1/auth/authenticate/', {
      username: 'ada',
      email: null,
      password: 'correct horse',
    });
    const elevated = await ask(
      '/v1/auth/elevate/',
      { password: 'correct horse' },
      String(signedIn.body['token']),
    );
    const token = String(elevated.body['token']);
    const state = () => ask('/v1/settings/uploads', undefined, token);
    expect((await state()).body).to.include({ reach: 'off', source: 'default' });
    const { status, body } = await ask('/v1/settings/uploads', { reach: 'loopback' }, token, 'PUT');
    expect([status, body['reach'], body['source'], body['host']]).to.deep.equal([
      200,
      'loopback',
      'data',
      '127.0.0.1',
    ]);
    expect((await fetch(`http://127.0.0.1:${String(body['port'])}${UPLOAD}`)).status).to.equal(200);
    // A message reaches the worker processes after the reply.
    for (let asked = 0; asked < 4; asked += 1)
      await eventually(state, (reply) => reply.body['reach'] === 'loopback');
    const printed = await place.run(['config']);
    expect(printed.stdout)
      .to.match(/^# WEATHERD_UPLOADS_ENABLED.* kept in the data/)
      .and.contain('WEATHERD_UPLOADS_ENABLED=true\n');
    const fixed = await place.run(['config'], '', { WEATHERD_UPLOADS_ENABLED: 'false' });
    expect(fixed.stdout).to.contain('WEATHERD_UPLOADS_ENABLED=false\n').and.not.contain('#');
    const wrong = await ask('/v1/settings/uploads', { reach: 'everywhere' }, token, 'PUT');
    expect(wrong.status).to.equal(400);
    child.kill('SIGTERM');
    await ended;
  });
});

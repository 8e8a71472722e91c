import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import sinon from 'sinon';
import { SocketPort } from '#adapters/workers-cluster/socket-port.js';
import { loadConfig } from '#composition/config.js';
import { PACKAGE_INFO } from '#composition/package-info.js';
import { type Service, startService } from '#composition/service.js';
import { EventClient } from '../../support/event-client.js';
import { silentLog } from '../../support/place.js';
import { postgresServer } from '../../support/postgres.js';
import { eventually, waitForEnd, MAIN, Workplace } from '../../support/process.js';
import { STATION } from '../../support/weather-world.js';

const PASSWORD = 'correct horse battery staple';
/** A user of nearly every system. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

describe('commands beside a service', () => {
  let place: Workplace;
  let dataDir: string;
  let services: Service[];
  let target: Server;
  let received: { readonly event: string; readonly time?: string }[];

  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData({}, [STATION]);
    dataDir = place.dataDir;
    services = [];
    received = [];
    target = createServer((request, response) => {
      void text(request).then((body) => {
        received.push(JSON.parse(body) as (typeof received)[number]);
        response.end();
      });
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    sinon.restore();
    await Promise.all(services.map((service) => service.stop()));
    target.closeAllConnections();
    target.close();
    await place.remove();
  });

  const url = () => `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
  const serve = async (log = silentLog): Promise<Service> => {
    const config = loadConfig(undefined, {
      WEATHERD_DATA_DIR: dataDir,
      WEATHERD_EXTERNAL_PORT: '0',
      WEATHERD_INTERNAL_PORT: '0',
    });
    const service = await startService(config, log);
    services.push(service);
    return service;
  };
  const stop = async (service: Service) => {
    services = services.filter((one) => one !== service);
    await service.stop();
  };
  const run = (argv: readonly string[], input = '') => place.run(argv, input, { WEATHERD_DATA_DIR: dataDir });
  const succeed = async (...argv: string[]) => {
    const { status, stdout, stderr } = await run(argv);
    expect(status, `${argv.join(' ')}: ${stderr}`).to.equal(0);
    return stdout;
  };
  const fileOf = (...rows: readonly (readonly [time: number, value: number])[]) => {
    const file = join(place.folder, 'rows.csv');
    writeFileSync(
      file,
      `time,air_temperature\n${rows.map(([time, value]) => `${time},${value}\n`).join('')}`,
    );
    return file;
  };
  const importRows = (...rows: readonly (readonly [time: number, value: number])[]) =>
    succeed('import', fileOf(...rows), '--station', 'JFK', '--time-format', 'unix-ms', '--restart');
  /** Milliseconds of an hour of 2024-01-01. */
  const at = (hour: number) => Date.UTC(2024, 0, 1, hour);
  const socket = () => join(dataDir, 'weatherd.db.sock');
  const isReceived = (event: string, time?: number) =>
    eventually(
      async () => received,
      (all) =>
        all.some((one) => one.event === event && (time === undefined || Date.parse(one.time ?? '') === time)),
    );

  it('announce imports, undone ones, removals and overrules to event streams at once', async () => {
    const service = await serve();
    const client = await EventClient.open(service.externalUrl);
    const next = async (work: () => Promise<unknown>) => {
      const before = client.counts.get('observation') ?? 0;
      await work();
      await client.until(() => (client.counts.get('observation') ?? 0) > before);
    };
    await next(() => importRows([at(0), 1], [at(1), 2]));
    const checked = ['--station', 'JFK', '--variable', 'air_temperature', '--from', '2024-01-01T00:00:00Z'];
    const until = ['--to', '2024-01-01T02:00:00Z'];
    let made = '';
    await next(async () => {
      made = await succeed('overrule', 'add', ...checked, ...until, '--verdict', 'bad', '--reason', 'Spider');
    });
    const [, id = ''] = /JFK (\S+)" removes/.exec(made) ?? [];
    await next(() => succeed('overrule', 'remove', '--station', 'JFK', id));
    await next(() => importRows([at(1), 9]));
    await next(() => succeed('import', '--undo', '2'));
    await next(() => succeed('observations', 'remove', ...checked, ...until, '--yes'));
    expect(client.dataOf('reset')).to.deep.equal([]);
    client.close();
  });

  it('announce to the streams of worker processes too', async () => {
    const served = await place.serve({ WEATHERD_DATA_DIR: dataDir, WEATHERD_WORKERS: '2' });
    const clients = [await EventClient.open(served.external), await EventClient.open(served.external)];
    await importRows([at(0), 1]);
    for (const client of clients) {
      await client.until(() => client.dataOf('observation').length > 0);
      client.close();
    }
    served.child.kill('SIGTERM');
    expect((await served.ended).status).to.equal(0);
  });

  it('announce to hooks and alarms, which they have made', async () => {
    await serve();
    const post = ['--post', url(), '--allow-private'];
    await succeed('hook', 'add', 'forward', '--all', ...post);
    await succeed('alarm', 'add', 'hot', '--station', 'JFK', '--above', 'air_temperature=30:°C', ...post);
    const first = Date.now();
    await importRows([first, 10]);
    await isReceived('observation', first);
    // The hook runs from now on, and looks for rows that nobody announces only after minutes.
    const second = Date.now();
    await importRows([second, 35]);
    await isReceived('observation', second);
    await isReceived('alarm.raised');
    await succeed('alarm', 'remove', 'hot');
    await succeed('hook', 'remove', 'forward');
  });

  it('are seen by the next requests: stations and keys', async () => {
    const service = await serve();
    const stations = async () => {
      const response = await fetch(`${service.externalUrl}/v1/stations`);
      return response.text();
    };
    expect(await stations()).not.to.contain('"roof"');
    const more = ['--latitude', '1', '--longitude', '2', '--time-zone', 'UTC'];
    await succeed('station', 'add', 'roof', '--name', 'Roof', ...more);
    expect(await stations()).to.contain('"roof"');
    await succeed('station', 'remove', 'roof', '--yes');
    expect(await stations()).not.to.contain('"roof"');
    const { key } = JSON.parse(await succeed('upload-key', 'add', '--station', 'JFK', '--json')) as {
      key: string;
    };
    const upload = async () => {
      const response = await fetch(`${service.externalUrl}/v1/stations/JFK/observations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ time: ['2024-01-01T00:00:00Z'], air_temperature: [1] }),
      });
      return response.status;
    };
    expect(await upload()).to.equal(200);
    await succeed('upload-key', 'revoke', '1');
    // Keys are cached for a second.
    await eventually(upload, (status) => status === 401);
  });

  it('do the same with a service and without one, and write through it', async () => {
    const steps: readonly (readonly string[])[] = [
      ['import', fileOf([at(0), 1], [at(1), 2]), '--station', 'JFK', '--time-format', 'unix-ms'],
      ['imports'],
      ['import', '--undo', '1'],
      ['import', fileOf([at(0), 1], [at(1), 2]), '--station', 'JFK', '--time-format', 'unix-ms'],
      ['station', 'set', 'JFK', '--name', 'Kennedy'],
      ['station', 'show', 'JFK'],
      [
        'overrule',
        'add',
        '--station',
        'JFK',
        '--variable',
        'air_temperature',
        '--from',
        '2024-01-01T00:00:00Z',
      ].concat(['--to', '2024-01-01T01:00:00Z', '--verdict', 'bad', '--reason', 'Spider']),
      ['overrule', 'list', '--station', 'JFK'],
      ['observations', 'remove', '--station', 'JFK', '--from', '2024-01-01T01:00:00Z'].concat([
        '--to',
        '2024-01-01T02:00:00Z',
        '--yes',
      ]),
      ['export', '--station', 'JFK'],
      ['upload-key', 'add', '--station', 'JFK', '--json'],
      ['upload-key', 'revoke', '1'],
      ['alarm', 'add', 'quiet', '--station', 'JFK', '--silent'],
      ['alarm', 'set', 'quiet', '--silent', '4'],
      ['alarm', 'list'],
      ['alarm', 'remove', 'quiet'],
      ['hook', 'add', 'forward', '--all', '--', '/bin/true'],
      ['hook', 'pause', 'forward'],
      ['hook', 'list'],
      ['hook', 'remove', 'forward'],
      ['user', 'add', 'ada'],
      ['user', 'grant', 'ada', 'JFK'],
      ['session', 'revoke', '--user', 'ada'],
      ['user', 'list'],
      ['user', 'remove', 'ada'],
      ['station', 'remove', 'JFK', '--yes'],
      ['station', 'restore', 'JFK'],
      ['station', 'remove', 'JFK', '--for-good', '--yes'],
      ['check'],
    ];
    const plain = (output: string) =>
      output
        .replaceAll(dataDir, 'DATA')
        .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
        .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
        .replaceAll(/\b[0-9a-z]{26}\b/g, 'SECRET');
    const runAll = async () => {
      const results: string[] = [];
      for (const step of steps) {
        const { status, stdout, stderr } = await run(step, `${PASSWORD}\n`);
        results.push(`${step.slice(0, 2).join(' ')}: ${status}\n${plain(stdout)}${plain(stderr)}`);
      }
      return results;
    };
    const without = await runAll();
    dataDir = join(place.folder, 'beside');
    await place.makeData({ WEATHERD_DATA_DIR: dataDir }, [STATION]);
    const service = await serve();
    const perform = sinon.spy(service.application.writer as { perform: () => Promise<unknown> }, 'perform');
    for (const [index, result] of (await runAll()).entries()) expect(result).to.equal(without[index]);
    const asked = new Set(perform.args.map(([operation]: readonly unknown[]) => operation));
    expect([...asked]).to.include.members([
      'writeObservations',
      'undoImport',
      'eraseObservations',
      'alarms.add',
      'hooks.putHooks',
      'overrides.add',
    ]);
    expect(without.filter((result) => !/^[^\n]*: 0\n/.test(result))).to.deep.equal([]);
  });

  it('refuse to write through a service of another version, and beside one', async () => {
    const before = readFileSync(place.dataFile);
    const server = createSocketServer((connection) => void new SocketPort(connection, '0.9.0')).listen(
      socket(),
    );
    await once(server, 'listening');
    const { status, stderr } = await run(['station', 'set', 'JFK', '--name', 'Kennedy']);
    server.close();
    const { version } = PACKAGE_INFO;
    expect([status, stderr]).to.deep.equal([
      1,
      `weatherd: The running service has version 0.9.0, and this command has version ${version}. Restart the service, or use ` +
        'the command of its version.\n',
    ]);
    expect(readFileSync(place.dataFile)).to.deep.equal(before);
  });

  it('open the file themselves beside a socket that a crash has left, which the next service replaces', async () => {
    const served = await place.serve({ WEATHERD_DATA_DIR: dataDir });
    expect(lstatSync(socket()).mode & 0o777).to.equal(0o600);
    served.child.kill('SIGKILL');
    await served.ended;
    expect(lstatSync(socket()).isSocket()).to.equal(true);
    await importRows([at(0), 1]);
    const service = await serve();
    const client = await EventClient.open(service.externalUrl);
    await importRows([at(1), 2]);
    await client.until(() => client.dataOf('observation').length > 0);
    client.close();
    await stop(service);
    expect(existsSync(socket())).to.equal(false);
  });

  it('reach a service through a socket elsewhere if the path of the data is too long for one', async () => {
    dataDir = join(place.folder, 'a'.repeat(60), 'b'.repeat(60));
    await place.makeData({ WEATHERD_DATA_DIR: dataDir }, [STATION]);
    const pointer = join(dataDir, 'weatherd.db.sock-path');
    const served = await place.serve({ WEATHERD_DATA_DIR: dataDir });
    const path = readFileSync(pointer, 'utf8');
    expect([
      existsSync(socket()),
      lstatSync(path).isSocket(),
      statSync(dirname(path)).mode & 0o777,
    ]).to.deep.equal([false, true, 0o700]);
    served.child.kill('SIGKILL');
    await served.ended;
    const service = await serve();
    expect(readFileSync(pointer, 'utf8')).to.equal(path);
    const client = await EventClient.open(service.externalUrl);
    await importRows([at(0), 1]);
    await client.until(() => client.dataOf('observation').length > 0);
    client.close();
    await stop(service);
    expect([existsSync(pointer), existsSync(dirname(path))]).to.deep.equal([false, false]);
    await importRows([at(1), 2]);
  });

  it('reach the second service on the same file when the first one has ended, and one whose socket was removed', async () => {
    const first = await serve();
    const second = await serve();
    const client = await EventClient.open(second.externalUrl);
    await stop(first);
    // Without a socket, a command would open the file itself.
    await eventually(async () => existsSync(socket()), Boolean);
    await importRows([at(1), 1]);
    await client.until(() => client.dataOf('observation').length > 0);
    const before = client.counts.get('observation') ?? 0;
    rmSync(socket());
    await eventually(async () => existsSync(socket()), Boolean);
    await importRows([at(0), 0]);
    await client.until(() => (client.counts.get('observation') ?? 0) > before);
    client.close();
  });

  it('end sessions at once, also those that the service has just read', async () => {
    expect((await place.run(['user', 'add', 'ada'], PASSWORD)).status).to.equal(0);
    const { externalUrl } = await serve();
    const signIn = async () => {
      const reply = await fetch(`${externalUrl}/v1/auth/authenticate/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'ada', email: null, password: PASSWORD }),
      });
      const { token } = (await reply.json()) as { token: string };
      return async () =>
        (await fetch(`${externalUrl}/v1/stations`, { headers: { authorization: `Bearer ${token}` } })).status;
    };
    for (const command of [
      ['session', 'revoke', '--user', 'ada'],
      ['user', 'disable', 'ada'],
    ]) {
      const statusOfRead = await signIn();
      expect(await statusOfRead()).to.equal(200);
      const { status, stderr } = await place.run(command, '');
      expect(status, stderr).to.equal(0);
      expect(await statusOfRead(), command.join(' ')).to.equal(401);
    }
  });

  it('stop with an error if the service belongs to another user, whose socket the next service leaves alone', async function () {
    if (!isRoot) this.skip();
    const service = await serve();
    const sets = ['station', 'set', 'JFK', '--name', 'Kennedy'];
    // A user who may read and write the data, and still is another one.
    for (const name of readdirSync(place.folder, { recursive: true, encoding: 'utf8' }))
      if (!name.endsWith('.sock')) chmodSync(join(place.folder, name), 0o777);
    chmodSync(place.folder, 0o777);
    const env = { ...process.env, WEATHERD_DATA_DIR: dataDir };
    const child = spawn(process.execPath, [MAIN, ...sets], { env, cwd: '/', uid: NOBODY, gid: NOBODY });
    expect(await waitForEnd(child)).to.deep.equal({
      status: 1,
      stdout: '',
      stderr: `weatherd: The service that uses ${join(dataDir, 'weatherd.db')} belongs to root: run the command as that user.\n`,
    });
    chownSync(socket(), NOBODY, NOBODY);
    const refused = await run(sets);
    expect([refused.status, refused.stderr]).to.satisfy(([status, stderr]: [number, string]) => {
      const found =
        /^weatherd: The service that uses (\S+) belongs to (.+): run the command as that user\.\n$/.exec(
          stderr,
        );
      return status === 1 && found?.[1] === join(dataDir, 'weatherd.db') && found[2] !== '';
    });
    await stop(service);
    const left = createSocketServer().listen(socket());
    await once(left, 'listening');
    chownSync(socket(), NOBODY, NOBODY);
    const warn = sinon.spy();
    const logger = Object.assign(Object.create(silentLog.logger) as typeof silentLog.logger, { warn });
    await serve({ ...silentLog, logger });
    expect(JSON.stringify(warn.args)).to.contain(`${socket()} belongs to `);
    expect(lstatSync(socket()).uid).to.equal(NOBODY);
    left.close();
  });
});

describe('commands on PostgreSQL', () => {
  it('need no socket, and make none', async function () {
    if ((process.env['TEST_STORE'] ?? 'postgres') !== 'postgres') this.skip();
    const place = await Workplace.make();
    const postgres = await postgresServer();
    const database = await postgres.newDatabase();
    const settings = { WEATHERD_DATABASE_URL: database };
    await place.makeData(settings, [STATION]);
    const service = await place.serveHere(settings);
    expect((await place.run(['station', 'set', 'JFK', '--name', 'Kennedy'], '', settings)).status).to.equal(
      0,
    );
    expect(existsSync(join(place.dataDir, 'weatherd.db.sock'))).to.equal(false);
    const stations = await (await fetch(`${service.externalUrl}/v1/stations`)).text();
    expect(stations).to.contain('Kennedy');
    await place.remove();
    await postgres.release(database);
  });
});

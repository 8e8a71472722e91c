import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { pino } from 'pino';
import { exchangeRaw } from '#transport-suite/raw-http.js';
import { silentLog } from '../support/place.js';
import { eventually, MAIN, signIn, statusOf, Workplace } from '../support/process.js';
import { STATION } from '../support/weather-world.js';

const PASSWORD = 'correct horse battery staple';

describe('weatherd, the process', () => {
  let place: Workplace;
  beforeEach(async () => (place = await Workplace.make()));
  afterEach(() => place.remove());

  const addAda = async () => {
    if (!existsSync(place.dataFile)) await place.makeData();
    return await place.run(['user', 'add', 'Ada', '--email', 'ada@example.org'], PASSWORD);
  };

  it('serves, prints its addresses and what to try, and ends with 0 on SIGTERM and on SIGINT', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const isSupervised = signal === 'SIGINT';
      const served = await place.serve(isSupervised ? { NOTIFY_SOCKET: '/nowhere' } : {});
      expect(served.greeting)
        .to.contain(served.external)
        .and.contain(served.internal)
        .and.contain('weatherd.db');
      // Nobody follows proposals in the journal of systemd.
      if (isSupervised) expect(served.greeting).not.to.contain('Try next');
      else expect(served.greeting).to.contain(`curl ${served.external}/`);
      expect(await statusOf(served.external)).to.equal(200);
      served.child.kill(signal);
      expect(await served.ended).to.have.property('status', 0);
    }
  });

  it('writes to a terminal what a person needs: requests only from debug, and each entry on one line', async () => {
    // Standard output says that it is a terminal, and still is a pipe.
    const atTerminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' };
    const log = async (settings: Readonly<Record<string, string>>) => {
      const served = await place.serve({ ...atTerminal, ...settings });
      expect(await statusOf(served.external)).to.equal(200);
      served.child.kill('SIGTERM');
      const { status, stdout } = await served.ended;
      expect(status).to.equal(0);
      // oxlint-disable-next-line no-control-regex -- the colors of a terminal
      return stdout.replaceAll(/\u001B\[\d+m/g, '');
    };
    const usual = await log({});
    expect(usual)
      .to.match(/^\[\S+\] INFO: the service is shutting down/m)
      .and.not.match(/listening|request/);
    const detailed = await log({ WEATHERD_LOG_LEVEL: 'debug' });
    expect(detailed).to.match(/^\[\S+\] DEBUG: request \{.*"route":"\/","status":200,/m);
    expect(detailed).to.match(/^\[\S+\] DEBUG: listening /m);
    for (const line of (usual + detailed).trim().split('\n')) expect(line).to.match(/^\[\d\d:\d\d:/);
  });

  it('ends when npm, which started it, ends', async () => {
    const npm = spawn('npm', ['start'], {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      env: {
        ...process.env,
        WEATHERD_DATA_DIR: place.dataDir,
        WEATHERD_EXTERNAL_PORT: '0',
        WEATHERD_INTERNAL_PORT: '0',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      let said = '';
      npm.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
      const url = await eventually(
        async () => /external API +(\S+)/.exec(said)?.[1] ?? '',
        (found) => found !== '' && said.includes('Try next'),
      );
      expect(await statusOf(url)).to.equal(200);
      npm.kill('SIGTERM');
      const isGone = () =>
        fetch(url).then(
          () => false,
          () => true,
        );
      expect(await eventually(isGone, (gone) => gone)).to.equal(true);
    } finally {
      npm.kill('SIGTERM');
    }
  });

  it('manages users while the service runs, and they can sign in at once', async () => {
    const { externalUrl } = await place.serveHere();
    expect(await addAda()).to.deep.equal({
      status: 0,
      stdout: 'Added Ada.\n',
      stderr: `Changed the data in ${place.dataFile}\n`,
    });
    const byName = { username: 'ada', email: null, password: PASSWORD };
    const byEmail = { username: null, email: 'ADA@example.org', password: PASSWORD };
    for (const credentials of [byName, byEmail]) {
      expect(await signIn(externalUrl, credentials)).to.have.property('status', 200);
    }
    const refused = {
      success: true,
      code: 403,
      message: 'Invalid credentials.',
      error: 'AUTH_INVALID_CREDENTIALS',
    };

    expect((await place.run(['user', 'disable', 'ada'])).stdout).to.equal('Disabled ada.\n');
    expect(await signIn(externalUrl, byName)).to.deep.equal({ status: 403, body: refused });
    expect((await place.run(['user', 'list'])).stdout).to.match(
      /^NAME {2}EMAIL {12}STATE {5}ROLE {4}WRITES {2}CREATED\nAda {3}ada@example\.org {2}disabled {2}reader {2}- {7}\d{4}-\S+Z\n$/,
    );
    expect((await place.run(['user', 'enable', 'ada'])).stdout).to.equal('Enabled ada.\n');
    expect(await signIn(externalUrl, byName)).to.have.property('status', 200);

    expect((await place.run(['user', 'password', 'ada'], 'another password\r\n')).status).to.equal(0);
    expect(await signIn(externalUrl, byName)).to.have.property('status', 403);
    expect(await signIn(externalUrl, { ...byName, password: 'another password' })).to.have.property(
      'status',
      200,
    );

    expect((await place.run(['user', 'remove', 'ada'])).stdout).to.equal('Removed ada.\n');
    expect(await signIn(externalUrl, { ...byName, password: 'another password' })).to.have.property(
      'status',
      403,
    );
  });

  it('grants and withdraws stations, and shows who may write what', async () => {
    await addAda();
    const where = ['--latitude', '1', '--longitude', '2', '--time-zone', 'UTC'];
    for (const id of ['garden', 'mast']) await place.run(['station', 'add', id, ...where]);
    const user = (...parameters: string[]) => place.run(['user', ...parameters]);
    const listed = async () => (await user('list')).stdout.split('\n')[1];
    expect((await user('grant', 'ada', 'mast', 'garden')).stdout).to.equal(
      'ada may write observations of mast, garden.\n',
    );
    expect(await listed()).to.match(/ writer {2}garden, mast {2}/);
    expect(await user('grant', 'ada', 'none')).to.include({
      status: 1,
      stderr: 'weatherd: There is no station "none". "weatherd station list" shows the stations.\n',
    });
    expect((await user('withdraw', 'ada', 'mast')).stdout).to.contain(
      'no longer write observations of mast.',
    );
    expect(await listed()).to.match(/ writer {2}garden {2}/);
    await user('grant', 'ada', '--all');
    expect(await listed()).to.match(/ writer {2}all {5}/);
    expect((await user('withdraw', 'ada', 'garden')).stderr).to.contain('Ada may write all stations.');
    await user('withdraw', 'ada', '--all');
    expect(await listed()).to.match(/ reader {2}- {7}/);
    await user('promote', 'ada');
    for (const [stations, named] of [
      [['mast'], 'mast'],
      [['--all'], 'all stations'],
    ] as const) {
      expect((await user('withdraw', 'ada', ...stations)).stdout).to.equal(
        `ada has no grant for ${named} any more, but may write observations of all stations as an administrator.\n`,
      );
    }
    for (const wrong of [['grant', 'ada'], ['withdraw', 'ada', 'garden', '--all'], ['grant']]) {
      expect((await user(...wrong)).status, wrong.join(' ')).to.equal(2);
    }
    const { stdout } = await place.run(['audit']);
    expect(stdout).to.match(
      /user-change +done +command line +stations of Ada .* grant=withdraw stations=\*\n/,
    );
  });

  it('rotates and retires keys while the service runs, also one whose id begins with a dash', async () => {
    const { externalUrl } = await place.serveHere();
    const [old = ''] = (await readdir(join(place.dataDir, 'keys'))).map((name) => name.replace('.json', ''));
    const { stdout } = await place.run(['keys', 'rotate', '--lead', '0']);
    expect(stdout).to.match(/^Created the key [\w-]{43}\. It signs from /);
    expect((await place.run(['keys', 'list'])).stdout)
      .to.match(/ signing /)
      .and.match(/ verifying /);
    expect((await place.run(['keys', 'retire', old])).stdout).to.equal(`Retired the key ${old}.\n`);
    const keys = async () =>
      (await (await fetch(`${externalUrl}/v1/auth/keys`)).json()) as { keys: { kid: string }[] };
    // At first the service answers with the old key alone, until it has read the new one.
    const left = await eventually(keys, (found) => found.keys.every(({ kid }) => kid !== old));
    expect(left.keys).to.have.length(1);
    const dashed = `-${'a'.repeat(42)}`;
    expect(await place.run(['keys', 'retire', dashed])).to.include({
      status: 1,
      stderr: `weatherd: The key ${dashed} does not exist. "weatherd keys list" shows the keys.\n`,
    });
  });

  it('exits with 1 and one line when a command fails, and with 2 when it is used wrongly', async () => {
    await addAda();
    for (const [parameters, input, line] of [
      [
        ['user', 'add', 'ADA'],
        PASSWORD,
        /^weatherd: A user named "ADA" exists already\. Choose another name\.\n$/,
      ],
      [
        ['user', 'password', 'eve'],
        PASSWORD,
        /^weatherd: There is no user named "eve"\. "weatherd user list" shows the users\.\n$/,
      ],
      [
        ['user', 'add', 'eve', '--email', 'ADA@example.org'],
        PASSWORD,
        /^weatherd: A user with this name or email exists already\.\n$/,
      ],
      [
        ['user', 'add', 'eve'],
        'short',
        /^weatherd: A password has 8 to 1024 bytes in UTF-8; this one has 5\.\n$/,
      ],
      [
        ['user', 'remove', 'eve'],
        '',
        /^weatherd: There is no user named "eve"\. "weatherd user list" shows the users\.\n$/,
      ],
    ] as const) {
      const { status, stdout, stderr } = await place.run(parameters, input);
      expect([status, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.match(line);
    }
    for (const parameters of [
      ['nonsense'],
      ['user', 'add'],
      ['user', 'list', 'x'],
      ['--nonsense'],
      ['serve', 'x'],
      ['user'],
    ]) {
      expect(await place.run(parameters), parameters.join(' ')).to.have.property('status', 2);
    }
    for (const parameters of [['--help'], ['--version'], ['user', '--help']]) {
      expect(await place.run(parameters), parameters.join(' ')).to.have.property('status', 0);
    }
  });

  it('prints the same in a process as the tests see within theirs', async () => {
    await place.makeData({}, [STATION]);
    const none = { WEATHERD_DATA_DIR: join(place.folder, 'none') };
    const commands: [parameters: string[], input?: string, settings?: Record<string, string>][] = [
      [['--version']],
      [['user', '--help']],
      [['user', 'promote', 'nobody']],
      [['user', 'add', 'Bob'], 'short'],
      [['user', 'list'], '', none],
      [['station', 'add', 'x']],
      [['station', 'set', 'JFK', '--name', 'Kennedy']],
      [['import', '-', '--station', 'JFK'], 'time,air_temperature\nnever,2\n'],
    ];
    for (const command of commands) {
      const [within, apart] = [await place.run(...command), await place.runProcess(...command)];
      // A process that is not started by its name names the command that works here.
      const here = within.stderr.replaceAll('"weatherd ', `"node ${relative(place.folder, MAIN)} `);
      expect(apart, command[0].join(' ')).to.deep.equal({ ...within, stderr: here });
    }
  });

  it('prints the configuration, and every fault of it at once', async () => {
    const file = join(place.folder, 'weatherd.json');
    await writeFile(file, '{"log": {"level": "debug"}}');
    const printed = await place.run(['--config', file, 'config']);
    expect(printed.stdout).to.contain('WEATHERD_LOG_LEVEL=debug\n');
    const faulty = await place.run([], '', { WEATHERD_EXTERNAL_PORT: 'x', WEATHERD_NOTHING: 'y' });
    expect(faulty.status).to.equal(1);
    expect(faulty.stderr)
      .to.contain('2 fault(s)')
      .and.contain('EXTERNAL_PORT')
      .and.contain('WEATHERD_NOTHING');
  });

  it('cannot start: one line with the reason, status 1, nothing left behind', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const port = String((taken.address() as { port: number }).port);
    // The reasons differ in the text alone, so that one process shows that it ends.
    for (const [run, settings, reason] of [
      ['runProcess', { WEATHERD_EXTERNAL_PORT: port }, /port is in use/],
      ['run', { WEATHERD_EXTERNAL_TRANSPORT: './none.js' }, /transport .* cannot be loaded/],
      ['run', { WEATHERD_EXTERNAL_HOST: '0.0.0.0' }, /TLS/],
    ] as const) {
      const { status, stderr } = await place[run]([], '', settings);
      expect(status, stderr).to.equal(1);
      expect(stderr)
        .to.match(reason)
        .and.not.match(/^\s+at /m);
    }
    taken.close();
  });

  it('is not ready for sign-ins while the store or the key is missing, and is again without a restart', async () => {
    await addAda();
    let log = '';
    const logger = pino({ level: 'info' }, { write: (line: string) => void (log += line) });
    const { externalUrl } = await place.serveHere({}, { ...silentLog, logger });
    const liveliness = () => statusOf(`${externalUrl}/v1/health/liveliness`);
    const ask = () => signIn(externalUrl, { username: 'ada', email: null, password: PASSWORD });
    expect(await ask()).to.have.property('status', 200);
    for (const name of ['keys', 'weatherd.db']) {
      const file = join(place.dataDir, name);
      await rename(file, `${file}.away`);
      expect(await eventually(liveliness, (status) => status !== 200), name).to.equal(503);
      const { status, body } = await ask();
      expect([status, body.success, body.code, body.error], name).to.deep.equal([
        500,
        true,
        403,
        'AUTH_NOT_READY_YET',
      ]);
      await rename(`${file}.away`, file);
      await eventually(liveliness, (code) => code === 200);
      expect(await ask(), name).to.have.property('status', 200);
    }
    expect(log).to.contain('"does not work"').and.contain('"works again"');
  });

  it('reports no failure of its own where a visitor leaves with the request for a page', async () => {
    await place.makeDemo();
    let log = '';
    const logger = pino({ level: 'warn' }, { write: (line: string) => void (log += line) });
    const { externalUrl } = await place.serveHere({}, { ...silentLog, logger });
    const head = 'HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n';
    for (const path of ['/', '/stations/JFK', '/kiosk/JFK', '/stations/nowhere']) {
      const socket = connect(Number(new URL(externalUrl).port), '127.0.0.1').resume();
      socket.end(`GET ${path} ${head}`);
      await once(socket, 'close');
      expect(await statusOf(`${externalUrl}/v1/health/info`)).to.equal(200);
      await sleep(50);
    }
    expect(log).to.equal('');
  });

  it('is not ready when authentication is switched off, and alive all the same', async () => {
    await addAda();
    await rm(join(place.dataDir, 'keys'), { recursive: true });
    const { externalUrl } = await place.serveHere({ WEATHERD_AUTH_ENABLED: 'false' });
    const { status, body } = await signIn(externalUrl, {
      username: 'ada',
      email: null,
      password: PASSWORD,
    });
    expect([status, body.error]).to.deep.equal([500, 'AUTH_NOT_READY_YET']);
    expect(await statusOf(`${externalUrl}/v1/health/liveliness`)).to.equal(200);
  });

  it('logs one line for each request with the id of the reply, and never a secret', async () => {
    await addAda();
    const served = await place.serve();
    const response = await fetch(`${served.external}/?token=query-secret`, {
      headers: { authorization: 'Bearer header-secret', cookie: 'a=cookie-secret' },
    });
    const { body } = await signIn(served.external, { username: 'ada', email: null, password: PASSWORD });
    await signIn(served.external, { username: 'ada', email: null, password: 'wrong-secret' });
    await fetch(`${served.external}/path-secret`);
    await exchangeRaw(served.external, 'GET /raw-secret HTTP/1.1\r\nbroken-secret\r\n\r\n');
    await exchangeRaw(
      served.external,
      'POST /v1/auth/authenticate HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n{"password":"body-se',
      (received) => received.includes('}'),
    );
    served.child.kill('SIGTERM');
    const { stdout, stderr } = await served.ended;
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const id = response.headers.get('x-request-id');
    expect(lines.find((line) => line['id'] === id)).to.include({
      api: 'external',
      method: 'GET',
      route: '/',
      status: 200,
    });
    expect(lines.filter(({ msg }) => msg === 'request')).to.have.length(5);
    expect(stdout + stderr).not.to.match(/-secret|correct horse/);
    expect(stdout + stderr).not.to.contain(body.token?.split('.')[2]);
  });

  it('loses no user that was acknowledged when it is killed, and starts again', async () => {
    const served = await place.serve();
    await addAda();
    served.child.kill('SIGKILL');
    await served.ended;
    const { externalUrl } = await place.serveHere();
    expect(await signIn(externalUrl, { username: 'ada', email: null, password: PASSWORD })).to.have.property(
      'status',
      200,
    );
  });

  it('finishes sign-ins in progress when it is stopped', async () => {
    await addAda();
    const served = await place.serve();
    const credentials = { username: 'ada', email: null, password: PASSWORD };
    const answers = Array.from({ length: 8 }, () => signIn(served.external, credentials));
    await Promise.race(answers);
    served.child.kill('SIGTERM');
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(await served.ended).to.have.property('status', 0);
  });

  it('ends at once on a second signal', async () => {
    const served = await place.serve({ WEATHERD_SHUTDOWN_DEADLINE: '1h' });
    // Many sign-ins at once. Some still wait for their hash when the signals arrive.
    const credentials = { username: 'ada', email: null, password: PASSWORD };
    const answers = Array.from({ length: 100 }, () =>
      signIn(served.external, credentials).catch(() => undefined),
    );
    await Promise.race(answers);
    served.child.kill('SIGTERM');
    await eventually(
      () =>
        fetch(served.external).then(
          (response) => response.status,
          () => 0,
        ),
      (status) => status !== 200,
    );
    served.child.kill('SIGTERM');
    expect(await served.ended).to.have.property('status', 1);
    await Promise.all(answers);
  });

  it('refuses sign-ins beyond its queue with 503 and Retry-After, answers every one, and stays alive', async () => {
    await addAda();
    const { externalUrl } = await place.serveHere();
    const credentials = { username: 'ada', email: null, password: PASSWORD };
    const answers = await Promise.all(Array.from({ length: 300 }, () => signIn(externalUrl, credentials)));
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).to.deep.equal(new Set([200, 503]));
    expect(answers.find(({ status }) => status === 503)?.body.error).to.equal('SERVICE_UNAVAILABLE');
    expect(await statusOf(`${externalUrl}/v1/health/liveliness`)).to.equal(200);
  });

  it('protects secrets from other users of the machine', async () => {
    await addAda();
    const [key = ''] = await readdir(join(place.dataDir, 'keys'));
    const modes = await Promise.all(
      ['', 'weatherd.db', 'keys', join('keys', key)].map(
        async (name) => (await stat(join(place.dataDir, name))).mode & 0o777,
      ),
    );
    expect(modes).to.deep.equal([0o700, 0o600, 0o700, 0o600]);
  });

  it('starts twice at the same time on an empty folder', async () => {
    const [first, second] = await Promise.all([place.serve(), place.serve()]);
    await addAda();
    for (const { external } of [first, second]) {
      expect(await signIn(external, { username: 'ada', email: null, password: PASSWORD })).to.have.property(
        'status',
        200,
      );
    }
  });

  it('works in a folder where only its data can be written', async () => {
    await mkdir(place.dataDir);
    await chmod(place.folder, 0o555);
    const served = await place.serve();
    expect(await statusOf(served.external)).to.equal(200);
    await chmod(place.folder, 0o755);
    expect(await readdir(join(place.dataDir, 'keys'))).to.have.length(1);
  });
});

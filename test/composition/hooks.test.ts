import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openMeteoService } from '../support/devices/open-meteo.js';
import { eventually, Workplace } from '../support/process.js';
import { STATION } from '../support/weather-world.js';

interface Reply {
  readonly event?: string;
  readonly issued: string;
}

const SECRET = '0123456789abcdef0123456789abcdef';

describe('weatherd with hooks', () => {
  let place: Workplace;
  let target: Server;
  let url: string;
  /** What the target does with the next request; by default it takes it. */
  let answers: RequestListener[];
  let received: { id: string; body: string; signature: string }[];

  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData({}, [STATION]);
    answers = [];
    received = [];
    target = createServer((request, response) => {
      const answer = answers.shift();
      if (answer !== undefined) return answer(request, response);
      void text(request).then((body) => {
        const id = String(request.headers['weatherd-id']);
        received.push({ id, body, signature: String(request.headers['weatherd-signature']) });
        response.end();
      });
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`;
  });
  afterEach(async () => {
    await place.remove();
    target.closeAllConnections();
    target.close();
  });

  const succeed = async (...parameters: string[]) => {
    const { status, stdout, stderr } = await place.run(parameters);
    expect(status, stderr).to.equal(0);
    return stdout;
  };
  const status =
    (code: number): RequestListener =>
    (request, response) => {
      request.resume();
      response.writeHead(code).end();
    };

  it('sends each row, through failures of the target and after its own end at any moment', async () => {
    const file = join(place.folder, 'secret');
    writeFileSync(file, `${SECRET}\n`);
    await succeed('hook', 'add', 'forward', '--all', '--post', url, '--secret-file', file, '--allow-private');
    const { key } = JSON.parse(await succeed('upload-key', 'add', '--station', 'JFK', '--json')) as {
      key: string;
    };
    const written: string[] = [];
    const write = async (external: string) => {
      const time = new Date().toISOString();
      const response = await fetch(`${external}/v1/stations/JFK/observations`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ time: [time], air_temperature: [10 + written.length] }),
      });
      expect(response.status).to.equal(200);
      written.push(time);
    };
    const times = () => [...new Set(received.map(({ body }) => (JSON.parse(body) as { time: string }).time))];
    const arrived = () =>
      eventually(
        async () => times(),
        (found) => found.length >= written.length,
      );

    const served = await place.serve();
    // A target that fails takes the row in the end.
    answers = [status(500), (request) => request.socket.destroy()];
    await write(served.external);
    await arrived();
    // It does not answer when the service is killed.
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    answers = [() => isAsked()];
    await write(served.external);
    await asked;
    await write(served.external);
    served.child.kill('SIGKILL');
    await served.ended;
    const service = await place.serveHere();
    await write(service.externalUrl);
    await arrived();
    expect(times()).to.deep.equal(written);

    for (const { id, body, signature } of received) {
      expect((JSON.parse(body) as { id: string }).id).to.equal(id);
      const [, time, digest] = /^t=(\d+),v1=(\w+)$/.exec(signature) ?? [];
      expect(createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex')).to.equal(digest);
    }
    expect(await place.stopService(service)).to.equal(true);
    expect(await succeed('hook', 'list')).to.match(
      /^HOOK +STATIONS +TARGET +STATE\nforward +all +\S+ +delivered at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n/,
    );
  });

  it('sends forecasts, of the service and of commands, and none twice after a restart', async () => {
    const provider = await openMeteoService({
      // Each reply differs, because an equal forecast is not new.
      value: (name, seconds) => (name === 'temperature_2m' ? (seconds % 7) + ++replies / 1000 : null),
    });
    let replies = 0;
    const settings = { WEATHERD_FORECAST_OPEN_METEO_URL: provider.url };
    try {
      const command = async (...parameters: string[]) => {
        const { status: code, stderr } = await place.run(parameters, '', settings);
        expect(code, stderr).to.equal(0);
      };
      await command('hook', 'add', 'all', '--all', '--forecasts', '--post', url, '--allow-private');
      await command('forecast', 'add', 'JFK', '--provider', 'open-meteo');
      const until = (count: number) =>
        eventually(
          async () => received,
          ({ length }) => length >= count,
        );
      let service = await place.serveHere(settings);
      await until(1);
      await command('forecast', 'fetch', 'JFK');
      await until(2);
      await place.stopService(service);
      await command('forecast', 'fetch', 'JFK');
      await command('forecast', 'fetch', 'JFK');
      service = await place.serveHere(settings);
      await until(3);
      const reply = await fetch(`${service.externalUrl}/v1/stations/JFK/forecast`);
      const shown = (await reply.json()) as Reply;
      const sent = received.map(({ body }) => JSON.parse(body) as Reply);
      expect(new Set(sent.map(({ issued }) => issued)).size).to.equal(sent.length);
      expect(sent.map(({ event }) => event)).to.deep.equal(sent.map(() => 'forecast'));
      // That of the first command while the service was away was replaced by a newer one.
      expect(sent.length).to.be.at.most(4);
      const own = new Set(['success', 'code', 'message']);
      const fields = Object.keys(shown).filter((name) => !own.has(name));
      expect(Object.keys(sent.at(-1) ?? {})).to.have.members(['id', 'event', 'hook', ...fields]);
      await place.stopService(service);
    } finally {
      await provider.close();
    }
  });

  it('has commands to manage them', async () => {
    expect(await succeed('hook', 'list')).to.contain('There are no hooks.');
    await succeed('hook', 'add', 'local', '--station', 'JFK', '--post', url, '--allow-private');
    const refused = await place.run(['hook', 'add', 'guarded', '--station', 'JFK', '--post', url]);
    expect(await succeed('hook', 'test', 'local')).to.match(
      /^Sent:\n {2}POST http:\S+\/\*{3}\n[^]*"hook":"local"[^]*\nReceived:\n {2}200\n\nThe target accepted the message\.\n$/,
    );
    expect(JSON.parse(received[0]?.body ?? '')).to.include({ event: 'test', hook: 'local' });
    expect([refused.status, refused.stderr]).to.deep.equal([
      1,
      'weatherd: The host has no public address. Add the target on the ' +
        'command line with --allow-private if this is meant, or set WEATHERD_HOOKS_ALLOW_PRIVATE=true for all targets.\n',
    ]);
    const out = join(place.folder, 'out');
    await succeed('hook', 'add', 'run', '--all', '--', '/bin/sh', '-c', `cat > ${out}; echo no >&2; exit 3`);
    const failed = await place.run(['hook', 'test', 'run']);
    expect(failed.stderr).to.contain('The command ended with status 3: "no".');
    await succeed('hook', 'pause', 'run');
    const listed = JSON.parse(await succeed('hook', 'list', '--json')) as { name: string; paused: boolean }[];
    expect(listed.map(({ name, paused }) => [name, paused])).to.deep.equal([
      ['local', false],
      ['run', true],
    ]);
    await succeed('hook', 'resume', 'run');
    await succeed('hook', 'remove', 'run');
    expect(await succeed('hook', 'list')).not.to.contain('run');
    expect(await succeed('audit'))
      .to.contain('hook-add')
      .and.contain('hook-remove');
  });

  const wrong: readonly (readonly [parameters: readonly string[], message: string])[] = [
    [['--post', 'https://example.org'], 'Give the stations with --station, or --all for all stations.'],
    [['--all', '--station', 'JFK', '--post', 'https://example.org'], 'Give the stations with --station'],
    [['--all'], 'Give exactly one target: --post <url>, --upload <service>, or -- <program>.'],
    [['--all', '--post', 'https://example.org', '--', '/bin/true'], 'Give exactly one target'],
    [['--all', '--post', 'https://example.org', '--account', 'a'], '--account and --url require --upload.'],
    [
      ['--station', 'JFK', '--upload', 'pwsweather', '--account', 'a'],
      'A target of the kind pwsweather needs a secret.',
    ],
    [['--station', 'JFK', '--upload', 'pwswether', '--account', 'a'], 'Did you mean pwsweather?'],
    [['--all', '--allow-private', '--', '/bin/true'], 'cannot be used with a program.'],
    [['--all', '--', 'true'], 'A command begins with the full path of a program'],
    [
      ['--all', '--post', 'https://example.org', '--secret-file', '/nowhere'],
      '--secret-file /nowhere does not exist.',
    ],
  ];
  it('says what is wrong with a hook', async () => {
    for (const [parameters, message] of wrong) {
      const { status: code, stderr } = await place.run(['hook', 'add', 'one', ...parameters]);
      expect(stderr, parameters.join(' ')).to.contain(message);
      expect(code).to.equal(1);
    }
  });
});

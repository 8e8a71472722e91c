import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runIn } from '../../support/command-line.js';
import { type SimulatedService, startService } from '../../support/target-bench.js';
import { addStation, record } from '../../support/weather-world.js';
import { World } from '../../support/world.js';

const SECRET = 'pass word&1';
/** Stands for the path of the file with the secret. */
const FILE = 'FILE';

describe('weatherd hook', () => {
  let world: World;
  let folder: string;
  let file: string;
  let service: SimulatedService | undefined;
  const run = (...argv: string[]) => runIn(world, ['hook', ...argv]);
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
    folder = mkdtempSync(join(tmpdir(), 'weatherd-hook-'));
    file = join(folder, 'secret');
    writeFileSync(file, `${SECRET}\n`);
  });
  afterEach(() => {
    service?.stop();
    rmSync(folder, { recursive: true });
  });
  const add = (...argv: string[]) => run('add', 'net', '--station', 'JFK', ...argv);

  it('adds a hook to any kind of weather service, with the settings of the kind', async () => {
    world.targetKinds.push({
      name: 'lines',
      title: 'Lines',
      settings: { account: true, secret: false, url: false },
      schemes: ['tcp'],
      weather: { interval: 600, send: async () => undefined },
    });
    const { status, stderr } = await add(
      '--upload',
      'lines',
      '--account',
      'DW1',
      '--url',
      'tcp://example.org:23',
    );
    expect(status, stderr).to.equal(0);
    const [hook] = (await world.stores.hooks.hooks()).hooks;
    expect(hook?.target).to.deep.equal({
      kind: 'service',
      service: 'lines',
      account: 'DW1',
      url: 'tcp://example.org:23',
      allowPrivate: false,
    });
    expect((await run('list')).stdout).to.contain('lines DW1 at tcp://example.org:23/');
    const [listed] = JSON.parse((await run('list', '--json')).stdout) as object[];
    expect(listed).to.deep.include({ kind: 'upload', service: 'lines' });
  });

  it('adds forecasts to the messages of a URL or a program, and lists it', async () => {
    expect((await add('--post', 'https://example.org', '--forecasts')).status).to.equal(0);
    expect((await run('add', 'run', '--all', '--forecasts', '--', '/bin/true')).status).to.equal(0);
    expect((await run('add', 'rows', '--all', '--post', 'https://example.org')).status).to.equal(0);
    expect((await run('list')).stdout)
      .to.match(/^net +JFK, with forecasts /m)
      .and.match(/^run +all, with forecasts /m)
      .and.match(/^rows +all +https/m);
    const listed = JSON.parse((await run('list', '--json')).stdout) as { name: string; forecasts: boolean }[];
    expect(listed.map(({ name, forecasts }) => [name, forecasts])).to.deep.equal([
      ['net', true],
      ['rows', false],
      ['run', true],
    ]);
  });

  for (const [argv, message] of [
    [['--upload', 'lines'], 'There is no service "lines".'],
    [['--upload', 'wunderground'], 'A target of the kind wunderground needs an account.'],
    [['--upload', 'wunderground', '--post', 'https://example.org'], 'Give exactly one target'],
    [
      ['--upload', 'wunderground', '--account', 'a', '--secret-file', FILE, '--forecasts'],
      'Weather services accept no forecasts. A hook with forecasts needs a URL or a program as target.',
    ],
    [['--account', 'a', '--post', 'https://example.org'], '--account and --url require --upload.'],
  ] as const)
    it(`refuses ${argv.join(' ')}`, async () => {
      const { status, stderr } = await add(...argv.map((part) => (part === FILE ? file : part)));
      expect(status).not.to.equal(0);
      expect(stderr).to.contain(message);
      expect((await world.stores.hooks.hooks()).hooks).to.deep.equal([]);
    });

  for (const [what, reply, status] of [
    ['accepted', { body: 'success' }, 0],
    ['refused', { status: 401, body: `{"wrong":${JSON.stringify(SECRET)}}` }, 1],
  ] as const)
    it(`prints what was sent and answered when a test was ${what}, without the secret`, async () => {
      service = await startService(() => reply);
      const own = ['--account', 'KNY1', '--secret-file', file, '--url', service.url, '--allow-private'];
      await add('--upload', 'wow-be', ...own);
      await record(world, new Date(world.clock.time).toISOString(), { air_temperature: [3.5] });
      const tested = await run('test', 'net');
      expect(tested.status).to.equal(status);
      expect(service.requests[0]?.body).to.contain(SECRET);
      const shown = reply.body.replace(SECRET, '***');
      expect(tested.stdout).to.contain(`Sent:\n  POST ${service.url}/api/v2/send/wow\n`);
      expect(tested.stdout).to.contain('"siteAuthenticationKey":"***"');
      expect(tested.stdout).to.contain(`Received:\n  ${status === 0 ? 200 : 401}\n\n  ${shown}\n`);
      expect(status === 0 ? tested.stdout : tested.stderr).to.contain(
        status === 0
          ? 'The target accepted the message.'
          : 'did not accept the message: The target answered with status 401. Check the account and the secret. It said:',
      );
      expect(tested.stdout + tested.stderr).not.to.contain('pass');
    });

  it('prints the message and the reply of a test of a URL without its path, and of a program', async () => {
    service = await startService(() => ({ status: 204 }));
    await add('--post', `${service.url}/services/T0/B0?token=x`, '--allow-private');
    const posted = (await run('test', 'net')).stdout;
    expect(posted).to.contain(`POST ${service.url}/***?***\n  content-type: application/json`);
    expect(posted).to.contain('"event":"test"').and.to.contain('Received:\n  204\n');
    await run('remove', 'net');
    await add('--', '/bin/true');
    expect((await run('test', 'net')).stdout)
      .to.contain('"event":"test"')
      .and.to.contain('The command ended with status 0.');
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { MILLISECONDS } from '#domain/time.js';
import { V } from '#domain/weather/variables.js';
import { runIn } from '../../support/command-line.js';
import { type AlarmsInWorld, alarmsIn } from '../../support/alarms-world.js';
import { issueTemperatures } from '../../support/forecast-world.js';
import { addStation, record } from '../../support/weather-world.js';
import { World } from '../../support/world.js';

const GIVE_ONE =
  'Give one of --silent, --failed, --notice, --battery, --battery-below, --above, --below, --forecast-above and --forecast-below.';
const POSTED = ['--all', '--silent', '--post', 'https://example.org/'];

describe('weatherd alarm', () => {
  let world: World;
  let alarms: AlarmsInWorld;
  let folder: string;
  const run = (...argv: string[]) => runIn(world, ['alarm', ...argv]);
  const added = async (...argv: string[]) => {
    const { status, stderr } = await run('add', 'a', ...argv);
    expect(status, stderr).to.equal(0);
    const [alarm] = await world.stores.alarms.alarms();
    await run('remove', 'a');
    return alarm;
  };
  beforeEach(async () => {
    world = await World.make();
    alarms = alarmsIn(world);
    await addStation(world);
    folder = mkdtempSync(join(tmpdir(), 'weatherd-alarm-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('adds alarms with conditions in any unit', async () => {
    const { temperature } = V;
    const of = ['--station', 'JFK'];
    const condition = async (...argv: string[]) => (await added(...of, ...argv))?.condition;
    expect(await condition('--silent')).to.deep.equal({ kind: 'silent', intervals: 3 });
    expect(await condition('--silent', '5')).to.deep.equal({ kind: 'silent', intervals: 5 });
    expect(await condition('--failed')).to.deep.equal({ kind: 'failed', variable: null, suspect: false });
    expect(await condition('--failed', 'air_temperature', '--suspect')).to.deep.equal({
      kind: 'failed',
      variable: temperature,
      suspect: true,
    });
    const noticed = { kind: 'notice', notice: null, variable: null, days: 7 };
    expect(await condition('--notice')).to.deep.equal(noticed);
    expect(
      await condition('--notice', 'stuck_calm', '--variable', 'wind_speed', '--days', '0'),
    ).to.deep.equal({ ...noticed, notice: 'stuck_calm', variable: V.windSpeed, days: 0 });
    expect(await condition('--battery')).to.deep.equal({ kind: 'battery' });
    expect(await condition('--battery-below', '20')).to.deep.equal({ kind: 'battery', below: 20 });
    const expected = {
      kind: 'forecast',
      comparison: 'below',
      variable: temperature,
      threshold: 0,
      within: 12 * MILLISECONDS.hour,
      probability: 0.5,
    };
    expect(await condition('--forecast-below', 'air_temperature=0:°C')).to.deep.equal(expected);
    const gust = ['--forecast-above', 'wind_speed_of_gust=72:km/h', '--within', '2d', '--probability', '0.3'];
    expect(await condition(...gust)).to.deep.equal({
      ...expected,
      comparison: 'above',
      variable: V.gust,
      threshold: 20,
      unit: 'km/h',
      within: 48 * MILLISECONDS.hour,
      probability: 0.3,
    });
    const hot = ['--above', 'air_temperature=86:F', '--clear', '82.4', '--for', '10min'];
    expect(await condition(...hot)).to.deep.equal({
      kind: 'above',
      variable: temperature,
      threshold: 30,
      clear: 28,
      for: 10 * MILLISECONDS.minute,
      unit: '°F',
    });
    expect(await condition('--below', 'air_temperature=-5')).to.deep.equal({
      kind: 'below',
      variable: temperature,
      threshold: -5,
      clear: -5,
      for: 0,
    });
  });

  it('adds alarms with a URL, a program or no target', async () => {
    const file = join(folder, 'secret');
    writeFileSync(file, 'a-secret-of-this-hook\n');
    const target = async (...argv: string[]) => (await added('--all', '--silent', ...argv))?.target;
    const url = 'https://example.org/hook';
    expect(await target()).to.equal(null);
    expect(await target('--post', url)).to.deep.equal({ kind: 'post', url, allowPrivate: false });
    expect(await target('--post', url, '--secret-file', file, '--allow-private')).to.deep.equal({
      kind: 'post',
      url,
      secret: 'a-secret-of-this-hook',
      allowPrivate: true,
    });
    world.targetKinds.push({
      name: 'chat',
      title: 'Chat',
      settings: { account: true, secret: false, url: false },
      notify: async () => undefined,
    });
    const chat = { kind: 'service', service: 'chat', account: 'me', allowPrivate: false };
    expect(await target('--to', 'chat', '--account', 'me')).to.deep.equal(chat);
    const more = ['--url', 'http://10.0.0.1/', '--secret-file', file, '--allow-private'];
    expect(await target('--to', 'chat', '--account', 'me', ...more)).to.deep.equal({
      ...chat,
      secret: 'a-secret-of-this-hook',
      url: 'http://10.0.0.1/',
      allowPrivate: true,
    });
    const ntfy = 'https://ntfy.sh/garden-1';
    expect(await target('--ntfy', ntfy)).to.deep.equal({
      kind: 'service',
      service: 'ntfy',
      url: ntfy,
      allowPrivate: false,
    });
    const secret = '123456:a-token-of-a-bot';
    writeFileSync(file, secret);
    expect(await target('--telegram', '-100', '--secret-file', file)).to.deep.equal({
      kind: 'service',
      service: 'telegram',
      account: '-100',
      secret,
      allowPrivate: false,
    });
    const gotify = ['--gotify', 'http://10.0.0.1/', '--secret-file', file, '--allow-private'];
    expect(await target(...gotify)).to.deep.equal({
      kind: 'service',
      service: 'gotify',
      url: 'http://10.0.0.1/',
      secret,
      allowPrivate: true,
    });
    const template = join(folder, 'body.json');
    writeFileSync(template, '{"content": "{{text}}"}\n');
    expect(await target('--post', url, '--body-template', template)).to.deep.equal({
      kind: 'post',
      url,
      body: '{"content": "{{text}}"}',
      allowPrivate: false,
    });
    expect(await target('--', '/bin/notify', '-c', 'now')).to.deep.equal({
      kind: 'command',
      command: ['/bin/notify', '-c', 'now'],
    });
  });

  for (const [argv, message] of [
    [['--silent'], 'Give either --station or --all.'],
    [['--station', 'JFK', '--all', '--silent'], 'Give either --station or --all.'],
    [['--all'], GIVE_ONE],
    [['--all', '--silent', '--failed'], GIVE_ONE],
    [['--all', '--battery', '--silent'], GIVE_ONE],
    [['--all', '--below', 'air_temperature=0', '--forecast-below', 'air_temperature=0'], GIVE_ONE],
    [
      ['--all', '--silent', '--within', '12h'],
      '--within and --probability require --forecast-above or --forecast-below.',
    ],
    [
      ['--all', '--silent', '--probability', '0.5'],
      '--within and --probability require --forecast-above or --forecast-below.',
    ],
    [
      ['--all', '--forecast-below', 'air_temperature=0', '--clear', '1'],
      '--clear and --for require --above or --below.',
    ],
    [['--all', '--forecast-below', 'visibility_in_air=100'], 'Forecasts of visibility_in_air have no bounds'],
    [['--all', '--forecast-below', 'precipitation_amount=1'], 'an amount of rain is above it'],
    [['--all', '--forecast-below', 'air_temperature=0', '--probability', '50'], 'is from 0.01 to 0.99'],
    [['--all', '--forecast-below', 'air_temperature=0', '--within', '10min'], 'from 1 hour to 7 days'],
    [['--all', '--battery', '--days', '3'], '--variable and --days require --notice.'],
    [['--all', '--silent', '--for', '10min'], '--clear and --for require --above or --below.'],
    [['--all', '--silent', '--days', '3'], '--variable and --days require --notice.'],
    [['--all', '--notice', '--variable', 'none'], 'none'],
    [['--all', '--notice', 'none'], 'Allowed choices are night_radiation'],
    [['--all', '--silent', '--suspect'], '--suspect requires --failed.'],
    [['--all', '--silent', '--allow-private'], '--secret-file and --allow-private require a target'],
    [['--all', '--silent', '--post', 'https://a.example', '--', '/bin/x'], 'Give only one target'],
    [[...POSTED, '--to', 'wunderground'], 'Give only one target'],
    [[...POSTED, '--ntfy', 'https://ntfy.sh/garden'], 'Give only one target'],
    [[...POSTED, '--url', 'https://b.example'], '--url requires --to or --telegram.'],
    [['--all', '--silent', '--ntfy', 'https://ntfy.sh/'], 'The URL of ntfy ends with the topic'],
    [
      ['--all', '--silent', '--gotify', 'https://push.example'],
      'A target of the kind gotify needs a secret.',
    ],
    [
      ['--all', '--silent', '--telegram', 'me', '--secret-file', '/dev/null'],
      'the path is not a regular file.',
    ],
    [['--all', '--silent', '--body-template', 'a.json'], '--body-template requires --post.'],
    [[...POSTED, '--body-template', 'none.json'], '--body-template none.json: ENOENT'],
    [[...POSTED, '--account', 'me'], '--account requires --to.'],
    [['--all', '--silent', '--to', 'none'], 'There is no service "none". The services are: ntfy'],
    [['--all', '--silent', '--to', 'wunderground'], 'receives the weather of a station and no messages'],
    [['--all', '--above', 'air_temperature=1:hPa'], 'air_temperature cannot be in hPa'],
    [['--all', '--above', 'air_temperatur=1'], 'Did you mean "air_temperature"?'],
    [['--all', '--above', 'air_temperature'], 'It must be VARIABLE=VALUE:UNIT'],
    [['--all', '--above', 'air_temperature=1', '--clear', '2'], 'clears at the threshold or below it'],
    [['--station', 'none', '--silent'], 'There is no station "none".'],
    [['--all', '--silent', '--', 'notify'], 'full path'],
    [['--all', '--silent', '--post', 'http://10.0.0.1/'], 'with --allow-private if this is meant'],
    [[...POSTED, '--secret-file', '/dev/zero'], '--secret-file /dev/zero: the path is not a regular file.'],
    [[...POSTED, '--secret-file', process.execPath], 'the file has more than 65536 bytes.'],
  ] as const)
    it(`refuses ${argv.join(' ')}`, async () => {
      const { status, stderr } = await run('add', 'a', ...argv);
      expect(status).to.be.oneOf([1, 2]);
      expect(stderr).to.contain(message);
      expect(await world.stores.alarms.alarms()).to.deep.equal([]);
    });

  it('changes what is named of an alarm, which goes on if only its target is another one', async () => {
    await run('add', 'frost', '--all', '--below', 'air_temperature=0', '--post', 'https://example.org/a');
    await record(world, new Date(world.clock.time).toISOString(), { air_temperature: [-1.5] });
    alarms.delivery.outcome = { failed: 'The target is away.' };
    await alarms.evaluate.execute();
    const before = await world.stores.alarms.states();
    expect(before).to.have.length(1);
    const set = async (...argv: string[]) => {
      const { status, stderr, stdout } = await run('set', 'frost', ...argv);
      expect(status, stderr).to.equal(0);
      return stdout;
    };
    const alarm = async () => (await world.stores.alarms.alarms())[0];
    const post = ['--post', 'http://10.0.0.1/', '--allow-private'];
    expect(await set(...post)).to.equal(
      'The alarm frost is now: air_temperature below 0 °C. Its target is http://10.0.0.1/.\n',
    );
    expect(await alarm()).to.deep.include({
      target: { kind: 'post', url: 'http://10.0.0.1/', allowPrivate: true },
    });
    expect(await set('--', '/bin/notify')).to.contain('Its target is /bin/notify.');
    expect(await set('--no-target')).to.contain('It has no target.');
    expect(await alarm()).to.deep.include({ target: null });
    expect(await world.stores.alarms.states()).to.deep.equal(before);
    // Nobody is left who could get the message.
    await alarms.evaluate.execute();
    expect((await world.stores.alarms.states()).map(({ notice }) => notice)).to.deep.equal([null]);
    await set(...post);
    expect(await set('--station', 'JFK')).to.contain('below 0 °C');
    expect(await world.stores.alarms.states()).to.deep.equal([]);
    await set('--below', 'air_temperature=5', '--clear', '6', '--all');
    expect(await alarm()).to.deep.include({
      station: null,
      condition: { kind: 'below', variable: V.temperature, threshold: 5, clear: 6, for: 0 },
      target: { kind: 'post', url: 'http://10.0.0.1/', allowPrivate: true },
    });
  });

  it('needs another station for an alarm whose station was removed', async () => {
    await run('add', 'a', '--station', 'JFK', '--silent');
    await world.get(RemoveStation).execute('JFK', COMMAND_LINE);
    expect((await run('set', 'a', '--silent', '5')).stderr).to.contain(
      'The station of the alarm "a" was removed.',
    );
    expect((await run('set', 'a', '--all')).status).to.equal(0);
    expect((await world.stores.alarms.alarms())[0]).to.include({ station: null });
  });

  it('changes nothing of an alarm if the change is not complete, or cannot be', async () => {
    await run('add', 'a', '--station', 'JFK', '--silent', '--post', 'https://example.org/a');
    const before = await world.stores.alarms.alarms();
    for (const [argv, message] of [
      [['a'], 'Give at least one change'],
      [['b', '--no-target'], 'There is no alarm "b".'],
      [['a', '--no-target', '--', '/bin/x'], 'Give either a target or --no-target, not both.'],
      [['a', '--allow-private'], 'require a target'],
      [['a', '--for', '10min'], 'Give one of --silent'],
      [['a', '--station', 'JFK', '--all'], 'Give either --station or --all, not both.'],
      [['a', '--station', 'none'], 'There is no station "none".'],
      [['a', '--post', 'http://[::1]/'], 'with --allow-private if this is meant'],
      [['a', '--all', '--post', 'http://127.1/'], 'with --allow-private if this is meant'],
    ] as const) {
      const { status, stderr } = await run('set', ...argv);
      expect([status, stderr.includes(message)], `${argv.join(' ')}: ${stderr}`).to.deep.equal([1, true]);
      expect(await world.stores.alarms.alarms()).to.deep.equal(before);
    }
  });

  it('lists what a forecast expects, and how it ended', async () => {
    const frost = ['--forecast-below', 'air_temperature=0:°C'];
    const order = '"weatherd forecast add" orders them.\n';
    for (const [station, of] of [
      [['--station', 'JFK'], 'JFK'],
      [['--all'], 'a station'],
    ] as const) {
      const { stdout } = await run('add', 'frost', ...station, ...frost);
      expect(stdout)
        .to.match(/^Added the alarm frost: /)
        .and.contain(`There are no forecasts of ${of} yet: ${order}`);
      await run('remove', 'frost');
    }
    await world.get(AddForecast).execute(['JFK'], 'open-meteo', COMMAND_LINE);
    expect((await run('add', 'frost', '--station', 'JFK', ...frost)).stdout).not.to.contain(order);
    await issueTemperatures(world, 'JFK', [1, -2, 3, 6, 6, 6]);
    await alarms.evaluate.execute();
    const row = async () => (await run('list')).stdout.split('\n')[1]?.split(/ {2,}/).slice(0, 7);
    const condition = 'forecast of air_temperature below 0 °C within 12 h, chance at least 50 %';
    const since = '2026-01-31T12:00:00Z';
    expect(await row()).to.deep.equal(['frost', 'JFK', 'raised', since, '-2 °C (98 %)', '-', condition]);
    const states = async () =>
      (JSON.parse((await run('list', '--json')).stdout) as { states: Record<string, unknown>[] }[])[0]
        ?.states[0];
    expect(await states()).to.deep.include({
      status: 'raised',
      time: '2026-01-31T14:00:00.000Z',
      value: -2,
      chance: 0.98,
      until: '2026-01-31T14:00:00.000Z',
    });
    world.clock.time += 3 * MILLISECONDS.hour;
    world.clock.up += 3 * MILLISECONDS.hour;
    await alarms.evaluate.execute();
    expect((await row())?.slice(2, 5)).to.deep.equal(['cleared', '2026-01-31T15:00:00Z', 'passed']);
    expect(await states()).to.deep.include({ status: 'cleared', ended: 'passed' });
  });

  it('lists the alarms with their state, tests and removes them', async () => {
    await run(
      'add',
      'frost',
      '--all',
      '--below',
      'air_temperature=0',
      '--post',
      'https://example.org/a/b?key=c',
    );
    await run('add', 'quiet', '--station', 'JFK', '--silent');
    expect((await run('add', 'quiet', '--all', '--silent')).stderr).to.contain(
      'Remove it first, or change it with "weatherd alarm set".',
    );
    await record(world, new Date(world.clock.time).toISOString(), { air_temperature: [-1.5] });
    alarms.delivery.outcome = { failed: 'The target is away.' };
    await alarms.evaluate.execute();
    const time = '2026-01-31T12:00:00Z';
    expect((await run('list')).stdout.split('\n').map((line) => line.split(/ {2,}/))).to.deep.equal([
      ['NAME', 'STATION', 'STATE', 'SINCE', 'VALUE', 'UNSENT', 'CONDITION', 'TARGET'],
      [
        'frost',
        'JFK',
        'raised',
        time,
        '-1.5 °C',
        `since ${time}`,
        'air_temperature below 0 °C',
        'https://example.org/…',
      ],
      ['quiet', 'JFK', 'quiet', '-', '-', '-', 'silent for more than 3 intervals', '-'],
      [''],
    ]);
    const [frost] = JSON.parse((await run('list', '--json')).stdout) as { states: object[] }[];
    expect(frost?.states).to.have.length(1);
    expect(frost?.states[0]).to.include({ station: 'JFK', status: 'raised', value: -1.5, unit: '°C' });
    const failed = await run('test', 'frost');
    expect([failed.status, failed.stderr]).to.deep.equal([
      1,
      'weatherd: The test message did not arrive. The target is away.\n',
    ]);
    alarms.delivery.outcome = 'delivered';
    const passed = await run('test', 'frost');
    expect(passed.stdout).to.equal('The target of the alarm frost accepted the test message.\n');
    expect(JSON.parse(alarms.delivery.sent.at(-1)?.message.body ?? '')).to.include({
      event: 'alarm.test',
      alarm: 'frost',
      station: null,
    });
    expect((await run('test', 'quiet')).stderr).to.contain('has no target');
    expect((await run('remove', 'frost')).stdout).to.equal('Removed the alarm frost.\n');
    expect((await run('remove', 'frost')).stderr).to.contain('There is no alarm "frost".');
    expect((await runIn(world, ['audit'])).stdout)
      .to.contain('target=https://example.org/…')
      .and.not.contain('key=c');
  });
});

import { expect } from 'chai';
import { NoticeRecords } from '#application/observations/notices/notice-records.js';
import { RecheckObservations } from '#application/observations/recheck/recheck-observations.js';
import { FLAG } from '#domain/weather/series.js';
import { V } from '#domain/weather/variables.js';
import { describeRows } from '../../contracts/stores/erase.js';
import { runIn } from '../../support/command-line.js';
import { catchUp } from '../../support/recheck.js';
import { addStation, record } from '../../support/weather-world.js';
import { World } from '../../support/world.js';

describe('commands for quality control', () => {
  let world: World;
  const run = (...argv: string[]) => runIn(world, argv);
  beforeEach(async () => {
    world = await World.make();
    await addStation(world);
  });

  it('weatherd override steps lists steps that did not return soon', async () => {
    const hours = Array.from({ length: 200 }, (_, hour) => (hour < 100 ? 5 : 20) + (hour % 3) / 10);
    await record(world, '2013-02-01T00:00:00Z', { air_temperature: hours });
    await catchUp(world.get(RecheckObservations));
    const lines = async (...range: string[]) =>
      (await run('overrule', 'steps', '--station', 'JFK', ...range)).stdout
        .split('\n')
        .map((line) => line.split(/ {2,}/));
    const heading = ['VARIABLE', 'TIME', 'CHANGE', 'RETURNED'];
    expect(await lines()).to.deep.equal([
      heading,
      ['air_temperature', '2013-02-05T04:00:00.000Z', '+15.1 °C', '-'],
      [''],
    ]);
    expect(await lines('--to', '2013-02-04')).to.deep.equal([heading, ['']]);
  });

  it('prints the location of changed data only after a change', async () => {
    for (const command of ['list', 'steps', 'notices'])
      expect((await run('override', command, '--station', 'JFK')).stderr, command).to.equal('');
    const range = ['--from', '2013-02-01', '--to', '2013-02-02', '--verdict', 'bad', '--reason', 'Broken'];
    const added = await run('override', 'add', '--station', 'JFK', '--variable', 'air_temperature', ...range);
    expect(added.stderr).to.equal('Changed the data in the world\n');
  });

  it('weatherd override notices lists what was found, in usual decimals, or as the API does', async () => {
    const print = async (...argv: string[]) =>
      (await run('override', 'notices', '--station', 'JFK', ...argv)).stdout;
    expect(await print()).to.equal('Not searched yet. The service searches while it runs.\n');
    await record(world, '2013-01-01T05:00:00Z', { wind_speed: [3] });
    const { number } = (await world.stores.stations.find('JFK')) as { number: number };
    const since = Date.parse('2013-01-01T05:00:00Z');
    const facts = { calm_hours: 240, mean_of_neighbors: 3.12345678 };
    const notice = { kind: 'stuck_calm', variable: V.windSpeed, since, until: null, facts } as const;
    const notices = [{ ...notice, comparedWith: [number] }];
    await world.get(NoticeRecords).change(number, (before) => ({ ...before, searchedAt: 1, notices }), 1);
    expect((await print()).split('\n').map((line) => line.split(/ {2,}/))).to.deep.equal([
      ['KIND', 'VARIABLE', 'SINCE', 'UNTIL', 'FACTS', 'COMPARED WITH'],
      [
        'stuck_calm',
        'wind_speed',
        '2013-01-01T05:00:00.000Z',
        '-',
        'calm_hours 240, mean_of_neighbors 3.1 m/s',
        'JFK',
      ],
      [''],
    ]);
    expect(JSON.parse(await print('--json'))).to.deep.equal([
      {
        kind: 'stuck_calm',
        variable: 'wind_speed',
        unit: 'm/s',
        since: '2013-01-01T05:00:00.000Z',
        until: null,
        facts: { calm_hours: 240, mean_of_neighbors: 3.12346 },
        compared_with: ['JFK'],
      },
    ]);
    expect(JSON.parse(await print('--json', '--to', '2013-01-01'))).to.deep.equal([]);
  });

  it('weatherd override marks values, lists what is marked, and takes it back', async () => {
    await record(world, '2013-01-01T05:00:00Z', { air_temperature: [3, 4, 70] });
    const flags = async () =>
      (await describeRows(world.stores as never)).map((text) => Number(text.split('/')[1] ?? 0));
    const add = [
      'overrule',
      'add',
      '--station',
      'JFK',
      '--variable',
      'air_temperature',
      '--from',
      '2013-01-01',
    ];
    const bad = await run(...add, '--to', '2013-01-01T06:00:00Z', '--verdict', 'bad', '--reason', 'Spider');
    expect([bad.status, bad.stdout]).to.deep.equal([
      0,
      'Marked air_temperature of JFK as bad. "weatherd override remove --station JFK id-000001" removes the mark.\n',
    ]);
    expect(await flags()).to.deep.equal([FLAG.overridden, 0, FLAG.grossRange]);
    expect((await run('audit')).stdout).to.contain(
      'overrule=id-000001 variable=air_temperature from=2013-01-01T05:00:00.000Z to=2013-01-01T06:00:00.000Z ' +
        'verdict=bad reason="Spider"',
    );
    world.clock.time += 1;
    await run(...add, '--to', '2013-01-02', '--verdict', 'good', '--reason', 'Desert');
    expect(await flags()).to.deep.equal([0, 0, 0]);
    const list = await run('override', 'list', '--station', 'JFK');
    expect(list.stdout.split('\n').map((line) => line.split(/ {2,}/))).to.deep.equal([
      ['ID', 'VARIABLE', 'FROM', 'TO', 'VERDICT', 'MADE', 'BY', 'REASON'],
      ...['bad', 'good'].map((verdict, index) => [
        `id-00000${index + 1}`,
        'air_temperature',
        '2013-01-01T05:00:00.000Z',
        index === 0 ? '2013-01-01T06:00:00.000Z' : '2013-01-02T05:00:00.000Z',
        verdict,
        new Date(world.clock.time - 1 + index).toISOString(),
        'command line',
        ['Spider', 'Desert'][index],
      ]),
      [''],
    ]);
    const listed = JSON.parse((await run('overrule', 'list', '--station', 'JFK', '--json')).stdout);
    expect(listed).to.have.length(2);
    expect(listed[0]).to.deep.equal({
      id: 'id-000001',
      variable: 'air_temperature',
      from: '2013-01-01T05:00:00.000Z',
      to: '2013-01-01T06:00:00.000Z',
      verdict: 'bad',
      reason: 'Spider',
      made_by: 'command line',
      made_at: new Date(world.clock.time - 1).toISOString(),
    });
    expect((await run('overrule', 'remove', '--station', 'JFK', 'id-000002')).stdout).to.equal(
      'Removed the override id-000002 of JFK.\n',
    );
    expect(await flags()).to.deep.equal([FLAG.overridden, 0, FLAG.grossRange]);
    expect((await run('override', 'remove', '--station', 'JFK', 'id-000002')).status).to.equal(1);
    expect((await run(...add, '--to', '2013-01-02', '--verdict', 'ugly', '--reason', 'x')).status).to.equal(
      2,
    );
  });

  it('weatherd station set changes single settings, and keeps the history since a time', async () => {
    const set = async (...argv: string[]) => (await run('station', 'set', 'JFK', ...argv)).status;
    const found = async () => {
      const station = await world.stores.stations.find('JFK');
      const { limits, steps, persistence, sensorHeights, cellMethods, stampInterval } = station ?? {};
      return [limits, steps, persistence, sensorHeights, cellMethods, stampInterval];
    };
    expect(await set('--limit', 'air_temperature=-60:45.5', '--limit', 'wind_speed=0:90')).to.equal(0);
    expect(await set('--step', 'air_temperature=2:10', '--persistence', 'air_temperature=7200')).to.equal(0);
    expect(await set('--sensor-height', 'wind_speed=10', '--limit', 'wind_speed=')).to.equal(0);
    expect(
      await set('--cell-method', 'wind_speed=point', '--cell-method', 'air_temperature=interval'),
    ).to.equal(0);
    expect(await set('--cell-method', 'air_temperature=')).to.equal(0);
    expect(await set('--stamp-interval', '3600')).to.equal(0);
    expect(await found()).to.deep.equal([
      { air_temperature: { min: -60, max: 45.5 } },
      { air_temperature: { perMinute: 2, perHour: 10 } },
      { air_temperature: 7200 },
      { wind_speed: 10 },
      { wind_speed: 'point' },
      3600,
    ]);
    expect(await set('--elevation', '30', '--interval', '600', '--since', '2020-01-01')).to.equal(0);
    expect(await set('--elevation', '31')).to.equal(0);
    const { latitude, longitude, elevation, reportingInterval, earlier } =
      (await world.stores.stations.find('JFK')) ?? {};
    expect([elevation, reportingInterval]).to.deep.equal([31, 600]);
    const before = { latitude, longitude, elevation: 4, reportingInterval: 3600 };
    const until = Date.parse('2020-01-01T05:00:00Z');
    expect(earlier).to.deep.equal([{ ...before, sensorHeights: { wind_speed: 10 }, until }]);
    expect((await run('audit')).stdout).to.contain('since=2020-01-01T05:00:00.000Z');
    const { stdout } = await run('station', 'show', 'JFK');
    for (const line of [
      'limits of air_temperature       -60 to 45.5 °C',
      'steps of air_temperature        2 °C in a minute, 10 in an hour',
      'persistence of air_temperature  7200 s',
      'height of wind_speed            10 m',
      'timestamps                      at the start of an interval of 3600 s',
      'until 2020-01-01T05:00:00.000Z  40.639751 -73.778925, 4 m, every 3600 s, wind_speed at 10 m',
      'since 2020-01-01T05:00:00.000Z  40.639751 -73.778925, 31 m, every 600 s, wind_speed at 10 m',
    ])
      expect(stdout).to.contain(line);
    const ahead = new Date(world.clock.time + 1).toISOString();
    for (const [since, why] of [
      [ahead, 'which is in the future'],
      ['0001-01-01', 'which is before 1600'],
      ['1599-12-31T23:59:59.999Z', 'which is before 1600'],
    ] as const) {
      const refused = await run('station', 'set', 'JFK', '--elevation', '32', '--since', since);
      expect([refused.status, refused.stderr.includes(why)], since).to.deep.equal([1, true]);
    }
    expect((await world.stores.stations.find('JFK'))?.earlier).to.deep.equal(earlier);
    expect(await set('--elevation', '32', '--since', new Date(world.clock.time).toISOString())).to.equal(0);
    expect(await set('--elevation', '3', '--since', '1600-01-01T00:00:00Z')).to.equal(0);
    expect((await world.stores.stations.find('JFK'))?.earlier).to.have.length(3);
    expect((await run('station', 'set', 'JFK', '--forget-history', '--since', '2020-01-01')).status).to.equal(
      2,
    );
    expect(await set('--forget-history')).to.equal(0);
    expect((await world.stores.stations.find('JFK'))?.earlier).to.equal(undefined);
    expect(await set('--stamp-interval', 'none')).to.equal(0);
    expect((await found()).at(-1)).to.equal(undefined);
    for (const bad of [
      ['--limit', 'air_temperature'],
      ['--cell-method', 'wind_speed=mean'],
      ['--cell-method', 'wind_speed'],
      ['--limit', 'air_temperature=1'],
      ['--limit', 'air_temperature=a:b'],
      ['--persistence', 'air_temperature=1:2'],
      ['--name', 'x', '--since', 'soon'],
    ])
      expect(await set(...bad), bad.join(' ')).to.equal(2);
    for (const bad of [
      ['--limit', 'air_temp=1:2'],
      ['--limit', 'air_temperature=2:1'],
      ['--persistence', 'air_temperature=5'],
      ['--stamp-interval', '86401'],
      ['--cell-method', 'precipitation_amount=point'],
    ])
      expect(await set(...bad), bad.join(' ')).to.equal(1);
    const where = ['--latitude', '1', '--longitude', '2', '--time-zone', 'UTC'];
    await run('station', 'add', 'NEW', ...where, '--limit', 'air_temperature=-1:1');
    expect((await world.stores.stations.find('NEW'))?.limits).to.deep.equal({
      air_temperature: { min: -1, max: 1 },
    });
  });
});

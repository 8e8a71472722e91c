import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { parquetReadObjects } from 'hyparquet';
import { eventually, Workplace } from '../support/process.js';

const HEAD = 'when,temp,wind\n';
const MAP = ['--map', 'temp=air_temperature:°F', '--map', 'wind=wind_speed:kt', '--time-column', 'when'];

describe('weatherd import, export and demo', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData();
    await addStation('JFK');
  });
  afterEach(() => place.remove());

  const addStation = (id: string, more: string[] = []) =>
    place.run([
      'station',
      'add',
      id,
      '--latitude',
      '40.6',
      '--longitude',
      '-73.8',
      '--time-zone',
      'America/New_York',
      ...more,
    ]);
  const write = async (name: string, content: string | Buffer) => {
    const file = join(place.folder, name);
    await writeFile(file, content);
    return file;
  };
  const importFile = (file: string, more: string[] = []) =>
    place.run(['import', file, '--station', 'JFK', ...MAP, ...more]);
  const exported = async (station = 'JFK', more: string[] = []) =>
    (await place.run(['export', '--station', station, ...more])).stdout;

  it('manages stations', async () => {
    expect(
      (await addStation('LGA', ['--name', 'La Guardia', '--identifier', 'icao=KLGA', '--interval', '3600']))
        .stdout,
    ).to.equal('Made LGA.\n');
    expect(await addStation('LGA')).to.deep.include({
      status: 1,
      stderr: 'weatherd: There is a station "LGA" already. weatherd station set changes an existing one.\n',
    });
    expect((await addStation('lga')).stderr).to.contain('differs from it only in case');
    const set = ['--interval', 'none', '--identifier', 'wmo=1', '--latitude', '40.7'];
    expect((await place.run(['station', 'set', 'LGA', ...set])).stdout).to.equal('Changed LGA.\n');
    expect((await place.run(['station', 'set', 'LGA'])).status).to.equal(2);
    const shown = (await place.run(['station', 'show', 'LGA'])).stdout;
    for (const field of [
      'name +La Guardia',
      'latitude +40\\.7',
      'longitude +-73\\.8',
      'elevation +-',
      'interval +-',
      'identifier icao +KLGA',
      'identifier wmo +1',
    ]) {
      expect(shown).to.match(new RegExp(`^${field}$`, 'm'));
    }
    expect((await place.run(['station', 'add', '--help'])).stdout).to.match(/--latitude .*\(required\)/);
    expect((await place.run(['station', 'list'])).stdout).to.match(/^ID .*\nJFK +1 +40\.6000 .*\nLGA +2 /);
    const { stdout } = await place.run(['station', 'show', 'JFK']);
    expect(stdout)
      .to.match(/^observations +0$/m)
      .and.match(/^time zone +America\/New_York$/m);
    expect(await addStation('bad id')).to.have.property('status', 1);
  }).timeout(60_000);

  it('removes and restores stations, and asks before', async () => {
    await addStation('LGA', ['--identifier', 'icao=KLGA']);
    const shown = (await place.run(['station', 'show', 'LGA'])).stdout;
    const refused = await place.run(['station', 'remove', 'LGA']);
    expect(refused.status).to.equal(2);
    expect(refused.stderr).to.contain('error: give --yes, since nobody can be asked here\n');
    const remove = () => place.run(['station', 'remove', 'LGA', '--yes']);
    expect((await remove()).stdout).to.equal('Removed LGA; weatherd station restore LGA undoes it.\n');
    expect((await addStation('LGA')).stderr).to.contain('has been removed; it can be restored');
    expect((await place.run(['station', 'list', '--removed'])).stdout).to.match(/^ID .*\nLGA +20/);
    expect((await place.run(['station', 'restore', 'LGA'])).stdout).to.equal('Restored LGA.\n');
    expect((await place.run(['station', 'show', 'LGA'])).stdout).to.equal(shown);
    await remove();
    const forGood = await place.run(['station', 'remove', 'LGA', '--for-good', '--yes']);
    expect(forGood.stdout).to.equal('Removed LGA for good.\n');
    expect((await place.run(['station', 'restore', 'LGA'])).status).to.equal(1);
    expect(await place.run(['station', 'show', 'LGA'])).to.include({
      status: 1,
      stderr: 'weatherd: There is no station "LGA".\n',
    });
  }).timeout(60_000);

  it('tells of every bad line, by its number and with its reason, and keeps the good ones', async () => {
    const file = await write(
      'hostile.csv',
      Buffer.concat([
        Buffer.from('\ufeff' + HEAD),
        Buffer.from('2013-01-01T00:00:00Z,39.02,10\r\n'),
        Buffer.from('2013-01-01 01:00:00+00:00,,5\n'),
        Buffer.from('01/02/2013,30,5\n'),
        Buffer.from('2013-01-01T02:00:00Z,warm,5\n'),
        Buffer.from('2013-01-01T03:00:00Z,30\n'),
        Buffer.from('2013-01-01T04:00:00Z,30,5,6\n'),
        Buffer.from('2013-01-01T05:00:00Z,3\u00e9,5\n', 'latin1'),
        Buffer.from('2999-01-01T00:00:00Z,30,5\n'),
        Buffer.from('\n'),
        Buffer.from('2013-01-01T06:00:00Z,,\n'),
        Buffer.from('2013-01-01T07:00:00Z,1e999,5\n'),
        Buffer.from(`2013-01-01T08:00:00Z,${'9'.repeat(200_000)},5\n`),
        Buffer.from('"2013-01-01T09:00:00Z","50",0\n'),
        Buffer.from('2013-01-01T00:00:00Z,39.02,12\n'),
        Buffer.from('2013-01-01T10:00:00Z,50,1'),
      ]),
    );
    const { status, stdout, stderr } = await importFile(file, [
      '--rejections',
      join(place.folder, 'rejected'),
    ]);
    expect([status, stdout]).to.deep.equal([0, '14 rows: 4 inserted, 0 updated, 1 unchanged, 9 rejected.\n']);
    const told = stderr
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('Changed the data'))
      .toSorted();
    expect(
      await readFile(join(place.folder, 'rejected'), 'utf8').then((text) =>
        text.trim().split('\n').toSorted(),
      ),
    ).to.deep.equal(told);
    for (const line of [
      'line 4: when: "01/02/2013" is no time',
      'line 5: temp: "warm" is no number',
      'line 6: has 2 fields and not 3',
      'line 7: has 4 fields and not 3',
      'line 8: is not valid UTF-8',
      'line 9: time lies in the future',
      'line 11: row has no value',
      'line 12: air_temperature is not finite',
      'line 13: is longer than 65536 bytes',
    ]) {
      expect(told).to.include(line);
    }
    expect(await exported()).to.equal(
      'time,air_temperature,wind_speed,quality\r\n' +
        '2013-01-01T00:00:00Z,3.9,6.17333333333,\r\n' +
        '2013-01-01T01:00:00Z,,2.57222222222,\r\n' +
        '2013-01-01T09:00:00Z,10,0,\r\n' +
        '2013-01-01T10:00:00Z,10,0.514444444444,\r\n',
    );
    expect((await importFile(file)).stdout).to.contain('0 inserted, 0 updated, 5 unchanged');
  });

  it('reads times of local clocks, of Unix and in any pattern, other delimiters, and gzip', async () => {
    const cases: [string, string, string[]][] = [
      [
        'when;temp;wind\n10.03.2013 03:30;50;0\n',
        '2013-03-10T07:30:00Z',
        ['--time-format', 'DD.MM.YYYY HH:mm', '--time-zone', 'America/New_York', '--delimiter', ';'],
      ],
      [
        'when,temp,wind\n1362900600,50,NA\n',
        '2013-03-10T07:30:00Z',
        ['--time-format', 'unix', '--missing', 'NA'],
      ],
      [
        'when,temp,wind\n1362900600000,50,-\n',
        '2013-03-10T07:30:00Z',
        ['--time-format', 'unix-ms', '--missing', '-'],
      ],
    ];
    for (const [index, [text, time, options]] of cases.entries()) {
      const id = `S${index}`;
      await addStation(id);
      const file = await write(`${id}.csv.gz`, gzipSync(text));
      const result = await place.run(['import', file, '--station', id, ...MAP, ...options]);
      expect(result, result.stderr).to.have.property('status', 0);
      expect(await exported(id)).to.contain(`\r\n${time},10,`);
    }
  });

  it('says what is wrong with a file or a command before it writes anything', async () => {
    const file = await write('good.csv', `${HEAD}2013-01-01T00:00:00Z,30,5\n`);
    for (const [parameters, reason] of [
      [['import', join(place.folder, 'none.csv'), '--station', 'JFK', ...MAP], 'ENOENT'],
      [
        ['import', file, '--station', 'JFK', '--map', 'rain=precipitation_amount', '--time-column', 'when'],
        'no column "rain"; it has: when, temp, wind',
      ],
      [['import', file, ...MAP], '--station'],
      [['import', file, '--station', 'JFK'], '--map'],
      [['import', file, '--preset', 'nothing'], 'no preset "nothing"'],
      [['import', await write('empty.csv', ''), '--station', 'JFK', ...MAP], 'is empty'],
      [
        ['import', await write('bad.csv.gz', 'no gzip'), '--station', 'JFK', ...MAP],
        'incorrect header check',
      ],
      [['export', '--station', 'none'], 'no station "none"'],
    ] as const) {
      const { status, stderr } = await place.run(parameters);
      expect(status, parameters.join(' ')).to.equal(1);
      expect(stderr)
        .to.contain(reason)
        .and.not.match(/^\s+at /m);
    }
    expect((await place.run(['import', file, '--station', 'JFK', '--map', 'temp=heat'])).status).to.equal(2);
    const { stderr, stdout } = await place.run(['import', file, '--station', 'LGA', ...MAP]);
    expect(stderr).to.contain('line 2: There is no station "LGA".');
    expect(stdout).to.contain('1 rejected');
  });

  it('goes on where it was killed, without loss or repetition', async () => {
    const rows = 300_000;
    const lines = Array.from(
      { length: rows },
      (_, row) => `${1_300_000_000 + row * 60},${30 + (row % 300) / 10},${row % 20}\n`,
    );
    const file = await write('long.csv', HEAD + lines.join(''));
    const options = ['import', file, '--station', 'JFK', ...MAP, '--time-format', 'unix'];
    const child = place.spawn(options);
    const imports = join(place.dataDir, 'imports');
    await eventually(
      () => readdir(imports).catch(() => [] as string[]),
      (names) => names.some((name) => name.endsWith('.json')),
    );
    child.kill('SIGKILL');
    await eventually(
      async () => child.signalCode,
      (signal) => signal !== null,
    );
    const done = (await place.run(['station', 'show', 'JFK'])).stdout;
    const before = Number(/^observations +(\d+)$/m.exec(done)?.[1]);
    expect(before).to.be.within(1, rows - 1);
    const { stdout } = await place.run(options);
    expect(stdout).to.match(/^Going on after line \d+/);
    expect(Number(/^(\d+) rows/m.exec(stdout)?.[1])).to.be.below(rows);
    expect((await place.run(['station', 'show', 'JFK'])).stdout).to.match(
      new RegExp(`^observations +${rows}$`, 'm'),
    );
    expect(await readdir(imports)).to.deep.equal([]);
    expect((await place.run([...options, '--restart'])).stdout).to.contain(
      `0 inserted, 0 updated, ${rows} unchanged, 0 rejected`,
    );
  }).timeout(60_000);

  it('reads METARs, by the ICAO code of a station', async () => {
    await addStation('kennedy', ['--identifier', 'icao=KJFK']);
    const file = await write(
      'metars.txt',
      'METAR KJFK 231151Z 24012G21KT 10SM FEW250 13/M02 A3001 RMK AO2 SLP163 T01281017\n' +
        'KJFK 311151Z 00000KT 5SM BR OVC002 M05/M06 A2997\n' +
        'nonsense\n' +
        'KXXX 231151Z 24012KT 10SM 13/02 A3001\n',
    );
    const { stdout, stderr } = await place.run([
      'import',
      file,
      '--preset',
      'metar',
      '--issued',
      '2022-11-01T00:00:00Z',
    ]);
    expect(stdout).to.equal('4 rows: 2 inserted, 0 updated, 0 unchanged, 2 rejected.\n');
    expect(stderr).to.contain('line 3: is no METAR').and.contain('line 4: There is no station "KXXX".');
    expect(await exported('kennedy')).to.equal(
      'time,air_temperature,dew_point_temperature,air_pressure_at_mean_sea_level,wind_speed,wind_from_direction,wind_speed_of_gust,visibility_in_air,quality\r\n' +
        '2022-10-23T11:51:00Z,13,-2,1016.3,6.17333333333,240,10.8033333333,16093.44,\r\n' +
        '2022-10-31T11:51:00Z,-5,-6,,0,0,,8046.72,\r\n',
    );
  });

  it('loads the demo, once however often, and everything that it says to try is there', async () => {
    const first = await place.run(['demo']);
    expect(first.stdout).to.contain('26115 rows: 26115 inserted, 0 updated, 0 unchanged, 0 rejected.');
    expect((await place.run(['demo'])).stdout).to.contain('0 inserted, 0 updated, 26115 unchanged');
    const served = await place.serve();
    const urls = [...first.stdout.matchAll(/curl 'http:\/\/[^/]+([^']+)'/g)].map(([, path]) => path ?? '');
    expect(urls).to.have.length(7);
    for (const path of urls) {
      const response = await fetch(`${served.external}${path}`);
      const text = await response.text();
      expect(response.status, path).to.equal(200);
      expect(text.length, path).to.be.above(200);
    }
  }).timeout(60_000);

  it('agrees with the published daily extremes of New York, and flags what is known to be wrong', async () => {
    // Made again by the demo, with its reporting interval.
    await place.run(['station', 'remove', 'JFK', '--for-good', '--yes']);
    await place.run(['demo']);
    const served = await place.serve();
    const ask = async (path: string) =>
      (await (await fetch(`${served.external}/v1/stations/${path}`)).json()) as Summaries;
    const { summaries } = await ask(
      'JFK/summaries?from=2013-01-01T10:00:00Z&to=2013-12-30T00:00:00Z&timezone=Etc/GMT%2B5&variables=air_temperature',
    );
    const published = (
      await readFile(new URL('../../../test/fixtures/new-york-daily-2013.csv', import.meta.url), 'utf8')
    )
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',') as [string, string, string, string]);
    const byDate = new Map(
      published.map(([date, , high, low]) => [date, [Number(high), Number(low)] as const]),
    );
    let [days, highs, lows] = [0, 0, 0];
    for (const {
      start,
      complete,
      air_temperature: { max, min },
    } of summaries) {
      const extremes = byDate.get(start.slice(0, 10));
      if (extremes === undefined || complete !== true || max === null || min === null) continue;
      days += 1;
      // Published extremes are taken between the hours as well: they reach further, and by little.
      expect(max, start).to.be.at.most(extremes[0] + 0.6);
      if (Math.abs(max - extremes[0]) <= 1.2) highs += 1;
      if (Math.abs(min - extremes[1]) <= 1.2) lows += 1;
    }
    expect(days).to.be.at.least(355);
    expect(highs / days).to.be.above(0.9);
    expect(lows / days).to.be.above(0.9);

    const wind = await ask(
      'EWR/observations?variables=wind_speed&from=2013-02-12T08:00:00Z&to=2013-02-12T08:00:01Z',
    );
    expect(wind.observations['wind_speed']).to.deep.equal([468.659113683]);
    expect(wind.quality).to.deep.equal([
      { variable: 'wind_speed', index: 0, verdict: 'fail', checks: ['gross_range'] },
    ]);
    const cold = await ask(
      'JFK/observations?variables=air_temperature&from=2013-05-09T01:00:00Z&to=2013-05-09T04:00:00Z',
    );
    expect(cold.observations['air_temperature']).to.deep.equal([13.9, -10.5, 14]);
    expect(cold.quality).to.deep.equal([
      { variable: 'air_temperature', index: 1, verdict: 'suspect', checks: ['step'] },
    ]);
  }).timeout(60_000);

  it('exports what has been imported, whole or not at all: CSV, JSON lines and Parquet', async () => {
    await importFile(
      await write('in.csv', `${HEAD}2013-01-01T00:00:00Z,39.02,10\n2013-01-01T01:00:00.250Z,,2000\n`),
    );
    expect(await exported('JFK', ['--format', 'jsonl'])).to.equal(
      '{"time":"2013-01-01T00:00:00Z","air_temperature":3.9,"wind_speed":5.14444444444}\n' +
        '{"time":"2013-01-01T01:00:00.250Z","wind_speed":1028.88888889,"quality":"wind_speed fail gross_range"}\n',
    );
    expect(
      await exported('JFK', ['--qc', 'pass', '--from', '2013-01-01T00:30:00Z', '--variables', 'wind_speed']),
    ).to.equal('time,wind_speed,quality\r\n2013-01-01T01:00:00.250Z,,\r\n');
    const file = join(place.folder, 'out.parquet');
    await place.run(['export', '--station', 'JFK', '--format', 'parquet', file]);
    const bytes = await readFile(file);
    const rows = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    });
    expect(rows).to.deep.equal([
      {
        time: new Date('2013-01-01T00:00:00Z'),
        air_temperature: 3.9,
        wind_speed: 5.14444444444,
        quality: null,
      },
      {
        time: new Date('2013-01-01T01:00:00.250Z'),
        air_temperature: null,
        wind_speed: 1028.88888889,
        quality: 'wind_speed fail gross_range',
      },
    ]);
    expect(
      (await place.run(['export', '--station', 'none', join(place.folder, 'none.csv')])).status,
    ).to.equal(1);
    expect((await readdir(place.folder)).filter((name) => name.startsWith('none'))).to.deep.equal([]);
  });

  it('gives back every row of the demo as it was taken', async () => {
    await place.run(['demo']);
    const csv = join(place.folder, 'LGA.csv');
    await place.run(['export', '--station', 'LGA', csv]);
    const names = (await readFile(csv, 'utf8')).split('\r\n')[0]?.split(',') ?? [];
    await addStation('copy', ['--interval', '3600']);
    const map = names.slice(1, -1).flatMap((name) => ['--map', `${name}=${name}`]);
    const { stdout } = await place.run(['import', csv, '--station', 'copy', ...map]);
    expect(stdout).to.contain('8706 rows: 8706 inserted');
    const digest = async (id: string) =>
      createHash('sha256')
        .update(await exported(id))
        .digest('hex');
    expect(await digest('copy')).to.equal(await digest('LGA'));
    expect((await stat(csv)).size).to.be.above(500_000);
  }).timeout(60_000);
});

interface Summaries {
  readonly summaries: readonly {
    readonly start: string;
    readonly complete: boolean | null;
    readonly air_temperature: { readonly max: number | null; readonly min: number | null };
  }[];
  readonly observations: Readonly<Record<string, unknown>>;
  readonly quality: unknown;
}

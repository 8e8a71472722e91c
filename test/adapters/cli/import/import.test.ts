import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Sqlite } from '#adapters/store-sqlite/database/driver.js';
import { expect } from 'chai';
import { parquetReadObjects } from 'hyparquet';
import { eventually, waitForEnd, killWhen, Workplace } from '../../../support/process.js';
import { STATION } from '../../../support/weather-world.js';

const HEAD = 'when,temp,wind\n';
const MAP = ['--map', 'temp=air_temperature:°F', '--map', 'wind=wind_speed:kt', '--time-column', 'when'];

/** A station in New York with only its place. */
const JFK = {
  ...STATION,
  name: 'JFK',
  latitude: 40.6,
  longitude: -73.8,
  elevation: null,
  identifiers: {},
  reportingInterval: null,
};

describe('weatherd import, export and demo', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData({}, [JFK]);
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
    ).to.equal('Created the station LGA.\n');
    expect(await addStation('LGA')).to.deep.include({
      status: 1,
      stderr: 'weatherd: The station "LGA" exists already. "weatherd station set" changes a station.\n',
    });
    expect((await addStation('lga')).stderr).to.contain('differs from it only in case');
    const set = ['--interval', 'none', '--identifier', 'wmo=1', '--latitude', '40.7'];
    expect((await place.run(['station', 'set', 'LGA', ...set])).stdout).to.equal(
      'Changed the station LGA.\n',
    );
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
  });

  it('removes and restores stations, after a question', async () => {
    await addStation('LGA', ['--identifier', 'icao=KLGA']);
    const shown = (await place.run(['station', 'show', 'LGA'])).stdout;
    const refused = await place.run(['station', 'remove', 'LGA']);
    expect(refused.status).to.equal(2);
    expect(refused.stderr).to.contain('error: give --yes, because there is no terminal for a question\n');
    const remove = () => place.run(['station', 'remove', 'LGA', '--yes']);
    expect((await remove()).stdout).to.equal(
      'Removed the station LGA. "weatherd station restore LGA" restores it.\n',
    );
    expect((await addStation('LGA')).stderr).to.contain('was removed. Restore it, or remove it permanently.');
    expect((await place.run(['station', 'list', '--removed'])).stdout).to.match(/^ID .*\nLGA +20/);
    expect((await place.run(['station', 'restore', 'LGA'])).stdout).to.equal('Restored the station LGA.\n');
    expect((await place.run(['station', 'show', 'LGA'])).stdout).to.equal(shown);
    await remove();
    const permanently = await place.run(['station', 'remove', 'LGA', '--permanently', '--yes']);
    expect(permanently.stdout).to.equal('Removed the station LGA permanently.\n');
    expect((await place.run(['station', 'restore', 'LGA'])).status).to.equal(1);
    expect(await place.run(['station', 'show', 'LGA'])).to.include({
      status: 1,
      stderr: 'weatherd: There is no station "LGA". "weatherd station list" shows the stations.\n',
    });
  });

  it('asks with the number of observations before it removes a station, and accepts only yes', async () => {
    await importFile(
      await write('two.csv', `${HEAD}2013-01-01T00:00:00Z,39,10\n2013-01-01T01:00:00Z,39,10\n`),
    );
    const answer = (text: string, more: string[] = []) =>
      place.run(['station', 'remove', 'JFK', ...more], text, {}, true);
    for (const text of ['\n', 'n\n', 'yesterday\n', '']) {
      const { status, stdout, stderr } = await answer(text);
      expect(stderr).to.contain('Remove JFK with its 2 observations (it can be restored for 30 days)? [y/N]');
      expect({ status, stdout }).to.deep.equal({ status: 1, stdout: '' });
      expect(stderr).to.match(
        text === ''
          ? /weatherd: The input ended without an answer/
          : /weatherd: The answer was not yes\. Nothing was removed/,
      );
    }
    expect((await answer('y\n')).stdout).to.contain('Removed the station JFK.');
    expect((await place.run(['station', 'list', '--removed'])).stdout).to.match(/\nJFK +\S+ +\S+ +2 +/);
    const permanently = await answer('YES\n', ['--for-good']);
    expect(permanently.stderr).to.contain(
      'Remove the removed station JFK with its 2 observations permanently? [y/N]',
    );
    expect(permanently.stdout).to.equal('Removed the station JFK permanently.\n');
  });

  it('reports every bad line with its number and reason, and stores the good ones', async () => {
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
    expect([status, stdout.split('\n')[0]]).to.deep.equal([
      0,
      '14 rows: 7 inserted, 0 updated, 0 unchanged, 1 repeated, 6 rejected.',
    ]);
    const told = stderr
      .trim()
      .split('\n')
      .filter((line) => line.startsWith('line '))
      .toSorted();
    expect(
      await readFile(join(place.folder, 'rejected'), 'utf8').then((text) =>
        text.trim().split('\n').toSorted(),
      ),
    ).to.deep.equal(told);
    for (const line of [
      'line 4, column "when": "01/02/2013" is not a time such as 2024-02-29T12:00:00Z',
      'line 5, column "temp": "warm" is not a number',
      'line 6: "2013-01-01T03:00:00Z,30" has 2 fields instead of 3',
      'line 7: "2013-01-01T04:00:00Z,30,5,6" has 4 fields instead of 3',
      'line 8, column "temp": "3\ufffd" is not valid text in this encoding',
      'line 9, column "when": "2999-01-01T00:00:00Z" is in the future',
      'line 11: "2013-01-01T06:00:00Z,," has no value in an imported column',
      'line 12, column "temp": "1e999" is not a number',
      'line 13: is longer than 65536 bytes',
      'line 15: has the time of line 2, whose values it replaces',
    ]) {
      expect(told).to.include(line);
    }
    expect(await exported()).to.equal(
      'time,air_temperature,wind_speed,quality\r\n' +
        '2013-01-01T00:00:00Z,3.9,6.17333333333,\r\n' +
        '2013-01-01T01:00:00Z,,2.57222222222,\r\n' +
        '2013-01-01T02:00:00Z,,2.57222222222,\r\n' +
        '2013-01-01T05:00:00Z,,2.57222222222,\r\n' +
        '2013-01-01T07:00:00Z,,2.57222222222,\r\n' +
        '2013-01-01T09:00:00Z,10,0,\r\n' +
        '2013-01-01T10:00:00Z,10,0.514444444444,\r\n',
    );
    expect((await importFile(file)).stdout).to.contain('0 inserted, 0 updated, 7 unchanged, 1 repeated');
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
    const takes = async ([text, time, options]: (typeof cases)[0], index: number) => {
      const id = `S${index}`;
      await addStation(id);
      const file = await write(`${id}.csv.gz`, gzipSync(text));
      const result = await place.run(['import', file, '--station', id, ...MAP, ...options]);
      expect(result, result.stderr).to.have.property('status', 0);
      expect(await exported(id)).to.contain(`\r\n${time},10,`);
    };
    for (const [index, one] of cases.entries()) await takes(one, index);
  });

  it('reports what is wrong with a file or a command before it writes anything', async () => {
    const file = await write('good.csv', `${HEAD}2013-01-01T00:00:00Z,30,5\n`);
    const faults = [
      [['import', join(place.folder, 'none.csv'), '--station', 'JFK', ...MAP], 'none.csv does not exist.'],
      [
        ['import', file, '--station', 'JFK', '--map', 'rain=precipitation_amount', '--time-column', 'when'],
        'no column "rain". Its columns are: when, temp, wind',
      ],
      [['import', file, ...MAP], '--station'],
      [['import', file, '--station', 'JFK'], '--map'],
      [['import', file, '--preset', 'nothing'], 'no preset "nothing". Presets: aimsir17, '],
      [['import', await write('empty.csv', ''), '--station', 'JFK', ...MAP], 'is empty'],
      [
        ['import', await write('bad.csv.gz', 'no gzip'), '--station', 'JFK', ...MAP],
        'bad.csv.gz cannot be decompressed: it is not compressed with gzip (incorrect header check)',
      ],
      [['export', '--station', 'none'], 'no station "none"'],
      [['import', place.folder, '--station', 'JFK', ...MAP], 'is a folder'],
      [['import', file, '--station', 'LGA', ...MAP], 'There is no station "LGA".'],
      [['import', file, '--station', 'JFK', ...MAP, '--time-zone', 'Oslo'], 'like Europe/Oslo'],
      [
        ['import', await write('twice.csv', 'when,temp,wind,temp\n'), '--station', 'JFK', ...MAP],
        'two columns "temp"',
      ],
      [
        ['import', file, '--station', 'JFK', '--map', 'temp=air_temperature:hPa', '--time-column', 'when'],
        'cannot be in hPa',
      ],
    ] as const;
    const isTold = async ([parameters, reason]: (typeof faults)[number]) => {
      const { status, stderr } = await place.run(parameters);
      expect(status, parameters.join(' ')).to.equal(1);
      expect(stderr)
        .to.contain(reason)
        .and.not.match(/^\s+at /m);
    };
    for (const fault of faults) await isTold(fault);
    expect((await place.run(['import', file, '--station', 'JFK', '--map', 'temp=heat'])).status).to.equal(2);
    const double = ['--map', 'temp=air_temperature', '--map', 'wind=air_temperature'];
    const { status, stderr } = await place.run(['import', file, '--station', 'JFK', ...double]);
    expect([status, stderr]).to.satisfy(
      () => status === 2 && /"temp" is already mapped to air_temperature/.test(stderr),
    );
  });

  it('ends with status 1 and a message if no row could be stored', async () => {
    const file = await write('none.csv', 'id,when,temp,wind\nLGA,2013-01-01T00:00:00Z,30,5\nJFK,soon,30,5\n');
    const result = await place.run(['import', file, '--station-column', 'id', ...MAP]);
    expect(result.status).to.equal(1);
    expect(result.stdout).to.contain('2 rows: 0 inserted, 0 updated, 0 unchanged, 2 rejected.');
    expect(result.stderr)
      .to.contain('line 2, column "id": There is no station "LGA".')
      .and.contain('No row was imported.');
  });

  it('refuses times that do not exist, in every format', async () => {
    const faults = [
      ['iso', '2024-02-30T05:00:00Z', 'is not a date: February 2024 has 29 days'],
      ['iso', '2024-01-01T24:00:00Z', 'is not a time: hours are 00 to 23'],
      ['YYYY-MM-DD HH:mm:ss', '2024-02-30 05:00:00', 'is not a date: February 2024 has 29 days'],
      ['DD.MM.YYYY HH:mm:ss', '31.04.2024 05:00:00', 'is not a date: April 2024 has 30 days'],
      ['DD.MM.YYYY HH:mm:ss', '30.04.2024 24:00:01', 'is not a time: hours are 00 to 23'],
      ['DD.MM.YYYY HH:mm:ss', '30.04.2024 23:59:60', 'is not a time: hours are 00 to 23'],
      ['DD.MM.YYYY', '2024-04-30', 'is not a time of the form DD.MM.YYYY'],
      ['unix', '2024-04-30', 'is not a number of seconds'],
    ] as const;
    const isRefused = async ([format, text, reason]: (typeof faults)[number], index: number) => {
      const file = await write(`times${index}.csv`, `${HEAD}${text},30,5\n`);
      const result = await importFile(file, ['--time-format', format]);
      expect(result.status, text).to.equal(1);
      expect(result.stderr).to.contain(`line 2, column "when": "${text}" ${reason}`);
    };
    for (const [index, fault] of faults.entries()) await isRefused(fault, index);
    const metar = await write(
      'metar.txt',
      'KJFK 011261Z 24012KT 10SM 13/02 A3001\nKJFK 012451Z 24012KT 10SM 13/02 A3001\n',
    );
    const { stderr, stdout } = await place.run([
      'import',
      metar,
      '--preset',
      'metar',
      '--issued',
      '2022-11-01',
    ]);
    expect(stdout).to.contain('0 inserted, 0 updated, 0 unchanged, 2 rejected');
    expect(stderr).to.contain('line 1: "011261Z" is not').and.contain('line 2: "012451Z" is not');
    const wrong = await place.run(['import', metar, '--preset', 'metar', '--issued', '2022-02-30']);
    expect(wrong).to.include({
      status: 1,
      stderr: 'weatherd: --issued: "2022-02-30" is not a date: February 2022 has 28 days.\n',
    });
  });

  it('reads columns whose names are variables, with their unit, and its own export', async () => {
    const file = await write(
      'named.csv',
      'time,air_temperature (°F),wind_speed,notes,quality\n2013-01-01T00:00:00Z,50,5,windy,\n',
    );
    expect((await place.run(['import', file, '--station', 'JFK'])).stdout).to.contain('1 inserted');
    const text = await exported();
    expect(text).to.contain('2013-01-01T00:00:00Z,10,5,');
    const again = await write('again.csv', text);
    expect((await place.run(['import', again, '--station', 'JFK'])).stdout).to.contain(
      '1 unchanged, 0 rejected',
    );
    expect((await place.run(['import', '-', '--station', 'JFK'], text)).stdout).to.contain(
      '1 unchanged, 0 rejected',
    );
  });

  it('reads each preset uncompressed and compressed', async () => {
    const header = 'origin,time_hour,temp,dewp,humid,wind_dir,wind_speed,wind_gust,precip,pressure,visib\n';
    const samples = {
      nycflights13: `${header}JFK,2013-01-01T06:00:00Z,39.02,26.06,59.37,270,10.35702,NA,0,1012,10\n`,
      aimsir17:
        'station,date,rain,temp,rhum,msl,wdsp,wddir\nATHENRY,2017-01-01T00:00:00Z,0,5.2,89,1021.9,8,320\n',
      metar: 'KJFK 231151Z 24012KT 10SM 13/02 A3001\n',
    };
    await addStation('kennedy', ['--identifier', 'icao=KJFK']);
    for (const [preset, text] of Object.entries(samples)) {
      const options = ['--preset', preset, '--issued', '2022-11-01T00:00:00Z'];
      const plain = await place.run(['import', await write(`${preset}.txt`, text), ...options]);
      expect(plain.stdout, plain.stderr).to.contain('1 rows: 1 inserted');
      const packed = await place.run(['import', await write(`${preset}.txt.gz`, gzipSync(text)), ...options]);
      expect(packed.stdout, packed.stderr).to.contain('1 rows: 0 inserted, 0 updated, 1 unchanged');
    }
  });

  it('names the file and the line where compressed data end early, and keeps the rows before', async () => {
    const lines = Array.from(
      { length: 40_000 },
      (_, row) => `${1_300_000_000 + row * 60},${(row * 7919) % 100},1\n`,
    );
    const packed = gzipSync(HEAD + lines.join(''));
    const file = await write('cut.csv.gz', packed.subarray(0, packed.length / 2));
    const { status, stdout, stderr } = await importFile(file, ['--time-format', 'unix']);
    expect(status).to.equal(1);
    const line = Number(
      /cut\.csv\.gz cannot be decompressed: its compressed data are cut off after line (\d+)\.$/m.exec(
        stderr,
      )?.[1],
    );
    expect(line).to.be.within(10_000, 39_999);
    const shown = (await place.run(['station', 'show', 'JFK'])).stdout;
    const stored = Number(/^observations +(\d+)$/m.exec(shown)?.[1]);
    // Whole chunks.
    expect(stored).to.be.greaterThan(0);
    expect(stored % 8192).to.equal(0);
    expect(stdout).to.match(
      new RegExp(`^\\d+ rows: ${stored} inserted, 0 updated, 0 unchanged, 0 rejected\\.$`, 'm'),
    );
    expect(stdout).to.contain(
      `The rows up to line ${stored + 1} are stored in ${place.dataFile}; the same command continues after them.\n`,
    );
  });

  it('continues only in the database that has the rows, and begins again for a station that was created again', async () => {
    const lines = Array.from(
      { length: 40_000 },
      (_, row) => `${1_300_000_000 + row * 60},${(row * 7919) % 100},1\n`,
    );
    const packed = gzipSync(HEAD + lines.join(''));
    const file = await write('cut.csv.gz', packed.subarray(0, packed.length / 2));
    const options = ['import', file, '--station', 'JFK', ...MAP, '--time-format', 'unix'];
    const rows = async (settings = {}) => {
      const { stdout } = await place.run(['station', 'show', 'JFK'], '', settings);
      return Number(/^observations +(\d+)$/m.exec(stdout)?.[1]);
    };
    await place.run(options);
    const written = await rows();
    expect(written).to.be.above(0);
    const other = { WEATHERD_DATABASE_URL: `sqlite:${join(place.folder, 'other.db')}` };
    const station = ['station', 'add', 'JFK', '--latitude', '40', '--longitude', '-73', '--time-zone', 'UTC'];
    await place.makeData(other);
    await place.run(station, '', other);
    expect((await place.run(options, '', other)).stdout).not.to.contain('Continuing after line');
    expect(await rows(other)).to.equal(written);
    expect((await place.run(options)).stdout).to.contain(`Continuing after line ${written + 1}`);
    await place.run(['station', 'remove', 'JFK', '--permanently', '--yes']);
    await place.run(station);
    expect((await place.run(options)).stdout).not.to.contain('Continuing after line');
    expect(await rows()).to.equal(written);
  });

  it('counts a line as repeated only if it replaces a value, and takes other lines of the same time for one row', async () => {
    await addStation('A');
    const file = await write(
      'joined.csv',
      'when,temp,wind\n1300000000,10,\n1300000000,,3\n1300000060,11,\n1300000060,12,\n',
    );
    const options = ['--station', 'A', '--map', 'temp=air_temperature', '--map', 'wind=wind_speed'];
    const time = ['--time-column', 'when', '--time-format', 'unix'];
    const { stdout, stderr } = await place.run(['import', file, ...options, ...time]);
    expect(stdout.split('\n')[0]).to.equal(
      '3 rows: 2 inserted, 0 updated, 0 unchanged, 1 repeated, 0 rejected.',
    );
    expect(stderr)
      .to.contain('line 5: has the time of line 4, whose values it replaces')
      .and.not.contain('line 3:');
    expect(await exported('A')).to.contain(',10,3');
  });

  it('writes the rows of many stations together, and counts repeated rows by their line', async () => {
    for (const id of ['A', 'B']) await addStation(id);
    const file = await write(
      'many.csv',
      'id,when,temp,wind\nA,1300000000,10,\nB,1300000000,11,\nA,1300000000,20,3\nB,1300000060,12,\nC,1300000000,1,\nA,1300000000,30,\n',
    );
    const named = ['--map', 'temp=air_temperature', '--map', 'wind=wind_speed', '--time-column', 'when'];
    const { stdout, stderr } = await place.run([
      'import',
      file,
      '--station-column',
      'id',
      ...named,
      '--time-format',
      'unix',
    ]);
    expect(stdout.split('\n')[0]).to.equal(
      '6 rows: 3 inserted, 0 updated, 0 unchanged, 2 repeated, 1 rejected.',
    );
    expect(stderr).to.contain('line 4: has the time of line 2').and.contain('line 7: has the time of line 2');
    expect(await exported('A')).to.contain(',30,3,');
    const written = (await place.run(['audit'])).stdout
      .split('\n')
      .filter((line) => line.includes('observations-write'));
    expect(written).to.have.length(2);
    expect(written.join('\n')).to.match(/ B .*rows=2 inserted=2 updated=0 unchanged=0/);
    expect(written.join('\n')).to.match(/ A .*rows=1 inserted=1 updated=0 unchanged=0/);
  });

  it('records each station once in the audit trail, however long the file is', async () => {
    for (const id of ['A', 'B']) await addStation(id);
    const times = Array.from({ length: 12_000 }, (_, row) => 1_300_000_000 + row * 60);
    const lines = times.map((time) => `A,${time},1\nB,${time},${time % 7}\n`);
    const file = await write('both.csv', `station,time,air_temperature\n${lines.join('')}B,never,1\n`);
    await place.run(['import', file, '--station-column', 'station', '--time-format', 'unix']);
    const { stdout } = await place.run(['audit']);
    const written = stdout.split('\n').filter((line) => line.includes('observations-write'));
    const range = 'from=2011-03-13T07:06:40.000Z to=2011-03-21T15:05:40.000Z';
    expect(
      written.map((line) => line.replace(/^.* ([AB]) .*?(from.*)$/, '$1 $2').trim()).sort(),
    ).to.deep.equal([
      `A ${range} rows=12000 inserted=12000 updated=0 unchanged=0 rejected=0`,
      `B ${range} rows=12000 inserted=12000 updated=0 unchanged=0 rejected=0`,
    ]);
  });

  it('continues where it was killed, without loss or repetition', async () => {
    const rows = 80_000;
    const lines = Array.from(
      { length: rows },
      (_, row) => `${1_300_000_000 + row * 60},${30 + (row % 300) / 10},${row % 20}\n`,
    );
    const file = await write('long.csv', HEAD + lines.join(''));
    const options = ['import', file, '--station', 'JFK', ...MAP, '--time-format', 'unix'];
    const child = place.spawn(options);
    const reader = new Sqlite(place.dataFile, { readonly: true });
    const line = reader.prepare<[], number>('SELECT line FROM import').pluck();
    await killWhen(child, () => (line.get() ?? 0) > 0);
    reader.close();
    const done = (await place.run(['station', 'show', 'JFK'])).stdout;
    const before = Number(/^observations +(\d+)$/m.exec(done)?.[1]);
    expect(before).to.be.within(1, rows - 1);
    const { stdout } = await place.run(options);
    expect(stdout).to.match(/^Continuing after line \d+/);
    expect(Number(/^(\d+) rows/m.exec(stdout)?.[1])).to.be.below(rows);
    expect((await place.run(['station', 'show', 'JFK'])).stdout).to.match(
      new RegExp(`^observations +${rows}$`, 'm'),
    );
    expect((await place.run([...options, '--restart'])).stdout).to.contain(
      `0 inserted, 0 updated, ${rows} unchanged, 0 rejected`,
    );
  });

  it('reads standard input uncompressed or compressed, complete or cut off', async () => {
    const text = Buffer.from(HEAD + '2013-01-01T00:00:00Z,39,10\n2013-01-01T01:00:00Z,40,10\n');
    const take = (input: Buffer) => place.run(['import', '-', '--station', 'JFK', ...MAP], input);
    expect((await take(text)).stdout).to.contain('2 rows: 2 inserted');
    expect((await take(gzipSync(text))).stdout).to.contain('2 rows: 0 inserted, 0 updated, 2 unchanged');
    const cut = await take(gzipSync(text).subarray(0, -4));
    expect(cut.status).to.equal(1);
    expect(cut.stderr).to.contain('- cannot be decompressed: its compressed data are cut off');
    expect((await take(Buffer.alloc(0))).stderr).to.contain('The file is empty.');
  });

  it('writes every rejected line to the file for them, also when it continues', async () => {
    const lines = Array.from({ length: 30_000 }, (_, row) =>
      row % 1000 === 999 ? 'never,50,1\n' : `${1_300_000_000 + row * 60},${(row * 7919) % 100},1\n`,
    );
    const packed = gzipSync(HEAD + lines.join(''));
    const file = await write('long.csv.gz', packed.subarray(0, packed.length / 2));
    const report = join(place.folder, 'rejected.txt');
    const options = ['--time-format', 'unix', '--rejections', report];
    expect((await importFile(file, options)).status).to.equal(1);
    const first = await readFile(report, 'utf8');
    expect(first).to.contain('line 1001, column "when": ');
    expect((await importFile(file, options)).stdout).to.contain('Continuing after line');
    const both = await readFile(report, 'utf8');
    expect(both.startsWith(first)).to.equal(true);
    if (existsSync('/dev/full')) {
      const other = await write('other.csv', HEAD + lines.join(''));
      const failed = await importFile(other, ['--time-format', 'unix', '--rejections', '/dev/full']);
      expect([failed.status, failed.stderr.includes('the disk is full')]).to.deep.equal([1, true]);
      const again = await importFile(other, options);
      expect(again.stdout).not.to.contain('Continuing after line');
      expect(again.stdout).to.contain('30 rejected');
    }
  });

  it('ends in an orderly way when it is interrupted: prints and records what is stored', async () => {
    for (const [index, signal] of (['SIGINT', 'SIGTERM'] as const).entries()) {
      await addStation(signal);
      const child = place.spawn(['import', '-', '--station', signal, ...MAP, '--time-format', 'unix']);
      const rows = Array.from({ length: 17_000 }, (_, row) => `${1_300_000_000 + row * 60},50,${row % 9}\n`);
      child.stdin?.write(HEAD + rows.join(''));
      const reader = new Sqlite(place.dataFile, { readonly: true });
      const rowsOf = reader
        .prepare<[number], number>('SELECT rows FROM file_import WHERE number = ?')
        .pluck();
      await eventually(
        async () => rowsOf.get(index + 1) ?? 0,
        (count) => count >= 16_000,
      );
      reader.close();
      const ended = waitForEnd(child);
      child.kill(signal);
      const { status, stdout, stderr } = await ended;
      expect(status).to.equal(1);
      expect(stderr).to.contain(`weatherd: Interrupted by ${signal}.`);
      const shown = (await place.run(['station', 'show', signal])).stdout;
      const count = Number(/^observations +(\d+)$/m.exec(shown)?.[1]);
      expect(count).to.be.at.least(16_000);
      expect(stdout).to.contain(`The rows up to line ${count + 1} are stored in ${place.dataFile}`);
      expect((await place.run(['audit'])).stdout).to.match(
        new RegExp(` ${signal} .*rows=${count} inserted=${count}`),
      );
    }
  });

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
    expect(stdout.split('\n')[0]).to.equal('4 rows: 2 inserted, 0 updated, 0 unchanged, 2 rejected.');
    expect(stderr)
      .to.match(/line 3: ".*" is not a METAR/)
      .and.contain('line 4, column "station": There is no station "KXXX".');
    expect(await exported('kennedy')).to.equal(
      'time,air_temperature,dew_point_temperature,air_pressure_at_mean_sea_level,wind_speed,wind_from_direction,wind_speed_of_gust,visibility_in_air,quality\r\n' +
        '2022-10-23T11:51:00Z,12.8,-1.7,1016.3,6.17333333333,240,10.8033333333,16093.44,\r\n' +
        '2022-10-31T11:51:00Z,-5,-6,,0,0,,8046.72,\r\n',
    );
  });

  it('begins METARs anew when the ICAO code of a station has changed since they were broken off', async () => {
    await addStation('kennedy', ['--identifier', 'icao=KJFK']);
    await addStation('guardia');
    const two = (number: number) => String(number).padStart(2, '0');
    const reports = Array.from({ length: 9500 }, (_, row) => {
      const minute = row >>> 1;
      const [day, hour] = [1 + Math.floor(minute / 1440), Math.floor(minute / 60) % 24];
      const temperature = two((row * 7919) % 30);
      return `${row % 2 === 0 ? 'KJFK' : 'KLGA'} ${two(day)}${two(hour)}${two(minute % 60)}Z ${temperature}/00\n`;
    });
    const packed = gzipSync(reports.join(''));
    const file = await write('metars.txt.gz', packed.subarray(0, packed.length * 0.9));
    const options = ['import', file, '--preset', 'metar', '--issued', '2022-11-01T00:00:00Z'];
    expect((await place.run(options)).stdout).to.match(/ [1-9]\d+ inserted/);
    expect((await place.run(options)).stdout).to.contain('Continuing after line');
    await place.run(['station', 'set', 'guardia', '--identifier', 'icao=KLGA']);
    const { stdout } = await place.run(options);
    expect(stdout).not.to.contain('Continuing after line');
    expect(stdout).to.match(/ [1-9]\d+ inserted, 0 updated, [1-9]\d+ unchanged/);
  });

  it('loads the demo once, however often it runs, and all suggested requests work', async () => {
    await place.run(['station', 'remove', 'JFK', '--permanently', '--yes']);
    const first = await place.run(['demo']);
    expect(first.stdout).to.contain('26115 rows: 26115 inserted, 0 updated, 0 unchanged, 0 rejected.');
    expect((await place.run(['demo'])).stdout).to.contain('0 inserted, 0 updated, 26115 unchanged');
    const { externalUrl } = await place.serveHere();
    const urls = [...first.stdout.matchAll(/curl 'http:\/\/[^/]+([^']+)'/g)].map(([, path]) => path ?? '');
    expect(urls).to.have.length(12);
    for (const path of urls) {
      const response = await fetch(`${externalUrl}${path}`);
      const text = await response.text();
      expect(response.status, path).to.equal(200);
      expect(text.length, path).to.be.above(200);
    }
  });

  it('moves stamps at the beginning of an interval to its end, if the option says so', async () => {
    const file = await write('beginning.csv', 'when,rain\n2013-01-01T00:00:00Z,1\n2013-01-01T01:00:00Z,2\n');
    const columns = ['--map', 'rain=precipitation_amount:mm:amount', '--time-column', 'when'];
    await place.run(['import', file, '--station', 'JFK', ...columns, '--stamp-interval', '3600']);
    expect(await exported()).to.equal(
      'time,precipitation_amount,quality\r\n2013-01-01T01:00:00Z,1,\r\n2013-01-01T02:00:00Z,2,\r\n',
    );
    // The option goes before what the station says, and rows are moved once.
    for (const [id, more, from, to] of [
      ['A', [], '00:30', '01:30'],
      ['B', ['--stamp-interval', '3600'], '01:00', '02:00'],
      ['C', ['--stamp-interval', '0'], '00:00', '01:00'],
    ] as const) {
      await addStation(id, ['--stamp-interval', '1800']);
      await place.run(['import', file, '--station', id, ...columns, ...more]);
      expect(await exported(id), id).to.equal(
        `time,precipitation_amount,quality\r\n2013-01-01T${from}:00Z,1,\r\n2013-01-01T${to}:00Z,2,\r\n`,
      );
    }
    // A make says what its stamps are, the beginning or the end.
    const makes = {
      LGA: ['origin,time_hour,precip,wind_gust\nLGA,2013-01-01T06:00:00Z,1,NA\n', '07:00'],
      ATHENRY: [
        'station,date,rain,temp,rhum,msl,wdsp,wddir\nATHENRY,2013-01-01T06:00:00Z,0,5.2,89,1021.9,8,320\n',
        '06:00',
      ],
    } as const;
    for (const [id, [text, time]] of Object.entries(makes)) {
      await addStation(id, ['--stamp-interval', '1800']);
      await place.run(['import', await write(`${id}.csv`, text), '--yes']);
      expect(await exported(id), id).to.match(new RegExp(`^time,.*\r\n2013-01-01T${time}:00Z,.*\r\n$`));
    }
    const refused = await place.run(['import', file, '--station', 'JFK', '--stamp-interval', 'hour']);
    expect(refused.stderr).to.contain('whole number of seconds');
  });

  it('agrees with the published daily extremes and amounts of New York, and flags values that are known to be wrong', async () => {
    await place.makeDemo();
    const { externalUrl } = await place.serveHere();
    const ask = async (path: string) =>
      (await (await fetch(`${externalUrl}/v1/stations/${path}`)).json()) as Summaries;
    const { summaries } = await ask(
      'JFK/summaries?from=2013-01-01T10:00:00Z&to=2013-12-30T00:00:00Z&timezone=Etc/GMT%2B5&variables=air_temperature',
    );
    const published = (
      await readFile(new URL('../../../../../test/fixtures/new-york-daily-2013.csv', import.meta.url), 'utf8')
    )
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',') as [string, string, string, string]);
    const rain = new Map(published.map(([date, amount]) => [date, Number(amount)]));
    const byDate = new Map(
      published.map(([date, , high, low]) => [date, [Number(high), Number(low)] as const]),
    );
    // The stamps of the file are cut to the hour in which the report was made, and the import moves them to its end.
    const { summaries: amounts } = await ask(
      'JFK/summaries?from=2013-01-01T05:00:00Z&to=2013-12-31T05:00:00Z&timezone=Etc/GMT%2B5&variables=precipitation_amount',
    );
    const sums = amounts.filter(({ precipitation_amount: { sum } }) => sum !== null);
    // Published amounts are hundredths of an inch in tenths of a millimeter.
    const hundredths = (amount = Number.NaN) => Math.round(amount / 0.254);
    const agreeing = sums.filter(
      ({ start, precipitation_amount: { sum } }) =>
        hundredths(rain.get(start.slice(0, 10))) === hundredths(sum ?? undefined),
    );
    expect(sums).to.have.lengthOf(364);
    expect(agreeing.length).to.be.at.least(342);
    // The demo prints a request for July: all of its days agree, but only in days of standard time.
    const { stdout: printed } = await place.run(['demo']);
    const [, request = ''] = /\/v1\/stations\/(JFK\/summaries\?\S+timezone=-05:00[^']*)'/.exec(printed) ?? [];
    const agreeingIn = async (asked: string) => {
      const { summaries: july } = await ask(asked.replace('&units=imperial', ''));
      expect(july).to.have.lengthOf(31);
      return july.filter(
        ({ start, precipitation_amount: { sum } }) =>
          hundredths(rain.get(start.slice(0, 10))) === hundredths(sum ?? undefined),
      ).length;
    };
    expect(await agreeingIn(request)).to.equal(31);
    expect(await agreeingIn(request.replace('&timezone=-05:00', ''))).to.equal(29);
    // The report of the climate has them too, in hundredths of an inch.
    const [reported, equal] = [new Set<string>(), new Set<string>()];
    for (let month = 1; month <= 12; month += 1) {
      const name = `2013-${String(month).padStart(2, '0')}`;
      const reply = await fetch(`${externalUrl}/v1/stations/JFK/reports/noaa/${name}.txt?timezone=-05:00`);
      const report = await reply.text();
      expect(report).to.contain('\nDAYS AND TIMES: -05:00\n');
      for (const [, day = '', ...cells] of report.matchAll(/^ (\d\d)((?: +\S+){7}) +(\S+)/gm)) {
        const [, amount] = cells;
        if (amount === 'N/A') continue;
        reported.add(`${name}-${day}`);
        if (hundredths(rain.get(`${name}-${day}`)) === Math.round(Number(amount) * 100))
          equal.add(`${name}-${day}`);
      }
    }
    expect(reported.size).to.equal(364);
    expect(equal.size).to.be.at.least(342);
    let [days, highs, lows] = [0, 0, 0];
    for (const {
      start,
      complete,
      air_temperature: { max, min },
    } of summaries) {
      const extremes = byDate.get(start.slice(0, 10));
      if (extremes === undefined || complete !== true || max === null || min === null) continue;
      days += 1;
      // Published extremes also include times between the hours, so they are slightly more extreme.
      expect(max, start).to.be.at.most(extremes[0] + 0.6);
      if (Math.abs(max - extremes[0]) <= 1.2) highs += 1;
      if (Math.abs(min - extremes[1]) <= 1.2) lows += 1;
    }
    expect(days).to.be.at.least(355);
    expect(highs / days).to.be.above(0.9);
    expect(lows / days).to.be.above(0.9);

    const wind = await ask(
      'EWR/observations?variables=wind_speed&from=2013-02-12T09:00:00Z&to=2013-02-12T09:00:01Z',
    );
    expect(wind.observations['wind_speed']).to.deep.equal([468.659113683]);
    expect(wind.quality).to.deep.equal([
      { variable: 'wind_speed', index: 0, verdict: 'fail', checks: ['gross_range'] },
    ]);
    const cold = await ask(
      'JFK/observations?variables=air_temperature&from=2013-05-09T02:00:00Z&to=2013-05-09T05:00:00Z',
    );
    expect(cold.observations['air_temperature']).to.deep.equal([13.9, -10.5, 14]);
    expect(cold.quality).to.deep.equal([
      { variable: 'air_temperature', index: 1, verdict: 'suspect', checks: ['step'] },
    ]);
  });

  it('exports imported rows, completely or not at all: CSV, JSON lines and Parquet', async () => {
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

  it('reads dates of an export as days of the station, and refuses other times without an offset', async () => {
    const hours = [
      '2024-07-01T03:00:00Z',
      '2024-07-01T04:00:00Z',
      '2024-07-02T03:00:00Z',
      '2024-07-02T04:00:00Z',
    ];
    await importFile(await write('days.csv', HEAD + hours.map((hour) => `${hour},50,1\n`).join('')));
    for (const TZ of ['UTC', 'Asia/Tokyo']) {
      const { stdout } = await place.run(
        ['export', '--station', 'JFK', '--from', '2024-07-01', '--to', '2024-07-02'],
        '',
        { TZ },
      );
      expect(
        stdout
          .split('\r\n')
          .slice(1, -1)
          .map((line) => line.slice(0, 20)),
      ).to.deep.equal(hours.slice(1, 3));
    }
    for (const wrong of ['6', '7', '2024-02-30', '2024-07-01T00:00', '2024-07', 'yesterday']) {
      for (const option of ['--from', '--to']) {
        const { status, stderr } = await place.run(['export', '--station', 'JFK', option, wrong]);
        expect(status, wrong).to.equal(2);
        expect(stderr).to.contain(JSON.stringify(wrong));
      }
    }
  });

  it('never writes an export among its data, and replaces a file only with --force', async () => {
    await importFile(await write('in.csv', `${HEAD}2013-01-01T00:00:00Z,39.02,10\n`));
    const database = join(place.dataDir, 'weatherd.db');
    await symlink(place.dataDir, join(place.folder, 'link'));
    await symlink(database, join(place.folder, 'link.csv'));
    const elsewhere = { WEATHERD_DATABASE_URL: `sqlite:${join(place.folder, 'other.db')}` };
    await place.makeData(elsewhere);
    await place.run(
      ['station', 'add', 'JFK', '--latitude', '1', '--longitude', '1', '--time-zone', 'UTC'],
      '',
      elsewhere,
    );
    for (const [file, settings] of [
      [database, {}],
      [join(place.dataDir, 'new.csv'), {}],
      [join(place.folder, 'link', 'new.csv'), {}],
      [join(place.folder, 'link.csv'), {}],
      [join(place.folder, 'other.db'), elsewhere],
    ] as const) {
      const result = await place.run(['export', '--station', 'JFK', '--force', file], '', settings);
      expect(result.status, file).to.equal(1);
      expect(result.stderr).to.contain('is among the data of the service');
    }
    // Not byte for byte: a command may merge rows while it runs.
    expect(String((await readFile(database)).subarray(0, 15))).to.equal('SQLite format 3');
    const file = await write('out.csv', 'precious');
    expect((await place.run(['export', '--station', 'JFK', file])).stderr).to.contain('--force replaces it');
    expect(await readFile(file, 'utf8')).to.equal('precious');
    expect((await place.run(['export', '--station', 'JFK', '--force', file])).status).to.equal(0);
    expect(await readFile(file, 'utf8')).to.equal(await exported());
    expect((await place.run(['export', '--station', 'JFK', '/dev/null'])).status).to.equal(0);
    expect((await readdir(place.folder)).filter((name) => name.endsWith('.partial'))).to.deep.equal([]);
  });

  it('ends quietly when the reader closes the pipe', async () => {
    await place.makeDemo();
    for (const parameters of [['demo'], ['export', '--station', 'JFK'], ['station', 'list']]) {
      const child = place.spawn(parameters);
      child.stdout?.destroy();
      let stderr = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      const status = await new Promise((resolve) => void child.once('exit', resolve));
      expect(status, parameters.join(' ')).to.equal(0);
      expect(stderr).to.match(/^(Changed the data in \S+\n)?$/);
    }
  });

  it('exports every row of the demo as it was imported', async () => {
    await place.makeDemo();
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
  });
});

interface Summaries {
  readonly summaries: readonly {
    readonly start: string;
    readonly complete: boolean | null;
    readonly air_temperature: { readonly max: number | null; readonly min: number | null };
    readonly precipitation_amount: { readonly sum: number | null };
  }[];
  readonly observations: Readonly<Record<string, unknown>>;
  readonly quality: unknown;
}

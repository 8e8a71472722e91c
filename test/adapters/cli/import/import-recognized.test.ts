import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { importFixture } from '../../../support/imported.js';
import { Workplace } from '../../../support/process.js';
import { STATION } from '../../../support/weather-world.js';
import { zip } from '../../../support/zip.js';

const ECOWITT = 'ecowitt/ecowitt-sdcard-en-201804A.csv';
const GARDEN = {
  ...STATION,
  id: 'garden',
  timeZone: 'Europe/Berlin',
  identifiers: {},
  reportingInterval: null,
};
const BERN = { ...GARDEN, id: 'bern', identifiers: { synop: 'BER' } };

describe('weatherd import of files that it recognizes', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData({}, [GARDEN, BERN]);
  });
  afterEach(() => place.remove());

  const write = async (name: string, content: string | Uint8Array) => {
    const file = join(place.folder, name);
    await writeFile(file, content);
    return file;
  };
  const run = (file: string, more: readonly string[] = []) =>
    place.run(['import', file, '--station', 'garden', ...more]);
  const stored = async (id = 'garden') => {
    const { stdout } = await place.run(['export', '--station', id]);
    return stdout.trim().split('\r\n').slice(1);
  };

  it('shows what it has understood, and with --dry-run writes nothing', async () => {
    const file = await write('201804A.CSV', importFixture(ECOWITT));
    const { status, stdout, stderr } = await run(file, ['--dry-run']);
    expect([status, stderr]).to.deep.equal([0, '']);
    expect(stdout)
      .to.contain('201804A.CSV: Ecowitt console or gateway, memory card')
      .and.contain('time: Time, YYYY/M/D H:mm or YYYY/M/D H:mm:ss, local time of Europe/Berlin')
      .and.match(/Outdoor Temperature\(℃\) +air_temperature +°C/)
      .and.match(/Yearly Rain\(mm\) +precipitation_amount +mm, differences of a running total/)
      .and.contain('left out, indoor: Indoor Temperature(℃), Indoor Humidity(%)')
      .and.match(/time +2018-04-14T10:05:00Z +2018-04-14T10:10:00Z +2018-04-14T10:15:00Z/)
      .and.match(/air_temperature °C +20.6 +20.6 +20.5/);
    expect(await stored()).to.deep.equal([]);
    const written = await run(file);
    expect(written.stdout).to.contain('6 rows: 6 inserted, 0 updated, 0 unchanged, 0 rejected.\n');
    expect(written.stderr).to.contain('201804A.CSV: Ecowitt console');
    expect(await stored()).to.have.lengthOf(6);
  });

  for (const [times, zone] of [
    [['2024-01-01T00:00:00Z', '2024-01-01T01:00:00Z'], 'ISO 8601, UTC'],
    [['2024-01-01T00:00:00+01:00', '2024-01-01T01:00:00+01:00'], 'ISO 8601, each with its offset'],
    [['2024-01-01T00:00:00Z', '2024-01-01T01:00:00'], 'ISO 8601, local time of Europe/Berlin'],
    [['1720000000', '1720003600'], 'seconds since 1970, UTC'],
  ] as const)
    it(`shows the zone that the times have: ${zone}`, async () => {
      const file = await write(
        'times.csv',
        `time,air_temperature\n${times.map((time) => `${time},1\n`).join('')}`,
      );
      const { status, stdout } = await run(file, ['--dry-run']);
      expect(status).to.equal(0);
      expect(stdout).to.contain(`time: time, ${zone}\n`);
    });

  for (const [end, zone] of [
    ['-05:00', 'each with its offset'],
    ['Z', 'UTC'],
    ['', 'local time of Europe/Berlin'],
  ] as const)
    it(`shows the zone of an export of Ambient Weather whose times end in "${end}": ${zone}`, async () => {
      const text = importFixture('ambient/synthetic-imperial.csv').toString();
      const ended = text.replaceAll(/(?<=T[\d:.]+)(?:[+-]\d\d:\d\d|Z)/g, end);
      const { status, stdout } = await run(await write('ambient.csv', ended), ['--dry-run']);
      expect(status).to.equal(0);
      expect(stdout).to.contain('Ambient Weather').and.contain(`time: Date, ISO 8601, ${zone}\n`);
    });

  it('reads files with running totals in the order of time, whatever the order in which they are given', async () => {
    const row = (date: string, counter: number) =>
      `${date},4.0,80,1.0,2.0,5.0,270,0.0,0.0,1010.0,${counter},20,44,4,2,4,0,0\n`;
    const texts = {
      'Apr24log.txt': row('30/04/24,23:50', 100) + row('30/04/24,23:55', 100.2),
      'May24log.txt': row('01/05/24,00:00', 103.2) + row('31/05/24,23:55', 110.2),
      'Jun24log.txt': row('01/06/24,00:00', 110.4) + row('01/06/24,00:05', 110.6),
    };
    const units = ['temperature=°C', 'wind=m/s', 'rain=mm', 'pressure=hPa'].flatMap((unit) => [
      '--unit',
      unit,
    ]);
    const [april = '', may = '', june = ''] = await Promise.all(
      Object.entries(texts).map(async ([name, text]) => write(name, text)),
    );
    const importInto = async (station: string, files: readonly string[]) => {
      await place.run([
        'station',
        'add',
        station,
        '--name',
        station,
        '--latitude',
        '53',
        '--longitude',
        '10',
        '--time-zone',
        'Europe/Berlin',
      ]);
      const written = await place.run(['import', ...files, '--station', station, ...units]);
      expect(written.stdout.match(/2 inserted/g)?.length, written.stderr).to.equal(3);
      const { stdout: csv } = await place.run(['export', '--station', station]);
      const [headings = '', ...rows] = csv.trim().split('\r\n');
      const at = headings.split(',').indexOf('precipitation_amount');
      return { stderr: written.stderr, amounts: rows.map((line) => line.split(',')[at]) };
    };
    for (const [station, files] of [
      ['amj', [april, may, june]],
      ['ajm', [april, june, may]],
      ['maj', [may, april, june]],
      ['jma', [june, may, april]],
    ] as const) {
      const { stderr, amounts } = await importInto(station, files);
      expect(amounts, station).to.deep.equal(['', '0.2', '3', '7', '0.2', '0.2']);
      if (station !== 'amj') {
        expect(stderr).to.contain('in the order of time: Apr24log.txt, May24log.txt, Jun24log.txt');
      }
    }
  });

  it('reads standard input once, also among files with running totals', async () => {
    const [heading = '', ...rows] = importFixture(ECOWITT).toString().trim().split(/\r?\n/);
    const text = (part: readonly string[]) => [heading, ...part, ''].join('\r\n');
    const first = await write('first.CSV', text(rows));
    const [, ...values] = (rows.at(-1) ?? '').split(',');
    const day = (minute: number) =>
      [`2018/4/15 ${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`, ...values].join(',');
    // More than what is read of a file before it is recognized.
    const more = Array.from({ length: 1440 }, (_, minute) => day(minute));
    const { stdout, stderr } = await place.run(
      ['import', first, '-', '--station', 'garden', '--yes'],
      [heading, ...more].map((line) => `${line}\r\n`),
    );
    expect(stdout, stderr).to.contain('6 inserted').and.contain('1440 inserted');
  });

  it('takes rising amounts of its own export, a trace as 0, and fails where nothing is stored', async () => {
    const rising = Array.from(
      { length: 12 },
      (_, hour) => `2024-05-01T${String(hour).padStart(2, '0')}:00:00Z,${hour},0\r\n`,
    );
    const own = await write('own.csv', `time,precipitation_amount,quality\r\n${rising.join('')}`);
    expect((await run(own)).stdout).to.contain('12 inserted');
    const trace = await write(
      'trace.csv',
      'time,Rain (mm)\n2024-06-01T00:00:00Z,T\n2024-06-01T01:00:00Z,1.5\n',
    );
    expect((await run(trace, ['--yes'])).stdout).to.contain('2 inserted');
    expect((await stored()).filter((line) => line.startsWith('2024-06-01T00'))).to.deep.equal([
      '2024-06-01T00:00:00Z,0,1,',
    ]);
    const history = await write(
      'history.csv',
      'entity_id,state,last_changed\nsensor.t,21,2024-07-01T00:00:00.000Z\n',
    );
    const nothing = await run(history, ['--map', 'sensor.typo=air_temperature:°C', '--yes']);
    expect([nothing.status, nothing.stderr.includes('No row was imported.')], nothing.stdout).to.deep.equal([
      1,
      true,
    ]);
  });

  it('asks on a terminal before it writes, and does not with --yes', async () => {
    const file = await write('a.csv', importFixture(ECOWITT));
    const answer = (text: string, more: string[] = []) =>
      place.run(['import', file, '--station', 'garden', ...more], text, {}, true);
    const no = await answer('n\n');
    expect([no.status, no.stdout]).to.deep.equal([1, '']);
    expect(no.stderr)
      .to.contain('Write these rows? [y/N]')
      .and.contain('The answer was not yes. Nothing was written.');
    expect((await answer('y\n')).stdout).to.contain('6 inserted');
    const silent = await answer('', ['--yes']);
    expect(silent.stdout).to.contain('6 unchanged');
    expect(silent.stderr).not.to.contain('[y/N]');
  });

  it('asks what a file does not tell, or stops with the options that say it', async () => {
    const file = await write('a.csv', 'date,temp\n1/2/2024 10:00,59\n');
    const stopped = await run(file);
    expect([stopped.status, stopped.stdout]).to.deep.equal([1, '']);
    expect(stopped.stderr)
      .to.contain('Give --date-order DMY or --date-order MDY.')
      .and.contain('Give --unit temperature=°C or --unit temperature=°F.');
    const asked = await place.run(
      ['import', file, '--station', 'garden'],
      ['dmy\n', '°F\n', 'y\n'],
      {},
      true,
    );
    expect(asked.stdout, asked.stderr).to.contain('1 inserted');
    expect(await stored()).to.deep.equal(['2024-02-01T09:00:00Z,15,']);
    const told = ['--date-order', 'mdy', '--unit', 'temperature=F'];
    const unsure = await run(file, told);
    expect([unsure.status, unsure.stdout]).to.deep.equal([1, '']);
    expect(unsure.stderr).to.contain('Confirm them with --yes');
    expect((await run(file, [...told, '--yes'])).stdout).to.contain('1 inserted');
    expect(await stored()).to.include('2024-01-02T09:00:00Z,15,');
  });

  it('unpacks zip archives, and passes over their members that are no observations', async () => {
    const file = await write(
      'all.zip',
      zip({
        'a/201804A.CSV': importFixture(ECOWITT),
        'readme.txt': Buffer.from('nothing\n'),
        '__MACOSX/a/._201804A.CSV': Buffer.from('x'),
      }),
    );
    const { stdout, stderr } = await run(file);
    expect(stdout).to.contain('6 rows: 6 inserted, 0 updated, 0 unchanged, 0 rejected.\n');
    expect(stderr).to.contain('Skipped all.zip: readme.txt').and.not.contain('MACOSX');
    // As it is built: there a package in CommonJS is imported in another way.
    const built = await place.runProcess(['import', file, '--station', 'garden']);
    expect(built.stdout, built.stderr).to.contain('6 unchanged');
    const cut = await write('cut.zip', (await zipBytes()).subarray(0, 100));
    expect(await run(cut)).to.have.property('status', 1);
    expect((await run(cut)).stderr).to.contain('cannot be decompressed');
    expect((await run(await write('x.csv', gzipSync(importFixture(ECOWITT))))).stdout).to.contain(
      '6 unchanged',
    );
    for (const [name, content, reason] of [
      ['x.xz', '\xfd7zXZ\0rest', 'compressed with xz'],
      ['x.bin', 'a\0b\u001b', 'The file is a binary file of an unknown kind'],
      ['x.pdf', '%PDF-1.7', 'a PDF'],
    ] as const) {
      const { status, stderr: told } = await run(await write(name, Buffer.from(content, 'latin1')));
      expect([status, told.includes('\u001b'), told.includes(reason)], told).to.deep.equal([1, false, true]);
    }
  });
  const zipBytes = async () => zip({ 'a.csv': importFixture(ECOWITT) });

  it('writes several files one after the other, all of them planned before the first is written', async () => {
    const first = await write('a.csv', 'time,air_temperature\n2024-01-01T00:00:00Z,1\n');
    const second = await write('b.csv', 'time,air_temperature\n2024-01-01T01:00:00Z,2\n');
    const broken = await write('c.csv', 'time,nothing\n2024-01-01T01:00:00Z,2\n');
    expect((await run(first, [second, broken])).status).to.equal(1);
    expect(await stored()).to.deep.equal([]);
    expect((await run(first, [second])).stdout.match(/1 inserted/g)).to.have.lengthOf(2);
    expect(await stored()).to.have.lengthOf(2);
  });

  it('counts a running total on from file to file, and names the file of each fault', async () => {
    const map = ['--map', 'rain=precipitation_amount:mm:counter', '--map', 't=air_temperature'];
    const first = await write('a.csv', 'time,rain,t\n2024-01-01T10:00:00Z,1,x\n2024-01-01T11:00:00Z,1.4,1\n');
    const second = await write('b.csv', 'time,rain,t\n2024-01-01T12:00:00Z,2,1\n');
    const { stdout, stderr } = await run(first, [second, ...map]);
    expect(stdout).to.contain('a.csv:\n').and.contain('b.csv:\n');
    expect(stderr).to.contain('a.csv, line 2, column "t": "x" is not a number');
    expect(await stored()).to.deep.equal(['2024-01-01T11:00:00Z,1,0.4,', '2024-01-01T12:00:00Z,1,0.6,']);
    await run(second, [first, ...map]);
    expect(await stored()).to.deep.equal(['2024-01-01T11:00:00Z,1,0.4,', '2024-01-01T12:00:00Z,1,0.6,']);
  });

  it('takes rows to the station that has the code of the file, or those of one code to the station that is named', async () => {
    const text = 'stn,time,air_temperature\nBER,2024-01-01T00:00:00Z,1\nZUE,2024-01-01T00:00:00Z,2\n';
    const file = await write('many.csv', text);
    const several = await run(file, ['--station-column', 'stn']);
    expect(several.status).to.equal(1);
    expect(several.stderr).to.contain('several stations (BER, ZUE …)').and.contain('--only BER');
    const only = await run(file, ['--station-column', 'stn', '--only', 'ZUE']);
    expect(only.stdout).to.contain('1 inserted').and.contain('1 rows skipped: of other stations.');
    expect(await stored()).to.deep.equal(['2024-01-01T00:00:00Z,2,']);
    const foreign = await write('zue.csv', text.replace(/BER.*\n/, ''));
    const shown = await place.run(['import', foreign, '--station-column', 'stn', '--dry-run']);
    expect(shown.stdout).to.contain('none of the first rows can be stored: there is no station "ZUE"');
    const all = await place.run(['import', file, '--station-column', 'stn']);
    expect(all.stdout).to.contain('1 inserted, 0 updated, 0 unchanged, 1 rejected');
    expect(all.stderr).to.contain('line 3, column "stn": There is no station "ZUE".');
    expect(await stored('bern')).to.deep.equal(['2024-01-01T00:00:00Z,1,']);
  });

  it('takes entities of Home Assistant that --map names, with running totals as amounts', async () => {
    const rain = [0, 0.2, 0.2, 0.6].map(
      (level, hour) => `sensor.rain,${level},2024-01-01T0${hour}:10:00.000Z\n`,
    );
    const file = await write(
      'history.csv',
      `entity_id,state,last_changed\nsensor.out,50,2024-01-01T00:00:00.000Z\nsensor.out,51.8,2024-01-01T01:10:00.000Z\n${rain.join('')}`,
    );
    expect((await run(file)).stderr).to.contain('no column has a variable of the service');
    const { stdout } = await run(file, [
      '--map',
      'sensor.out=air_temperature:°F',
      '--map',
      'sensor.rain=precipitation_amount:mm:counter',
    ]);
    expect(stdout).to.contain('inserted').and.contain('1 rows skipped: without a value.');
    expect(await stored()).to.deep.equal([
      '2024-01-01T01:10:00Z,11,0.2,',
      '2024-01-01T02:10:00Z,,0,',
      '2024-01-01T03:10:00Z,,0.4,',
    ]);
  });

  it('changes single columns of a make by options, and refuses names that are not there', async () => {
    const file = await write('a.csv', importFixture(ECOWITT));
    const shown = await run(file, [
      '--dry-run',
      '--leave-out',
      'UVI',
      '--map',
      'Indoor Temperature(℃)=soil_temperature',
      '--time-zone',
      '+02:00',
    ]);
    expect(shown.stdout)
      .to.contain('left out, --leave-out: UVI')
      .and.match(/Indoor Temperature\(℃\) +soil_temperature +°C/)
      .and.contain(', +02:00');
    expect((await run(file, ['--leave-out', 'UV'])).stderr).to.contain('Did you mean "UVI"?');
    for (const [option, value, reason] of [
      ['--map', 't=temp', 'Did you mean "air_temperature"?'],
      ['--map', 't=air_temperature:counter', 'is not an amount'],
      ['--unit', 'wind=furlongs', 'such as wind=km/h'],
      ['--skip-lines', 'x', 'whole number'],
      ['--date', '2024-02-30', 'February 2024 has 29 days'],
    ] as const) {
      const { status, stderr } = await run(file, [option, value]);
      expect([status, stderr.includes(reason)], stderr).to.deep.equal([2, true]);
    }
    expect((await run(file, ['--time-format', 'YYYY-MM-DD kk'])).stderr).to.contain(
      'contains "kk", which is not one of',
    );
  });

  it('brings back its own export bit for bit, without options, whatever values are in it', async () => {
    const values = [0.1 + 0.2, 5e-324, -0, 1 / 3, 12345.678901234567, -17.77777777777778];
    const rows = values.map(
      (value, row) => `2024-01-01T00:0${row}:00.125Z,${value},${row % 2 === 0 ? '' : value * 3}\n`,
    );
    await run(await write('in.csv', `time,air_temperature,wind_speed\n${rows.join('')}`));
    const text = (file: string) => readFile(file, 'utf8');
    const original = join(place.folder, 'original.csv');
    await place.run(['export', '--station', 'garden', original]);
    for (const format of ['csv', 'jsonl', 'parquet']) {
      await place.run([
        'station',
        'add',
        format,
        '--latitude',
        '53',
        '--longitude',
        '10',
        '--time-zone',
        'Europe/Berlin',
      ]);
      const exported = join(place.folder, `out.${format}`);
      await place.run(['export', '--station', 'garden', '--format', format, exported]);
      const { status, stderr } = await place.run(['import', exported, '--station', format]);
      expect(status, stderr).to.equal(0);
      const again = join(place.folder, `again-${format}.csv`);
      await place.run(['export', '--station', format, again]);
      expect(await text(again), format).to.equal(await text(original));
    }
    expect((await text(original)).split('\r\n')).to.have.lengthOf(8);
  });

  it('refuses Parquet of others, damaged or packed twice, and tells lines that are no JSON', async () => {
    const writer = await import('hyparquet-writer');
    const foreign = Buffer.from(
      writer.parquetWriteBuffer({ columnData: [{ name: 'when', data: ['a'], type: 'STRING' }] }),
    );
    const whole = join(place.folder, 'whole.parquet');
    await run(await write('in.csv', 'time,air_temperature\n2024-01-01T00:00:00Z,1\n'));
    await place.run(['export', '--station', 'garden', '--format', 'parquet', whole]);
    const own = await readFile(whole);
    for (const [name, content, reason] of [
      ['foreign.parquet', foreign, 'was not written by weatherd'],
      ['cut.parquet', own.subarray(0, own.length - 20), 'is damaged'],
      ['twice.parquet.gz', gzipSync(gzipSync(own)), 'compressed twice'],
    ] as const) {
      const { status, stderr } = await run(await write(name, content));
      expect([status, stderr.includes(reason)], stderr).to.deep.equal([1, true]);
      expect(stderr).not.to.contain('    at ');
    }
    const lines = await write(
      'lines.jsonl',
      '{"time":"2024-02-01T00:00:00Z","air_temperature":1}\n{"time":\n[1]\n\n{"time":"2024-02-01T01:00:00Z","air_temperature":2}\n',
    );
    const { stdout, stderr } = await run(lines);
    expect(stdout).to.contain('2 rejected');
    expect(stderr).to.contain('line 2').and.contain('not a JSON object');
  });

  it('knows the demo by its headings, and moves its rows to the end of the hour', async () => {
    const demo = fileURLToPath(new URL('../../../../../demo/nyc-hourly-2013.csv.gz', import.meta.url));
    const { stdout } = await place.run(['import', demo, '--dry-run']);
    expect(stdout)
      .to.contain('timestamps are at the start of an interval of 3600 s')
      .and.match(/time +2013-01-01T07:00:00Z/);
  });
});

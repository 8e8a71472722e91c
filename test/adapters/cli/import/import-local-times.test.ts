import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { Workplace } from '../../../support/process.js';
import { STATION } from '../../../support/weather-world.js';

const CHOICES = ['order', 'earlier', 'later', 'reject'] as const;
const STATIONS = ['A', 'B', ...CHOICES].map((id) => ({ ...STATION, id, identifiers: {} }));
const FORMAT = ['--time-format', 'YYYY-MM-DD HH:mm', '--time-zone', 'Europe/Oslo'];
/** Clocks were set back at 03:00 local time (01:00 UTC) in this night. */
const NIGHT = '2024-10-27';

describe('weatherd import of local times', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData({}, STATIONS);
  });
  afterEach(() => place.remove());

  /** @param rows `station time value`, with a time of this night or with another date */
  const importRows = async (rows: readonly string[], more: readonly string[] = []) => {
    const lines = rows.map((row) => {
      const [station, ...time] = row.split(' ');
      const value = time.pop();
      return `${station},${time.length === 1 ? `${NIGHT} ` : ''}${time.join(' ')},${value}\n`;
    });
    const file = join(place.folder, 'rows.csv');
    await writeFile(file, `id,time,air_temperature\n${lines.join('')}`);
    return place.run(['import', file, '--station-column', 'id', ...FORMAT, ...more]);
  };
  /** The stored rows as `00:10 2`: time of day in UTC, and value. */
  const stored = async (station = 'A') => {
    const { stdout } = await place.run(['export', '--station', station, '--variables', 'air_temperature']);
    const rows = stdout.trim().split('\r\n').slice(1);
    return rows.map((row) => row.replace(/^.*T(..:..):00Z,([^,]*),.*$/, '$1 $2'));
  };

  it('reads an hour that occurs twice as two hours', async () => {
    const { stdout } = await importRows(['A 02:10 2', 'A 02:50 3', 'A 02:10 4', 'A 02:50 5']);
    expect(stdout).to.equal(
      '4 rows: 4 inserted, 0 updated, 0 unchanged, 0 rejected.\n' +
        '4 local times occur twice, because clocks were set back.\n' +
        'This was import 1. "weatherd import --undo 1" undoes its changes.\n',
    );
    expect(await stored()).to.deep.equal(['00:10 2', '00:50 3', '01:10 4', '01:50 5']);
  });

  it('reads an hourly time that occurs twice in succession as two times, and a single row as the earlier', async () => {
    await importRows([
      'A 01:00 1',
      'A 02:00 2',
      'A 02:00 3',
      'A 03:00 4',
      'B 01:00 1',
      'B 02:30 2',
      'B 03:00 3',
    ]);
    expect(await stored()).to.deep.equal(['23:00 1', '00:00 2', '01:00 3', '02:00 4']);
    expect(await stored('B')).to.deep.equal(['23:00 1', '00:30 2', '02:00 3']);
  });

  it('rejects times that clocks skip', async () => {
    const spring = ['01:59', '02:00', '02:30', '03:00'].map((time, row) => `A 2024-03-31 ${time} ${row}`);
    const { stdout, stderr } = await importRows(spring);
    expect(stdout.split('\n')[0]).to.equal('4 rows: 2 inserted, 0 updated, 0 unchanged, 2 rejected.');
    for (const [line, time] of [
      [3, '02:00'],
      [4, '02:30'],
    ] as const) {
      expect(stderr).to.contain(
        `line ${line}, column "time": "2024-03-31 ${time}" does not exist in Europe/Oslo, because clocks were set forward\n`,
      );
    }
    expect(await stored()).to.deep.equal(['00:59 0', '01:00 3']);
  });

  it('follows each station of a file separately', async () => {
    // Station B is in a zone one hour behind that of A.
    await importRows([
      'A 02:10 1',
      'B 01:10 1',
      'A 02:50 2',
      'B 01:50 2',
      'A 02:10 3',
      'B 02:10 3',
      'A 02:50 4',
      'B 02:50 4',
      'A 03:10 5',
      'B 02:10 5',
    ]);
    expect(await stored('A')).to.deep.equal(['00:10 1', '00:50 2', '01:10 3', '01:50 4', '02:10 5']);
    expect(await stored('B')).to.deep.equal(['23:10 1', '23:50 2', '00:10 3', '00:50 4', '01:10 5']);
  });

  it('reads a file with the newest row first in reverse order, also if it begins in that hour', async () => {
    await importRows(['A 03:00 7', 'A 02:30 6', 'A 02:00 5', 'A 02:30 4', 'A 02:00 3', 'A 01:30 2']);
    await importRows(['B 02:30 6', 'B 02:00 5', 'B 02:30 4', 'B 02:00 3', 'B 01:30 2']);
    const expected = ['23:30 2', '00:00 3', '00:30 4', '01:00 5', '01:30 6'];
    expect(await stored('A')).to.deep.equal([...expected, '02:00 7']);
    expect(await stored('B')).to.deep.equal(expected);
  });

  it('keeps the later hour behind rows that have no value or are no rows', async () => {
    await importRows(['A 02:50 1', 'A 02:10 none', 'A 02:20 2', 'A soon 3', 'A 02:50 4']);
    expect(await stored()).to.deep.equal(['00:50 1', '01:20 2', '01:50 4']);
  });

  it('reports a row that repeats an instant, and rejects a row whose hour the order does not determine', async () => {
    const { stdout, stderr } = await importRows([
      'A 02:10 1',
      'A 02:10 2',
      'A 02:10 3',
      'A 03:30 4',
      'A 02:40 5',
      'A 03:40 6',
    ]);
    expect(stdout).to.contain('6 rows: 4 inserted, 0 updated, 0 unchanged, 1 repeated, 1 rejected.\n');
    expect(stderr)
      .to.contain('line 4: has the time of line 3, whose values it replaces\n')
      .and.contain(
        `line 6, column "time": "${NIGHT} 02:40" occurs twice in Europe/Oslo, because clocks were set back, so that its instant is unclear\n`,
      );
    expect(await stored()).to.deep.equal(['00:10 1', '01:10 3', '02:30 4', '02:40 6']);
  });

  it('uses the time that --ambiguous names, or rejects both', async () => {
    const rows = (station: string) =>
      ['01:50 1', '02:10 2', '02:10 3', '03:10 4'].map((row) => `${station} ${row}`);
    const expected = {
      order: ['23:50 1', '00:10 2', '01:10 3', '02:10 4'],
      earlier: ['23:50 1', '00:10 3', '02:10 4'],
      later: ['23:50 1', '01:10 3', '02:10 4'],
      reject: ['23:50 1', '02:10 4'],
    };
    for (const choice of CHOICES) {
      const { stdout, stderr } = await importRows(rows(choice), ['--ambiguous', choice]);
      const rejected = choice === 'reject' ? 2 : 0;
      expect(stdout, choice).to.contain(`, ${rejected} rejected.`);
      expect(stderr.split('occurs twice in Europe/Oslo').length - 1, choice).to.equal(rejected);
      expect(await stored(choice)).to.deep.equal(expected[choice]);
    }
    expect((await importRows(rows('A'), ['--ambiguous', 'both'])).status).to.equal(2);
  });

  it('continues in the later hour if it was interrupted there', async () => {
    const [written, count, end] = [8192, 11_192, Date.parse(`${NIGHT}T02:20:00Z`)];
    const lines = Array.from({ length: count }, (_, row) => {
      const time = end - (count - row) * 1000;
      const offset = time < Date.parse(`${NIGHT}T01:00:00Z`) ? 2 : 1;
      return `${new Date(time + offset * 3_600_000).toISOString().slice(0, 19)},${(row * 7919) % 40}\n`;
    });
    // The last row that is written before the file breaks off: a whole number of chunks.
    expect(lines[written - 1]?.slice(11, 16)).to.equal('02:29');
    const whole = gzipSync(`time,air_temperature\n${lines.join('')}`);
    const broken = Buffer.from(whole).fill(0, whole.length - 8);
    const file = join(place.folder, 'seconds.csv.gz');
    const attempt = async (content: Buffer) => {
      await writeFile(file, content);
      await utimes(file, 1_700_000_000, 1_700_000_000);
      const format = ['--time-format', 'YYYY-MM-DDTHH:mm:ss', '--time-zone', 'Europe/Oslo'];
      return place.run(['import', file, '--station', 'A', ...format]);
    };
    expect(await attempt(broken)).to.have.property('status', 1);
    const { stdout } = await attempt(whole);
    expect(stdout)
      .to.contain(`Continuing after line ${written + 1},`)
      .and.contain('3000 rows: 3000 inserted, 0 updated, 0 unchanged, 0 rejected.');
    expect((await place.run(['station', 'show', 'A'])).stdout).to.match(/^observations +11192$/m);
  });

  it('names the last line before a short file ends early, although it was read in advance', async () => {
    const lines = Array.from(
      { length: 900 },
      (_, row) => `${1_300_000_000 + row * 60},${(row * 7919) % 40}\n`,
    );
    const packed = gzipSync(`time,air_temperature\n${lines.join('')}`);
    const file = join(place.folder, 'short.csv.gz');
    await writeFile(file, packed.subarray(0, packed.length / 2));
    const { stderr } = await place.run(['import', file, '--station', 'A', '--time-format', 'unix']);
    expect(Number(/cut off after line (\d+)/.exec(stderr)?.[1]), stderr).to.be.within(100, 800);
  });
});

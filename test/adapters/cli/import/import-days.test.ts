import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Workplace } from '../../../support/process.js';
import { STATION } from '../../../support/weather-world.js';

const ZONES = {
  east: 'Asia/Tokyo',
  west: 'America/New_York',
  far: 'Pacific/Kiritimati',
  fixed: '-05:00',
  // Clocks are set forward at midnight there, and a day was left out at the date line.
  cuba: 'America/Havana',
  samoa: 'Pacific/Apia',
};
const STATIONS = Object.entries(ZONES).map(([id, timeZone]) => ({
  ...STATION,
  id,
  timeZone,
  identifiers: {},
  reportingInterval: null,
}));

describe('weatherd import of values of days', () => {
  let place: Workplace;
  beforeEach(async () => {
    place = await Workplace.make();
    await place.makeData({}, STATIONS);
  });
  afterEach(() => place.remove());

  const run = async (station: string, text: string, more: readonly string[] = []) => {
    const file = join(place.folder, 'days.csv');
    await writeFile(file, text);
    return place.run(['import', file, '--station', station, ...more]);
  };
  /** Stored times, and values of the first variable. */
  const stored = async (station: string) => {
    const { stdout } = await place.run(['export', '--station', station]);
    return stdout
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',').slice(0, 2).join(' ').replace(':00Z', ''));
  };

  it('takes a date as that day of the station, east and west of Greenwich, on days of 23 to 25 hours', async () => {
    const text = (dates: readonly string[]) =>
      `time,daily_maximum_air_temperature\n${dates.map((date, index) => `${date},${index}\n`).join('')}`;
    for (const [station, dates, expected] of [
      ['east', ['2020-07-02', '2020-07-31'], ['2020-07-02T15:00 0', '2020-07-31T15:00 1']],
      ['west', ['2020-07-02', '2020-12-31'], ['2020-07-03T04:00 0', '2021-01-01T05:00 1']],
      ['west', ['2023-03-12', '2023-11-05'], ['2023-03-13T04:00 0', '2023-11-06T05:00 1']],
      ['far', ['2020-07-02'], ['2020-07-02T10:00 0']],
      ['fixed', ['2023-03-12'], ['2023-03-13T05:00 0']],
      ['cuba', ['2023-03-11', '2023-03-12'], ['2023-03-12T05:00 0', '2023-03-13T04:00 1']],
      ['cuba', ['2023-11-04', '2023-11-05'], ['2023-11-05T04:00 0', '2023-11-06T05:00 1']],
      ['samoa', ['2011-12-29', '2011-12-31'], ['2011-12-30T10:00 0', '2011-12-31T10:00 1']],
    ] as const) {
      const { status, stdout, stderr } = await run(station, text(dates));
      expect(status, stderr).to.equal(0);
      expect(stderr).to.contain('a date is the whole day; rows are stored at its end');
      const rows = await stored(station);
      expect(
        rows.filter((row) => row.startsWith(expected[0].slice(0, 4)) || expected.includes(row as never)),
      ).to.include.members([...expected]);
      const [number] = /--undo (\d+)/.exec(stdout)?.slice(1) ?? [];
      await place.run(['import', '--undo', number ?? '']);
    }
    const { stderr } = await run('samoa', text(['2011-12-29', '2011-12-30']));
    expect(stderr).to.contain('"2011-12-30" does not exist in Pacific/Apia');
  });

  it('is the same with other headings and forms of dates, and with an interval of a day', async () => {
    for (const [text, more] of [
      ['Datum;tmax\n02.07.2020;31\n', ['--map', 'tmax=daily_maximum_air_temperature:°C']],
      [
        'day,tmax\n2020-184,31\n',
        ['--map', 'tmax=daily_maximum_air_temperature', '--time-column', 'day', '--time-format', 'YYYY-DDD'],
      ],
      ['date,daily_maximum_air_temperature (°C)\n2020-07-02,31\n', ['--stamp-interval', '86400']],
      [
        'year,month,day,tmax\n2020,7,2,31\n',
        [
          ...['year', 'month', 'day'].flatMap((column) => ['--time-column', column]),
          '--time-format',
          'YYYY M D',
          '--map',
          'tmax=daily_maximum_air_temperature:°C',
        ],
      ],
      [
        'date,element,value\n2020-07-02,TX,31\n',
        [
          '--variable-column',
          'element',
          '--value-column',
          'value',
          '--map',
          'TX=daily_maximum_air_temperature',
        ],
      ],
    ] as const) {
      const { status, stderr } = await run('west', text, more);
      expect(status, stderr).to.equal(0);
      expect(await stored('west'), text).to.deep.equal(['2020-07-03T04:00 31']);
    }
  });

  it('takes the amount of a date as that of the day, and leaves a date beside values of a moment at its beginning', async () => {
    await run('west', 'date,precipitation_amount\n2020-07-02,31\n2020-07-03,2\n', [
      '--amount',
      'precipitation_amount',
    ]);
    expect(await stored('west')).to.deep.equal(['2020-07-03T04:00 31', '2020-07-04T04:00 2']);
    const { stderr } = await run('east', 'date,surface_snow_thickness\n2020-07-02,0.5\n');
    expect(stderr).not.to.contain('whole day');
    expect(await stored('east')).to.deep.equal(['2020-07-01T15:00 0.5']);
  });

  it('asks where values of days have a time of day, and takes it as the option says', async () => {
    const text = 'time,daily_maximum_air_temperature\n2020-07-02 00:00,31\n2020-07-03 00:00,32\n';
    const asked = await run('west', text, ['--yes']);
    expect(asked.status).to.equal(1);
    expect(asked.stderr).to.contain(
      'Is a time such as 2020-07-02 00:00 the start or the end of the day of "daily_maximum_air_temperature"? Give --stamp-interval 86400 or --stamp-interval 0.',
    );
    expect(await stored('west')).to.deep.equal([]);
    const parted = await run('west', 'date,time,daily_maximum_air_temperature\n2020-07-02,09:00,31\n');
    expect(parted.stderr).to.contain('Is a time such as 2020-07-02 09:00 the start or the end');
    await run('west', text, ['--stamp-interval', '86400']);
    expect(await stored('west')).to.deep.equal(['2020-07-03T04:00 31', '2020-07-04T04:00 32']);
    await run('east', text, ['--stamp-interval', '0']);
    expect(await stored('east')).to.deep.equal(['2020-07-01T15:00 31', '2020-07-02T15:00 32']);
    const file = join(place.folder, 'asked.csv');
    await writeFile(file, text);
    const answers = ['end\n', 'yes\n'];
    const answered = await place.run(['import', file, '--station', 'far'], answers, {}, true);
    expect(answered.status, answered.stderr).to.equal(0);
    expect(await stored('far')).to.deep.equal(['2020-07-01T10:00 31', '2020-07-02T10:00 32']);
  });

  it('rejects a time of day among dates, and dates without an offset among lines of JSON', async () => {
    const dates = Array.from({ length: 300 }, (_, day) =>
      new Date(Date.UTC(2019, 0, 1 + day)).toISOString().slice(0, 10),
    );
    const rows = [...dates.map((date) => `${date},31`), '2020-07-03 12:00,32'];
    const mixed = await run('west', ['time,daily_maximum_air_temperature', ...rows, ''].join('\n'));
    expect(mixed.stderr).to.contain(
      'line 302, column "time": "2020-07-03 12:00" is not a time of the form YYYY-MM-DD',
    );
    const lines = await run('west', '{"time":"2020-07-02","daily_maximum_air_temperature":31}\n');
    expect([lines.status, lines.stderr.includes('"2020-07-02" ')]).to.deep.equal([1, true]);
  });

  it('comes back from an export at the same time', async () => {
    await run('west', 'time,daily_maximum_air_temperature\n2020-07-02,31\n');
    for (const format of ['csv', 'jsonl', 'parquet']) {
      const file = join(place.folder, `own.${format}`);
      await place.run(['export', '--station', 'west', '--format', format, file]);
      const { status, stdout, stderr } = await place.run(['import', file, '--station', 'west']);
      expect(status, stderr).to.equal(0);
      expect(stdout, format).to.contain('1 unchanged');
    }
  });
});

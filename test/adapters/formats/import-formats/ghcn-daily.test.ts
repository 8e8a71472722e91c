import { expect } from 'chai';
import { imported } from '../../../support/imported.js';

/** Elements of the archive, a number as the file has it, and the stored value. */
const ELEMENTS: readonly (readonly [element: string, cell: string, variable: string, value: number])[] = [
  ['TMAX', '72', 'daily_maximum_air_temperature', 7.2],
  ['TMIN', '-17', 'daily_minimum_air_temperature', -1.7],
  ['TAVG', '31', 'daily_mean_air_temperature', 3.1],
  ['PRCP', '13', 'daily_precipitation_amount', 1.3],
  ['SNOW', '25', 'daily_thickness_of_snowfall_amount', 25],
  ['SNWD', '130', 'daily_surface_snow_thickness', 0.13],
  ['MDPR', '254', 'multiday_precipitation_amount', 25.4],
  ['DAPR', '3', 'multiday_precipitation_days', 3],
  ['MDSF', '203', 'multiday_thickness_of_snowfall_amount', 203],
  ['DASF', '2', 'multiday_snowfall_days', 2],
  ['AWND', '25', 'daily_mean_wind_speed', 2.5],
  ['AWDR', '240', 'daily_mean_wind_from_direction', 240],
  ['WSF2', '89', 'daily_maximum_wind_speed', 8.9],
  ['WSF5', '112', 'daily_maximum_wind_speed_of_gust', 11.2],
  ['TSUN', '90', 'daily_duration_of_sunshine', 5400],
  ['ACMC', '40', 'daily_mean_cloud_area_fraction', 40],
  ['RHAV', '71', 'daily_mean_relative_humidity', 71],
  ['ADPT', '-56', 'daily_mean_dew_point_temperature', -5.6],
  ['ASTP', '10128', 'daily_mean_surface_air_pressure', 1012.8],
  ['ASLP', '10185', 'daily_mean_air_pressure_at_mean_sea_level', 1018.5],
];
const TRACES = {
  PRCP: 'daily_precipitation_trace',
  SNOW: 'daily_snowfall_trace',
  SNWD: 'daily_surface_snow_trace',
};
const CHECKS = {
  D: 'duplicate',
  G: 'gap',
  I: 'internal consistency',
  K: 'streak or frequent value',
  L: 'length of a multiday period',
  M: 'mega-consistency',
  N: 'naught',
  O: 'climatological outlier',
  R: 'lagged range',
  S: 'spatial consistency',
  T: 'temporal consistency',
  W: 'too warm for snow',
  X: 'bounds',
  Z: 'official Datzilla investigation',
};

interface Cell {
  readonly element: string;
  readonly day: number;
  readonly value: string;
  /** The flags of measurement, quality and source; a blank is an empty one. */
  readonly flags: string;
}

/** The flags as a list with commas. */
const listed = (flags: string) => Array.from(flags, (flag) => flag.trim()).join(',');

/** Writes cells in each of the three layouts of the archive. */
const LAYOUTS: Readonly<Record<string, (cells: readonly Cell[]) => string>> = {
  'a row for each value': (cells) =>
    cells
      .map(({ element, day, value, flags }) => {
        const date = `202001${String(day).padStart(2, '0')}`;
        return `USW00094728,${date},${element},${value},${listed(flags)},2400\n`;
      })
      .join(''),
  '.dly': (cells) =>
    [...new Set(cells.map(({ element }) => element))]
      .map((element) => {
        const days = Array.from({ length: 31 }, (_, index) => {
          const found = cells.find((cell) => cell.element === element && cell.day === index + 1);
          return found === undefined ? '-9999   ' : `${found.value.padStart(5)}${found.flags}`;
        });
        return `USW00094728202001${element}${days.join('')}\n`;
      })
      .join(''),
  'a column for each element': (cells) => {
    const elements = [...new Set(['PRCP', 'TMAX', 'TMIN', ...cells.map(({ element }) => element)])];
    const headings = elements.flatMap((element) => [element, `${element}_ATTRIBUTES`]);
    const rows = [...new Set(cells.map(({ day }) => day))].map((day) => {
      const texts = elements.flatMap((element) => {
        const found = cells.find((cell) => cell.element === element && cell.day === day);
        const flags = found && listed(found.flags);
        return found === undefined ? ['', ''] : [found.value.padStart(5), `${flags},2400`];
      });
      return ['USW00094728', `2020-01-${String(day).padStart(2, '0')}`, ...texts];
    });
    return [['STATION', 'DATE', ...headings], ...rows]
      .map((row) => `${row.map((text) => `"${text}"`).join(',')}\n`)
      .join('');
  },
};

for (const [name, textOf] of Object.entries(LAYOUTS))
  describe(`GHCN-Daily with ${name}`, () => {
    const read = async (cells: readonly Cell[]) => {
      const file = name === '.dly' ? 'USW00094728.dly' : 'days.csv';
      const { format, rows, flags, faults, notes, plan } = await imported(file, {
        content: textOf(cells),
        zone: 'UTC',
      });
      expect([format, faults]).to.deep.equal(['ghcn-daily', []]);
      const days = new Map<string, Record<string, string | number>>();
      for (const { line: _line, station: _station, time, ...values } of rows)
        days.set(String(time), { ...days.get(String(time)), ...values });
      return { days: [...days.values()], flags, plan, skipped: notes.passedOver('command') };
    };
    /** The texts of flags, which in a file of stations have the time of observation too. */
    const withTime = (text: string) => (name === 'a column for each element' ? `${text},2400` : text);

    it('has each element in its variable and its unit', async () => {
      const cells = ELEMENTS.map(([element, value]) => ({ element, day: 5, value, flags: '  W' }));
      const { days, skipped } = await read(cells);
      expect(days).to.deep.equal([
        Object.fromEntries(ELEMENTS.map(([, , variable, value]) => [variable, value])),
      ]);
      expect(skipped.size).to.equal(0);
    });

    it('has the marks of traces of rain, new snow and snow depth', async () => {
      const cells = Object.keys(TRACES).map((element) => ({ element, day: 5, value: '0', flags: 'T 7' }));
      const { days, flags } = await read(cells);
      for (const [element, trace] of Object.entries(TRACES)) {
        const variable = ELEMENTS.find(([one]) => one === element)?.[2] ?? '';
        expect(days[0]).to.include({ [variable]: 0, [trace]: 1 });
        expect(flags.map(([, ...flag]) => flag)).to.deep.include([variable, withTime('T,,7'), null]);
      }
      expect(flags).to.have.lengthOf(3);
    });

    it('has the values that failed a check of NOAA, with the check', async () => {
      const cells = Object.keys(CHECKS).map((flag, index) => ({
        element: 'TMAX',
        day: index + 1,
        value: String(index),
        flags: ` ${flag}0`,
      }));
      const rain = { element: 'PRCP', day: 1, value: '5', flags: '   ' };
      const found = await read([...cells, rain]);
      const { days, plan } = found;
      const flags = found.flags.filter(([, variable]) => variable === 'daily_maximum_air_temperature');
      expect(days.map((day) => day['daily_maximum_air_temperature'])).to.deep.equal(
        cells.map(({ value }) => Number(value) / 10),
      );
      expect(flags.map(([, , ...flag]) => flag)).to.deep.equal(
        Object.entries(CHECKS).map(([flag, check]) => [
          withTime(`,${flag},0`),
          `failed a check of NOAA: ${check} (flag ${flag})`,
        ]),
      );
      expect(JSON.stringify(plan.notes))
        .to.contain('stored and marked as bad')
        .and.to.contain('flags of all values are kept');
    });
  });

describe('GHCN-Daily with two elements of a variable', () => {
  it('has the peak gust and the observed clouds of days without the other element', async () => {
    const cells = [
      { element: 'PRCP', day: 1, value: '5', flags: '  W' },
      { element: 'ACMC', day: 1, value: '10', flags: '  W' },
      { element: 'ACMH', day: 1, value: '20', flags: ' SX' },
      { element: 'ACMH', day: 2, value: '30', flags: '  X' },
      { element: 'WSF5', day: 1, value: '100', flags: '  W' },
      { element: 'WSFG', day: 1, value: '200', flags: ' SX' },
      { element: 'WSFG', day: 2, value: '300', flags: '  X' },
    ];
    const content = LAYOUTS['a column for each element']?.(cells) ?? '';
    const { rows, flags } = await imported('days.csv', { content, zone: 'UTC' });
    const [clouds, gust] = ['daily_mean_cloud_area_fraction', 'daily_maximum_wind_speed_of_gust'];
    expect(rows.map((row) => [row[clouds], row[gust]])).to.deep.equal([
      [10, 10],
      [30, 30],
    ]);
    expect(flags.every(([, , , failure]) => failure === null)).to.equal(true);
  });
});

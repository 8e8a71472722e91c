import { expect } from 'chai';
import { TemporalCalendar } from '#adapters/calendar-temporal/temporal-calendar.js';
import type { FileSource } from '#adapters/formats/files/file-plan.js';
import { IMPORT_FORMATS } from '#adapters/formats/import-formats/import-formats.js';
import { answersOf, type ImportOptions, NO_OPTIONS } from '#adapters/imports/plan/import-options.js';
import { planImport } from '#adapters/imports/plan/import-plan.js';
import { headOf, importFixture, readAll } from '../../support/imported.js';

const CONTEXT = { calendar: new TemporalCalendar(), formats: IMPORT_FORMATS };

/** Reads a text as an import with these options does. The station is in UTC. */
async function read(text: string, options: Partial<ImportOptions> = {}, name = 'x.csv') {
  const all = { ...NO_OPTIONS, ...options };
  const plan = planImport(headOf(name, text), all, answersOf(all), CONTEXT);
  const source: FileSource = {
    text: async function* () {
      yield Buffer.from(text);
    },
    canRepeat: true,
    path: undefined,
    sqlite: () => {
      throw new Error('there is no path');
    },
  };
  return { plan, ...(await readAll(plan, source, { zone: 'UTC' })) };
}

/** The values of the rows without their lines and stations. */
async function valuesOf(...args: Parameters<typeof read>) {
  const { rows } = await read(...args);
  return rows.map(({ line: _line, station: _station, ...values }) => values);
}

const map = (field: string, variable: string, more: object = {}) => ({ field, variable, ...more });

describe('the options of an import', () => {
  it('multiply the numbers of a column by a factor, in a table and in a known format', async () => {
    const text = 'time,t\n2024-01-01T00:00Z,-12\n';
    const tenths = { map: [map('t', 'air_temperature', { unit: '°C', factor: 0.1 })] };
    expect(await valuesOf(text, tenths)).to.deep.equal([
      { time: '2024-01-01T00:00:00Z', air_temperature: -1.2 },
    ]);
    const long = 'time,name,value\n2024-01-01T00:00Z,t,-12\n';
    const options = { ...tenths, variableColumn: 'name', valueColumn: 'value' };
    expect(await valuesOf(long, options)).to.deep.equal([
      { time: '2024-01-01T00:00:00Z', air_temperature: -1.2 },
    ]);
    const file = 'netatmo/synthetic-outdoor.csv';
    const netatmo = importFixture(file).toString();
    const doubled = { map: [map('Humidity', 'relative_humidity', { factor: 0.5 })] };
    expect((await valuesOf(netatmo, doubled, file))[0]).to.include({ relative_humidity: 40.5 });
  });

  it('import a column that a format leaves out', async () => {
    const file = 'weather-underground/synthetic-history.json';
    const text = importFixture(file).toString();
    const radiation = 'surface_downwelling_shortwave_flux_in_air';
    const options = { map: [map('solarRadiationHigh', radiation)] };
    expect((await valuesOf(text, {}, file))[0]).not.to.have.property(radiation);
    expect((await valuesOf(text, options, file))[0]).to.have.property(radiation, 0);
  });

  it('select rows by the text of a column, and count the others', async () => {
    const text = 'time,kind,t\n2024-01-01T00:00Z,a,1\n2024-01-01T01:00Z,b,2\n2024-01-01T02:00Z,c,3\n';
    const options = { map: [map('t', 'air_temperature')], where: ['kind=a', 'kind=c'] };
    const { rows, notes } = await read(text, options);
    expect(rows.map(({ line }) => line)).to.deep.equal([2, 4]);
    expect([...notes.passedOver('command')]).to.deep.equal([['with another text in "kind" than a, c', 1]]);
    for (const where of [['kynd=a'], ['kind']])
      expect(await read(text, { ...options, where }).catch(({ code }: { code: string }) => code)).to.equal(
        'REQUEST_INVALID',
      );
    const file = 'netatmo/synthetic-outdoor.csv';
    const known = await read(importFixture(file).toString(), { where: ['Temperature=7.1'] }, file);
    expect(known.rows.map(({ line }) => line)).to.deep.equal([5]);
  });

  it('read one array of a mixed array of a logger, with the day of the year', async () => {
    // A real row of a CR23X in front of each of the rows that the test adds.
    const real =
      '213,2010,48,2200,240.21,98.007,255.09,.071,.454,.118,240.4,98.6,255.4,240,97,254.8,62.863,61.979,-.05844,.85268,1.2734,62.784,61.945,-.0568,.8563,1.2735,62.724,61.931,-.05615,.85958,1.2815,13.34,15.08\n';
    const text = `${real}101,2010,48,5,3.2\n${real}101,2010,48,135,3.4\n${real}101,2010,48,2400,3.6\n${real}`;
    const hourly = {
      header: false,
      where: ['1=101'],
      timeColumn: ['2', '3', '4'],
      timeFormat: ['YYYY DDD Hmm'],
      map: [map('5', 'air_temperature', { unit: '°C' })],
    };
    expect(await valuesOf(text, hourly)).to.deep.equal([
      { time: '2010-02-17T00:05:00Z', air_temperature: 3.2 },
      { time: '2010-02-17T01:35:00Z', air_temperature: 3.4 },
      { time: '2010-02-18T00:00:00Z', air_temperature: 3.6 },
    ]);
    const minutes = { ...hourly, where: ['1=213'], map: [map('33', 'air_temperature', { unit: '°C' })] };
    const { rows, faults } = await read(text, minutes);
    expect([rows.map(({ line }) => line), faults]).to.deep.equal([[1, 3, 5, 7], []]);
  });

  it('name a format whose files have other names or lines in front', async () => {
    const log = importFixture('cumulus/Jan21log.txt')
      .toString()
      .replaceAll(/^([^\n]*?),1009\.\d,/gm, '$1,0,');
    const units = ['rain=mm', 'wind=m/s', 'temperature=°C', 'pressure=hPa'];
    expect((await read(log, { preset: 'cumulus', unit: units }, 'copy.txt')).rows).to.have.lengthOf(3);
    const isd = `A note\n${importFixture('isd-lite/725755-24101-2014').toString()}`;
    const { rows, faults } = await read(isd, { preset: 'isd-lite' });
    expect([rows.length, faults.map(({ line }) => line)]).to.deep.equal([40, [1]]);
    expect(() => planImport(headOf('x', isd), NO_OPTIONS, new Map(), CONTEXT)).to.throw();
  });

  it('read energies as the mean of the interval, which must be known', async () => {
    const radiation = (unit: string) => map('r', 'surface_downwelling_shortwave_flux_in_air', { unit });
    const text = 'time,r\n2024-01-01T12:00Z,0.9\n';
    for (const [unit, mean] of [
      ['MJ/m²', 250],
      ['kJ/m²', 0.25],
      ['J/cm²', 2.5],
      ['Wh/m²', 0.9],
    ] as const) {
      const rows = await valuesOf(text, { map: [radiation(unit)], interval: 3600 });
      expect(rows[0], unit).to.have.property('surface_downwelling_shortwave_flux_in_air', mean);
    }
    const refused = await read(text, { map: [radiation('MJ/m²')] }).catch(({ message }: Error) => message);
    expect(refused).to.equal(
      'The column "r" has the energy of an interval in MJ/m². Name the length of the interval with --interval SECONDS.',
    );
    const headed = 'time,Solar radiation (MJ/m2)\n2024-01-01T12:00Z,0.9\n';
    expect((await read(headed, { interval: 600 })).plan.columns[0]).to.include({ unit: 'MJ/m²' });
    const wrong = { map: [map('r', 'air_temperature', { unit: 'MJ/m²' })], interval: 3600 };
    expect(await read(text, wrong).catch(({ code }: { code: string }) => code)).to.equal('REQUEST_INVALID');
  });

  it('read energies of days as the mean of the day, whatever the interval is', async () => {
    const variable = 'daily_mean_surface_downwelling_shortwave_flux_in_air';
    const options = { map: [map('r', variable, { unit: 'MJ/m²' })] };
    for (const interval of [undefined, 3600]) {
      const given = { ...options, ...(interval !== undefined && { interval }) };
      expect(await valuesOf('date,r\n2024-01-01,8.64\n', given)).to.deep.equal([
        { time: '2024-01-02T00:00:00Z', [variable]: 100 },
      ]);
    }
  });

  it('read oktas, millibar and numbers of the Beaufort scale', async () => {
    const text =
      'time,n,p,w\n2024-01-01T12:00Z,3,1009,4\n2024-01-01T13:00Z,8,1010,0\n2024-01-01T14:00Z,,,2.5\n';
    const { rows, faults } = await read(text, {
      map: [
        map('n', 'cloud_area_fraction', { unit: 'okta' }),
        map('p', 'surface_air_pressure', { unit: 'mbar' }),
        map('w', 'wind_speed', { unit: 'Beaufort' }),
      ],
    });
    expect(rows.map(({ line: _line, station: _station, time: _time, ...values }) => values)).to.deep.equal([
      { cloud_area_fraction: 37.5, surface_air_pressure: 1009, wind_speed: 6.7 },
      { cloud_area_fraction: 100, surface_air_pressure: 1010, wind_speed: 0 },
    ]);
    expect(faults.flatMap(({ reasons }) => reasons.map(({ code }) => code))).to.deep.equal([
      'cell-scale',
      'no-other-value',
    ]);
    const headed =
      'time,visibility (km),Station pressure (millibar),Wind (bft)\n2024-01-01T12:00Z,2,1009,4\n';
    expect(await valuesOf(headed)).to.deep.equal([
      {
        time: '2024-01-01T12:00:00Z',
        visibility_in_air: 2000,
        surface_air_pressure: 1009,
        wind_speed: 6.7,
      },
    ]);
  });

  it('are not needed for amounts under the name of the variable, whole times beside a date, and unknown directions', async () => {
    const rain = 'time,precipitation_amount\n2024-01-01T00:00Z,1\n2024-01-01T01:00Z,1.2\n';
    expect((await read(rain)).plan.questions).to.deep.equal([]);
    expect((await read(rain.replace('_amount', ' (mm)'))).plan.questions).to.have.lengthOf(1);
    expect(await valuesOf(rain)).to.deep.equal([
      { time: '2024-01-01T00:00:00Z', precipitation_amount: 1 },
      { time: '2024-01-01T01:00:00Z', precipitation_amount: 1.2 },
    ]);
    for (const time of ['2024-01-02T10:00:00Z', '2024-01-02 10:00', '02.01.2024 10:00'])
      expect(await valuesOf(`date,time,air_temperature\n2024-01-01,${time},1\n`), time).to.deep.equal([
        { time: '2024-01-02T10:00:00Z', air_temperature: 1 },
      ]);
    expect(await valuesOf('date,time,air_temperature\n2024-01-01,10:00,1\n')).to.deep.equal([
      { time: '2024-01-01T10:00:00Z', air_temperature: 1 },
    ]);
    const wind = 'time,wind_from_direction,wind_speed\n2024-01-01T00:00Z,999,1\n';
    expect(await valuesOf(wind)).to.deep.equal([{ time: '2024-01-01T00:00:00Z', wind_speed: 1 }]);
  });
});

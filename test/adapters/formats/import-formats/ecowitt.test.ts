import { expect } from 'chai';
import { imported, importFixture } from '../../../support/imported.js';

const FOLDER = 'ecowitt/ecowitt-sdcard-';

describe('files of Ecowitt consoles', () => {
  it('are read with English headings: local times, units of the headings, ABS and REL pressure', async () => {
    const { format, rows, plan } = await imported(`${FOLDER}en-201804A.csv`);
    expect(format).to.equal('ecowitt');
    expect(plan.questions).to.deep.equal([]);
    expect(rows).to.have.lengthOf(6);
    expect(rows[0]).to.deep.equal({
      line: 2,
      station: 'x',
      time: '2018-04-14T10:05:00Z',
      air_temperature: 20.6,
      relative_humidity: 53,
      dew_point_temperature: 10.7,
      wind_speed: 0,
      wind_speed_of_gust: 0,
      wind_from_direction: 230,
      surface_air_pressure: 975,
      air_pressure_at_mean_sea_level: 975,
      surface_downwelling_shortwave_flux_in_air: 0,
      ultraviolet_index: 0,
    });
    expect(rows[1]).to.include({ precipitation_amount: 0 });
  });

  it('are read with German headings, in the unit of wind that each file has', async () => {
    const meters = await imported(`${FOLDER}de-ms-202011B.csv`);
    expect(meters.rows[0]).to.include({ time: '2020-11-27T18:27:00Z', air_temperature: -0.2 });
    const text = importFixture(`${FOLDER}de-kmh-202306A-rain.csv`).toString();
    const kilometers = await imported('202306A.CSV', { content: text });
    const gust = (line: number) =>
      kilometers.rows.find((row) => row['line'] === line)?.['wind_speed_of_gust'];
    const fields = text.split('\r\n')[40]?.split(',') ?? [];
    expect(gust(41)).to.be.closeTo(Number(fields[8]) / 3.6, 1e-9);
    expect(Number(fields[8])).to.be.greaterThan(0);
  });

  it('have the rain of the yearly counter, as amounts between rows', async () => {
    const { rows, plan, faults } = await imported(`${FOLDER}de-kmh-202306A-rain.csv`);
    const amounts = rows.map((row) => (row['precipitation_amount'] as number | undefined) ?? 0);
    // From 310.5 to 324.2 on the counter. That of the day says 13.7.
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).to.be.closeTo(13.7, 1e-9);
    expect(faults).to.deep.equal([]);
    const rain = plan.columns.filter(({ heading }) => heading.startsWith('Regen'));
    expect(rain.map((column) => [column.heading, column.kind])).to.deep.equal([
      ['Regen/Stunde(mm)', 'left out'],
      ['Regen Event(mm)', 'left out'],
      ['Regen/Tag(mm)', 'left out'],
      ['Regen/Wochen(mm)', 'left out'],
      ['Regen/Monat(mm)', 'left out'],
      ['Regen/Jahre(mm)', 'counter'],
    ]);
  });

  it('are recognized with extra channels alone, which are left out', async () => {
    for (const name of ['de-202306Allsensors_A.csv', 'de-2020CH4A.csv']) {
      const { plan } = await imported(`${FOLDER}${name}`);
      expect(new Set(plan.columns.map(({ kind }) => kind))).to.deep.equal(new Set(['left out']));
    }
  });

  it('have no pressure at mean sea level where it equals that of a station above 30 m', async () => {
    const file = 'ecowitt/ecowitt-sdcard-de-ms-202011B.csv';
    for (const [elevation, isLeftOut] of [
      [0, false],
      [30, false],
      [31, true],
      [400, true],
      [undefined, false],
    ] as const) {
      const { rows, notes } = await imported(file, elevation === undefined ? {} : { elevation });
      const seaLevel = rows.filter((row) => 'air_pressure_at_mean_sea_level' in row);
      expect([seaLevel.length, notes.uncalibrated], String(elevation)).to.deep.equal(
        isLeftOut ? [0, rows.length] : [rows.length, 0],
      );
      expect(rows.every((row) => 'surface_air_pressure' in row)).to.equal(true);
    }
    const calibrated = importFixture(file)
      .toString()
      .replace(/^(2020.*?,)(\d{3,4}\.\d),\2,/m, '$1$2,1020.0,');
    const { rows, notes } = await imported(file, { content: calibrated, elevation: 400 });
    expect(rows.filter((row) => row['air_pressure_at_mean_sea_level'] === 1020)).to.have.lengthOf(1);
    expect(notes.uncalibrated).to.equal(rows.length - 1);
  });
});

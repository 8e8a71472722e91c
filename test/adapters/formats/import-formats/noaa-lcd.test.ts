import { expect } from 'chai';
import { imported, importFixture } from '../../../support/imported.js';

describe('files of NOAA LCD', () => {
  it('of version 2 are metric, in standard time all year, without summaries', async () => {
    const { format, plan, rows, notes } = await imported('noaa-lcd/LCD_USW00014939_2020.csv', {
      zone: 'America/Chicago',
    });
    expect([format, plan.title]).to.deep.equal([
      'noaa-lcd',
      'NOAA Local Climatological Data, version 2 (metric units)',
    ]);
    expect(rows[0]).to.deep.equal({
      line: 2,
      station: 'USW00014939',
      time: '2023-01-01T06:00:00Z',
      air_temperature: -2.2,
      dew_point_temperature: -3.3,
      relative_humidity: 92,
      surface_air_pressure: 966.3,
      air_pressure_at_mean_sea_level: 1010,
      wind_speed: 0,
    });
    expect([...notes.passedOver('command')]).to.deep.equal([['summaries of months', 1]]);
    const text = importFixture('noaa-lcd/LCD_USW00014939_2020.csv').toString();
    const summer = await imported('LCD_USW00014939_2023.csv', {
      content: text.replaceAll('2023-01-', '2023-07-'),
      zone: 'America/Chicago',
    });
    expect(summer.rows[0]).to.include({ time: '2023-07-01T06:00:00Z' });
  });

  it('have the rain of routine reports alone', async () => {
    const { rows } = await imported('noaa-lcd/LCDv1_3876540.csv', { zone: 'America/New_York' });
    const of = (local: string) =>
      rows.find(({ time }) => time === new Date(`${local}-05:00`).toISOString().replace('.000Z', 'Z'));
    expect(of('2020-01-03T08:52:00')).to.include({ precipitation_amount: 8.89 });
    expect(of('2020-01-03T09:29:00')).to.include({ visibility_in_air: 2816.352 });
    expect(of('2020-01-03T09:29:00')).not.to.have.property('precipitation_amount');
  });

  it('keep the other values of a report with VRB, a trace or a letter behind a value', async () => {
    const { rows, notes, faults } = await imported('noaa-lcd/LCDv1_3876540.csv', {
      zone: 'America/New_York',
    });
    expect(faults).to.deep.equal([]);
    const variable = rows.find(({ line }) => line === 19);
    expect(variable).to.have.property('wind_speed').greaterThan(0);
    expect(variable).not.to.have.property('wind_from_direction');
    expect(Object.fromEntries(notes.annotations.get('HourlyPrecipitation') ?? [])).to.deep.include({
      s: { value: undefined, count: 1 },
    });
    expect(notes.annotations.get('HourlyPrecipitation')?.get('T')).to.have.property('value', 'trace');
  });
});

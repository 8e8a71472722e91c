import { expect } from 'chai';
import { type ExpectedImport, expectImport, imported, importFixture } from '../../../support/imported.js';

interface Case extends ExpectedImport {
  readonly file: string;
  /** Lines of the rows that have no value. */
  readonly rejected?: readonly number[];
}

/** One reading of each file, checked by hand against its text. Values are in stored units. */
const CASES: readonly Case[] = [
  {
    file: 'isd-lite/725755-24101-2014',
    format: 'isd-lite',
    count: 40,
    rows: [
      {
        line: 6,
        station: 'x',
        time: '2014-01-01T06:00:00Z',
        air_temperature: -0.4,
        dew_point_temperature: -3.9,
        air_pressure_at_mean_sea_level: 1024.2,
        wind_from_direction: 260,
        wind_speed: 2.1,
        precipitation_amount: 0,
        precipitation_trace: 1,
      },
    ],
    leftOut: { 'precipitation, 6 h': 'contains the amounts of single hours' },
  },
  {
    file: 'dwd/produkt_ff_stunde_20180915_20200317_04911.txt',
    format: 'dwd',
    count: 10,
    rows: [
      { line: 2, station: '4911', time: '2018-09-15T00:00:00Z', wind_speed: 1.6, wind_from_direction: 80 },
      { line: 7, station: '4911', time: '2019-04-20T21:00:00Z', wind_from_direction: 90 },
    ],
    leftOut: { QN_3: 'describes the quality' },
  },
  {
    file: 'dwd/produkt_p0_stunde_20180915_20200317_07412.txt',
    format: 'dwd',
    count: 10,
    rows: [
      {
        line: 2,
        station: '7412',
        time: '2018-09-15T00:00:00Z',
        air_pressure_at_mean_sea_level: 1021.2,
        surface_air_pressure: 980.9,
      },
    ],
  },
  {
    file: 'dwd/produkt_rr_stunde_20180914_20200316_00020.txt',
    format: 'dwd',
    count: 10,
    rows: [{ line: 7, station: '20', time: '2020-02-10T22:00:00Z', precipitation_amount: 5.1 }],
  },
  {
    file: 'dwd/produkt_tu_stunde_20180915_20200317_00320.txt',
    format: 'dwd',
    count: 10,
    rows: [
      {
        line: 11,
        station: '320',
        time: '2020-03-17T23:00:00Z',
        air_temperature: 2.6,
        relative_humidity: 100,
      },
    ],
  },
  {
    file: 'dwd-poi/poi-observations.csv',
    format: 'dwd-poi',
    count: 5,
    rows: [
      {
        line: 5,
        station: 'x',
        time: '2020-04-06T07:00:00Z',
        dew_point_temperature: -10.2,
        air_temperature: -4.5,
        wind_speed_of_gust: 6.11111111111,
        wind_from_direction: 140,
        wind_speed: 3.88888888889,
        precipitation_amount: 0,
        air_pressure_at_mean_sea_level: 1023.6,
        relative_humidity: 64,
      },
    ],
    leftOut: { precipitation_amount_last_3_hours: 'of a longer period' },
  },
  {
    file: 'eccc/en_climate_hourly_excerpt.csv',
    format: 'eccc',
    count: 12,
    rows: [
      {
        line: 2,
        station: '3067371',
        time: '2016-04-01T00:00:00Z',
        air_temperature: 12.6,
        dew_point_temperature: 0.9,
        relative_humidity: 45,
        wind_speed: 3.05555555556,
        surface_air_pressure: 924.8,
      },
    ],
    leftOut: { 'Wind Dir Flag': 'M where a value is missing', 'Time (UTC)': 'the same time again' },
  },
  {
    file: 'met-eireann/dly575.csv',
    format: 'met-eireann',
    count: 3,
    rows: [
      {
        line: 28,
        station: 'x',
        time: '2003-08-14T00:00:00Z',
        daily_maximum_air_temperature: 21.8,
        daily_maximum_wind_speed_of_gust: 7.20222222222,
        daily_maximum_wind_speed: 4.11555555556,
        daily_mean_wind_speed: 1.80055555556,
      },
    ],
    leftOut: { cbl: 'the legend does not say at which height', gmin: 'measured at the grass' },
  },
  {
    file: 'meteofrance-synop/synop.202412.csv',
    format: 'meteofrance-synop',
    count: 7,
    rows: [
      {
        line: 2,
        station: '07005',
        time: '2024-12-01T00:00:00Z',
        air_pressure_at_mean_sea_level: 1023.8,
        wind_from_direction: 130,
        wind_speed: 3.1,
        air_temperature: 6,
        dew_point_temperature: 4.3,
        relative_humidity: 89,
        visibility_in_air: 16_430,
        surface_air_pressure: 1014.9,
        wind_speed_of_gust: 5.7,
        surface_snow_thickness: 0,
        precipitation_amount: 0,
      },
    ],
    leftOut: { rr1: 'overlaps the amounts of rr3', rr24: 'overlaps the amounts of rr3' },
  },
  {
    file: 'meteoswiss/VQHA80.csv',
    format: 'meteoswiss',
    count: 5,
    rows: [
      {
        line: 4,
        station: 'TAE',
        time: '2020-05-16T12:30:00Z',
        air_temperature: 16,
        precipitation_amount: 0,
        duration_of_sunshine: 600,
        surface_downwelling_shortwave_flux_in_air: 891,
        relative_humidity: 50,
        dew_point_temperature: 5.5,
        wind_from_direction: 53,
        wind_speed: 2.69444444444,
        wind_speed_of_gust: 5.88888888889,
        surface_air_pressure: 957.4,
        air_pressure_at_mean_sea_level: 1019.7,
      },
    ],
  },
  {
    file: 'meteoswiss/VQHA80_2020.csv',
    format: 'meteoswiss',
    count: 4,
    rows: [],
  },
  { file: 'meteoswiss/VQHA69.csv', format: 'meteoswiss', count: 3, rows: [] },
  {
    file: 'meteoswiss/ogd-smn_ber_t_historical_2000-2009.csv',
    format: 'meteoswiss',
    count: 4,
    rows: [
      {
        line: 2,
        station: 'BER',
        time: '2004-02-01T00:00:00Z',
        air_temperature: 7.4,
        relative_humidity: 66.2,
        dew_point_temperature: 1.5,
        surface_air_pressure: 955.5,
        air_pressure_at_mean_sea_level: 1023.1,
        wind_speed_of_gust: 5.8,
        wind_from_direction: 258,
        wind_speed: 3,
        precipitation_amount: 0,
        surface_downwelling_shortwave_flux_in_air: 6,
        duration_of_sunshine: 0,
      },
    ],
    leftOut: { fkl010z0: 'empty', htoauts0: 'empty', fu3010z1: 'another column of wind_speed_of_gust' },
  },
  {
    file: 'midas/mean-wind_1991.csv',
    format: 'midas',
    count: 10,
    rows: [
      {
        line: 81,
        station: 'x',
        time: '1991-12-01T01:00:00Z',
        wind_from_direction: 0,
        wind_speed: 0,
        wind_speed_of_gust: 0,
      },
    ],
    leftOut: { max_gust_dir: 'an extreme of a period', mean_wind_speed_q: 'describes the quality' },
  },
  {
    file: 'midas/hourly-rain_1991.csv',
    format: 'midas',
    count: 13,
    rows: [{ line: 63, station: 'x', time: '1991-01-01T06:00:00Z', precipitation_amount: 0 }],
  },
  {
    file: 'meteostat/synthetic-10637.csv',
    format: 'meteostat',
    count: 3,
    rows: [
      {
        line: 3,
        station: 'x',
        time: '2024-01-01T12:00:00Z',
        air_temperature: 5.9,
        dew_point_temperature: 0.6,
        relative_humidity: 69,
        precipitation_amount: 0,
        surface_snow_thickness: 0.02,
        wind_from_direction: 250,
        wind_speed: 6,
        air_pressure_at_mean_sea_level: 1013.9,
        duration_of_sunshine: 2160,
      },
    ],
  },
  {
    file: 'ghcnh/synthetic-date.psv',
    format: 'ghcnh',
    count: 3,
    rows: [
      {
        line: 2,
        station: 'USW00094728',
        time: '2024-01-09T22:51:00Z',
        air_temperature: 8.3,
        wind_speed: 0,
        precipitation_amount: 2.5,
      },
      {
        line: 3,
        station: 'USW00094728',
        time: '2024-01-09T23:10:00Z',
        air_temperature: 8.4,
        wind_from_direction: 360,
        wind_speed: 3.1,
      },
      {
        line: 4,
        station: 'USW00094728',
        time: '2024-01-09T23:51:00Z',
        wind_from_direction: 90,
        wind_speed: 4.1,
        precipitation_amount: 0,
      },
    ],
    leftOut: { precipitation_3_hour: 'overlaps the amounts of single hours' },
  },
  {
    file: 'ghcnh/synthetic-parts.psv',
    format: 'ghcnh',
    count: 1,
    rows: [
      {
        line: 2,
        station: 'UKI0000EGLL',
        time: '2019-07-25T14:50:00Z',
        air_temperature: 37.1,
        air_pressure_at_mean_sea_level: 1012.4,
      },
    ],
  },
  {
    file: 'isd/725300-94846-2014',
    format: 'isd',
    count: 2,
    rows: [
      {
        line: 1,
        station: '72530094846',
        time: '2014-01-01T01:08:00Z',
        wind_from_direction: 290,
        wind_speed: 1.5,
        visibility_in_air: 2012,
        air_temperature: -11.1,
        dew_point_temperature: -14.4,
        surface_air_pressure: 1001.4,
      },
      {
        line: 2,
        station: '72530094846',
        time: '2014-01-05T06:51:00Z',
        wind_from_direction: 360,
        wind_speed: 6.7,
        visibility_in_air: 1207,
        air_temperature: -3.3,
        dew_point_temperature: -5.6,
        air_pressure_at_mean_sea_level: 1016.2,
        surface_air_pressure: 991.1,
        precipitation_amount: 1.8,
      },
    ],
  },
  {
    file: 'isd/722020-12839-2020',
    format: 'isd',
    count: 1,
    rows: [
      {
        line: 1,
        station: '72202012839',
        time: '2020-01-01T00:53:00Z',
        wind_speed: 0,
        visibility_in_air: 16_093,
        air_temperature: 22.8,
        dew_point_temperature: 15,
        air_pressure_at_mean_sea_level: 1017.8,
        surface_air_pressure: 1016.9,
        cloud_area_fraction: 25,
        precipitation_amount: 0,
      },
    ],
  },
  {
    file: 'isd/875760-99999-2021',
    format: 'isd',
    count: 3,
    rows: [
      {
        line: 2,
        station: '87576099999',
        time: '2021-01-01T00:00:00Z',
        wind_from_direction: 320,
        wind_speed: 1.5,
        visibility_in_air: 9900,
        air_temperature: 26,
        dew_point_temperature: 6,
      },
    ],
  },
  {
    file: 'isd/029070-99999-1901',
    format: 'isd',
    count: 2,
    rows: [
      {
        line: 1,
        station: '02907099999',
        time: '1901-01-01T06:00:00Z',
        wind_from_direction: 270,
        wind_speed: 15.9,
        visibility_in_air: 0,
        air_temperature: -7.8,
        air_pressure_at_mean_sea_level: 1020,
        cloud_area_fraction: 100,
      },
    ],
  },
  {
    file: 'uscrn/synthetic-CRNH0203-2019-AZ_Tucson_11_W.txt',
    format: 'uscrn',
    count: 4,
    rows: [
      {
        line: 2,
        station: '53131',
        time: '2019-01-01T17:00:00Z',
        air_temperature: 5.2,
        precipitation_amount: 0.8,
        surface_downwelling_shortwave_flux_in_air: 340,
        relative_humidity: 83,
      },
      { line: 3, station: '53131', time: '2019-01-01T18:00:00Z', precipitation_amount: 0.2 },
    ],
    leftOut: { T_HR_AVG: 'another column of air_temperature', T_MAX: 'an extreme of the interval' },
  },
  {
    file: 'uscrn/CRNS0101-05-2019-AZ_Tucson_11_W.txt',
    format: 'uscrn',
    count: 4,
    rows: [
      {
        line: 2,
        station: '53131',
        time: '2019-01-01T16:15:00Z',
        air_temperature: 3.3,
        precipitation_amount: 0,
        surface_downwelling_shortwave_flux_in_air: 183,
        relative_humidity: 87,
      },
    ],
    leftOut: { WIND_1_5: 'measured at 1.5 m' },
  },
  {
    file: 'ndbc/synthetic-realtime.txt',
    format: 'ndbc',
    count: 3,
    rows: [
      {
        line: 4,
        station: 'x',
        time: '2026-09-14T21:54:00Z',
        wind_from_direction: 40,
        wind_speed: 6.7,
        wind_speed_of_gust: 8.8,
        air_pressure_at_mean_sea_level: 1018.3,
        air_temperature: 25.1,
        dew_point_temperature: 19.4,
        visibility_in_air: 14_816,
      },
    ],
    leftOut: { PTDY: 'a change of the pressure', WTMP: 'the service has no such variable' },
  },
  {
    file: 'ndbc/synthetic-history.txt',
    format: 'ndbc',
    count: 2,
    rows: [
      {
        line: 2,
        station: 'x',
        time: '2003-01-01T00:00:00Z',
        wind_from_direction: 190,
        wind_speed: 10.9,
        wind_speed_of_gust: 12.8,
        air_pressure_at_mean_sea_level: 1012.1,
        air_temperature: 24.5,
      },
      {
        line: 3,
        station: 'x',
        time: '2003-01-01T01:00:00Z',
        air_temperature: 24.4,
        dew_point_temperature: 20.1,
        visibility_in_air: 18_520,
      },
    ],
  },
  {
    file: 'ndbc/synthetic-two-digit-years.txt',
    format: 'ndbc',
    count: 1,
    rows: [
      {
        line: 2,
        station: 'x',
        time: '1997-12-31T23:00:00Z',
        wind_from_direction: 310,
        wind_speed: 4.2,
        wind_speed_of_gust: 5.1,
        air_pressure_at_mean_sea_level: 1021.7,
        air_temperature: -1.5,
      },
    ],
  },
  {
    file: 'surfrad/slv16001.dat',
    format: 'surfrad',
    count: 10,
    rows: [
      {
        line: 4,
        station: 'x',
        time: '2016-01-01T00:01:00Z',
        surface_downwelling_shortwave_flux_in_air: -1.8,
        air_temperature: -7.7,
        relative_humidity: 53,
        wind_speed: 3.1,
        wind_from_direction: 304.7,
        surface_air_pressure: 773.5,
      },
    ],
  },
  {
    file: 'surfrad/synthetic-flags.dat',
    format: 'surfrad',
    count: 1,
    rows: [
      {
        line: 3,
        station: 'x',
        time: '2016-01-01T00:01:00Z',
        surface_downwelling_shortwave_flux_in_air: -1.8,
        relative_humidity: 53,
        wind_speed: 3.1,
        wind_from_direction: 304.7,
        surface_air_pressure: 773.5,
      },
    ],
  },
  {
    file: 'tmy3/703165TY.csv',
    format: 'tmy3',
    count: 14,
    rows: [
      {
        line: 3,
        station: 'x',
        time: '1997-01-01T10:00:00Z',
        surface_downwelling_shortwave_flux_in_air: 0,
        cloud_area_fraction: 90,
        air_temperature: 4,
        dew_point_temperature: 3,
        relative_humidity: 93,
        surface_air_pressure: 1012,
        wind_from_direction: 320,
        wind_speed: 2.1,
      },
      {
        line: 15,
        station: 'x',
        time: '1997-01-02T09:00:00Z',
        surface_downwelling_shortwave_flux_in_air: 0,
        cloud_area_fraction: 100,
        air_temperature: 4,
        dew_point_temperature: 0,
        relative_humidity: 75,
        surface_air_pressure: 1012,
        wind_from_direction: 340,
        wind_speed: 4.6,
      },
      {
        line: 16,
        station: 'x',
        time: '1997-01-11T20:00:00Z',
        surface_downwelling_shortwave_flux_in_air: 7,
        cloud_area_fraction: 100,
        air_temperature: 5,
        dew_point_temperature: 3,
        relative_humidity: 87,
        surface_air_pressure: 1012,
        wind_from_direction: 130,
        wind_speed: 4.6,
        visibility_in_air: 5600,
        precipitation_amount: 1,
      },
    ],
    leftOut: { 'GHI source': 'describes a value', 'DNI (W/m^2)': 'the service has no such variable' },
  },
  {
    file: 'noaa-lcd/synthetic-2015.csv',
    format: 'noaa-lcd',
    count: 4,
    passedOver: { 'summaries of months': 1 },
    rows: [
      {
        line: 2,
        station: '14739',
        time: '2014-12-31T23:54:00Z',
        visibility_in_air: 16_093.44,
        air_temperature: -5.6,
        dew_point_temperature: -13.9,
        relative_humidity: 52,
        wind_speed: 4.4704,
        wind_from_direction: 240,
        wind_speed_of_gust: 8.04672,
        surface_air_pressure: 1019.30298074,
        air_pressure_at_mean_sea_level: 1019.98025847,
        precipitation_amount: 0,
        precipitation_trace: 1,
      },
      {
        line: 5,
        station: '14739',
        time: '2015-01-01T23:00:00Z',
        daily_maximum_air_temperature: 0.55555555556,
        daily_minimum_air_temperature: -5.55555555556,
        daily_precipitation_amount: 0.508,
        daily_thickness_of_snowfall_amount: 2.54,
        daily_surface_snow_thickness: 0,
        daily_surface_snow_trace: 1,
        daily_maximum_wind_speed_of_gust: 12.51712,
      },
    ],
    leftOut: { HOURLYDRYBULBTEMPF: 'the same in °F' },
  },
];

describe('files of weather services', () => {
  for (const { file, rejected = [], ...expected } of CASES) {
    it(`${file} has the values and times that its service means`, async () => {
      const read = await imported(file, { zone: 'Europe/Berlin' });
      expect(read.faults.map(({ line }) => line)).to.deep.equal(rejected);
      expectImport(read, expected);
    });
  }

  it('of Environment Canada are in standard time all year where their heading says so', async () => {
    const text = importFixture('eccc/en_climate_hourly_excerpt.csv')
      .toString()
      .replaceAll('(UTC)', '(LST)')
      .replaceAll('2016-04', '2016-07');
    const { rows } = await imported('en_climate_hourly.csv', { content: text, zone: 'America/Edmonton' });
    expect(rows[0]).to.include({ time: '2016-07-01T07:00:00Z' });
  });

  it('of Météo-France with reports every hour have the amount of the hour', async () => {
    const text = importFixture('meteofrance-synop/synop.202412.csv')
      .toString()
      .replaceAll('01000000;', '01010000;');
    const { plan } = await imported('synop.csv', { content: text });
    const amount = plan.columns.find(({ kind, heading }) => kind === 'value' && heading.startsWith('rr'));
    expect(amount?.heading).to.equal('rr1');
  });

  it('of Met Éireann with a clock are hourly', async () => {
    const content =
      'Station Name: CORK AIRPORT\nStation Height: 155 M \n\ndate,ind,rain,ind,temp,wdsp,sun,clamt\n' +
      '01-jan-2020 00:00,0,0.4,0,7.3,10,0.0,8\n01-jan-2020 01:00,2, ,0,7.1,12,0.0,9\n';
    const { rows } = await imported('hly3904.csv', { content });
    expect(rows).to.deep.equal([
      {
        line: 5,
        station: 'x',
        time: '2020-01-01T00:00:00Z',
        precipitation_amount: 0.4,
        air_temperature: 7.3,
        wind_speed: 5.14444444444,
        duration_of_sunshine: 0,
        cloud_area_fraction: 100,
      },
      {
        line: 6,
        station: 'x',
        time: '2020-01-01T01:00:00Z',
        air_temperature: 7.1,
        wind_speed: 6.17333333333,
        duration_of_sunshine: 0,
      },
    ]);
  });
});

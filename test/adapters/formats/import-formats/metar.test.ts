import { expect } from 'chai';
import { textOf } from '#adapters/formats/files/sentences.js';
import { imported } from '../../../support/imported.js';

const at = (issued: string) => new Map([['issued', issued]]);
const read = async (lines: readonly string[], issued: string) =>
  (await imported('metars.txt', { content: `${lines.join('\n')}\n`, answers: at(issued) })).rows;
const report = (stamp: string, station = 'KJFK') => `${station} ${stamp}Z 24012KT 10SM 13/02 A3001`;
const days = async (stamps: readonly string[], issued: string) =>
  (
    await read(
      stamps.map((stamp) => report(stamp)),
      issued,
    )
  ).map(({ time }) => String(time).slice(0, 16));

describe('METAR text', () => {
  it('tells the interval of routine reports by their minutes, and says so where it does not', async () => {
    const two = (value: number) => String(value).padStart(2, '0');
    const planOf = async (stamps: readonly string[], more: readonly string[] = []) =>
      (
        await imported('metars.txt', {
          content: `${[...stamps.map((stamp) => report(stamp)), ...more].join('\n')}\n`,
          answers: at('2022-11-02'),
        })
      ).plan;
    const hours = Array.from({ length: 24 }, (_, hour) => `01${two(hour)}`);
    const hourly = hours.map((hour) => `${hour}51`);
    const specials = ['010107', '010112', '010118', '010131', '010139', '010144', '010921', '011821'];
    const special = specials.map((stamp) => `SPECI ${report(stamp)}`);
    for (const [stamps, more, interval] of [
      [hourly, [], 3600],
      // Specials are marked in some collections alone.
      [[...hourly, ...specials].toSorted(), [], 3600],
      [hourly, special, 3600],
      [hours.flatMap((hour) => [`${hour}20`, `${hour}50`]), [], 1800],
      [hours.flatMap((hour) => [`${hour}00`, `${hour}20`, `${hour}40`]), [], undefined],
      [hourly.slice(0, 5), [], undefined],
      [hours.map((hour, index) => `${hour}${two((index * 7) % 60)}`), [], undefined],
      [
        hourly,
        hours.flatMap((hour) => [report(`${hour}20`, 'EDDF'), report(`${hour}50`, 'EDDF')]),
        undefined,
      ],
    ] as const) {
      const { routineInterval, notes = [] } = await planOf(stamps, more);
      expect(routineInterval, stamps.join()).to.equal(interval);
      expect(notes.some((note) => textOf(note, 'command').includes('--interval SECONDS'))).to.equal(
        interval === undefined,
      );
    }
  });

  it('is dated before the time of issue, over several months, with the oldest or the newest report first', async () => {
    expect(await days(['010051'], '2022-11-01')).to.deep.equal(['2022-10-01T00:51']);
    expect(await days(['010051'], '2022-11-02')).to.deep.equal(['2022-11-01T00:51']);
    const stamps = [
      '300051',
      '310051',
      '010051',
      '020051',
      '150051',
      '160051',
      '300051',
      '010051',
      '012351',
      '020051',
    ];
    const expected = [
      '2022-08-30T00:51',
      '2022-08-31T00:51',
      '2022-09-01T00:51',
      '2022-09-02T00:51',
      '2022-09-15T00:51',
      '2022-09-16T00:51',
      '2022-09-30T00:51',
      '2022-10-01T00:51',
      '2022-10-01T23:51',
      '2022-10-02T00:51',
    ];
    expect(await days(stamps, '2022-10-20')).to.deep.equal(expected);
    expect(await days(stamps.toReversed(), '2022-10-20')).to.deep.equal(expected.toReversed());
  });

  it('is dated by each station alone, a little out of order, and by a date in the line', async () => {
    const rows = await read(
      [report('310051'), report('010051', 'KLGA'), report('010051'), report('312351'), report('010151')],
      '2022-11-10',
    );
    expect(rows.map(({ station, time }) => `${station} ${String(time).slice(0, 13)}`)).to.deep.equal([
      'KJFK 2022-10-31T00',
      'KLGA 2022-11-01T00',
      'KJFK 2022-11-01T00',
      'KJFK 2022-10-31T23',
      'KJFK 2022-11-01T01',
    ]);
    const [dated] = await read(
      ['raw_text,time', `${report('231151')},KJFK,2019-05-23T11:51:00Z`],
      '2022-11-10',
    );
    expect(dated).to.include({ time: '2019-05-23T11:51:00Z' });
  });

  it('has tenths of degrees, and the precipitation of the hour in routine reports', async () => {
    const rows = await read(
      [
        'METAR KJFK 231151Z 24012G21KT 10SM FEW250 13/M02 A3001 RMK AO2 SLP163 P0012 T01281017',
        'SPECI KJFK 231158Z 24012KT 10SM 13/M02 A3001 RMK AO2 P0005 T00001000',
        'KJFK 231220Z 24012KT 10SM 13/M02 A3001 RMK AO2 P0005',
        'KJFK 231251Z VRB02KT 10SM 13/M02 A3001 RMK AO2 P0000',
      ],
      '2022-11-01',
    );
    expect(
      rows.map((row) => [row['air_temperature'], row['dew_point_temperature'], row['precipitation_amount']]),
    ).to.deep.equal([
      [12.8, -1.7, 3.048],
      [0, 0, undefined],
      [13, -2, undefined],
      [13, -2, 0],
    ]);
    expect(rows[3]).not.to.have.property('wind_from_direction');
    expect(rows[0]).to.include({ air_pressure_at_mean_sea_level: 1016.3 });
  });
});

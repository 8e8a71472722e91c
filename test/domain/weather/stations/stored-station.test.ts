import { expect } from 'chai';
import {
  assertReadable,
  columnOfDamage,
  describeStationDamage,
  isCheckable,
  readStation,
  type StoredStation,
} from '#domain/weather/stations/stored-station.js';
import type { DamageableField } from '#domain/weather/station.js';
import { STATION } from '../../../support/weather-world.js';

const ROW: StoredStation = {
  ...STATION,
  number: 3,
  steps: null,
  persistence: null,
  sensorHeights: null,
  cellMethods: null,
  stampInterval: null,
  dailyObservationTime: null,
  visibility: null,
  positionDecimals: null,
  demo: null,
  earlier: null,
};
const SOUND = { ...STATION, number: 3 };
const PERIOD = { latitude: 1, longitude: 2, elevation: null, reportingInterval: 60, until: 1000 };

describe('stored stations', () => {
  const read = (changes: Partial<StoredStation>) => readStation({ ...ROW, ...changes });
  /** `field reason` of each damage. */
  const damageOf = (changes: Partial<StoredStation>) =>
    (read(changes).damaged ?? []).map(({ field, reason }) => `${field} ${reason}`);

  it('have the fields of their row, without those that are absent', () => {
    expect(read({})).to.deep.equal(SOUND);
    const full = {
      steps: { air_temperature: { perMinute: 1, perHour: 2 } },
      persistence: { air_temperature: 60 },
      sensorHeights: { wind_speed: 2 },
      cellMethods: { air_temperature: 'interval' },
      stampInterval: 60,
      dailyObservationTime: '24:00',
      visibility: 'hidden',
      positionDecimals: 2,
      earlier: [
        { ...PERIOD, dailyObservationTime: '07:00' },
        { ...PERIOD, until: 2000, sensorHeights: { wind_speed: 3 } },
      ],
      elevation: null,
      reportingInterval: null,
    } as const;
    expect(read(full)).to.deep.equal({ ...SOUND, ...full });
    expect(read({ visibility: 'public' })).to.deep.equal(SOUND);
  });

  it('are parsed where their fields are JSON', () => {
    const parse = (stored: unknown) => JSON.parse(stored as string) as unknown;
    const texts = { identifiers: '{"icao":"KJFK"}', limits: '{}' };
    expect(readStation({ ...ROW, ...texts }, parse)).to.deep.equal(SOUND);
    const broken = readStation({ ...ROW, ...texts, limits: '{', steps: '[' }, parse);
    expect(broken.damaged).to.deep.equal([
      { field: 'limits', reason: 'is not JSON' },
      { field: 'steps', reason: 'is not JSON' },
    ]);
    expect(broken.limits).to.deep.equal({});
    expect(broken).not.to.have.property('steps');
  });

  it('are damaged where a field has another form or is out of its range', () => {
    const form = 'does not have the form of this field';
    const forms: readonly (readonly [DamageableField, readonly unknown[]])[] = [
      ['id', [7, null]],
      ['latitude', ['x', null, NaN, Infinity]],
      ['longitude', ['x', null]],
      ['elevation', ['x', NaN]],
      ['reportingInterval', ['x', {}]],
      ['stampInterval', ['x']],
      ['dailyObservationTime', [7, {}]],
      ['identifiers', [{ a: 1 }, [], null, 'x']],
      [
        'limits',
        [{ air_temperature: { min: 1 } }, { air_temperature: { max: 1 } }, { air_temperature: null }, []],
      ],
      ['steps', [{ air_temperature: { perMinute: 1 } }, { air_temperature: { perHour: 1 } }]],
      ['persistence', [{ air_temperature: '60' }, 5]],
      ['sensorHeights', [{ wind_speed: null }]],
      ['cellMethods', [{ air_temperature: 'odd' }]],
      [
        'earlier',
        [
          {},
          [null],
          [{ ...PERIOD, latitude: null }],
          [{ ...PERIOD, longitude: 'x' }],
          [{ ...PERIOD, until: undefined }],
          [{ ...PERIOD, elevation: 'x' }],
          [{ ...PERIOD, reportingInterval: 'x' }],
          [{ ...PERIOD, sensorHeights: { wind_speed: 'x' } }],
          [{ ...PERIOD, dailyObservationTime: 7 }],
          [PERIOD, PERIOD],
          [PERIOD, { ...PERIOD, until: 999 }],
        ],
      ],
    ];
    for (const [field, values] of forms)
      for (const value of values)
        expect(damageOf({ [field]: value }), `${field} ${JSON.stringify(value)}`).to.deep.equal([
          `${field} ${form}`,
        ]);
    const rules: readonly (readonly [DamageableField, unknown])[] = [
      ['id', 'a b'],
      ['latitude', 91],
      ['longitude', -181],
      ['elevation', 9001],
      ['reportingInterval', 0],
      ['stampInterval', 1.5],
      ['dailyObservationTime', '24:01'],
      ['limits', { warmth: { min: 0, max: 1 } }],
      ['persistence', { air_temperature: 1 }],
      ['earlier', [PERIOD, { ...PERIOD, until: 2000, latitude: 91 }]],
    ];
    for (const [field, value] of rules)
      expect(damageOf({ [field]: value })[0], `${field} ${JSON.stringify(value)}`).to.match(
        new RegExp(`^${field} breaks a rule: ${field === 'id' ? '' : '.*[^.]$'}`),
      );
    expect(damageOf({ timeZone: 'Europe/Bonn' })).to.deep.equal([
      'timeZone is not a time zone: "Europe/Bonn"',
    ]);
    expect(damageOf({ timeZone: 7 })).to.deep.equal(['timeZone is not a time zone: 7']);
    expect(damageOf({ latitude: 'x', limits: 5 })).to.have.length(2);
  });

  it('keep what has no other value, and restrict what was to be restricted', () => {
    expect(read({ latitude: 'x', id: 7, timeZone: 'Europe/Bonn' })).to.deep.include({
      latitude: 'x',
      id: 7,
      timeZone: 'Europe/Bonn',
    });
    expect(read({ elevation: 'x', reportingInterval: 'x', identifiers: 5 })).to.deep.include({
      elevation: null,
      reportingInterval: null,
      identifiers: {},
    });
    expect(read({ stampInterval: 'x' })).not.to.have.property('stampInterval');
    expect(read({ visibility: 'odd' })).to.include({ visibility: 'hidden' });
    expect(
      [-1, 'x', 99].map((positionDecimals) => read({ positionDecimals }).positionDecimals),
    ).to.deep.equal([0, 0, 0]);
  });

  it('are checked and read although a field is damaged on which that does not depend', () => {
    const fields = [
      'id',
      'number',
      'timeZone',
      'latitude',
      'longitude',
      'elevation',
      'reportingInterval',
    ] as const;
    const others = [
      'identifiers',
      'limits',
      'steps',
      'persistence',
      'sensorHeights',
      'cellMethods',
      'earlier',
    ] as const;
    const last = ['stampInterval', 'dailyObservationTime'] as const;
    const found = [...fields, ...others, ...last].map((field) => {
      const station = { ...SOUND, damaged: [{ field, reason: 'is not JSON' }] };
      let isReadable = true;
      try {
        assertReadable(station);
      } catch {
        isReadable = false;
      }
      const option = /weatherd station set JFK (\S+)" or/.exec(describeStationDamage(station))?.[1] ?? '-';
      return [field, columnOfDamage({ field, reason: '' }), option, isReadable, isCheckable(station)].join(
        ' ',
      );
    });
    expect(found).to.deep.equal([
      'id id - true true',
      'number number - false true',
      'timeZone time_zone --time-zone false true',
      'latitude latitude --latitude false false',
      'longitude longitude --longitude false false',
      'elevation elevation --elevation false false',
      'reportingInterval reporting_interval --interval false false',
      'identifiers identifiers --identifier true true',
      'limits limits --limit false false',
      'steps steps --step false false',
      'persistence persistence --persistence false false',
      'sensorHeights sensor_heights --sensor-height false true',
      'cellMethods cell_methods --cell-method false true',
      'earlier earlier --forget-history false false',
      'stampInterval stamp_interval --stamp-interval false true',
      'dailyObservationTime daily_observation_time --observation-time false true',
    ]);
    expect(isCheckable(SOUND)).to.equal(true);
    expect(() => assertReadable(SOUND)).not.to.throw();
    const both = {
      id: 'JFK',
      damaged: [
        { field: 'limits', reason: 'a' },
        { field: 'steps', reason: 'b' },
      ],
    } as const;
    expect(describeStationDamage(both))
      .to.include('the column limits a; the column steps b.')
      .and.include('--limit … --step');
  });
});

import { expect } from 'chai';
import { faultsOf } from '#adapters/site/client/admin/faults.js';
import {
  heightsText,
  limitsText,
  stationBody,
  type StationReply,
} from '#adapters/site/client/admin/station-draft.js';

describe('faults of a form', () => {
  const names = ['name', 'latitude', 'time_zone'];
  const cases = [
    ['body.latitude: Must be a number', { fields: { latitude: 'Must be a number' }, general: '' }],
    [
      'body.name: Too long; body.time_zone: Unknown; body.steps.x: Wrong',
      { fields: { name: 'Too long', time_zone: 'Unknown' }, general: 'steps.x: Wrong' },
    ],
    [
      'Station 0: A latitude must be from -90 to 90 degrees.',
      { fields: { latitude: 'A latitude must be from -90 to 90 degrees.' }, general: '' },
    ],
    [
      'The time zone is unknown; use an IANA name.',
      { fields: { time_zone: 'The time zone is unknown; use an IANA name.' }, general: '' },
    ],
    ['There is no station "x".', { fields: {}, general: 'There is no station "x".' }],
    ['', { fields: {}, general: '' }],
  ] as const;
  for (const [message, expected] of cases)
    it(message === '' ? 'none' : message, () => expect(faultsOf(message, names)).to.deep.equal(expected));
});

describe('the form of a station', () => {
  const present: StationReply = {
    station: {
      id: 'GARDEN',
      number: 1,
      name: 'Garden',
      latitude: 59,
      longitude: 10,
      elevation: null,
      time_zone: 'Europe/Oslo',
      identifiers: { icao: 'ENGM' },
      reporting_interval: 60,
    },
    limits: { air_temperature: { min: -40, max: 50.5 } },
    sensor_heights: { wind_speed: 10, soil_temperature: -0.1 },
    steps: { air_temperature: { per_minute: 1, per_hour: 2 } },
    persistence: { wind_speed: 3600 },
    cell_methods: { wind_speed: 'point' },
    stamp_interval: 600,
    daily_observation_time: '07:00',
    visibility: 'hidden',
    position_decimals: 1,
  };
  const values = {
    name: 'Garden',
    latitude: '59',
    longitude: '10',
    elevation: '',
    time_zone: 'Europe/Oslo',
    reporting_interval: '60',
    limits: limitsText(present.limits),
    sensor_heights: heightsText(present.sensor_heights),
    visibility: 'hidden',
    position_decimals: '1',
    since: '',
  };

  it('changes nothing if nothing is typed, also what it does not show', () => {
    const { id: _id, number: _number, ...station } = present.station;
    const { station: _station, ...settings } = present;
    expect(stationBody(values, present)).to.deep.equal({ body: { ...station, ...settings } });
  });

  it('publishes a station whose box is not ticked, with its exact position if the number is empty', () => {
    const { visibility: _visibility, ...others } = values;
    const { body } = stationBody({ ...others, position_decimals: '' }, present) as { readonly body: object };
    expect(body).to.include({ visibility: 'public', position_decimals: null });
  });

  it('sends a date only where a station has moved', () => {
    const { body } = stationBody({ ...values, since: '2026-01-01' }, present) as { readonly body: object };
    expect(body).to.include({ since: '2026-01-01' });
  });

  for (const [field, text, line] of [
    ['limits', 'air_temperature -40 50\n\nwind_speed 3', 'wind_speed 3'],
    ['limits', 'air_temperature low high', 'air_temperature low high'],
    ['sensor_heights', 'wind_speed', 'wind_speed'],
    ['sensor_heights', 'wind_speed 10 m', 'wind_speed 10 m'],
  ] as const)
    it(`names the line “${line}” of ${field}, which it cannot read`, () =>
      expect(stationBody({ ...values, [field]: text }, undefined)).to.deep.equal({ field, line }));

  it('replaces the further settings that are typed, and refuses a line without a value', () => {
    const further = {
      identifiers: 'icao ENGM\nwmo 01 384',
      steps: 'air_temperature 3 10',
      persistence: 'wind_speed 86400',
      cell_methods: 'wind_speed interval',
      stamp_interval: '',
      daily_observation_time: '',
    };
    const { body } = stationBody({ ...values, ...further }, present) as { readonly body: object };
    expect(body).to.deep.include({
      identifiers: { icao: 'ENGM', wmo: '01 384' },
      steps: { air_temperature: { per_minute: 3, per_hour: 10 } },
      persistence: { wind_speed: 86_400 },
      cell_methods: { wind_speed: 'interval' },
      stamp_interval: null,
      daily_observation_time: null,
    });
    for (const name of ['identifiers', 'steps', 'persistence', 'cell_methods'])
      expect(stationBody({ ...values, ...further, [name]: 'x' }, present), name).to.deep.equal({
        field: name,
        line: 'x',
      });
  });
});

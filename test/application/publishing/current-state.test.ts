import { expect } from 'chai';
import fc from 'fast-check';
import { currentState, type StateInput } from '#application/publishing/current-state.js';
import { plainIds } from '#application/publishing/plain-ids.js';
import { quantitiesOf } from '#application/publishing/published-quantities.js';
import { selectStations } from '#application/publishing/selected-stations.js';
import { feelsLikeBy } from '#domain/weather/derived/comfort/feels-like.js';
import { FLAG } from '#domain/weather/series.js';
import type { Newest, NewestValue } from '#domain/weather/station-state.js';
import type { Station } from '#domain/weather/station.js';
import { V } from '#domain/weather/variables.js';
import { STATION } from '../../support/weather-world.js';

const NOW = Date.UTC(2026, 0, 31, 12);
const SECOND = 1000;
const DAY = 86_400 * SECOND;
const station = { ...STATION, number: 1 };

function newestOf(values: readonly (readonly [variable: number, value: NewestValue])[]): Newest {
  return {
    station: 1,
    lastSeen: Math.max(...values.map(([, { time }]) => time)),
    values: new Map(values),
    each: (visit) => {
      for (const [variable, { time, value, flags }] of values) visit(variable, time, value, flags);
    },
    revision: '1',
  };
}

function inputOf(newest: Newest, changes: Partial<StateInput> = {}): StateInput {
  return {
    station,
    plainId: 'JFK',
    newest,
    sums: new Map(),
    feelsLike: feelsLikeBy('apparent_temperature'),
    maxAge: 900 * SECOND,
    silence: 900 * SECOND,
    now: NOW,
    ...changes,
  };
}

const valuesOf = (input: StateInput) =>
  Object.fromEntries((currentState(input)?.state.values ?? []).map(({ name, value }) => [name, value]));

describe('the state of a station', () => {
  it('has passed and suspect values up to the maximum age, and null for others', () => {
    const newest = newestOf([
      [V.temperature, { time: NOW - 900 * SECOND, value: 3.4, flags: 0 }],
      [V.pressure, { time: NOW - 900 * SECOND - 1, value: 1010, flags: 0 }],
      [V.windSpeed, { time: NOW, value: 2, flags: FLAG.persistence }],
      [V.gust, { time: NOW, value: 200, flags: FLAG.grossRange }],
      [V.radiation, { time: NOW, value: 100, flags: FLAG.overridden }],
      [V.dailyMaximum, { time: NOW, value: 9, flags: 0 }],
      [V.multidaySnowDays, { time: NOW, value: 2, flags: 0 }],
    ]);
    expect(valuesOf(inputOf(newest))).to.deep.equal({
      air_temperature: 3.4,
      surface_air_pressure: null,
      wind_speed: 2,
      wind_speed_of_gust: null,
      surface_downwelling_shortwave_flux_in_air: null,
      sea_level_pressure: null,
    });
  });

  it('has totals of the day in place of amounts, as long as amounts are current', () => {
    const newest = newestOf([
      [V.precipitation, { time: NOW, value: 0.2, flags: 0 }],
      [V.sunshine, { time: NOW - DAY, value: 60, flags: 0 }],
      [25, { time: NOW, value: 1, flags: 0 }],
    ]);
    const sums = new Map([
      [V.precipitation, 1.4],
      [V.sunshine, 3600],
    ]);
    expect(valuesOf(inputOf(newest, { sums }))).to.deep.equal({
      rain_today: 1.4,
      sunshine_today: null,
      lightning_strikes_today: null,
    });
  });

  it('has derived quantities, but not where the station measures the same', () => {
    const now = (value: number) => ({ time: NOW, value, flags: 0 });
    const measured = [
      [V.temperature, now(20)],
      [V.humidity, now(50)],
      [V.windSpeed, now(1)],
      [V.pressure, now(1000)],
      [V.pm2p5, now(9)],
    ] as const;
    const values = valuesOf(inputOf(newestOf(measured)));
    expect(Object.keys(values)).to.deep.equal([
      'air_temperature',
      'relative_humidity',
      'surface_air_pressure',
      'wind_speed',
      'mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air',
      'dew_point',
      'feels_like',
      'sea_level_pressure',
      'us_aqi_pm2p5',
    ]);
    for (const [name, value] of Object.entries(values)) {
      expect(value, name).to.be.a('number');
      expect(value, name).to.equal(Number(value?.toFixed(2)));
    }
    expect(values['us_aqi_pm2p5']).to.equal(50);
    for (const elevation of [null, 800])
      expect(
        valuesOf(inputOf(newestOf(measured), { station: { ...station, elevation } })),
      ).not.to.have.property('sea_level_pressure');
    const own = newestOf([...measured, [V.dewPoint, now(9)], [V.seaLevelPressure, now(1000.5)]]);
    expect(Object.keys(valuesOf(inputOf(own))))
      .to.include.members(['dew_point_temperature', 'air_pressure_at_mean_sea_level', 'feels_like'])
      .and.not.include.members(['dew_point', 'sea_level_pressure']);
  });

  it('leaves out a variable that a sensor no longer sends', () => {
    const at = (days: number) =>
      newestOf([
        [V.temperature, { time: NOW, value: 3, flags: 0 }],
        [V.humidity, { time: NOW - days * DAY, value: 50, flags: 0 }],
      ]);
    expect(valuesOf(inputOf(at(30)))).to.have.property('relative_humidity', null);
    expect(valuesOf(inputOf(at(31)))).to.not.have.property('relative_humidity');
    // After months without a row, the station is still what it was.
    expect(valuesOf(inputOf(at(30), { now: NOW + 300 * DAY }))).to.have.all.keys(
      'air_temperature',
      'relative_humidity',
      'dew_point',
      'feels_like',
    );
  });

  it('does not exist without a row, or if all values are of whole days', () => {
    expect(currentState(inputOf({ ...newestOf([]), lastSeen: null }))).to.equal(undefined);
    const daily = newestOf([[V.dailyMaximum, { time: NOW, value: 9, flags: 0 }]]);
    expect(currentState(inputOf(daily))).to.equal(undefined);
  });

  it('stays the same until `changesAt`, and is another one then', () => {
    const anyValue = fc.tuple(
      fc.constantFrom(V.temperature, V.humidity, V.pressure, V.precipitation, V.pm10, V.windSpeed),
      fc.record({
        time: fc.integer({ min: NOW - 5000, max: NOW + 100 }),
        value: fc.integer({ min: 1, max: 40 }),
        flags: fc.constantFrom(0, 0, FLAG.grossRange, FLAG.persistence),
      }),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(anyValue, { minLength: 1, selector: ([variable]) => variable }),
        fc.integer({ min: 1, max: 4000 }),
        fc.integer({ min: 1, max: 4000 }),
        (values, maxAge, silence) => {
          const newest = newestOf(values);
          const at = (now: number) =>
            currentState(inputOf(newest, { maxAge, silence, now, sums: new Map([[V.precipitation, 1]]) }));
          let now = NOW;
          for (let steps = 0; ; steps += 1) {
            const current = at(now);
            const changesAt = current?.changesAt ?? Infinity;
            expect(steps).to.be.lessThan(20);
            if (changesAt === Infinity) break;
            expect(changesAt).to.be.greaterThan(now);
            expect(at(changesAt - 1)?.state).to.deep.equal(current?.state);
            now = changesAt;
          }
          expect(at(now + 1e9)?.state).to.deep.equal(at(now)?.state);
          expect(at(now)?.state.isSilent).to.equal(true);
          for (const { name, value } of at(now)?.state.values ?? []) expect(value, name).to.equal(null);
        },
      ),
    );
  });
});

describe('the stations that a setting selects', () => {
  const stations = [
    { ...station, id: 'open' },
    { ...station, id: 'hidden', visibility: 'hidden' },
    { ...station, id: 'demo', demo: 'live' },
    { ...station, id: 'public', visibility: 'public' },
  ] satisfies Station[];
  const cases = {
    '*': ['open', 'public'],
    hidden: ['hidden'],
    '*,demo': ['open', 'demo', 'public'],
    '*,hidden,open': ['open', 'hidden', 'public'],
    'none,demo': ['demo'],
    '': [],
  };
  for (const [setting, selected] of Object.entries(cases))
    it(`are ${selected.join(', ') || 'none'} for "${setting}"`, () => {
      expect(selectStations(stations, setting.split(',')).map(({ id }) => id)).to.deep.equal(selected);
    });
});

describe('plain ids', () => {
  it('have a hyphen in place of a point, and the number where two would be the same', () => {
    const ids = (...names: readonly string[]) =>
      [...plainIds(names.map((id, index) => ({ id, number: index + 1 })))]
        .toSorted(([a], [b]) => a - b)
        .map(([, plain]) => plain);
    expect(ids('north.roof')).to.deep.equal(['north-roof']);
    expect(ids('north-roof', 'north.roof')).to.deep.equal(['north-roof', 'north-roof-2']);
    expect(ids('north.roof', 'north-roof')).to.deep.equal(['north-roof-1', 'north-roof']);
    expect(ids('a.b.c', 'a-b.c')).to.deep.equal(['a-b-c-1', 'a-b-c-2']);
    expect(ids('a.b', 'a-b', 'a-b-1')).to.deep.equal(['a-b-1-1', 'a-b', 'a-b-1']);
  });

  it('are different, allowed, and the same ids without points, for any stations', () => {
    const anyId = fc.stringMatching(/^[a1][a1.-]{0,5}$/);
    fc.assert(
      fc.property(fc.uniqueArray(anyId, { maxLength: 12 }), (names) => {
        const stations = names.map((id, index) => ({ id, number: index + 1 }));
        const ids = plainIds(stations);
        expect(new Set(ids.values()).size).to.equal(names.length);
        for (const { id, number } of stations) {
          expect(ids.get(number)).to.match(/^[\w-]+$/);
          if (!id.includes('.')) expect(ids.get(number)).to.equal(id);
        }
        // The order of the stations does not matter.
        for (const [number, id] of plainIds(stations.toReversed())) expect(ids.get(number)).to.equal(id);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the quantities of a station', () => {
  it('have different names for any variables', () => {
    const all = quantitiesOf(new Set(Array.from({ length: 60 }, (_, number) => number)));
    expect(new Set(all.map(({ name }) => name)).size).to.equal(all.length);
  });
});

import { expect } from 'chai';
import { checkPart, type NearbyRows, type PartToCheck } from '#domain/weather/quality/check-part.js';
import { FLAG, type Series } from '#domain/weather/series.js';
import type { EarlierPeriod } from '#domain/weather/station-history.js';
import type { Station } from '#domain/weather/station.js';
import { ALL, changed, HOUR, mildDays, seriesOf, START } from './made-series.js';

const ROWS = 96;
const MOVED = START + 48 * HOUR;
const CALM: Station = {
  id: 'a',
  number: 1,
  name: 'A',
  latitude: 50,
  longitude: 5,
  elevation: 4,
  timeZone: 'UTC',
  identifiers: {},
  reportingInterval: 3600,
  limits: {},
};
const place = ({ latitude, longitude, elevation, reportingInterval }: Station) => {
  return { latitude, longitude, elevation, reportingInterval };
};
const earlier = (fields: Partial<EarlierPeriod>): readonly EarlierPeriod[] => [
  { ...place(CALM), until: MOVED, ...fields },
];
const temperatures = (values: readonly number[]) => seriesOf(HOUR, { air_temperature: values });

describe('checkPart', () => {
  const nearby = (fields: Partial<Station>, value = 10): NearbyRows[] =>
    Array.from({ length: 3 }, (_, index) => ({
      station: { ...CALM, number: 2 + index, ...fields },
      distance: 10_000,
      series: temperatures(mildDays(ROWS, HOUR, value)),
    }));
  const check = (changes: Partial<PartToCheck>): Series | undefined =>
    checkPart({
      station: CALM,
      range: ALL,
      stored: [temperatures(mildDays(ROWS, HOUR))],
      neighbors: [],
      overrides: [],
      ...changes,
    });
  /** The hours whose temperature gets a flag. */
  const hours = (found: Series | undefined) => [...(found?.times ?? [])].map((time) => (time - START) / HOUR);
  const from = (first: number, end: number) => Array.from({ length: end - first }, (_, row) => first + row);

  it('compares with neighbors where both stations stood as they do now', () => {
    expect(hours(check({ neighbors: nearby({}) }))).to.deep.equal([]);
    const hot = nearby({}, 40);
    expect(hours(check({ neighbors: hot }))).to.deep.equal(from(0, ROWS));
    const moved = { latitude: 50.1 };
    expect(hours(check({ neighbors: hot, station: { ...CALM, earlier: earlier(moved) } }))).to.deep.equal(
      from(48, ROWS),
    );
    const others = nearby({ earlier: earlier(moved) }, 40);
    expect(hours(check({ neighbors: others, station: { ...CALM, earlier: earlier({}) } }))).to.deep.equal(
      from(48, ROWS),
    );
  });

  it('converts the values of neighbors by the elevations of the time', () => {
    const low = (elevation: number | null) =>
      nearby({ elevation: 4, earlier: earlier({ elevation }) }, 40).map((one) => one);
    const station = { ...CALM, earlier: earlier({}) };
    for (const elevation of [null, 2000])
      expect(hours(check({ neighbors: low(elevation), station })), String(elevation)).to.deep.equal(
        from(48, ROWS),
      );
  });

  it('checks by the settings of the time, then applies overrides, and reports what differs from the stored flags', () => {
    const stored = seriesOf(HOUR, { precipitation_amount: changed(Array(ROWS).fill(0), 40, [60, 60]) });
    const at = (hour: number) => ({ from: START + hour * HOUR, to: START + hour * HOUR + 1 });
    const rain = (changes: Partial<PartToCheck>) => check({ stored: [stored], ...changes });
    const station = { ...CALM, earlier: earlier({ reportingInterval: 60, until: START + 41 * HOUR }) };
    expect(rain({})).to.equal(undefined);
    expect(hours(rain({ station }))).to.deep.equal([40]);
    const override = { id: '1', station: 1, variable: 10, reason: '', madeBy: null, madeAt: 0 };
    const [variable] = stored.values.keys();
    const overrides = [
      { ...override, variable: variable as number, ...at(40), verdict: 'good' as const },
      { ...override, variable: variable as number, ...at(7), verdict: 'bad' as const },
    ];
    const found = rain({ station, overrides });
    expect(hours(found)).to.deep.equal([7]);
    expect([...(found?.flags.values() ?? [])].map((bytes) => [...bytes])).to.deep.equal([[FLAG.overridden]]);
    expect(hours(rain({ station, range: at(40) }))).to.deep.equal([40]);
    expect(rain({ station, range: at(41) })).to.equal(undefined);
  });

  it('gives the same result for rows that are read in several pieces', () => {
    const whole = temperatures(changed(mildDays(ROWS, HOUR), 50, [30]));
    const piece = (first: number, end: number): Series => ({
      times: whole.times.slice(first, end),
      values: new Map([...whole.values].map(([variable, column]) => [variable, column.slice(first, end)])),
      flags: new Map(),
    });
    const expected = check({ stored: [whole] });
    expect(hours(expected)).to.include(50);
    expect(check({ stored: [piece(0, 20), piece(20, 51), piece(51, ROWS)] })).to.deep.equal(expected);
  });
});

import { expect } from 'chai';
import { type LiveEncoder, LiveEvent } from '#application/observations/live/live-event.js';
import { StationState } from '#domain/weather/station-state.js';
import { V } from '#domain/weather/variables.js';
import { STATION } from '../../../support/weather-world.js';

describe('an event of a station', () => {
  const state = new StationState();
  const series = (temperature: number) => ({
    times: Float64Array.of(5, 6),
    values: new Map([
      [V.temperature, Float64Array.of(1, temperature)],
      [V.humidity, Float64Array.of(50, Number.NaN)],
    ]),
    flags: new Map([[V.temperature, Uint8Array.of(0, 2)]]),
  });
  state.advance(series(3));
  const event = new LiveEvent(7, 4, 100, { ...STATION, number: 1 }, { from: 5, to: 6 }, state.describe(1, 9));

  it('has a copy of the newest values, which later ones do not change', () => {
    state.advance(series(8));
    expect(event).to.include({
      sequence: 7,
      previous: 4,
      time: 100,
      from: 5,
      to: 6,
      revision: '9',
      lastSeen: 6,
    });
    const values: number[][] = [];
    event.each((...value) => values.push(value));
    const expected = [
      [V.temperature, 6, 3, 2],
      [V.humidity, 5, 50, 0],
    ];
    expect(values).to.deep.equal(expected.toSorted(([a = 0], [b = 0]) => a - b));
  });

  it('is written once for all readers with the same encoder', () => {
    let calls = 0;
    const encoder = (key: string) =>
      ({ key, change: (_change, position) => Uint8Array.of((calls += 1), Number(position)) }) as LiveEncoder;
    const first = event.bytes(encoder('a'), '7');
    expect([...first]).to.deep.equal([1, 7]);
    expect(event.bytes(encoder('a'), '8')).to.equal(first);
    expect([...event.bytes(encoder('b'), '9')]).to.deep.equal([2, 9]);
    expect([...event.bytes(encoder('b'), '9')]).to.deep.equal([3, 9]);
    expect(event.bytes(encoder('a'), '8')).to.equal(first);
  });
});

import { expect } from 'chai';
import { daysAhead, type MeasuredDay } from '#domain/forecast/days-ahead.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { MILLISECONDS } from '#domain/time.js';

const HOUR = MILLISECONDS.hour;
const TODAY = Date.UTC(2026, 5, 1);
const place = { latitude: 52, longitude: 5 };
const days = [0, 1, 2].map((day) => ({
  start: TODAY + day * MILLISECONDS.day,
  end: TODAY + (day + 1) * MILLISECONDS.day,
}));

/** The days of a forecast whose temperatures are the hours since today, from an hour on. */
function daysOf(
  { first = 0, last = 72, now = 0 }: { first?: number; last?: number; now?: number },
  measured?: MeasuredDay,
) {
  const hours = Float64Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const columns = new Map([
    [F.temperature, hours],
    [F.rain, hours.map(() => 0.1)],
    [F.rainChance, hours],
    [F.weatherCode, hours.map((hour) => (hour === 25 ? 95 : 0))],
  ]);
  const times = hours.map((hour) => TODAY + hour * HOUR);
  return daysAhead(times, columns, days, { ...place, now: TODAY + now * HOUR, measured });
}

describe('the days of a forecast', () => {
  it('have the instants from midnight on and the amounts until midnight', () => {
    const [today, tomorrow] = daysOf({});
    expect(today).to.deep.include({ minimum: 0, maximum: 23, rain: 2.4, rainChance: 24, symbol: 'clear' });
    expect(tomorrow).to.deep.include({ minimum: 24, maximum: 47, rainChance: 48, weatherCode: 95 });
    expect(tomorrow?.symbol).to.equal('thunderstorm');
  });

  it('have what was measured today in place of what was forecast, and the rain to come', () => {
    const measured = { until: TODAY + 12 * HOUR, minimum: -5, maximum: 14 };
    const [today, tomorrow] = daysOf({ now: 12 }, measured);
    expect(today).to.deep.include({ minimum: -5, maximum: 23, rain: 1.2, rainChance: 24 });
    expect(tomorrow).to.deep.include({ minimum: 24, maximum: 47, rain: 2.4 });
    // The highest value of the day was in the morning.
    expect(daysOf({ now: 12 }, { ...measured, maximum: 30 })[0]?.maximum).to.equal(30);
  });

  it('have the forecast of the hours since the newest value', () => {
    const measured = { until: TODAY + 6 * HOUR, minimum: 8, maximum: 9 };
    expect(daysOf({ now: 20 }, measured)[0]).to.deep.include({ minimum: 6, maximum: 23 });
  });

  it('have the hours of the forecast if nothing was measured', () => {
    expect(daysOf({ first: 15, now: 15 })[0]).to.deep.include({ minimum: 15, maximum: 23 });
  });

  it('show the rest of today without sun as a night', () => {
    expect(daysOf({ now: 22 })[0]?.symbol).to.equal('clear_night');
  });

  it('end with the last one that the forecast covers until its end', () => {
    expect(daysOf({ last: 65 })).to.have.lengthOf(2);
    expect(daysOf({ last: 66 })).to.have.lengthOf(3);
  });
});

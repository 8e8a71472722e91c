import { expect } from 'chai';
import { daySymbol, type WeatherStep } from '#domain/forecast/day-symbol.js';

const step = (changes: Partial<WeatherStep> = {}): WeatherStep => ({
  hours: 1,
  code: Number.NaN,
  clouds: Number.NaN,
  rain: Number.NaN,
  temperature: Number.NaN,
  isNight: false,
  ...changes,
});
const times = (count: number, changes: Partial<WeatherStep>) =>
  Array.from({ length: count }, () => step(changes));
const night = (count: number, changes: Partial<WeatherStep>) => times(count, { ...changes, isNight: true });

describe('the symbol of a day', () => {
  const days: readonly (readonly [what: string, steps: readonly WeatherStep[], symbol: string | null])[] = [
    ['nothing', [], null],
    ['hours of which nothing is known', times(24, {}), null],
    ['a clear sky', times(24, { code: 0 }), 'clear'],
    ['a mainly clear sky', times(24, { code: 1 }), 'clear'],
    ['some clouds', times(24, { code: 2 }), 'partly_cloudy'],
    [
      'a clear half and an overcast half',
      [...times(6, { code: 0 }), ...times(6, { code: 3 })],
      'partly_cloudy',
    ],
    ['an overcast sky', times(24, { code: 3 }), 'cloudy'],
    ['clouds of the night', [...times(8, { code: 0 }), ...night(16, { code: 3 })], 'clear'],
    ['a clear rest without sun', night(3, { code: 0 }), 'clear_night'],
    ['a rest with clouds and without sun', night(3, { code: 2 }), 'partly_cloudy_night'],
    ['an overcast rest without sun', night(3, { code: 3 }), 'cloudy'],
    ['clouds without codes', times(24, { clouds: 60 }), 'partly_cloudy'],
    ['clouds beside codes', times(24, { code: 3, clouds: 10 }), 'clear'],
    ['fog until noon', [...times(5, { code: 45 }), ...times(5, { code: 0 })], 'fog'],
    ['fog for an hour', [...times(1, { code: 48 }), ...times(9, { code: 0 })], 'clear'],
    ['an hour of drizzle', [...times(1, { code: 51, rain: 0.1 }), ...times(11, { code: 1 })], 'clear'],
    ['a heavy shower of an hour', [...times(1, { code: 82, rain: 8 }), ...times(11, { code: 1 })], 'rain'],
    ['three hours of rain', [...times(3, { code: 61 }), ...times(21, { code: 3 })], 'rain'],
    ['rain at night', [...night(4, { code: 63 }), ...times(12, { code: 0 })], 'rain'],
    ['rain in the last hour', [step({ code: 61, rain: 0.2 })], 'rain'],
    [
      'a step of six hours with rain',
      [step({ hours: 6, code: 61 }), ...times(3, { hours: 6, code: 2 })],
      'rain',
    ],
    ['snow', times(6, { code: 73 }), 'snow'],
    ['snow that turns to rain', [...times(4, { code: 73 }), ...times(4, { code: 61 })], 'sleet'],
    ['rain with an hour of snow', [...times(1, { code: 71 }), ...times(7, { code: 61 })], 'rain'],
    ['freezing rain', times(4, { code: 66 }), 'sleet'],
    ['an hour of thunder', [...times(1, { code: 95 }), ...times(20, { code: 0 })], 'thunderstorm'],
    ['rain without codes', times(4, { rain: 0.5, temperature: 8 }), 'rain'],
    ['rain without codes and temperatures', times(4, { rain: 0.5 }), 'rain'],
    ['precipitation at 1 °C without codes', times(4, { rain: 0.5, temperature: 1 }), 'sleet'],
    ['precipitation at -3 °C without codes', times(4, { rain: 0.5, temperature: -3 }), 'snow'],
    ['no rain, and nothing else', times(4, { rain: 0 }), null],
  ];
  for (const [what, steps, symbol] of days)
    it(`of ${what} is ${symbol ?? 'absent'}`, () => expect(daySymbol(steps)).to.equal(symbol));

  const codes: readonly (readonly [symbol: string | null, codes: readonly number[]])[] = [
    ['clear', [0, 1]],
    ['partly_cloudy', [2]],
    ['cloudy', [3]],
    ['fog', [10, 11, 12, 28, 45, 48]],
    ['rain', [51, 53, 55, 61, 63, 65, 80, 81, 82]],
    ['sleet', [56, 57, 66, 67, 68, 69, 83, 84, 87, 90]],
    ['snow', [71, 73, 75, 77, 85, 86]],
    ['thunderstorm', [17, 29, 91, 95, 96, 99]],
    [null, [4, 9, 20, 30, 100]],
  ];
  for (const [symbol, own] of codes)
    for (const code of own)
      it(`is ${symbol ?? 'absent'} for hours of the code ${code}`, () =>
        expect(daySymbol(times(24, { code }))).to.equal(symbol));
});

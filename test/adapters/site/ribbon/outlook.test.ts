import { expect } from 'chai';
import fc from 'fast-check';
import { type Forecast, readForecast, shownForecast } from '#adapters/site/client/forecast/read-forecast.js';
import { providerName } from '#adapters/site/client/forecast/provider-name.js';
import { formatNumber } from '#adapters/site/client/format/numbers.js';
import type { UnitChoice } from '#adapters/site/client/format/units.js';
import type { Now } from '#adapters/site/client/now/read-now.js';
import { type OutlookFact, outlookOf } from '#adapters/site/client/ribbon/outlook.js';
import { forecastOf, ribbonDataOf } from '#adapters/site/client/ribbon/ribbon-data.js';
import { outlookText } from '#adapters/site/client/ribbon/sentence.js';
import { de } from '#adapters/site/client/text/de.js';
import { en } from '#adapters/site/client/text/en.js';
import { loadText } from '#adapters/site/client/text/languages.js';
import type { ApiClient } from '#adapters/site/client/api.js';
import type { Text } from '#adapters/site/client/text/en.js';
import { MILLISECONDS } from '#domain/time.js';

const HOUR = MILLISECONDS.hour;
const now = Date.parse('2026-11-23T14:53:00Z');
const first = Math.floor(now / HOUR) * HOUR;

/** A forecast of one value an hour from the hour of `now` on. */
function forecastWith(values: Readonly<Record<string, readonly (number | null)[]>>): Forecast {
  const hours = Math.max(...Object.values(values).map(({ length }) => length));
  return {
    station: 'garden',
    issued: first,
    source: {
      provider: 'open-meteo',
      model: 'best_match',
      attribution: { text: 'Weather data by Open-Meteo.com', url: 'https://open-meteo.com/' },
    },
    corrected: { air_temperature: true },
    days: [],
    times: Array.from({ length: hours }, (_, hour) => (first + hour * HOUR) / 1000),
    values,
    p10: {},
    p90: {},
  };
}

const outlook = (
  values: Readonly<Record<string, readonly (number | null)[]>>,
  { isRaining = false, celsius = 5 }: { readonly isRaining?: boolean; readonly celsius?: number } = {},
) => outlookOf(forecastWith(values), { now, isRaining, celsius });

describe('the facts of the forecast', () => {
  it('are the end of the rain, the first frost with its lowest temperature, and the strongest gust above 17 m/s', () => {
    const rain = [2, 2, 1, 0, 1, 0, 0, 0, 0];
    expect(outlook({ precipitation_amount: rain }, { isRaining: true })).to.deep.equal([
      { code: 'dry', from: first + 4 * HOUR },
    ]);
    expect(outlook({ precipitation_amount: rain })).to.deep.equal([]);
    const air_temperature = [3, 1, 0, -0.4, -2.6, 0.2, -5];
    expect(outlook({ air_temperature })).to.deep.equal([
      { code: 'frost', from: first + 3 * HOUR, lowest: -2.6 },
    ]);
    expect(outlook({ air_temperature }, { celsius: -0.1 })).to.deep.equal([]);
    const wind_speed_of_gust = [30, 17, 17.1, 22, 19];
    expect(outlook({ wind_speed_of_gust })).to.deep.equal([
      { code: 'gust', time: first + 3 * HOUR, speed: 22 },
    ]);
    expect(outlook({ wind_speed_of_gust: [30, 17] })).to.deep.equal([]);
  });

  it('are two at most, in the order of the rules, and none of the past', () => {
    const value = fc.option(fc.integer({ min: -300, max: 300 }).map((tenths) => tenths / 10));
    const column = fc.array(value, { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(column, column, column, fc.boolean(), (rain, air_temperature, gusts, isRaining) => {
        const facts = outlook(
          {
            precipitation_amount: rain.map((amount) => amount && Math.max(0, amount)),
            air_temperature,
            wind_speed_of_gust: gusts,
          },
          { isRaining },
        );
        expect(facts.length).to.be.at.most(2);
        const order = facts.map(({ code }) => ['dry', 'frost', 'gust'].indexOf(code));
        expect(order).to.deep.equal(order.toSorted((a, b) => a - b));
        for (const fact of facts) {
          const at = fact.code === 'gust' ? fact.time : fact.from;
          expect(at).to.be.at.least(now);
          const index = (at - first) / HOUR;
          if (fact.code === 'frost') expect(air_temperature[index]).to.be.below(0);
          if (fact.code === 'gust') expect(fact.speed).to.be.above(17);
          if (fact.code === 'dry')
            for (const hour of [1, 2]) expect(rain[index + hour]).to.be.at.most(0.0999);
        }
      }),
    );
  });

  it('are sentences in each language and unit, with the weekday if they are not of the next hours', async () => {
    const nl = await loadText('nl');
    const written = (fact: OutlookFact, language: string, units: UnitChoice = 'metric') =>
      outlookText(fact, {
        text: { en, de, nl }[language] as Text,
        language,
        units,
        number: (value, decimals) => formatNumber(value, decimals, language),
        zone: 'Europe/Amsterdam',
        now,
      });
    const soon = Date.parse('2026-11-24T03:00:00Z');
    const later = Date.parse('2026-11-25T03:00:00Z');
    expect(written({ code: 'dry', from: soon }, 'en')).to.equal('Dry from about 04:00.');
    expect(written({ code: 'dry', from: soon }, 'de')).to.equal('Trocken ab etwa 04:00 Uhr.');
    const frost = { code: 'frost', from: later, lowest: -3.2 } as const;
    expect(written(frost, 'en')).to.equal('Frost from about Wednesday 04:00, down to −3 °C.');
    expect(written(frost, 'nl')).to.equal('Vorst vanaf ongeveer woensdag 04:00, tot −3 °C.');
    expect(written({ ...frost, lowest: -0.3 }, 'en')).to.contain('down to −0.3 °C');
    expect(written({ ...frost, lowest: -0.3 }, 'en', 'imperial')).to.contain('down to 31 °F');
    expect(written({ code: 'gust', time: soon, speed: 21.4 }, 'de')).to.equal(
      'Böen bis 21 m/s gegen 04:00 Uhr.',
    );
  });
});

describe('the forecast of a page', () => {
  const station = {
    id: 'garden',
    name: 'Garden',
    latitude: 52,
    longitude: 5,
    elevation: 4,
    time_zone: 'Europe/Amsterdam',
    reporting_interval: 600,
  };
  const shown = (last: number, forecast: Forecast): Now => ({
    units: {},
    last_seen: new Date(last).toISOString(),
    latest: {},
    lines: { air_temperature: { times: [last / 1000 - 600, last / 1000], values: [4, 3.5] } },
    feelsLike: undefined,
    hours: [],
    usual: undefined,
    lastYear: undefined,
    facts: [],
    checks: {},
    partialRain: undefined,
    rainOfLastDay: undefined,
    forecast,
  });
  const forecast = forecastWith({ air_temperature: Array.from({ length: 50 }, () => 3) });

  it('ends two days after its issue, and is absent if the station has been silent for a day', () => {
    const old = forecast.issued + 2 * MILLISECONDS.day;
    expect(shownForecast(forecast, old - 1)).to.equal(forecast);
    expect(shownForecast(forecast, old)).to.equal(undefined);
    expect(forecastOf(shown(now, forecast), now)).to.equal(forecast);
    expect(forecastOf(shown(now - MILLISECONDS.day, forecast), now)).to.equal(undefined);
    const spanOf = (time: number, last = time) => {
      const data = ribbonDataOf(station, shown(last, forecast), time, false);
      return data && [(data.to - data.from) / HOUR, data.forecast !== undefined];
    };
    expect(spanOf(now)).to.deep.equal([72, true]);
    expect(spanOf(now, now - MILLISECONDS.day)).to.deep.equal([24, false]);
    expect(spanOf(old)).to.deep.equal([24, false]);
  });

  it('has its amounts in the hours that end at their times, and no interval without bounds', () => {
    const values = { air_temperature: [1, 2, 3], precipitation_amount: [9, 0.4, 0], wind_speed: [3, 4, 5] };
    const bounded = { ...forecastWith(values), p10: { air_temperature: [null, 1, null] } };
    const at = (minutes: number) => {
      const time = first + minutes * MILLISECONDS.minute;
      return ribbonDataOf(station, shown(time, bounded), time, false)?.forecast;
    };
    // An hour that has mostly passed has its measured amount.
    expect(at(20)?.hours).to.have.length(2);
    expect(at(40)?.hours).to.deep.equal([{ start: first + HOUR, rain: 0, speed: 4, direction: null }]);
    expect(at(40)?.temperature.map(({ p10, p90 }) => [p10, p90])).to.deep.equal([
      [1, 1],
      [1, 2],
      [3, 3],
    ]);
  });

  it('is asked of no station without one, and once for as many hours as the page shows', async () => {
    const asked: unknown[] = [];
    const { times, issued, ...rest } = forecast;
    const api = {
      get: (_path: string, options: unknown) => {
        asked.push(options);
        return Promise.resolve({
          ...rest,
          issued: new Date(issued).toISOString(),
          forecast: { time: times.map((time) => new Date(time * 1000).toISOString()), ...rest.values },
        });
      },
    } as unknown as ApiClient;
    for (const none of [null, undefined])
      expect(await readForecast(api, 'garden', none, {}, now)).to.equal(undefined);
    expect(asked).to.deep.equal([]);
    const read = await readForecast(api, 'garden', new Date(first - 5 * HOUR).toISOString(), {}, now);
    expect(asked)
      .to.have.length(1)
      .and.to.have.nested.property('[0].query.hours', 48 + 6);
    expect(read?.times[0]).to.equal(first / 1000);
    const later = await readForecast(api, 'garden', new Date(first).toISOString(), {}, first + 3 * HOUR);
    expect(later?.times[0]).to.equal((first + 3 * HOUR) / 1000);
    expect(later?.values['air_temperature']).to.have.length(47);
  });

  it('names its provider, and says that a simulated one is simulated', () => {
    const named = (provider: string) => providerName({ ...forecast.source, provider }, en);
    expect(['open-meteo', 'met-norway', 'simulated', 'another'].map(named)).to.deep.equal([
      'Open-Meteo',
      'MET Norway',
      'simulated',
      'Weather data by Open-Meteo.com',
    ]);
  });
});

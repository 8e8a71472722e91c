import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { SYMBOLS_OF_DAYS } from '#domain/forecast/day-symbol.js';
import { uncorrected } from '#domain/forecast/forecast.js';
import { F } from '#domain/forecast/forecast-variables.js';
import { MILLISECONDS } from '#domain/time.js';
import { expectWellFormed } from '../../../support/accessibility.js';
import { describeInBrowser, Site } from '../../../support/site.js';

const HOUR = MILLISECONDS.hour;
/** The codes of the weather of eight days, which are of each kind of symbol that does not depend on the sun. */
const CODES = [3, 61, 73, 66, 95, 45, 0, 2];
const SYMBOLS = ['cloudy', 'rain', 'snow', 'sleet', 'thunderstorm', 'fog', 'clear'];

describe('the symbols of days', () => {
  it('have a drawing for each', () => {
    const file = new URL('../../../../../src/adapters/site/client/style/weather.svg', import.meta.url);
    const drawn = [...readFileSync(file, 'utf8').matchAll(/<symbol id="(\w+)"/g)].map(([, id]) => id);
    expect(drawn).to.have.members([...SYMBOLS_OF_DAYS]);
  });
});

describeInBrowser('the row of days on the page of a station', () => {
  let site: Site;
  before(async () => {
    // Nothing answers at this address, so that the stored forecast stays the newest one.
    site = await Site.start('empty', { WEATHERD_FORECAST_OPEN_METEO_URL: 'http://127.0.0.1:9' });
    await site.addStation('garden', { timeZone: 'UTC' });
    await site.addStation('roof', { timeZone: 'UTC' });
    const useCase: Site['service']['application']['useCase'] = (type) =>
      site.service.application.useCase(type);
    await useCase(AddForecast).execute(['garden'], 'open-meteo', COMMAND_LINE);
    const now = Date.now();
    const today = Math.floor(now / MILLISECONDS.day) * MILLISECONDS.day;
    const hours = Float64Array.from({ length: CODES.length * 24 + 1 }, (_, hour) => hour);
    const dayOf = (hour: number) => Math.max(0, Math.ceil(hour / 24) - 1);
    const forecast = {
      issued: now,
      times: hours.map((hour) => today + hour * HOUR),
      values: new Map([
        [F.temperature, hours.map((hour) => (hour % 24) - 4 * Math.floor(hour / 24))],
        [F.weatherCode, hours.map((hour) => CODES[dayOf(hour)] as number)],
        [F.rain, hours.map((hour) => (dayOf(hour) === 1 ? 0.5 : 0))],
        [F.rainChance, hours.map((hour) => 10 * dayOf(hour))],
      ]),
    };
    await useCase(ForecastRecords).add({ station: 1, provider: 'open-meteo' }, [
      { ...uncorrected(forecast), isImported: false },
    ]);
    for (const station of ['garden', 'roof'])
      await site.write(station, { air_temperature: 30 }, Math.max(today, now - 1000));
  });
  after(() => site.stop());

  it('has a week of symbols, extremes, chances and amounts', async () => {
    const { page, close } = await site.open('/stations/garden', { locale: 'en-GB', colorScheme: 'dark' });
    const days = page.locator('.days li');
    const texts = (await days.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(texts).to.have.lengthOf(7);
    // The measured maximum counts today.
    expect(texts[0]).to.match(/^Today Highest 30° Lowest \S+° Chance of rain 0 %$/);
    expect(texts[1]).to.match(/^\w{3} Highest 19° Lowest −4° Chance of rain 10 % 12\.0 mm$/);
    const symbols = await page
      .locator('.days svg')
      .evaluateAll((all) => all.map((one) => (one as { ariaLabel?: string }).ariaLabel));
    expect(symbols).to.deep.equal(SYMBOLS);
    expect(await page.locator('.attribution:has-text("Open-Meteo")').count()).to.be.at.least(1);
    await expectWellFormed(page, 'days');
    await close();
  });

  it('is in the units and the language of the visitor, and scrolls in a narrow window', async () => {
    const { page, close } = await site.open('/stations/garden', {
      locale: 'de-DE',
      viewport: { width: 360, height: 800 },
    });
    expect(await page.innerText('.days li:first-child')).to.include('Heute');
    const { scrolls, overflows } = (await page.evaluate(`({
      scrolls: document.querySelector('.days').scrollWidth > document.querySelector('.days').clientWidth,
      overflows: document.documentElement.scrollWidth > innerWidth,
    })`)) as { scrolls: boolean; overflows: boolean };
    expect({ scrolls, overflows }).to.deep.equal({ scrolls: true, overflows: false });
    await expectWellFormed(page, 'narrow');
    await close();
    const american = await site.open('/stations/garden', { locale: 'en-US' });
    const texts = await american.page.locator('.days li').allInnerTexts();
    expect(texts[0]).to.match(/86°/);
    expect(texts[1]).to.match(/66°[\s\S]*25°[\s\S]*0\.47.in/);
    await american.close();
  });

  it('is absent at a station without a forecast', async () => {
    const { page, requested, close } = await site.open('/stations/roof');
    expect(await page.locator('.days').count()).to.equal(0);
    expect(requested.filter((url) => /\/forecast\b/.test(url))).to.deep.equal([]);
    await close();
  });
});

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { MILLISECONDS } from '#domain/time.js';
import { describeInBrowser, Site } from '../../../support/site.js';

const LANGUAGES = ['en', 'de', 'nl'];
const WIDTHS: Readonly<Record<string, readonly number[]>> = {
  '/kiosk/garden': [320, 768, 1024, 1280, 1366, 1920],
  '/stations/garden': [320, 360, 720, 1000, 1280],
};

/** The texts of the picture of the last 24 hours that leave it. */
const CUT = `[...document.querySelectorAll('.ribbon svg text, .fitted-ribbon svg text')].filter((part) => {
  const [text, picture] = [part, part.closest('svg')].map((one) => one.getBoundingClientRect());
  return text.left < picture.left - 0.5 || text.right > picture.right + 0.5;
}).map((part) => part.textContent)`;

/** Sizes of windows. On the kiosk, the cards leave room for the picture. */
const SIZES: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  '/kiosk/sunset': [
    [720, 480],
    [800, 480],
    [1024, 768],
    [1280, 720],
    [1280, 800],
    [1366, 768],
    [1920, 1080],
  ],
  '/stations/sunset': [320, 360, 412, 720, 768, 1000, 1024, 1280, 1800].map((width) => [width, 800]),
};

/** The texts of the cards that leave their cards, and the words of their names that are broken. */
const OUTSIDE = `[...document.querySelectorAll('.now-card')].flatMap((card) => {
  const box = card.getBoundingClientRect();
  const { paddingLeft, paddingRight } = getComputedStyle(card);
  const [left, right] = [box.left + parseFloat(paddingLeft), box.right - parseFloat(paddingRight)];
  const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const found = [];
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (parentElement.closest('.hidden') !== null) continue;
    for (const { index, 0: word } of data.matchAll(/\\S+/g)) {
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + word.length);
      const text = range.getBoundingClientRect();
      const isOutside = text.left < left - 1.5 || text.right > right + 1.5 || text.bottom > box.bottom;
      if (isOutside || (parentElement.matches('h2') && range.getClientRects().length > 1)) found.push(data);
    }
  }
  return found;
})`;

/** The height of the picture and the height of the page, both as shares of the height of the window. */
const SHARES = `[
  document.querySelector('.fitted-ribbon').clientHeight,
  document.documentElement.scrollHeight,
].map((height) => height / innerHeight)`;

/** The names of cards that take more than one line. */
const LONG_NAMES = `[...document.querySelectorAll('.now-card h2')]
  .filter((name) => name.clientHeight > parseFloat(getComputedStyle(name).fontSize) * 2)
  .map((name) => name.textContent)`;

/** Makes the place of the picture so low that its usual type has no room. */
const LOWER = `document.querySelector('.fitted-ribbon').style.flex = '0 0 70px'`;
/** The size in which the picture is drawn, as shares of the size of its place. */
const DRAWN = `(({ clientWidth, clientHeight, firstChild: { viewBox } }) =>
  [viewBox.baseVal.width / clientWidth, viewBox.baseVal.height / clientHeight])(document.querySelector('.fitted-ribbon'))`;

/** Pairs of texts in a chart that cover each other. */
const COVERED = `[...document.querySelectorAll('.plot')].flatMap((plot) => {
  const texts = [...plot.querySelectorAll('.chart-label')].map((part) => [part.textContent, part.getBoundingClientRect()]);
  return texts.flatMap(([one, a], index) =>
    texts.slice(index + 1)
      .filter(([, b]) => a.left < b.right && b.left < a.right && a.top + 4 < b.bottom && b.top + 4 < a.bottom)
      .map(([other]) => one + ' | ' + other));
})`;

describeInBrowser('the texts of a station', () => {
  let site: Site;
  before(async () => {
    site = await Site.start('empty');
    await site.addStation('garden');
    const now = Math.floor(Date.now() / MILLISECONDS.minute) * MILLISECONDS.minute;
    for (let minutes = 25 * 60; minutes >= 0; minutes -= 20) {
      const time = now - minutes * MILLISECONDS.minute;
      const values = {
        relative_humidity: 29 + minutes / 60,
        air_pressure_at_mean_sea_level: 1026,
        wind_speed: 6.2,
        wind_from_direction: 315,
        precipitation_amount: minutes === 300 ? 2.5 : 0,
      };
      // The temperature is missing for some hours, and two of its values are doubtful.
      const isMissing = minutes > 420 && minutes < 1200;
      const air = minutes === 100 || minutes === 300 ? 4.4 : 12 + minutes / 2000;
      await site.write('garden', { ...values, ...(!isMissing && { air_temperature: air }) }, time);
    }
    await addSunset(site);
  });
  after(() => site.stop());

  for (const [path, widths] of Object.entries(WIDTHS))
    for (const language of LANGUAGES)
      it(`in the picture are whole on ${path.split('/')[1]} in every width (${language})`, async () => {
        const { page, close } = await site.open(`${path}?lang=${language}`);
        for (const width of widths) {
          await page.setViewportSize({ width, height: Math.round((width * 9) / 16) });
          await page.waitForTimeout(100);
          expect(await page.evaluate(CUT), `${width}`).to.deep.equal([]);
        }
        await close();
      });

  for (const [path, sizes] of Object.entries(SIZES))
    for (const language of ['en', 'de'])
      it(`in the cards are whole on ${path.split('/')[1]} in every size (${language})`, async () => {
        const { page, close } = await site.open(`${path}?lang=${language}`);
        expect(await page.locator('.now-cards').innerText()).to.match(/\(\w+\)[^]*\sin\s\d\d\smin/);
        for (const [width, height] of sizes) {
          await page.setViewportSize({ width, height });
          await page.waitForTimeout(100);
          expect(await page.evaluate(OUTSIDE), `${width} × ${height}`).to.deep.equal([]);
          if (!path.startsWith('/kiosk')) continue;
          const [picture, whole] = (await page.evaluate(SHARES)) as [number, number];
          expect(picture, `${width} × ${height}`).to.be.above(0.28);
          expect(whole, `${width} × ${height}`).to.equal(1);
          expect(await page.evaluate(LONG_NAMES), `${width} × ${height}`).to.deep.equal([]);
        }
        if (path.startsWith('/kiosk')) {
          await page.evaluate(LOWER);
          await page.waitForTimeout(100);
          for (const share of (await page.evaluate(DRAWN)) as number[]) expect(share).to.be.closeTo(1, 0.02);
        }
        await close();
      });

  it('do not cover each other in the charts', async () => {
    for (const [width, span] of [
      [1280, '24h'],
      [1280, '7d'],
      [360, '24h'],
    ] as const) {
      const { page, close } = await site.open(`/stations/garden?lang=de&span=${span}`, {
        viewport: { width, height: 800 },
      });
      await shown(page);
      expect(await page.evaluate(COVERED), `${width} ${span}`).to.deep.equal([]);
      await close();
    }
  });
});

/** Waits for a doubtful value that the axis of the temperature does not reach. */
async function shown(page: Page): Promise<void> {
  await page.locator('#chart-temperature').scrollIntoViewIfNeeded();
  await page.waitForSelector('#chart-temperature .chart-doubtful', { state: 'attached' });
}

/** Adds a station with long texts in its cards, at a place where the sun sets in about an hour. */
async function addSunset(site: Site): Promise<void> {
  const now = Math.floor(Date.now() / MILLISECONDS.minute) * MILLISECONDS.minute;
  // The local time, in hours, and that of the place, which is on the equator.
  const hour = (now / MILLISECONDS.hour) % 24;
  const ahead = ((17 - hour + 36) % 24) - 12;
  const offset = Math.round(ahead);
  const timeZone = `${offset < 0 ? '-' : '+'}${String(Math.abs(offset)).padStart(2, '0')}:00`;
  await site.addStation('sunset', { latitude: 0, longitude: ahead * 15, timeZone });
  for (let hours = 24; hours >= 0; hours -= 1)
    await site.write(
      'sunset',
      {
        air_temperature: 12 + hours / 10,
        relative_humidity: 60 + hours,
        air_pressure_at_mean_sea_level: 1026.4 + hours / 10,
        wind_speed: 13.4 + hours / 10,
        // The newest gust is weaker than the wind, so the card has the mark of a doubtful value.
        wind_speed_of_gust: hours === 0 ? 5 : 21.2 + hours / 10,
        wind_from_direction: 337.5 + hours / 10,
        precipitation_amount: 1.2 + hours / 10,
        soil_temperature: 11 + hours / 10,
        surface_downwelling_shortwave_flux_in_air: hours,
      },
      now - hours * MILLISECONDS.hour,
    );
}

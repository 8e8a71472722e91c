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

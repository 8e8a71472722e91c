import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser, Site } from '../../../support/site.js';

/** Makes the clock of the page wrong by ten minutes. */
const WRONG_CLOCK = `{
  const Right = Date;
  globalThis.Date = class extends Right {
    constructor(...given) {
      if (given.length === 0) super(Right.now() + 600_000);
      else super(...given);
    }
    static now() {
      return Right.now() + 600_000;
    }
  };
}`;

describeInBrowser('an open page while values arrive', () => {
  let site: Site;
  before(async () => {
    site = await Site.start('empty');
    await site.addStation('garden');
    await site.addStation('roof');
    const hour = Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000;
    for (const id of ['garden', 'roof'])
      for (let minute = 0; minute < 58; minute += 1)
        // oxlint-disable-next-line no-await-in-loop -- rows in their order
        await site.write(id, { air_temperature: 8, precipitation_amount: 0 }, hour + minute * 60_000);
  });
  after(() => site.stop());

  const charts = async (page: Page) => {
    await page.waitForSelector('.chart-grid[aria-busy=false] .plot');
  };
  for (const [path, first, shows, ready] of [
    ['/kiosk/garden', 8.5, (value: string) => `main:has-text("${value}")`, undefined],
    ['/', 9, (value: string) => `#row-garden:has-text("${value}")`, undefined],
    ['/stations/garden', 10, (value: string) => `.hero:has-text("${value}")`, charts],
  ] as const)
    it(`shows them, and asks for nothing but its stream in two minutes: ${path}`, async () => {
      const { page, requested, faults, close } = await site.open('about:blank', { events: true });
      page.setDefaultTimeout(20_000);
      await page.clock.install();
      await page.goto(site.url + path, { waitUntil: 'load' });
      await page.waitForSelector('.connection.live, .kiosk');
      await ready?.(page);
      // The page reads its values again when the stream opens. A busy machine needs longer.
      while (requested.length > 0) {
        requested.length = 0;
        // oxlint-disable-next-line no-await-in-loop -- until nothing is asked for
        await page.waitForTimeout(1000);
      }
      for (const value of [first, first + 0.1, first + 0.2, first + 0.3]) {
        // All timers of the next 40 seconds are due. The stream counts as broken after 45 seconds without a message.
        // oxlint-disable-next-line no-await-in-loop -- one value after another
        await page.clock.runFor(40_000);
        // oxlint-disable-next-line no-await-in-loop -- as above
        await site.write('garden', { air_temperature: value, precipitation_amount: 0 });
        // oxlint-disable-next-line no-await-in-loop -- as above
        await page.waitForSelector(shows(value.toFixed(1)));
      }
      if (ready !== undefined)
        await page.waitForSelector(`#charts .chart:has-text("${(first + 0.3).toFixed(1)}")`);
      expect(requested).to.deep.equal([]);
      expect(faults).to.deep.equal([]);
      await close();
    });

  it('computes ages by the clock of the service', async () => {
    const { page, close } = await site.open('about:blank', { events: true });
    page.setDefaultTimeout(20_000);
    await page.addInitScript(WRONG_CLOCK);
    await site.write('garden', { air_temperature: 9, precipitation_amount: 0 });
    await page.goto(`${site.url}/kiosk/garden`, { waitUntil: 'load' });
    await site.write('garden', { air_temperature: 9.5, precipitation_amount: 0 });
    await page.waitForSelector('main:has-text("9.5")');
    await page.waitForTimeout(300);
    expect(await page.locator('main').innerText()).to.contain('just now');
    expect(await page.locator('.stale, .old').count()).to.equal(0);
    await close();
  });
});

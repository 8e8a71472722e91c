import { expect } from 'chai';
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

  for (const [path, shows] of [
    ['/kiosk/garden', (value: string) => `main:has-text("${value}")`],
    ['/', (value: string) => `#row-garden:has-text("${value}")`],
  ] as const)
    it(`shows them, and asks for nothing but its stream: ${path}`, async () => {
      const { page, requested, faults, close } = await site.open(path, { events: true });
      page.setDefaultTimeout(20_000);
      await page.waitForSelector('.connection.live, .kiosk');
      // The page reads its values again when the stream opens.
      await page.waitForLoadState('load');
      await page.waitForTimeout(1000);
      requested.length = 0;
      const last = path === '/' ? 9.2 : 8.7;
      for (let value = last - 0.2; value <= last + 0.01; value += 0.1) {
        const shown = value.toFixed(1);
        // oxlint-disable-next-line no-await-in-loop -- one value after another
        await site.write('garden', { air_temperature: Number(shown), precipitation_amount: 0.5 });
        // oxlint-disable-next-line no-await-in-loop -- as above
        await page.waitForSelector(shows(shown));
        // oxlint-disable-next-line no-await-in-loop -- longer than the delay of a reading
        await page.waitForTimeout(1200);
      }
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

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser, Site } from '../../support/site.js';

/** Parts of pages whose code comes later: the file, where it is shown, how a visitor comes to it, and what it shows. */
const PARTS: readonly (readonly [file: string, path: string, place: string, shown: string])[] = [
  ['rose', '/stations/JFK', '#rose', '#rose details'],
  ['usual', '/stations/JFK', '#usual', '.calendar'],
  ['climate', '/stations/JFK', '#climate', '#climate table'],
  ['map-view', '/', '.map-panel', '.leaflet-marker-icon'],
];
const WIDE = { viewport: { width: 1440, height: 900 } };

describeInBrowser('parts of pages that could not be loaded', () => {
  let site: Site;
  /** The pages of `PARTS` by path, opened while the files of all parts could not be read. */
  const pages = new Map<string, Page>();
  /** Files that cannot be read. */
  const away = new Set(PARTS.map(([file]) => file));
  before(async () => {
    site = await Site.start('demo');
    for (const path of new Set(PARTS.map(([, one]) => one))) {
      const { page } = await site.open('about:blank', WIDE);
      for (const [file] of PARTS)
        await page.route(`**/assets/${file}-*.js*`, (route) =>
          away.has(file) ? route.abort() : route.continue(),
        );
      await page.goto(site.url + path, { waitUntil: 'networkidle' });
      pages.set(path, page);
    }
  });
  after(() => site.stop());

  for (const [file, path, place, shown] of PARTS) {
    it(`${file}: is loaded again when the visitor asks for it`, async () => {
      const page = pages.get(path) as Page;
      await page.locator(place).scrollIntoViewIfNeeded();
      const fault = page.locator(`${place} .fault`);
      await fault.waitFor();
      expect(await fault.innerText()).to.match(/^This part of the page could not be loaded\.\s+Try again$/);
      away.delete(file);
      await fault.getByRole('button').click();
      await page.locator(shown).first().waitFor({ state: 'attached' });
      expect(await fault.count()).to.equal(0);
    });
  }

  it('are read from a new document if the file of the old one is gone', async () => {
    const { page, close } = await site.open('about:blank', WIDE);
    let documents = 0;
    page.on('load', () => (documents += 1));
    await page.route('**/assets/map-view-*.js*', (route) =>
      documents < 2 ? route.fulfill({ status: 404 }) : route.continue(),
    );
    await page.goto(site.url);
    await page.locator('.map-panel .fault button').click();
    await page.waitForEvent('load');
    await page.locator('.leaflet-marker-icon').first().waitFor();
    await close();
  });

  it('come by themselves when the service can be reached again; until then one banner says that it cannot', async () => {
    const { page, close } = await site.open('/stations/JFK', { ...WIDE, locale: 'de-DE', events: true });
    page.setDefaultTimeout(20_000);
    await page.locator('.charts .chart-over').first().waitFor();
    await page.locator('.connection.live').waitFor();
    await page.context().setOffline(true);
    await page.locator('#rose').scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: '7 Tage' }).click();
    const banner = page.locator('.offline-banner');
    await banner.waitFor();
    expect(await banner.innerText()).to.match(/^Der Dienst ist nicht erreichbar\. /);
    await page.locator('.fault').first().waitFor({ state: 'detached' });
    expect(await page.locator('.connection').innerText()).to.equal('ohne Verbindung');
    await page.context().setOffline(false);
    await page.locator('.connection.live').waitFor();
    await page.locator('#rose details').waitFor();
    await banner.waitFor({ state: 'detached' });
    expect(await page.locator('.fault').count()).to.equal(0);
    await close();
  });
});

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { AddUser } from '#application/accounts/users/add-user.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { WatchedPage } from '../../support/browser.js';
import { describeInBrowser, Site } from '../../support/site.js';
import { PASSWORD, signIn } from '../../support/site-user.js';

const LONG_NAME = 'a-very-long-name-of-a-user';

/**
 * Opens each visible menu.
 *
 * @returns how far each open panel goes beyond the left, right, top and bottom of the window, and its content beyond its right
 *   edge, in pixels
 */
async function overflowOfMenus(page: Page): Promise<Readonly<Record<string, readonly number[]>>> {
  const found: Record<string, readonly number[]> = {};
  for (const menu of await page.locator('.menu').all()) {
    const summary = menu.locator('> summary');
    if (!(await summary.isVisible())) continue;
    // The toolbar of the charts stays at the top of the window while the charts are scrolled.
    await menu.evaluate((element) => element.closest('.chart-tools')?.parentElement?.scrollIntoView());
    await summary.click();
    const panel = menu.locator('> .menu-panel');
    const box = await panel.boundingBox();
    const [inner, outer] = await panel.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
    const window = page.viewportSize();
    if (box === null || window === null) throw new Error('The panel is not shown.');
    const right = box.x + box.width - window.width;
    const bottom = box.y + box.height - window.height;
    const beyond = [-box.x, right, -box.y, bottom, (inner ?? 0) - (outer ?? 0)];
    const overflow = beyond.map((pixels) => Math.max(0, Math.round(pixels)));
    found[(await menu.getAttribute('class')) ?? ''] = overflow;
    await page.keyboard.press('Escape');
  }
  return found;
}

/** How far the pictures of buttons are from the middle of their buttons, in pixels. */
function shiftsOfPictures(page: Page): Promise<readonly number[]> {
  return page.locator('button > svg:only-child:visible').evaluateAll((pictures) =>
    pictures.map((picture) => {
      const [inner, outer] = [picture, picture.parentElement ?? picture].map((one) =>
        one.getBoundingClientRect(),
      );
      if (inner === undefined || outer === undefined) return Number.NaN;
      return Math.max(
        Math.abs(inner.x + inner.width / 2 - outer.x - outer.width / 2),
        Math.abs(inner.y + inner.height / 2 - outer.y - outer.height / 2),
      );
    }),
  );
}

const NONE = [0, 0, 0, 0, 0];

describeInBrowser('the menus of the site', () => {
  let site: Site;
  before(async () => {
    site = await Site.start('demo');
    const user = { name: LONG_NAME, email: null, password: PASSWORD, administrator: true };
    await site.service.application.useCase(AddUser).execute(user, COMMAND_LINE);
  });
  after(() => site.stop());

  /** The page of a station with charts in each language, which has the width of the last test. */
  const pages = new Map<string, Promise<WatchedPage>>();
  const pageIn = async (locale: string) => {
    const path = '/stations/JFK?span=24h&at=2013-07-18';
    const opened = pages.get(locale) ?? site.open(path, { locale });
    pages.set(locale, opened);
    return (await opened).page;
  };

  for (const [width, locale] of [
    [320, 'de-DE'],
    [360, 'en-GB'],
    [360, 'de-DE'],
    [1280, 'en-GB'],
  ] as const)
    it(`are within a window ${width} px wide in ${locale}`, async () => {
      const page = await pageIn(locale);
      await page.setViewportSize({ width, height: 740 });
      await page.waitForSelector('.chart .chart-over');
      const more = page.locator('.chart-more[aria-expanded=false]');
      if (await more.isVisible()) await more.click();
      const shifts = await shiftsOfPictures(page);
      expect(shifts).to.have.length.above(3);
      for (const shift of shifts) expect(shift).to.be.below(1);
      const found = await overflowOfMenus(page);
      expect(Object.keys(found)).to.include.members([
        'menu about',
        'menu chart-dates',
        'menu chart-download',
      ]);
      for (const [menu, overflow] of Object.entries(found)) expect(overflow, menu).to.deep.equal(NONE);
    });

  it('are within the window for a user with a long name', async () => {
    const { page, close } = await site.open('/admin', {
      locale: 'de-DE',
      viewport: { width: 360, height: 740 },
    });
    await signIn(page, PASSWORD, LONG_NAME);
    await page.waitForSelector('.tabs');
    expect(await overflowOfMenus(page)).to.deep.equal({ 'menu site-menu': NONE });
    await close();
  });
});

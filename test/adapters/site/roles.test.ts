import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { AddUser } from '#application/accounts/users/add-user.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { accessibilityFaults } from '../../support/accessibility.js';
import { describeInBrowser, Site } from '../../support/site.js';
import { addAda, PASSWORD, signIn } from '../../support/site-user.js';

/** The users, with the sections of the administration that each of them sees. */
const USERS = {
  eve: { stations: [], sections: ['stations', 'sessions'] },
  grace: { stations: ['secret'], sections: ['stations', 'sessions'] },
} as const;

/** Addresses of sections, also of sections that only administrators see. */
const HASHES = ['', '#users', '#keys', '#connect', '#connect/open', '#uploads', '#health', '#unknown'];

/** Buttons that only an administrator may use. */
const CHANGES = /^(?:Add|Change|Remove|Restore|Revoke|Approve|Replace|Save)/;

/** Follows a link within the site, which keeps the sign-in. */
const follow = async (page: Page, path: string) => {
  const add = `const link = document.createElement('a'); link.href = '${path}'; document.querySelector('main').append(link); link.click(); link.remove()`;
  await page.evaluate(`{ ${add} }`);
  await page.waitForURL(({ href }) => href.endsWith(path));
  await page.waitForSelector(
    `html:not([aria-busy]) ${path.startsWith('/admin') ? '.admin table' : 'main h1'}`,
  );
};

describeInBrowser('users of each role in a browser', () => {
  let site: Site;

  before(async () => {
    site = await Site.start('empty', { WEATHERD_UPLOADS_ENABLED: 'true', WEATHERD_UPLOADS_PORT: '0' });
    await addAda(site);
    for (const id of ['open', 'other']) await site.addStation(id);
    await site.addStation('secret', { visibility: 'hidden' });
    for (const [name, { stations }] of Object.entries(USERS)) {
      const user = { name, email: null, password: PASSWORD, administrator: false, stations };
      await site.service.application.useCase(AddUser).execute(user, COMMAND_LINE);
    }
  });
  after(() => site.stop());

  for (const [name, { stations, sections }] of Object.entries(USERS))
    it(`offer ${name} nothing that the API refuses`, async () => {
      const { page, close } = await site.open('/stations/secret', { locale: 'en-GB' });
      const refused: string[] = [];
      page.on('response', (reply) => {
        if ([401, 403].includes(reply.status())) refused.push(reply.url());
      });
      await page.click('.site-bar > .account a');
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await signIn(page, PASSWORD, name);
      // The page stays and shows what the user may see.
      await page.waitForSelector('h1:text("secret")');
      for (const path of [
        '/',
        '/stations/open',
        '/stations/none',
        ...HASHES.map((hash) => `/admin${hash}`),
      ]) {
        await follow(page, path);
        expect(await page.locator('.sign-in, dialog').count(), path).to.equal(0);
        const buttons = await page.locator('main button:visible').allInnerTexts();
        expect(
          buttons.filter((label) => CHANGES.test(label)),
          path,
        ).to.deep.equal([]);
        if (!path.startsWith('/admin')) continue;
        const tabs = await page
          .locator('.tabs a')
          .evaluateAll((all) => all.map((tab) => tab.getAttribute('href')));
        expect(tabs, path).to.deep.equal(sections.map((section) => `#${section}`));
      }
      expect(await page.innerText('.admin > p')).to.include(`signed in as ${name}`);
      const marked = await page.locator('tr:has(.mark) td:first-of-type').allInnerTexts();
      expect(marked).to.deep.equal(stations);
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await page.click('.tabs a[href="#sessions"]');
      await page.fill('dialog [name=password]', PASSWORD);
      await page.click('dialog .main');
      await page.waitForSelector('tr:has(.mark):has-text("this session")');
      const names = await page.locator('tbody th').allInnerTexts();
      expect(names.filter((one) => !one.startsWith(name))).to.deep.equal([]);
      expect(await page.locator('tbody button').allInnerTexts()).to.deep.equal(['End']);
      await page.click('.site-bar > .account button');
      await page.waitForSelector('main .sign-in');
      expect(refused).to.deep.equal([]);
      await close();
    });

  it('sign in again without a further listener of the page', async () => {
    const { page, close } = await site.open('/admin', { locale: 'en-GB' });
    const client = await page.context().newCDPSession(page);
    const listeners = async () => {
      const { result } = await client.send('Runtime.evaluate', { expression: 'window' });
      const all = await client.send('DOMDebugger.getEventListeners', { objectId: result.objectId ?? '' });
      return all.listeners.filter(({ type }) => type === 'pagehide').length;
    };
    const counts: number[] = [];
    for (let time = 0; time < 3; time += 1) {
      await signIn(page);
      await page.waitForSelector('.tabs');
      counts.push(await listeners());
      await page.click('.site-bar > .account button');
      await page.waitForSelector('main .sign-in');
    }
    expect(counts[0]).to.be.above(0);
    expect(new Set(counts)).to.have.property('size', 1);
    await close();
  });

  it('sign in from the menu on a phone, and from a page that asks for it', async () => {
    const { page, close } = await site.open('/admin', {
      locale: 'en-GB',
      viewport: { width: 360, height: 740 },
    });
    await page.click('.site-menu summary');
    await page.click('.site-menu .account a');
    expect(await page.locator('dialog').count()).to.equal(0);
    expect(await page.evaluate('document.activeElement.name')).to.equal('user');
    await signIn(page);
    await page.waitForSelector('.tabs a[href="#users"]');
    await close();
  });
});

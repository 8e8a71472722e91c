import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { accessibilityFaults } from '../../../support/accessibility.js';
import { describeInBrowser, Site } from '../../../support/site.js';
import { addAda, signIn } from '../../../support/site-user.js';

/** Keeps the promise of the element that has the focus at the moment when the dialog is removed from the page. */
const FOCUSED_AT_REMOVAL = `{
  globalThis.focused = new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('dialog')) return;
      observer.disconnect();
      resolve(document.activeElement.outerHTML);
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  undefined; // The browser would wait for the promise otherwise.
}`;

describeInBrowser('sharing a station', () => {
  let site: Site;

  before(async () => {
    site = await Site.start('empty');
    await addAda(site);
    await site.addStation('JFK', { name: 'Kennedy Airport' });
    await site.write('JFK', { air_temperature: 5 });
    await site.addStation('secret', { visibility: 'hidden' });
  });
  after(() => site.stop());

  it('opens with the keyboard, shows the address, its code and a card, and gives the focus back', async () => {
    const { page, faults, requested, close } = await site.open('/stations/JFK', { colorScheme: 'dark' });
    const loadsPanel = () => requested.some((address) => address.includes('share-panel'));
    expect(loadsPanel()).to.equal(false);
    await page.focus('.share button');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open] iframe');
    expect(await page.inputValue('dialog .copy-field input')).to.equal(`${site.url}/stations/JFK`);
    await page.click('dialog summary');
    await page.waitForSelector('dialog .qr path');
    expect(await accessibilityFaults(page)).to.deep.equal([]);

    await page.selectOption('dialog [name=size]', 'large');
    await page.selectOption('dialog [name=theme]', 'light');
    const code = await page.inputValue('dialog textarea');
    expect(code).to.include(`src="${site.url}/embed/JFK?lang=en&amp;units=metric&amp;theme=light"`);
    expect(code).to.include('width="480"');
    const frame = page.frameLocator('dialog iframe');
    await frame.locator('html[data-theme=light] .embed').waitFor();

    await page.click('dialog .copy-field >> nth=0 >> button');
    await page.waitForSelector('dialog [role=status]:not(:empty)');
    await page.setViewportSize({ width: 360, height: 740 });
    const width = await page.$eval('dialog', (dialog) => dialog.scrollWidth - dialog.clientWidth);
    expect(width).to.equal(0);
    await page.evaluate(FOCUSED_AT_REMOVAL);
    await page.keyboard.press('Escape');
    expect(await page.evaluate('focused')).to.match(/^<button[^>]* aria-haspopup="dialog"/);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('shows a hidden station on the page for unknown addresses after the sign-in', async () => {
    const { page, close } = await site.open('/stations/secret');
    await page.click('.not-found a[href="/admin"]');
    await signIn(page);
    await page.waitForSelector('h1:text("secret")');
    await page.click('.share button');
    await page.waitForSelector('dialog p:has-text("Only signed-in users")');
    expect(await page.locator('dialog iframe, dialog [href^="/kiosk"]').count()).to.equal(0);
    const saving = page.waitForEvent('download');
    await page.click('dialog .share-links a >> nth=0');
    const saved = await saving;
    expect([saved.suggestedFilename(), await saved.failure()]).to.deep.equal(['secret.png', null]);
    await close();
  });

  it('finds stations from the page for unknown addresses', async () => {
    const { page, close } = await site.open('/stations/JFQ');
    await page.fill('.not-found [name=q]', 'kennedy');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/?q=kennedy');
    await page.goBack();
    await page.click('.not-found li a');
    await page.waitForURL('**/stations/JFK');
    await close();
  });

  describe('on a page of another origin', () => {
    let other: Server;
    let origin: string;

    before(async () => {
      other = createServer(({ url }, response) => {
        const path = url === '/image' ? '/stations/JFK/card.png' : '/embed/JFK?theme=light';
        // A page that isolates itself shows only what other origins have released for it.
        if (url === '/image') response.setHeader('cross-origin-embedder-policy', 'require-corp');
        response.setHeader('content-type', 'text/html');
        response.end(
          url === '/image'
            ? `<img src="${site.url}${path}">`
            : `<iframe src="${site.url}${path}" width="320" height="340"></iframe>`,
        );
      });
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    });
    after(() => void other.close());

    it('the card stands in a frame, and the picture beside a text', async () => {
      const { page, faults, close } = await site.open('about:blank');
      await page.goto(`${origin}/frame`);
      await page.frameLocator('iframe').locator('.embed h1').waitFor();
      // The card itself asks its own service alone.
      expect(faults).to.deep.equal([`foreign origin: ${origin}/frame`]);
      await page.goto(`${origin}/image`);
      const shown = await page.evaluate(
        'document.querySelector("img").decode().then(() => document.querySelector("img").naturalWidth)',
      );
      expect(shown).to.equal(1200);
      await close();
    });

    it('no other page stands in a frame', async () => {
      for (const path of ['/stations/JFK', '/kiosk/JFK', '/'])
        expect(
          (await fetch(site.url + path, { headers: { accept: 'text/html' } })).headers.get(
            'content-security-policy',
          ),
        ).to.include("frame-ancestors 'none'");
      const embed = await fetch(`${site.url}/embed/JFK`);
      expect(embed.headers.get('content-security-policy'))
        .to.include('frame-ancestors *')
        .and.not.include('unsafe');
    });
  });
});

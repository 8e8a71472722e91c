import { readdirSync, readFileSync, statSync } from 'node:fs';
import { expect } from 'chai';
import { accessibilityFaults } from '../../support/accessibility.js';
import { describeInBrowser, Site } from '../../support/site.js';

const SIZE = { width: 1280, height: 720 };
const WIDTHS = [320, 768, 1440] as const;
const SCHEMES = ['light', 'dark'] as const;
/** The width at which each scheme is checked for accessibility: a check of a long page takes a second. */
const AXE_WIDTHS = { light: 1440, dark: 320 } as const;

describeInBrowser('the site in a browser', () => {
  let site: Site;
  let empty: Site;

  before(async () => {
    [site, empty] = [await Site.start('demo'), await Site.start('empty')];
  });
  after(() => Promise.all([site.stop(), empty.stop()]));

  /** Every page, in a state worth looking at. */
  const places: readonly (readonly [title: string, on: () => Site, path: string])[] = [
    ['the list of stations', () => site, '/'],
    ['a station', () => site, '/stations/JFK'],
    ['a year of a station', () => site, '/stations/JFK?span=year&at=2013-12-30'],
    ['an unknown station', () => site, '/stations/nowhere'],
    ['an empty service', () => empty, '/'],
    ['administration before sign-in', () => site, '/admin'],
  ];

  for (const [title, on, path] of places) {
    for (const scheme of SCHEMES) {
      it(`${title}, ${scheme}: no fault, accessible, nothing beyond the edge`, async () => {
        const { page, faults } = await on().look(path);
        await page.emulateMedia({ colorScheme: scheme });
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          // Charts take the new width in the frame after the layout.
          await page.evaluate(
            'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
          );
          if (width === AXE_WIDTHS[scheme])
            expect(await accessibilityFaults(page), `${width} px`).to.deep.equal([]);
          const beyond = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          expect(beyond, `${width} px`).to.equal(0);
        }
        // A browser reports the status of the page itself.
        expect(faults.filter((fault) => !fault.includes('status of 404'))).to.deep.equal([]);
      });
    }

    it(`${title}: the browser shows the same as the service wrote, which needs no JavaScript`, async () => {
      const plain = await on().open(path, { javaScriptEnabled: false, viewport: SIZE });
      const lively = await on().look(path);
      await lively.page.setViewportSize(SIZE);
      // Charts, maps and other parts that need scripts say so without them.
      for (const { page } of [plain, lively]) {
        await page.$$eval('.needs-script', (parts) => parts.forEach((part) => part.remove()));
      }
      const [written, shown] = [await plain.page.innerText('main'), await lively.page.innerText('main')];
      expect(written.trim()).not.to.equal('');
      expect(shown).to.equal(written);
      await plain.close();
    });
  }

  it('asks only the service itself', async () => {
    for (const [, on, path] of places) {
      const { requested } = await on().look(path);
      expect(requested.length).to.be.greaterThan(2);
      expect(requested.filter((address) => !address.startsWith(on().url))).to.deep.equal([]);
    }
  });

  it('gives the pages of tests one after the other the same process, but nothing that an earlier page has stored', async () => {
    const before = await empty.open('/');
    await before.page.evaluate(`(async () => {
      localStorage.setItem('key', 'value');
      sessionStorage.setItem('key', 'value');
      document.cookie = 'key=value';
      await caches.open('name');
      await new Promise((resolve) => (indexedDB.open('name').onsuccess = resolve));
    })()`);
    await before.page.context().setOffline(true);
    await before.close();
    const after = await empty.open('/');
    expect(after.page.context()).to.equal(before.page.context());
    const stored = `(async () => [
      localStorage.length, sessionStorage.length, document.cookie, await caches.keys(), await indexedDB.databases(),
      performance.getEntriesByType('resource').filter(({ transferSize }) => transferSize === 0).length,
    ])()`;
    expect(await after.page.evaluate(stored)).to.deep.equal([0, 0, '', [], [], 0]);
    await after.close();
    const other = await site.open('/');
    expect(other.page.context()).to.equal(after.page.context());
    await other.close();
  });

  it('lets no page reach another computer, and records the attempt', async () => {
    const { page, faults, close } = await empty.open('about:blank');
    // An address of RFC 5737, which belongs to no computer.
    const failure = page.waitForEvent('requestfailed');
    await page.evaluate(`fetch('http://192.0.2.1/').catch(() => undefined)`);
    expect((await failure).failure()?.errorText).to.include('ERR_NAME_NOT_RESOLVED');
    expect(faults).to.include('foreign origin: http://192.0.2.1/');
    await close();
  });

  for (const javaScriptEnabled of [true, false])
    it(`keeps the choice of language and units for the next page, with JavaScript: ${javaScriptEnabled}`, async () => {
      const { page, close } = await site.open('/', { locale: 'en-GB', javaScriptEnabled });
      await page.click('.site-menu summary');
      await page.selectOption('select[name=units]', 'imperial');
      await page.selectOption('[name=lang]', 'de');
      if (!javaScriptEnabled) await page.click('.settings button');
      await page.waitForSelector('html[lang=de] h1');
      await page.goto(`${site.url}/stations/JFK`);
      expect(await page.getAttribute('html', 'lang')).to.equal('de');
      expect(await page.innerText('main')).to.match(/30,0 °F/);
      await close();
    });

  it('keeps the language of a link on the pages behind it, but not that of a frame', async () => {
    const { page, close } = await site.open('/', { javaScriptEnabled: false, locale: 'de-CH' });
    expect(await page.getAttribute('html', 'lang')).to.equal('de');
    await page.goto(`${site.url}/?lang=en`);
    await page.click('tbody a');
    await page.waitForURL('**/stations/*');
    expect(await page.getAttribute('html', 'lang')).to.equal('en');
    await close();
    const headers = { accept: 'text/html', cookie: 'weatherd=units=uk&theme=blue%0d; other=1' };
    const answered = async (path: string) => {
      const reply = await fetch(`${site.url}${path}`, { headers });
      return [reply.headers.get('set-cookie')?.split(';')[0], reply.headers.get('cache-control')];
    };
    const chosen = ['/?lang=de', '/stations/JFK?theme=dark&span=7d'];
    expect(await Promise.all(chosen.map(answered))).to.deep.equal([
      ['weatherd=units=uk&lang=de', 'private, no-cache'],
      ['weatherd=units=uk&theme=dark', 'private, no-cache'],
    ]);
    for (const path of ['/?lang=xx', '/', '/embed/JFK?lang=de', '/kiosk/JFK?lang=de'])
      expect(await answered(path), path).to.deep.equal([undefined, 'no-cache']);
  });

  it('names its style in a header, so that a browser requests it while it receives the page', async () => {
    for (const path of ['/', '/stations/JFK', '/kiosk/JFK', '/embed/JFK', '/nothing']) {
      const reply = await fetch(`${site.url}${path}`, { headers: { accept: 'text/html' } });
      const style = /<link rel="stylesheet" href="([^"]+)"/.exec(await reply.text())?.[1];
      expect(reply.headers.get('link'), path).to.equal(`<${style}>; rel=preload; as=style`);
    }
  });

  it('shows no data of a service that asks for a token', async () => {
    const closed = await Site.start('demo', { WEATHERD_READ_ACCESS: 'token' });
    for (const path of ['/', '/stations/JFK']) {
      const html = await (await fetch(closed.url + path, { headers: { accept: 'text/html' } })).text();
      expect(html).to.include('Sign in');
      expect(html).not.to.match(/Kennedy|40\.6|1,020/);
    }
    await closed.stop();
  });

  it('is not there with WEATHERD_SITE=false', async () => {
    const without = await Site.start('empty', { WEATHERD_SITE: 'false' });
    const reply = await fetch(`${without.url}/`, { headers: { accept: 'text/html' } });
    expect(reply.headers.get('content-type')).to.equal('application/json');
    expect(reply.headers.get('vary')).to.equal(null);
    expect((await fetch(`${without.url}/stations/JFK`)).status).to.equal(404);
    await without.stop();
  });
});

/** Compressed bytes of all scripts that a browser loads for the first screen, in a window that is wide enough for the map. */
describeInBrowser('the size of the site', () => {
  let site: Site;
  before(async () => {
    site = await Site.start('demo');
  });
  after(() => site.stop());

  for (const [path, part] of [
    ['/', 'map-view'],
    ['/stations/JFK', 'main'],
    ['/admin', 'admin'],
  ] as const) {
    it(`loads at most 60 kB of scripts for the first screen of ${path}`, async () => {
      // German texts are longer than the English ones.
      const options = { viewport: { width: 1440, height: 800 }, locale: 'de-DE' };
      const { page, close } = await site.open('about:blank', options);
      // The charts of a station are loaded when the browser is idle, after the first screen.
      await page.addInitScript(`{
        delete globalThis.requestIdleCallback;
        globalThis.IntersectionObserver = class { observe() {} disconnect() {} };
      }`);
      let bytes = 0;
      page.on('response', (response) => {
        if (response.request().resourceType() === 'script')
          bytes += Number(response.headers()['content-length']);
      });
      // A busy machine may pause for longer than `networkidle` waits, before the page asks for its last script.
      const last = page.waitForResponse(new RegExp(`/assets/${part}-\\w+\\.js$`));
      await page.goto(site.url + path, { waitUntil: 'networkidle' });
      await last;
      expect(bytes).to.be.within(20_000, 60_000);
      await close();
    });
  }
});

describe('the styles of the site', () => {
  it('know the color scheme only as colors, so that a second scheme needs only the rules about colors', () => {
    const folder = new URL('../../../../src/adapters/site/client/style/', import.meta.url);
    const sheets = readdirSync(folder).filter((name) => name.endsWith('.css'));
    expect(sheets.length).to.be.greaterThan(10);
    for (const sheet of sheets) {
      const css = readFileSync(new URL(sheet, folder), 'utf8');
      expect(css, sheet).not.to.contain('prefers-color-scheme');
      const ofThemes = [...css.matchAll(/\[data-theme=[^{]+\{([^}]*)\}/g)].map(([, body = '']) =>
        body.trim(),
      );
      for (const body of ofThemes) expect(body, sheet).to.match(/^color-scheme: \w+;$/);
    }
  });
});

describe('the scripts of the site', () => {
  // No page loads them all: the texts of three languages, charts, usual values, administration, climate, sharing and the QR code are
  // files of their own, which are loaded when they are needed. The sentences about notices, of each kind in each language, are 3 kB,
  // the sources of the administration 4 kB. Forecasts may take 20 kB: 6 in the pictures of a station, 11 for the page about their quality, of
  // which 4 are its texts in three languages, and 3 for the row of days and the panel of the administration.
  it('have at most 224 kB together, compressed by gzip, without the map', () => {
    const folder = new URL('../../../../dist/site/assets/', import.meta.url);
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js.gz'));
    // Only sites with the operator's map of streets load its code.
    const ofMap = scripts.filter((name) =>
      readFileSync(new URL(name.replace('.gz', ''), folder), 'utf8').includes('leaflet-'),
    );
    expect(ofMap.map((name) => /^[a-z-]+(?=-)/.exec(name)?.[0])).to.have.members([
      'chunk',
      'map-view',
      'streets',
    ]);
    // The page about the API has one script, whose size the tests of that page limit.
    const counted = scripts.filter((name) => !ofMap.includes(name) && !name.startsWith('api-page-'));
    const sizes = counted.map((name) => statSync(new URL(name, folder)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.within(50_000, 224_000);
  });
});

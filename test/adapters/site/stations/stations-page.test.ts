import { expect } from 'chai';
import { accessibilityFaults } from '../../../support/accessibility.js';
import { describeInBrowser, Site } from '../../../support/site.js';

const WIDE = { viewport: { width: 1440, height: 900 } };
const NARROW = { viewport: { width: 320, height: 640 } };

describeInBrowser('the page of all stations', () => {
  let site: Site;
  before(async () => {
    site = await Site.start('demo');
  });
  after(() => site.stop());

  it('sorts by the headings, and filters by what is typed', async () => {
    const { page, close } = await site.open('/', NARROW);
    const names = () => page.$$eval('tbody th a', (links) => links.map(({ textContent }) => textContent));
    expect(await page.getAttribute('thead .station', 'aria-sort')).to.equal('ascending');
    expect(await names()).to.deep.equal(['John F Kennedy Intl', 'La Guardia', 'Newark Liberty Intl']);
    await page.click('thead .station button');
    expect(await page.getAttribute('thead .station', 'aria-sort')).to.equal('descending');
    expect((await names())[0]).to.equal('Newark Liberty Intl');
    await page.keyboard.press('/');
    await page.keyboard.type('guard');
    expect(await names()).to.deep.equal(['La Guardia']);
    await close();
  });

  it('shows rain and wind at 320 px without sideways scroll, below the names', async () => {
    for (const query of ['lang=en&units=imperial', 'lang=de&units=metric']) {
      const { page, close } = await site.open(`/?${query}`, NARROW);
      expect(await page.evaluate(`document.querySelector('main').scrollWidth`), query).to.equal(320);
      const row = await page.innerText('tbody tr:has-text("Guardia")');
      expect(row, query).to.match(query.includes('imperial') ? /\d mph/ : /\d m\/s/);
      await close();
    }
  });

  it('has a header that fits at 320 px also while values are read each minute', async () => {
    for (const language of ['en', 'de', 'nl']) {
      const { page, close } = await site.open('about:blank', { ...NARROW, events: true });
      await page.route('**/v1/events*', (route) => route.abort());
      await page.goto(`${site.url}/?lang=${language}`);
      await page.locator('.connection.polling').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth'), language).to.equal(320);
      await close();
    }
  });

  it('keeps every cell where it is while the mouse moves over the rows', async () => {
    const { page, close } = await site.open('/', WIDE);
    const cells = () =>
      page.$$eval('tbody :is(th, td)', (all) =>
        all.map((cell) => [cell.getBoundingClientRect().x, cell.getBoundingClientRect().width]),
      );
    const texts = () => page.$eval('tbody tr:nth-child(2) th a', (link) => link.getBoundingClientRect().x);
    const before = [await cells(), await texts()];
    await page.hover('tbody tr:nth-child(2)');
    await page.waitForSelector('tr.selected:nth-child(2)');
    expect([await cells(), await texts()]).to.deep.equal(before);
    await close();
  });

  it('shows whole names beside and above the map', async () => {
    const { page, close } = await site.open('/', WIDE);
    await page.waitForSelector('.marker .dot');
    for (const width of [800, 1199, 1200, 1280, 1500, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      const cut = await page.$$eval('tbody th a', (links) =>
        links.filter((link) => link.scrollWidth > link.clientWidth).map(({ textContent }) => textContent),
      );
      expect(cut, `${width} px`).to.deep.equal([]);
    }
    await close();
  });

  it('searches and goes on without JavaScript', async () => {
    const { page, close } = await site.open('/?q=kenn', { javaScriptEnabled: false });
    expect(await page.innerText('tbody')).to.match(/^John F Kennedy/);
    await page.goto(`${site.url}/?cursor=2`);
    expect(await page.$$('tbody tr')).to.have.length(1);
    await close();
  });

  it('tells its keys in a dialog, where they can be turned off', async () => {
    const { page, close } = await site.open('/', NARROW);
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.click('dialog input');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'hidden' });
    await page.reload({ waitUntil: 'networkidle' });
    await page.keyboard.press('?');
    expect(await page.$('dialog[open]')).to.equal(null);
    await close();
  });

  it('has its keys and its dialog where the browser refuses storage', async () => {
    const { page, faults, close } = await site.open('about:blank', NARROW);
    await page.addInitScript(`Object.defineProperty(window, 'localStorage', {
      get: () => { throw new DOMException('The request was denied.', 'SecurityError'); },
    })`);
    await page.goto(`${site.url}/`, { waitUntil: 'networkidle' });
    await page.keyboard.press('?');
    await page.click('dialog[open] input');
    expect(await page.isChecked('dialog input')).to.equal(false);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('shows the same stations on a map, with one selection', async () => {
    const { page, faults, close } = await site.open('/', WIDE);
    await page.waitForSelector('.marker .dot');
    expect(await page.$$('.marker')).to.have.length(3);
    await page.hover('tbody tr:nth-child(2)');
    await page.waitForSelector('.marker.selected .ring');
    const selected = await page.innerText('tbody tr.selected th a');
    expect(await page.getAttribute('.marker.selected', 'aria-label')).to.include(selected);
    const other = page.locator('.marker:not(.selected)').first();
    await other.focus();
    await page.keyboard.press('Enter');
    const name = await page.innerText('.popover strong');
    await page.waitForSelector(`tbody tr.selected:has-text("${name}")`);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.keyboard.press('Enter');
    await page.waitForSelector(`h1:has-text("${name}")`);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('opens the values of the station in its address on the map', async () => {
    const { page, faults, close } = await site.open('/?station=LGA', WIDE);
    await page.waitForSelector('.popover:has-text("La Guardia")');
    // The map of values of 2013 has no slider over the last day.
    expect(await page.$('.hours input')).to.equal(null);
    expect(await page.locator('.popover').isVisible()).to.equal(true);
    expect(await page.getAttribute('#row-LGA', 'class')).to.include('selected');
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('groups stations that are near each other with their range, and separates them', async () => {
    const { page, close } = await site.open('/', WIDE);
    await page.waitForSelector('.marker .dot');
    for (let step = 0; step < 5; step += 1) {
      await page.click('.map-buttons .zoomOut');
      await page.waitForTimeout(400);
    }
    await page.waitForSelector('.marker .around');
    expect(await page.getAttribute('.marker', 'aria-label')).to.match(/^3 stations: .+ … .+°/);
    await page.focus('.marker');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.marker[aria-pressed] .dot');
    await close();
  });

  it('shows land and towns on a phone, where nothing moves when the map comes', async () => {
    const { page, requested, close } = await site.open('/', NARROW);
    await page.waitForSelector('.land');
    await page.waitForSelector('.town');
    const asked = (route: string) => requested.filter((address) => address.includes(route)).length;
    expect([asked('/map/coast'), asked('/v1/places'), asked('/v1/summaries')]).to.deep.equal([1, 1, 1]);
    const shift = await page.evaluate<number>(`new Promise((resolve) => {
      let sum = 0;
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) sum += value;
      }).observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => resolve(sum), 50);
    })`);
    expect(shift).to.be.below(0.01);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await close();
  });

  it('opens a station and comes back without a new document', async () => {
    const { page, close } = await site.open('/', NARROW);
    await page.evaluate('window.stays = true');
    await page.click('tbody tr:last-child a');
    await page.waitForSelector('article.station');
    expect(await page.title()).to.match(/^−1\.7 °C on 30 Dec 2013, 19:00 · Newark Liberty Intl/);
    expect(await page.evaluate('document.activeElement.tagName')).to.equal('H1');
    expect(new URL(page.url()).pathname).to.equal('/stations/EWR');
    await page.goBack();
    await page.waitForSelector('.stations');
    expect(await page.evaluate('window.stays')).to.equal(true);
    expect(await page.title()).to.match(/^Weather stations/);
    await close();
  });

  it('takes a step of the back button for each choice of time, and comes back to it where the page was', async () => {
    const { page, close } = await site.open('/', NARROW);
    await page.click('tbody tr:last-child a');
    await page.waitForSelector('.chart .chart-over');
    const steps = await page.evaluate<number>('history.length');
    for (const span of [2, 3, 2]) await page.click(`.chart-tools button:nth-child(${span})`);
    await page.waitForURL('**/stations/EWR?span=7d');
    expect(await page.evaluate('history.length')).to.equal(steps + 3);
    await page.waitForSelector('.chart-grid[aria-busy=false]');
    await page.evaluate('location.hash = "content"; document.activeElement.blur(); window.stays = true');
    await page.goBack();
    await page.waitForURL('**/stations/EWR?span=7d');
    expect(await page.evaluate('document.activeElement.tagName')).to.equal('BODY');
    await page.evaluate('scrollTo(0, 400)');
    await page.evaluate('document.querySelector(".brand").click()');
    await page.waitForSelector('.stations');
    await page.goBack();
    await page.waitForSelector('article.station');
    expect(await page.locator('.chart-tools [aria-pressed=true]').innerText()).to.match(/^7/);
    expect(await page.evaluate('scrollY')).to.equal(400);
    // Back over the three choices of time and the page of the station.
    await page.evaluate('history.go(-4)');
    await page.waitForSelector('.stations');
    expect(await page.evaluate('window.stays')).to.equal(true);
    await close();
  });

  it('says that the service is away, and recovers by itself', async () => {
    const { page, close } = await site.open('/', NARROW);
    await page.waitForSelector('.connection.polling');
    await page.route('**/v1/**', (route) => route.abort());
    await page.click('tbody a');
    await page.waitForSelector('h1:text("cannot be reached")');
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.unroute('**/v1/**');
    await page.click('.notice button');
    await page.waitForSelector('article.station');
    await close();
  });
});

/** A zone in which it is about noon, so that no day ends during a test. */
function zoneAtNoon(): string {
  const hours = 12 - new Date().getUTCHours();
  return `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`;
}

describeInBrowser('new values on a page', () => {
  it('turn the empty service into the page of its station, and come by themselves', async () => {
    const site = await Site.start('empty');
    const { page, faults, close } = await site.open('/', { events: true });
    expect(await page.textContent('main')).to.match(/weatherd.* demo/);
    await site.addStation('garden');
    await site.write('garden', { air_temperature: 3.9 });
    await page.waitForSelector('h1:text("garden")');
    await page.waitForSelector('.connection.live');
    await site.write('garden', { air_temperature: 4.1 });
    await page.waitForSelector('text=4.1');
    expect(faults).to.deep.equal([]);
    await close();

    // Two windows of a browser share one stream.
    await site.addStation('roof', { timeZone: zoneAtNoon() });
    const first = await site.open('/', { events: true });
    await first.page.waitForSelector('.connection.live');
    const second = await first.page.context().newPage();
    await second.goto(`${site.url}/`);
    await second.waitForSelector('.connection.live');
    await site.write('roof', { air_temperature: -7.3 });
    for (const window of [first.page, second]) await window.waitForSelector('tbody:has-text("−7.3")');
    expect(site.streams).to.equal(1);
    // The rain of today comes with each value, and not only when the list is read again.
    const rows = [...Array(3).keys()].map((minute) => Date.now() - (2 - minute) * 60_000);
    for (const [index, time] of rows.entries()) {
      await site.write('roof', { precipitation_amount: 1.5 }, time);
      const sum = (1.5 * (index + 1)).toFixed(1);
      for (const window of [first.page, second])
        await window.waitForSelector(`tr:has-text("roof") td.rain:has-text("${sum}")`);
    }
    // A new station comes with its first value.
    await site.addStation('shed');
    await site.write('shed', { air_temperature: 12.5 });
    for (const window of [first.page, second])
      await window.waitForSelector('tr:has-text("shed"):has-text("12.5")');
    // The hours of the last day are read when the slider is used for the first time.
    const isHistory = (address: string) => /summaries.*wind_speed/.test(address);
    expect(first.requested.filter(isHistory)).to.deep.equal([]);
    const reading = first.page.waitForRequest((request) => isHistory(request.url()));
    await first.page.focus('.hours input');
    await first.page.keyboard.press('ArrowLeft');
    await first.page.waitForSelector('.hour-shown');
    await reading;
    // Without its last station, the service is empty again.
    for (const id of ['garden', 'roof', 'shed']) await site.removeStation(id);
    for (const window of [first.page, second]) await window.waitForSelector('.empty');
    await first.close();
    await site.stop();
  });
});

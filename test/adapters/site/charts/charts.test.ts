import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { MILLISECONDS } from '#domain/time.js';
import { accessibilityFaults } from '../../../support/accessibility.js';
import { describeInBrowser, Site } from '../../../support/site.js';

describeInBrowser('the charts of a station in a browser', () => {
  let site: Site;

  before(async () => {
    site = await Site.start('demo');
  });
  after(() => site.stop());

  const text = (page: Page, selector: string) => page.locator(selector).first().innerText();
  const range = (page: Page) => text(page, '.chart-range h2');
  /** Opens a station with its charts drawn. */
  const open = async (query: string, options = {}) => {
    const opened = await site.open(`/stations/JFK?${query}`, { timezoneId: 'Asia/Tokyo', ...options });
    await opened.page.waitForSelector('.chart .chart-over');
    return opened;
  };
  /** Waits until the charts show another time. */
  const changed = async (page: Page, before: string) => {
    await page.waitForSelector(`.chart-range h2:not(:has-text("${before}"))`);
    await page.waitForSelector('.chart-grid[aria-busy=false]');
  };

  it('shows the time in the address, in the zone of the station, with a chart a quantity', async () => {
    const { page, faults, requested, close } = await open('span=7d&at=2013-07-18');
    expect(await range(page)).to.equal('12–18 July 2013');
    expect(await page.locator('.chart .chart-over').count()).to.equal(6);
    expect(await page.locator('.chart h3').allInnerTexts()).to.include.members([
      'Temperature',
      'Rain by hour',
    ]);
    expect(await text(page, '.chart-facts')).to.match(
      /^Mean 2\d\.\d °C\. No frost\. (?:At least )?\d+\.\d mm of rain/i,
    );
    const words = await page.locator('.chart [id$=-text]').first().textContent();
    expect(words).to.match(
      /Temperature: lowest 21\.1 °C on 12 Jul, 23:00, highest 36\.7 °C on 18 Jul, 13:00\./,
    );
    const day = encodeURIComponent('2013-07-12T04:00:00Z');
    const asked = requested.filter((address) => address.includes(`from=${day}`));
    expect(asked).to.have.length(3);
    // The newest values, which a page without events reads each minute, have points too.
    expect(asked.filter((address) => address.includes('points='))).to.have.length(1);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('is moved, zoomed and read by keyboard alone; values and their times are said', async () => {
    const { page, faults, close } = await open('span=24h&at=2013-07-18');
    await page.locator('.chart').first().focus();
    await page.keyboard.press('Home');
    const said = () => text(page, '.charts > [aria-live=polite]');
    expect(await said()).to.equal('Thu, 18 Jul 2013, 00:00: Temperature 27.2 °C; Dew point 21.1 °C');
    await page.keyboard.press('ArrowRight');
    expect(await said()).to.match(/^Thu, 18 Jul 2013, 01:00: Temperature/);
    expect(await text(page, '.chart-tooltip')).to.match(
      /^Thu, 18 Jul 2013, 01:00\s+Temperature[^]*Wind\s+\d\.\d m\/s/,
    );
    expect(await text(page, '.chart-no-rain')).to.match(
      /^\s*Rain by hour No rain in this range\. Before it, the last was on \d+ July\.$/,
    );
    await page.keyboard.press('PageUp');
    await changed(page, '18 July');
    expect(new URL(page.url()).search).to.equal('?span=24h&at=2013-07-17');
    await page.keyboard.press('+');
    await changed(page, 'Wed');
    expect(await range(page)).to.match(/17 Jul 2013, 06:00\s?–\s?18:00/);
    expect(await page.locator('.chart:focus').count()).to.equal(1);
    const address = page.url();
    await page.goto(address, { waitUntil: 'networkidle' });
    expect(await range(page)).to.match(/06:00\s?–\s?18:00/);
    await page.locator('.chart').first().focus();
    // The cursor is at 09:00, which stays at a quarter of the width.
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', '+']) await page.keyboard.press(key);
    await changed(page, '18:00');
    expect(await range(page)).to.match(/07:30\s?–\s?13:30/);
    await page.keyboard.press('+');
    await changed(page, '07:30');
    expect(await range(page)).to.match(/08:15\s?–\s?11:15/);
    await page.keyboard.press('PageDown');
    await changed(page, '08:15');
    expect(await range(page)).to.match(/10:57\s?–\s?13:57/);
    const shown = await page.evaluate('location.search');
    await page.keyboard.press('Control+-');
    expect(await page.evaluate('location.search')).to.equal(shown);
    // Escape shows the span again, and the back button undoes it.
    await page.locator('.chart').first().focus();
    await page.keyboard.press('Escape');
    await changed(page, '10:57');
    expect(new URL(page.url()).search).to.equal('?span=7d');
    await page.goBack();
    await changed(page, '30 Dec');
    expect(await range(page)).to.match(/10:57/);
    expect(await page.locator('.chart').count()).to.be.greaterThan(0);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('opens the hottest day from its name in the chart of a year, by mouse, and is moved on the strip below', async () => {
    const { page, faults, close } = await open('span=year&at=2013-12-30', {
      viewport: { width: 1280, height: 900 },
    });
    await page.locator('#chart-temperature a text', { hasText: '36.7°' }).click();
    await changed(page, 'December');
    expect(new URL(page.url()).search).to.equal('?span=24h&at=2013-07-18');
    await page.goBack();
    await changed(page, '18 July');
    expect(await page.locator('.chart-spans [aria-pressed=true]').innerText()).to.equal('Year');
    await page.locator('.brush-handle').first().focus();
    await page.keyboard.press('ArrowRight');
    await changed(page, '2012');
    expect(await range(page)).to.match(/^7 January\s?–\s?30 December 2013$/);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('zooms where the mouse was dragged, and moves where it was dragged with Shift', async () => {
    const { page, close } = await open('span=24h&at=2013-07-18');
    const over = page.locator('.chart-over').first();
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    if (box === null) throw new Error('no chart');
    const drag = async (from: number, to: number) => {
      await page.mouse.move(box.x + from * box.width, box.y + 20);
      await page.mouse.down();
      await page.mouse.move(box.x + to * box.width, box.y + 30, { steps: 3 });
      await page.mouse.up();
    };
    await drag(0.25, 0.5);
    await changed(page, 'Thu');
    const hours = () => {
      const { searchParams: query } = new URL(page.url());
      return ['from', 'to'].map((name) => {
        const time = new Date(query.get(name) ?? '');
        return Math.round((time.getTime() - Date.parse('2013-07-18T04:00:00Z')) / 360_000) / 10;
      });
    };
    const [from = 0, to = 0] = hours();
    expect(from).to.be.closeTo(6, 0.2);
    expect(to).to.be.closeTo(12, 0.2);
    const before = await range(page);
    await page.keyboard.down('Shift');
    await drag(0.25, 0.75);
    await page.keyboard.up('Shift');
    await changed(page, before.trim());
    expect(hours()[0]).to.be.closeTo(from - 3, 0.3);
    await close();
  });

  it('is moved in time with a finger, and lets the page be scrolled', async () => {
    const { page, faults, close } = await open('span=7d&at=2013-07-18', {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 800 },
    });
    const fingers = await page.context().newCDPSession(page);
    /** Moves a finger in small steps from the middle of the first chart. */
    const swipe = async (right: number, down: number) => {
      const box = await page.locator('.chart .chart-over').first().boundingBox();
      if (box === null) throw new Error('no chart is drawn');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', share: number) =>
        fingers.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x: x + right * share, y: y + down * share }],
        });
      await touch('touchStart', 0);
      for (let step = 1; step <= 10; step += 1) await touch('touchMove', step / 10);
      await touch('touchEnd', 1);
      return box.width;
    };
    await page.locator('.chart .chart-over').first().scrollIntoViewIfNeeded();
    const before = await range(page);
    const scrolled = () => page.evaluate('scrollY') as Promise<number>;
    const top = await scrolled();
    await swipe(0, -150);
    expect(await scrolled()).to.be.greaterThan(top + 50);
    expect(await range(page)).to.equal(before);
    const width = await swipe(100, 0);
    await changed(page, before);
    // To the right is back in time, by the same part of the shown days as of the width.
    const query = new URL(page.url()).searchParams;
    const moved = Date.parse('2013-07-12T04:00:00Z') - Date.parse(query.get('from') ?? '');
    expect(moved / MILLISECONDS.day).to.be.closeTo((100 / width) * 7, 0.1);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('has its values as a table, in pages, without a fault of accessibility', async () => {
    const { page, close } = await open('span=7d&at=2013-07-18', { viewport: { width: 320, height: 800 } });
    await page.click('.chart-more');
    await page.click('.chart-options button');
    expect(await text(page, '.chart-table [role=status]')).to.match(/Page 1 of \d/);
    await page.click('.chart-table button:has-text("Next")');
    expect(await text(page, '.chart-table [role=status]')).to.match(/Page 2 of \d/);
    expect(await text(page, '.chart-table tbody tr')).to.match(/Sat, 13 Jul 2013, 00:00\s+21\.\d °C/);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await close();
  });

  it('gives what it shows as files', async () => {
    const { page, close } = await open('span=24h&at=2013-07-18&units=imperial');
    await page.click('.chart-download summary');
    const save = async (name: string) => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.click(`.chart-download :text-is("${name}")`),
      ]);
      return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
    };
    const csv = await save('CSV');
    expect(csv.name).to.equal('JFK_2013-07-18T040000Z_2013-07-19T040000Z.csv');
    expect(csv.content.toString()).to.match(
      /^time,air_temperature \(°F\),[^\n]*\n2013-07-18T04:00:00Z,80\.96,/,
    );
    const picture = await save('PNG picture');
    expect(picture.content.subarray(1, 4).toString()).to.equal('PNG');
    expect(picture.content.length).to.be.greaterThan(10_000);
    await close();
  });

  it('drops the reply to an earlier choice, says what failed, and tries again', async () => {
    const { page, close } = await open('span=24h&at=2013-07-18');
    const choose = (span: string, query: string) =>
      Promise.all([
        page.waitForRequest((request) => request.url().includes(query)),
        page.click(`.chart-tools >> text=${span}`),
      ]);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const aborted: string[] = [];
    page.on('requestfailed', (request) => aborted.push(request.url()));
    await page.route('**/observations?*', async (route) => {
      await released;
      // The request for the earlier choice is over by now.
      await route.continue().catch(() => {});
    });
    await choose('7 days', 'from=2013-07-12');
    await choose('30 days', 'from=2013-06-19');
    release();
    await page.waitForSelector('.chart-grid[aria-busy=false]');
    expect(await range(page)).to.include('19 June');
    expect(aborted.filter((address) => address.includes('from=2013-07-12'))).not.to.deep.equal([]);
    await page.unroute('**/observations?*');
    await page.route('**/summaries?*', (route) => route.abort());
    await page.click('.chart-tools >> text=Year');
    await page.waitForSelector('.charts > .fault');
    await page.unroute('**/summaries?*');
    await page.click('.charts > .fault button');
    await changed(page, '19 June');
    expect(await page.locator('.charts > .fault').count()).to.equal(0);
    await close();
  });

  it('says without scripts where the values are', async () => {
    const { page, close } = await site.open('/stations/JFK?span=24h&at=2013-07-18', {
      javaScriptEnabled: false,
    });
    expect(await text(page, '.charts-box')).to.match(/need JavaScript/);
    expect(await page.locator('.charts-box noscript a').isVisible()).to.equal(true);
    expect(await page.locator('#climate a').isVisible()).to.equal(true);
    // The picture of the last 24 hours needs no script.
    expect((await page.locator('.ribbon-picture > .wide svg').boundingBox())?.width).to.be.greaterThan(1000);
    expect(await page.locator('.ribbon-picture > .narrow').isVisible()).to.equal(false);
    const address = await page.getAttribute('.charts-box noscript a', 'href');
    const reply = await fetch(site.url + (address ?? ''));
    expect(reply.headers.get('content-type')).to.include('text/csv');
    expect(await page.locator('.chart-tools').isVisible()).to.equal(false);
    await close();
  });
});

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../../../support/process.js';
import { accessibilityFaults } from '../../../support/accessibility.js';
import { describeInBrowser, Site } from '../../../support/site.js';

const DAY = 86_400_000;

/**
 * Adds the station `running` with values of the last 70 days, in a time zone in which it is noon, so that no day ends during a test.
 * Returns its yesterday, and whether its day is the first of the month and of the year.
 */
async function addRunningStation(site: Site) {
  const now = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  const offset = 12 - new Date(now).getUTCHours();
  // An offset, which `Intl` of Node.js 20 does not know.
  const timeZone = `${offset < 0 ? '-' : '+'}${String(Math.abs(offset)).padStart(2, '0')}:00`;
  await site.addStation('running', { timeZone, reportingInterval: 21_600 });
  const times = Float64Array.from({ length: 70 * 4 }, (_, index) => now - (index * DAY) / 4);
  // The highest value is near the others, so that quality control takes it as right.
  const values = Float64Array.from(times, (_time, index) => (index === 8 ? 9 : (index % 7) + 1));
  await site.record({ stations: 'running', times, columns: [{ variable: 'air_temperature', values }] });
  const today = new Date(now + offset * 3_600_000);
  return {
    date: (language: string) =>
      new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
        today.getTime() - DAY,
      ),
    isFirst: today.getUTCDate() === 1,
    isNewYear: today.getUTCDate() === 1 && today.getUTCMonth() === 0,
  };
}

describeInBrowser('the page of a station in a browser', () => {
  let site: Site;

  before(async () => {
    site = await Site.start('demo');
  });
  after(() => site.stop());

  const open = (path: string, options: Parameters<Site['open']>[1] = {}) => site.open(path, options);
  /** Brings each section into view, so that it is loaded, and waits for its last element. */
  const openSections = async (page: Page) => {
    for (const [section, last] of [
      ['#rose', 'details'],
      ['#usual', '.calendar'],
      ['#climate', '.statistics >> nth=1'],
    ] as const) {
      await page.locator(section).scrollIntoViewIfNeeded();
      await page.locator(`${section} ${last}`).waitFor();
    }
    await page.locator('#climate >> text=24 years').waitFor();
  };

  // The tables have many cells, so each scheme is examined at one width.
  for (const [scheme, examined] of [
    ['light', 320],
    ['dark', 1440],
  ] as const) {
    it(`is accessible with all sections, ${scheme}, and nothing is beyond the edge`, async () => {
      const { page, faults } = await site.look('/stations/JFK');
      await page.emulateMedia({ colorScheme: scheme });
      await openSections(page);
      await page.$$eval('#rose details, #usual details', (tables) => {
        for (const table of tables) table.setAttribute('open', '');
      });
      for (const width of [320, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        if (width === examined) expect(await accessibilityFaults(page), `${width} px`).to.deep.equal([]);
        const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect(await page.evaluate(beyond), `${width} px`).to.equal(0);
      }
      expect(faults).to.deep.equal([]);
    });
  }

  it('shows the newest values with one age, and says that they are old', async () => {
    const { page } = await site.look('/stations/JFK');
    expect(await page.title()).to.match(/^−1\.1 °C on 30 Dec 2013, 19:00 · John F/);
    expect(await page.locator('.hero').innerText()).to.match(
      /^−1\.1 °C, falling\s+No rain since Sunday 18:00\.$/,
    );
    expect(await page.locator('.station-age').innerText()).to.equal('Measured 30 Dec 2013, 19:00');
    const cards = await page.locator('.now-cards').innerText();
    expect(cards).to.match(/Wind from NNW\s+8\.2 m\/s[^]*fresh breeze\s+Rain on 30 Dec/);
    expect(cards).to.match(/Feels like \(Steadman\)\s+−10\.1 °C[^]*9\.0 °C colder/);
    // The amount is of the day of the last value, because nothing is known of today.
    expect(cards).to.match(/Rain on 30 Dec\s+0\.0 mm/);
    expect(cards).not.to.match(/silent|ago|2013/);
    expect(await page.locator('.now-cards .strip').count()).to.equal(7);
  });

  it('has a picture of the last day with a cursor for the pointer and for keys, which a live region reads', async () => {
    const { page, faults, close } = await open('/stations/JFK');
    const picture = page.locator('.ribbon-picture');
    expect(await picture.getAttribute('aria-label')).to.match(
      /Highest 8\.3 °C at 11:00, lowest −1\.1 °C at 19:00/,
    );
    await picture.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const live = page.locator('.ribbon [aria-live]');
    expect(await live.innerText()).to.match(/^Sun 29 Dec 20:00, 6\.1 °C, wind [\d.]+ m\/s \w+/);
    await page.keyboard.press('Escape');
    expect(await live.innerText()).to.equal('');
    const box = await picture.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 700, (box?.y ?? 0) + 100);
    await page.locator('.ribbon-picture text:text-matches("^wind")').first().waitFor();
    for (const width of [320, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      // A resize observer draws the picture again, some time after the window has its new size.
      const svg = page.locator('.ribbon-picture svg:visible');
      await eventually(
        async () => (await svg.boundingBox())?.width ?? 0,
        (drawn) => drawn >= Math.min(1200, width - 130) && drawn <= width,
      );
      expect(await svg.count()).to.equal(1);
    }
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('has the wind rose of the time that the charts show', async () => {
    const { page, close } = await open('/stations/JFK');
    await page.locator('#rose').scrollIntoViewIfNeeded();
    await page.locator('#rose details').waitFor();
    const words = await page.locator('#rose').innerText();
    expect(words).to.match(
      /24 Dec 2013 – 30 Dec 2013\s+The wind came most often from \w+ \(\d+ %\)\. Calms: \d+ %/,
    );
    await page.goto(`${site.url}/stations/JFK?span=7d&at=2013-07-18`, { waitUntil: 'networkidle' });
    await page.locator('#rose').scrollIntoViewIfNeeded();
    await page.locator('#rose details').waitFor();
    expect(await page.locator('#rose').innerText()).to.match(
      /12 July? 2013 – 18 July? 2013[^]*16\d values, \d+ of them calms \(below 0\.5 m\/s\)\.[^]*0\.5–2 m\/s[^]*8–12 m\/s/,
    );
    await close();
  });

  it('has the wind rose of the whole time, in German and in knots', async () => {
    const { page, close } = await open('/stations/JFK?span=year&lang=de&units=knots');
    await page.locator('#rose').scrollIntoViewIfNeeded();
    await page.locator('#rose details').waitFor();
    expect(await page.locator('#rose').innerText()).to.match(
      /8\.\d{3} Werte, davon \d+ mit Windstille \(unter 1,0 kn\)[^]*4–7 kn[^]*ab 22 kn/,
    );
    await close();
  });

  it('has a calendar that is read by keyboard, and whose days open in the charts', async () => {
    const { page, faults, close } = await open('/stations/JFK');
    await page.locator('#usual').scrollIntoViewIfNeeded();
    await page.selectOption('#calendar label:first-child select', 'max');
    await page.locator('.calendar[aria-label^=Highest]').focus();
    const said = () => page.locator('.calendar figcaption').innerText();
    await page.keyboard.press('ArrowDown');
    expect(await said()).to.match(/30 Dec 2013\s+−?\d+\.\d … −?\d+\.\d °C, mean/);
    await page.keyboard.press('ArrowDown');
    expect(await said()).to.match(/31 Dec 2013\s+no value/);
    await page.keyboard.press('Home');
    expect(await said()).to.match(/1 Jan 2013\s/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\?span=24h&at=2013-01-01#charts$/);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('has the climate of a year, records with dates, and the texts of months', async () => {
    const { page, close } = await open('/stations/JFK');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/climate/months?*', (route) => released.then(() => route.continue()));
    await page.locator('#climate').scrollIntoViewIfNeeded();
    // The records come first, but would move down when the months come.
    await page.locator('#climate table').first().waitFor({ state: 'attached' });
    expect(await page.locator('#climate h3:visible').count()).to.equal(1);
    release();
    // The months, the normals and the records are read one beside the other.
    for (const text of ['24 years', '14 Jan 2013', 'All time'])
      await page.locator(`#climate >> text=${text}`).first().waitFor();
    const words = await page.locator('#climate').innerText();
    expect(words).to.match(/Jan[^]*?1\.9[^]*?14\.4\s+14 Jan 2013/);
    expect(words).to.match(/All time\s+36\.7\s+18 July? 2013/);
    const address = await page.locator('#climate a').first().getAttribute('href');
    expect(await (await fetch(site.url + address)).text()).to.match(/CLIMATOLOGICAL SUMMARY for Jan 2013/);
    await close();
  });

  it('has the climate of daily values and of observations, shows further columns on request, and names sources and ties', async () => {
    await site.addStation('archive', { timeZone: 'UTC', reportingInterval: 86_400 });
    const days = Array.from({ length: 365 }, (_, day) => Date.UTC(2013, 0, 2) + day * DAY);
    const column = (variable: string, value: (day: number) => number) => {
      return { variable, values: Float64Array.from(days, (_time, day) => value(day)) };
    };
    await site.record({
      stations: 'archive',
      times: Float64Array.from(days),
      atIntervalEnd: true,
      columns: [
        column('daily_maximum_air_temperature', (day) => 10 - 15 * Math.cos(day / 58)),
        column('daily_minimum_air_temperature', (day) => Math.round(2 - 12 * Math.cos(day / 58))),
        column('daily_precipitation_amount', (day) => (day % 5 === 0 ? 12 : 0)),
        column('daily_surface_snow_thickness', (day) => (day < 20 ? 0.2 : 0)),
      ],
    });
    const times = Float64Array.from(
      { length: 31 * 24 },
      (_, hour) => Date.UTC(2014, 0, 1) + (hour * DAY) / 24,
    );
    const values = Float64Array.from(times, (_time, hour) => 3 + Math.sin(hour / 4));
    await site.record({ stations: 'archive', times, columns: [{ variable: 'air_temperature', values }] });
    const { page, faults, close } = await open('/stations/archive', {
      viewport: { width: 1280, height: 800 },
    });
    await page.locator('#climate').scrollIntoViewIfNeeded();
    const [table, note] = [
      page.locator('#climate table').first(),
      page.locator('#climate .climate-part p').first(),
    ];
    await table.waitFor();
    const choose = (label: string, value: string) =>
      page.locator(`#climate .choice:has(span:text-is("${label}")) select`).first().selectOption(value);
    await choose('Year', '2013');
    await table.locator('text=−10.0').first().waitFor();
    expect(await note.innerText()).to.match(/^Source: official daily values\./);
    expect(await table.innerText())
      .to.match(/Temperature\s+Rain/)
      .and.not.contain('Frost days');
    await choose('Table', 'air_temperature');
    expect(await table.innerText()).to.match(/Frost days min < 0 °C[^]*Jan[^]*\b31\b/);
    await choose('Table', 'precipitation');
    expect(await table.innerText()).to.match(/Greatest depth cm[^]*Jan[^]*\b20 +1 Jan[^]*Feb[^]*\b0\s+0\s/);
    const records = page.locator('#climate .climate-part').nth(1);
    expect(await records.innerText()).to.match(/Jan\s+4\.0 +\d+ Jan 2014\s+−10\.0\* +1 Jan 2013/);
    expect(await records.innerText()).to.contain('Source: observations, *official daily values, †both.');
    const ties = records.locator('summary').filter({ hasText: '+6 days' }).first();
    await ties.click();
    expect(await ties.locator('..').innerText()).to.match(/\+6 days\s+6 Jan 2013\s+11 Jan 2013/);
    await choose('Source', 'observations');
    await page.locator('#climate >> text=The station has no values for this section.').waitFor();
    await choose('Source', 'daily');
    await records.locator('text=Source: official daily values.').waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('marks the running month and year, and until when their numbers are, with and without JavaScript', async () => {
    const { date, isFirst, isNewYear } = await addRunningStation(site);
    const marks = (language: 'en' | 'de') => {
      const [soFar, begun] = {
        en: [`so far, to ${date('en-GB')}`, 'no complete day yet'],
        de: [`bisher, bis ${date('de')}`, 'noch kein vollständiger Tag'],
      }[language] as [string, string];
      return [isFirst ? begun : soFar, isNewYear ? begun : soFar];
    };
    // Without JavaScript, the views of the table are shown one below the other.
    const rows = (page: Page) => page.locator('#climate table').first().locator('.running:visible');
    const check = async (page: Page, language: 'en' | 'de') => {
      const found = await rows(page).allInnerTexts();
      expect(found).to.have.length(2);
      for (const [index, mark] of marks(language).entries()) expect(found[index]).to.contain(mark);
      // The day before yesterday had the highest temperature of the year.
      if (!isNewYear && date('en') !== 'Jan 1') expect(found[1]).to.match(/\b9[.,]0/);
    };
    const lively = await open('/stations/running?lang=de', {
      viewport: { width: 320, height: 800 },
      colorScheme: 'dark',
    });
    await lively.page.locator('#climate').scrollIntoViewIfNeeded();
    await rows(lively.page).first().waitFor();
    await check(lively.page, 'de');
    expect(await accessibilityFaults(lively.page)).to.deep.equal([]);
    expect(lively.faults).to.deep.equal([]);
    await lively.close();
    const plain = await open('/stations/running', { javaScriptEnabled: false });
    await plain.page.locator('#climate button').click();
    await rows(plain.page).first().waitFor();
    await check(plain.page, 'en');
    for (const width of [320, 1440]) {
      await plain.page.setViewportSize({ width, height: 800 });
      const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await plain.page.evaluate(beyond), `${width} px`).to.equal(0);
    }
    await plain.close();
  });

  it('says in each section that its data cannot be read, and reads them again', async () => {
    const { page, close } = await open('/stations/JFK');
    let isBroken = true;
    await page.route('**/climate/records', (route) => (isBroken ? route.abort() : route.fallback()));
    await page.locator('#climate').scrollIntoViewIfNeeded();
    await page.locator('#climate [role=alert]').waitFor();
    isBroken = false;
    await page.locator('#climate [role=alert] button').click();
    await page.locator('#climate >> text=All time').waitFor();
    expect(await page.locator('#climate [role=alert]').count()).to.equal(0);
    await close();
  });

  it('names the routes of the API without JavaScript', async () => {
    const { page, close } = await open('/stations/JFK', { javaScriptEnabled: false });
    for (const [section, route] of [
      ['#rose', /wind-rose/],
      ['#usual', /climate\/usual/],
      ['#climate', /climate\/months/],
    ] as const) {
      const address = await page.locator(`${section} a`).getAttribute('href');
      expect(address).to.match(route);
      expect((await fetch(site.url + address)).status).to.equal(200);
    }
    await close();
  });
});

describeInBrowser('the kiosk and the card for frames', () => {
  let site: Site;

  before(async () => {
    site = await Site.start('demo');
  });
  after(() => site.stop());

  it('fit their screens, are accessible, and show the same without JavaScript', async () => {
    for (const [path, width, height] of [
      ['/kiosk/JFK', 1280, 720],
      ['/kiosk/JFK?theme=light', 320, 640],
      ['/embed/JFK?lang=de&units=imperial&theme=dark', 320, 200],
    ] as const) {
      const viewport = { width, height };
      const lively = await site.open(path, { viewport });
      const plain = await site.open(path, { viewport, javaScriptEnabled: false });
      expect(await accessibilityFaults(lively.page), path).to.deep.equal([]);
      expect(lively.faults, path).to.deep.equal([]);
      const [wide, high] = (await lively.page.evaluate(
        '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]',
      )) as [number, number];
      expect(wide, path).to.equal(width);
      if (width !== 320 || height === 200) expect(high, path).to.equal(height);
      for (const { page } of [lively, plain]) {
        // The picture is as large as its place, which only scripts know.
        await page.$$eval('.needs-script, .clock, .fitted-ribbon', (parts) =>
          parts.forEach((part) => part.remove()),
        );
      }
      expect(await lively.page.innerText('main')).to.equal(await plain.page.innerText('main'));
      await Promise.all([lively.close(), plain.close()]);
    }
  });

  it('may be framed by other sites only if it is the card', async () => {
    for (const [path, ancestors] of [
      ['/embed/JFK', '*'],
      ['/kiosk/JFK', "'none'"],
      ['/stations/JFK', "'none'"],
    ]) {
      const { headers } = await fetch(`${site.url}${path}`, { headers: { accept: 'text/html' } });
      expect(headers.get('content-security-policy')).to.match(
        new RegExp(`frame-ancestors ${ancestors === '*' ? '\\*' : ancestors}$`),
      );
    }
    const reply = await fetch(`${site.url}/embed/JFK?lang=de&units=imperial`, {
      headers: { accept: 'text/html' },
    });
    expect(await reply.text()).to.match(/30,0 °F[^]*fallend/);
  });

  it('reads the values again when the page is seen again', async () => {
    const { page, close } = await site.open('/kiosk/JFK');
    const show = async (isHidden: boolean) => {
      await page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })`,
      );
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    };
    const again = page.waitForRequest(/observations\/latest/);
    await show(true);
    await show(false);
    await again;
    await page.route('**/v1/**', (route) => route.abort());
    await show(true);
    await show(false);
    await page.locator('text=no connection since').waitFor();
    expect(await page.innerText('.kiosk')).to.include('−1.1 °C');
    await close();
  });

  it('show a value as soon as it is written', async () => {
    await site.addStation('live');
    await site.write('live', { air_temperature: 3.25 });
    for (const path of ['/kiosk/live', '/embed/live']) {
      const { page, faults, close } = await site.open(path, { events: true });
      await page.waitForSelector('main:has-text("3.3 °C")');
      while (site.streams === 0) await page.waitForTimeout(20);
      await site.write('live', { air_temperature: 7.5 });
      await page.waitForSelector('main:has-text("7.5 °C")');
      await site.write('live', { air_temperature: 3.25 });
      await page.waitForSelector('main:has-text("3.3 °C")');
      expect(faults).to.deep.equal([]);
      await close();
    }
  });

  // A card draws the sentence and the picture of the last 24 hours, and follows new values, with the modules of the other pages. Scripts
  // of its own would be smaller, but a browser that shows the site could not take them from its cache.
  it('load at most 47 kB of scripts for the card', async () => {
    const { page, close } = await site.open('about:blank');
    let bytes = 0;
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script')
        bytes += Number(response.headers()['content-length']);
    });
    await page.goto(`${site.url}/embed/JFK`, { waitUntil: 'networkidle' });
    expect(bytes).to.be.within(5000, 47_000);
    await close();
  });

  it('leave the connections of a page to others if it has many frames', async () => {
    const cards = `<iframe src="${site.url}/embed/JFK"></iframe>`.repeat(7);
    const { page, requested, close } = await site.open('about:blank', { events: true });
    await page.route('**/frames', (route) => route.fulfill({ contentType: 'text/html', body: cards }));
    // A page with an event stream would never be idle.
    await page.goto(`${site.url}/frames`, { waitUntil: 'networkidle' });
    await page.frameLocator('iframe >> nth=6').locator('.embed .age').waitFor();
    expect(requested.filter((address) => address.includes('/v1/events'))).to.deep.equal([]);
    await close();
  });
});

import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import sinon from 'sinon';
import { ReadQualityState } from '#application/observations/notices/read-quality-state.js';
import { RenewNotices } from '#application/observations/notices/renew-notices.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { RecheckObservations } from '#application/observations/recheck/recheck-observations.js';
import { SourceRecords } from '#application/sources/source-records.js';
import { NO_STATE } from '#domain/sources/source.js';
import { accessibilityFaults } from '../../../support/accessibility.js';
import { catchUp } from '../../../support/recheck.js';
import { describeInBrowser, Site } from '../../../support/site.js';
import { addAda, PASSWORD, signIn } from '../../../support/site-user.js';
import { sentColumns } from '../../../support/weather-world.js';

const HOUR = 3_600_000;
/** Days of values, and days at the end in which the anemometer of JFK stands still. */
const [DAYS, CALM] = [40, 10];

const plain = (text: string) => text.replaceAll(/\s+/g, ' ');
const noticesOf = async (page: Page) => {
  await page.locator('#notices').scrollIntoViewIfNeeded();
  await page.waitForSelector('#notices li');
  return plain(await page.innerText('#notices'));
};

describeInBrowser('the notices on the page of a station', () => {
  let site: Site;
  before(async () => {
    site = await Site.start('empty');
    await addAda(site);
    const begin = Math.floor(Date.now() / HOUR) * HOUR - DAYS * 24 * HOUR;
    const times = Float64Array.from({ length: DAYS * 24 }, (_, hour) => begin + hour * HOUR);
    for (const [index, id] of ['JFK', 'EWR', 'LGA', 'HPN'].entries()) {
      await site.addStation(id, {
        latitude: 40.6 + index / 50,
        longitude: -73.8,
        elevation: 10,
        timeZone: 'America/New_York',
        reportingInterval: 3600,
      });
      const speeds = Array.from(times, (_, hour) =>
        id === 'JFK' && hour >= (DAYS - CALM) * 24 ? 0 : 3 + Math.round(10 * Math.sin(hour / 7 + index)) / 10,
      );
      await site.record({ stations: id, times, columns: sentColumns({ wind_speed: speeds }) });
    }
    const { useCase } = site.service.application;
    await catchUp(useCase(RecheckObservations));
    while ((await stateOf('JFK')).notices === 0) {
      await useCase(RenewNotices).execute();
      await wait(20);
    }
  });
  after(() => site.stop());

  const stateOf = async (station: string) => {
    const reply = await fetch(
      `${site.url}/v1/stations/${station}/observations/latest?include=quality_control`,
    );
    return ((await reply.json()) as { quality_control: { notices: number; checked: number } })
      .quality_control;
  };

  it('say what was found, since when and compared with whom, and link the compared stations', async () => {
    const { page, requested, faults, close } = await site.open('/stations/JFK');
    const text = await noticesOf(page);
    expect(text).to.match(
      /^Notices Somebody should .* About notices Wind: calm for \d{3} hours, while the stations nearby measured 3\.\d m\/s on average, since \d+ \w+ \d{4}, \d\d:00, compared with (?:\w{3}, ){2}\w{3}\.$/,
    );
    const begin = new Date(Date.now() - CALM * 24 * HOUR);
    expect(text).to.contain(String(begin.getUTCFullYear()));
    expect(requested.filter((address) => address.includes('/notices')).length).to.equal(2);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.click('#notices li a:text("EWR")');
    await page.waitForSelector('h1:has-text("EWR")');
    expect(await page.locator('#notices').count()).to.equal(0);
    await page.goBack();
    await noticesOf(page);
    await page.click('#notices a:text("About notices")');
    await page.waitForURL('**/docs#get-v1-stations-id-notices');
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('are German on a phone, with units of the reader and without scrolling to the side', async () => {
    const { page, faults, close } = await site.open('/stations/JFK?units=kmh', {
      locale: 'de',
      viewport: { width: 360, height: 720 },
      colorScheme: 'dark',
    });
    const text = await noticesOf(page);
    expect(text).to.match(
      /Wind: \d{3} Stunden Windstille, während die Stationen in der Nähe im Mittel 11 km\/h gemessen haben, seit .*, verglichen mit/,
    );
    const width = (await page.evaluate('document.documentElement.scrollWidth')) as number;
    expect(width).to.be.at.most(360);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('link an administrator to the panel in which values are marked as bad', async () => {
    const { page, close } = await site.open('/stations/JFK');
    await noticesOf(page);
    expect(await page.locator('#notices a[href^="/admin"]').count()).to.equal(0);
    await page.goto(`${site.url}/admin`);
    await signIn(page, PASSWORD);
    await page.waitForSelector('.tabs');
    await page.click('a[href="/"]');
    await page.click('a[href^="/stations/JFK"]');
    await noticesOf(page);
    await page.click('#notices a[href^="/admin"]');
    await page.waitForSelector('td:has-text("calm for")');
    expect(await page.inputValue('[name=station]')).to.equal('JFK');
    await page.click('tr:has-text("calm for") button');
    await page.waitForSelector('.editor [name=reason]');
    expect(await page.inputValue('.editor [name=reason]')).to.equal('stuck_calm');
    await close();
  });

  it('name the spans that no source could fill, without the source, and the rest on demand', async () => {
    const { useCase } = site.service.application;
    const records = useCase(SourceRecords);
    const { station } = await useCase(DescribeStation).execute('HPN');
    const begin = Math.floor(Date.now() / HOUR) * HOUR - 100 * HOUR;
    const gaps = Array.from({ length: 7 }, (_, index) => ({
      from: begin + 10 * index * HOUR,
      to: begin + (10 * index + 2) * HOUR,
      reason: 'The device "garage" has no memory card.',
    }));
    // A source of a kind that this service does not have is not asked.
    const kind = { name: 'garage', kind: 'removed', station: station.number, settings: {}, every: null };
    const source = {
      ...kind,
      mappings: [],
      allowAnyAddress: false,
      paused: false,
      secretsSince: 0,
      since: 0,
    };
    await records.change(() => [source], begin);
    await records.putState('garage', { ...NO_STATE, gaps }, begin);
    const { page, requested, faults, close } = await site.open('/stations/HPN', { locale: 'de' });
    const text = await noticesOf(page);
    expect(text).to.match(
      /^Hinweise (?:Es fehlen Werte von \d+\. \S+ \d{4}, \d\d:00 bis \d+\. \S+ \d{4}, \d\d:00\. ?){5}Alle 7 zeigen$/,
    );
    await page.click('#notices button');
    expect(await page.locator('#notices li').count()).to.equal(7);
    expect(await page.content()).not.to.contain('garage');
    expect(requested.filter((address) => address.includes('/notices?')).length).to.equal(1);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await close();
    await records.change(() => [], begin);
  });

  it('are absent, and cost no request, where there are none', async () => {
    const { page, requested, close } = await site.open('/stations/EWR');
    await page.waitForSelector('#usual');
    expect(await page.locator('#notices').count()).to.equal(0);
    expect(requested.filter((address) => address.includes('notices'))).to.deep.equal([]);
    await close();
  });

  it('are named to visitors without a script by the address of their data', async () => {
    const { page, close } = await site.open('/stations/JFK', { javaScriptEnabled: false });
    expect(await page.innerText('#notices')).to.contain('/v1/stations/JFK/notices');
    await close();
  });

  it('come with a line while values are still being checked, which disappears at the end', async () => {
    const state = sinon.stub(site.service.application.useCase(ReadQualityState), 'execute');
    try {
      state.resolves({ notices: 0, checked: 0.63 });
      const { page, faults, close } = await site.open('about:blank');
      // The page asks again after ten seconds.
      await page.addInitScript(
        'const real = setInterval; globalThis.setInterval = (call, time) => real(call, time === 10000 ? 50 : time);',
      );
      await page.goto(`${site.url}/stations/JFK`);
      const line = 'Quality control is still checking values of this station (63 %); numbers may change.';
      await page.locator('#climate').scrollIntoViewIfNeeded();
      for (const place of ['.station > p', '#usual > p', '#climate > p'])
        await page.waitForSelector(`${place}:text-is("${line}")`);
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      state.resolves({ notices: 0, checked: 0.97 });
      await page.waitForSelector('p:has-text("(97 %)")');
      const reading = page.waitForRequest(/climate\/months/);
      state.resolves({ notices: 0, checked: 1 });
      await page.waitForSelector('p:has-text("still checking")', { state: 'detached' });
      // The numbers are read again.
      // Not with the locator, which fails if the page draws the section again meanwhile.
      await page.evaluate('document.querySelector("#climate").scrollIntoView()');
      await reading;
      expect(faults).to.deep.equal([]);
      await close();
    } finally {
      state.restore();
    }
  });
});

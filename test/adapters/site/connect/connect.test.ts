import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../../../support/accessibility.js';
import { describeInBrowser, Site } from '../../../support/site.js';
import { addAda, PASSWORD, signIn } from '../../../support/site-user.js';

const NAME = 'Garten <b>in</b> Köln';
const CONSOLE = {
  stationtype: 'GW2000A_V3.1.0',
  model: 'GW2000A',
  PASSKEY: '0123456789ABCDEF0123456789ABCDEF',
  dateutc: 'now',
  tempf: '50',
  humidity: '92',
  windspeedmph: '11.2',
  tempinf: '70.5',
};

/** Sends an upload as a console does. */
async function upload(site: Site, path: string): Promise<number> {
  const body = new URLSearchParams(CONSOLE);
  return (await fetch(`${site.service.uploadsUrl}${path}`, { method: 'POST', body })).status;
}

async function expectWellFormed(page: Page): Promise<void> {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(beyond), `${width}`).to.equal(0);
  }
  expect(await accessibilityFaults(page)).to.deep.equal([]);
}

describeInBrowser('"Connect a station" in a browser', () => {
  let site: Site;
  before(async () => {
    site = await Site.start('empty', { WEATHERD_UPLOADS_PORT: '0' });
    await addAda(site);
  });
  after(() => site.stop());

  it('makes a station and a key, waits, and names what the first upload of a console brought', async () => {
    const { page, faults, close } = await site.open('/admin#connect', {
      locale: 'de-DE',
      timezoneId: 'Europe/Berlin',
      geolocation: { latitude: 50.9412345678, longitude: 6.9582 },
      permissions: ['geolocation', 'clipboard-write', 'clipboard-read'],
      events: true,
    });
    await signIn(page);
    await page.click('.reach button:text("Nur dieser Rechner")');
    await page.waitForSelector('.step:has-text("Sendungen kommen an Port")');
    expect(site.service.uploadsUrl).to.match(/^http:\/\/127\.0\.0\.1:/);
    await page.click('.step button:text("Ändern")');
    await page.click('.reach button:text-is("Aus")');
    await page.waitForSelector('.step:has-text("Wer darf senden?")');
    expect(site.service.uploadsUrl).to.equal(undefined);
    await page.click('.reach button:text("Nur dieser Rechner")');
    await page.waitForSelector('.step:has-text("Sendungen kommen an Port")');
    await page.fill('[name=name]', NAME);
    expect(await page.inputValue('[name=id]')).to.equal('garten-b-in-b-koln');
    await page.fill('[name=id]', 'garten');
    await page.fill('[name=name]', `${NAME} `);
    expect(await page.inputValue('[name=id]')).to.equal('garten');
    expect(await page.inputValue('[name=time_zone]')).to.equal('Europe/Berlin');
    await page.setViewportSize({ width: 360, height: 640 });
    await page.click('.place-fields button >> nth=1');
    await page.waitForSelector('.place-map .land');
    const isInView = 'document.querySelector(".place-map").getBoundingClientRect().bottom < innerHeight + 4';
    expect(await page.evaluate(isInView)).to.equal(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.click('.place-fields button >> nth=0');
    await page.waitForSelector('.place-fields > p:empty', { state: 'attached' });
    expect(await page.inputValue('[name=latitude]')).to.equal('50.94123');
    await page.waitForSelector('.place-map .leaflet-marker-icon');
    await expectWellFormed(page);
    await page.click('.place-map .map', { position: { x: 60, y: 60 } });
    expect(Number(await page.inputValue('[name=latitude]'))).to.be.within(50.95, 52);
    await page.click('.editor button[type=submit]');

    await page.click('.makes button:text("Ecowitt")');
    await page.click('.step > button.main');
    const fields = page.locator('.console-fields li');
    const path = await fields.locator('input').nth(1).inputValue();
    expect(path).to.match(/^\/u\/[\w-]{26,}\/$/);
    expect(await fields.locator('label').allInnerTexts()).to.deep.equal([
      'Server IP / Hostname',
      'Path',
      'Port',
      'Upload Interval',
    ]);
    await fields.locator('button').nth(1).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(path);
    await page.waitForSelector('.waiting-light.waiting ul');
    expect(await page.locator('.step b:text-is("in")').count()).to.equal(0);
    await expectWellFormed(page);

    // A console without a key is named, and a refused upload says why.
    expect(await upload(site, '/data/report/')).to.equal(200);
    await page.waitForSelector('.waiting-light:has-text("GW2000A")');
    for (let count = 1; count <= 2; count += 1) expect(await upload(site, '/u/mistyped/')).to.equal(401);
    await page.waitForSelector('.waiting-light:has-text("2 Sendungen mit falschem Schlüssel von GW2000A")');

    expect(await upload(site, path)).to.equal(200);
    await page.waitForSelector('.waiting-light.connected');
    expect(await page.innerText('.waiting-light')).to.match(/GW2000A.*127\.0\.0\.1/);
    const arrived = await page.locator('.arrived > div').allInnerTexts();
    expect(arrived.map((text) => text.replaceAll(/\s+/g, ' '))).to.include.members([
      'Temperatur 10,0 °C',
      'Luftfeuchte 92 %',
    ]);
    expect(await page.innerText('.waiting-light ul')).to.contain('tempinf = 70.5');
    await expectWellFormed(page);
    // Visitors see this, and the steps that are done are one line each.
    await page.waitForSelector('.first-picture .embed:has-text("10,0 °C")');
    expect(await page.locator('.first-picture a').getAttribute('href')).to.equal('/stations/garten');
    expect(await page.locator('.makes, .console-fields, .reach, .step select').count()).to.equal(0);
    await page.click('.tabs a[href="#uploads"]');
    await page.waitForSelector('h4 .light-mark.connected');
    await expectWellFormed(page);
    const pending = page.waitForRequest('**/v1/uploads/pending', { timeout: 5000 });
    await page.click('.admin section > button');
    await pending;
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('chooses the station that an unknown console names only if there is one', async () => {
    await site.addStation('shed');
    const sender = {
      dialect: 'wunderground',
      model: null,
      address: '192.0.2.1',
      first_seen: '2026-11-01T00:00:00Z',
      last_seen: '2026-11-01T00:00:00Z',
      count: 2,
      readings: ['tempf = 50'],
      wrong_key: false,
      approvable: true,
    };
    const { page, close } = await site.open('about:blank', { locale: 'en-GB' });
    await page.route('**/v1/uploads/pending', (route) =>
      route.fulfill({
        json: {
          success: true,
          code: 200,
          message: '',
          pending: ['shed', 'nowhere', '', null].map((sent, index) => ({
            ...sender,
            id: `${index}`,
            sent_id: sent,
          })),
        },
      }),
    );
    await page.goto(`${site.url}/admin#uploads`);
    await signIn(page);
    const choices = page.locator('article.card select');
    await choices.nth(3).locator('option:text-is("shed")').waitFor({ state: 'attached' });
    const shown = await choices.evaluateAll((all) =>
      all.map((one) => (one as unknown as { selectedOptions: { text: string }[] }).selectedOptions[0]?.text),
    );
    expect(shown).to.deep.equal(['shed', ...Array<string>(3).fill('Choose a station')]);
    await close();
  });

  it('sees the first value without the rights of an administrator, and never asks for a password by itself', async () => {
    await site.addStation('roof');
    const { page, close } = await site.open('/admin#connect/roof', { locale: 'en-GB' });
    await signIn(page);
    await page.click('.makes button:text("WeeWX")');
    const [request] = await Promise.all([
      page.waitForRequest('**/v1/upload-keys'),
      page.click('.step > button.main'),
    ]);
    await page.waitForSelector('.waiting-light.waiting ul');
    const authorization = request.headers()['authorization'] ?? '';
    await fetch(`${site.url}/v1/auth/drop/`, { method: 'POST', headers: { authorization } });
    await page.waitForSelector('.waiting-light > button');
    await site.write('roof', { air_temperature: 3.9 });
    await page.waitForSelector('.waiting-light.arrived');
    expect(await page.locator('dialog').count()).to.equal(0);
    await page.click('.waiting-light > button');
    await page.fill('dialog [name=password]', PASSWORD);
    await page.click('dialog .main');
    // The value did not come with the key.
    await page.waitForSelector('.waiting-light.waiting');
    await page.click('.waiting-light summary');
    await page.fill('[name=air_temperature]', '4.5');
    await page.click('.try-send button');
    await page.waitForSelector('.waiting-light.connected:has-text("4.5 °C")');
    await close();
  });
});

import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { ListForecasts } from '#application/forecast/manage/list-forecasts.js';
import { RunForecasts } from '#application/forecast/run-forecasts.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { expectWellFormed } from '../../support/accessibility.js';
import { openMeteoService } from '../../support/devices/open-meteo.js';
import type { HttpDevice } from '../../support/devices/http-device.js';
import { describeInBrowser, Site } from '../../support/site.js';
import { addAda, signIn } from '../../support/site-user.js';

/** A browser reports each refusal of the API that a test provokes. */
const provoked = (fault: string) => /status of (?:400|412)/.test(fault);

describeInBrowser('the forecasts in the administration', () => {
  let provider: HttpDevice;
  let site: Site;
  before(async () => {
    provider = await openMeteoService();
  });
  after(() => provider.close());
  afterEach(() => site.stop());

  async function open(settings: Readonly<Record<string, string>> = {}) {
    site = await Site.start('empty', { WEATHERD_FORECAST_OPEN_METEO_URL: provider.url, ...settings });
    await addAda(site);
    for (const id of ['garden', 'roof', 'shed']) await site.addStation(id);
    const watched = await site.open('/admin#forecasts', { locale: 'en-GB' });
    await signIn(watched.page);
    await watched.page.waitForSelector('button:text("Order forecasts"):enabled');
    return watched;
  }
  const useCase: Site['service']['application']['useCase'] = (type) => site.service.application.useCase(type);
  const ordered = async () =>
    (await useCase(ListForecasts).execute()).map(({ station, provider: name }) => [station, name]);
  const tick = async (page: Page, ...stations: readonly string[]) => {
    for (const station of stations) await page.check(`.station-ticks label:has-text("${station}")`);
  };
  /** Lets the service ask the providers, and opens the panel again. */
  const asked = async (page: Page) => {
    const run = useCase(RunForecasts);
    await run.execute();
    await run.idle();
    await page.click('.tabs a[href="#sources"]');
    await page.click('.tabs a[href="#forecasts"]');
  };

  it('are ordered for several stations, shown with their state, and ended', async () => {
    const { page, close } = await open();
    await page.waitForSelector('p:has-text("Nothing is asked of any provider before you order them")');
    await page.click('button:text("Order forecasts")');
    await page.waitForSelector('.station-ticks label:has-text("shed")');
    // The provider that cannot be used is not offered, and the reason names the setting.
    expect(await page.locator('[name=provider] option').allInnerTexts()).to.deep.equal(['Open-Meteo']);
    await page.waitForSelector('.editor p:has-text("WEATHERD_FORECAST_CONTACT")');
    await page.waitForSelector('.editor p:has-text("rounded to two decimals of a degree")');
    await expectWellFormed(page, 'form');
    await page.click('.editor .main');
    await page.waitForSelector('.station-ticks .fault:text("Choose a station.")');
    await tick(page, 'garden', 'roof');
    await page.click('.editor .main');
    await page.waitForSelector('tr:has-text("garden"):has-text("Open-Meteo")');
    await page.waitForSelector('tr:has-text("roof"):has-text("Open-Meteo")');
    expect(await ordered()).to.deep.equal([
      ['garden', 'open-meteo'],
      ['roof', 'open-meteo'],
    ]);
    await asked(page);
    await page.waitForSelector('tr:has-text("garden"):has-text("Newest forecast:")');
    await expectWellFormed(page, 'list');
    await page.click('tr:has-text("roof") button:text("Remove")');
    await page.click('dialog .danger');
    await page.waitForSelector('tr:has-text("roof")', { state: 'detached' });
    expect(await ordered()).to.deep.equal([['garden', 'open-meteo']]);
    await page.click('button:text("Order forecasts")');
    await page.waitForSelector('.station-ticks label:has-text("shed")');
    expect(await page.locator('.station-ticks label').allInnerTexts()).to.deep.equal(['roof', 'shed']);
    await close();
  });

  it('are not changed over what somebody else has ordered meanwhile', async () => {
    const settings = {
      WEATHERD_FORECAST_CONTACT: 'operator@example.org',
      WEATHERD_FORECAST_MET_NORWAY_URL: provider.url,
    };
    const { page, close, faults } = await open(settings);
    const add = (station: string, name: string) =>
      useCase(AddForecast).execute([station], name, COMMAND_LINE);
    await page.click('button:text("Order forecasts")');
    await tick(page, 'garden', 'roof', 'shed');
    await add('roof', 'met-norway');
    await page.click('.editor .main');
    await page.waitForSelector('.station-ticks .fault:text("roof already has forecasts.")');
    // The stations before it are ordered, and are not ordered again.
    await page.uncheck('.station-ticks label:has-text("roof")');
    await page.click('.editor .main');
    await page.waitForSelector('tr:has-text("roof"):has-text("MET Norway")');
    expect(await ordered()).to.deep.equal([
      ['garden', 'open-meteo'],
      ['roof', 'met-norway'],
      ['shed', 'open-meteo'],
    ]);
    await page.click('tr:has-text("roof") button:text("Change")');
    await page.selectOption('[name=provider]', 'open-meteo');
    await page.click('.editor .main');
    await page.waitForSelector('tr:has-text("roof"):has-text("Open-Meteo")');
    await page.click('tr:has-text("garden") button:text("Change")');
    await page.selectOption('[name=provider]', 'open-meteo');
    await add('garden', 'met-norway');
    await page.click('.editor .main');
    await page.waitForSelector('dialog .conflict:has-text("MET Norway"):has-text("Open-Meteo")');
    await expectWellFormed(page, 'conflict');
    await page.click('dialog .main');
    await page.waitForSelector('tr:has-text("garden"):has-text("MET Norway")');
    await asked(page);
    await page.waitForSelector('tr:has-text("garden"):has-text("No answer since")');
    await expectWellFormed(page, 'failing');
    expect(faults.filter((fault) => !provoked(fault))).to.deep.equal([]);
    await close();
  });
});

import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { ForecastRecords } from '#application/forecast/forecast-records.js';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { MILLISECONDS } from '#domain/time.js';
import { V } from '#domain/weather/variables.js';
import { accessibilityFaults } from '../../support/accessibility.js';
import { storeTemperatures } from '../../support/forecast-world.js';
import { describeInBrowser, Site } from '../../support/site.js';

/** A chart of a single value refers to a table that it does not have; that is no matter of alarms. */
const faultsOf = async (page: Page) =>
  (await accessibilityFaults(page)).filter((fault) => !fault.includes('aria-details'));

describeInBrowser('alarms on the site', () => {
  let site: Site;

  before(async () => {
    site = await Site.start('empty', { WEATHERD_FORECAST_OPEN_METEO_URL: 'http://127.0.0.1:1/' });
    await site.addStation('garden');
    await site.addStation('roof');
    const add = site.service.application.useCase(AddAlarm);
    const frost = { kind: 'below', variable: V.temperature, threshold: -1, clear: 0, for: 0 } as const;
    const wet = { kind: 'above', variable: V.humidity, threshold: 0.9, clear: 0.9, for: 0 } as const;
    for (const [name, condition] of Object.entries({ frost, wet }))
      await add.execute({ name, station: 'garden', condition, target: null }, COMMAND_LINE);
    await site.write('garden', { air_temperature: -5, relative_humidity: 0.5 });
    await site.write('roof', { air_temperature: -5 });
    const latest = async () => {
      const reply = await fetch(`${site.url}/v1/stations/garden/observations/latest`);
      return (await reply.json()) as { alarms?: unknown };
    };
    while ((await latest()).alarms === undefined) await wait(20);
  });

  it('say what a forecast expects, with its hour at the station and its chance', async () => {
    const { application } = site.service;
    await site.addStation('orchard', { timeZone: 'Europe/Amsterdam' });
    await site.write('orchard', { air_temperature: 4 });
    await application.useCase(AddForecast).execute(['orchard'], 'open-meteo', COMMAND_LINE);
    const station = (await application.useCase(StationDirectory).current()).byId.get('orchard')?.number ?? 0;
    const records = application.container.get(ForecastRecords);
    const issued = Date.now();
    const series = { station, provider: 'open-meteo' };
    await storeTemperatures(records, series, issued, [1, -2, 3, 6, 6], 1);
    const condition = {
      kind: 'forecast',
      comparison: 'below',
      variable: V.temperature,
      threshold: 0,
      within: 12 * MILLISECONDS.hour,
      probability: 0.5,
    } as const;
    await application
      .useCase(AddAlarm)
      .execute({ name: 'tonight', station: 'orchard', condition, target: null }, COMMAND_LINE);
    const { page, faults, close } = await site.open('/stations/orchard', { locale: 'en-GB' });
    await page.waitForSelector('.alarms');
    const time = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/Amsterdam',
      hour: '2-digit',
      minute: '2-digit',
    }).format((Math.ceil(issued / MILLISECONDS.hour) + 1) * MILLISECONDS.hour);
    expect((await page.locator('.alarms').innerText()).replaceAll(/\s+/g, ' '))
      .to.match(/Alarm: tonight forecast: Temperature below 0\.0 °C · −2\.0 °C, .*\d · chance 98 %$/)
      .and.contain(`, ${time} ·`);
    expect(await faultsOf(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await close();
  });
  after(() => site.stop());

  for (const [language, said, marked] of [
    ['en', /Alarm: frost Temperature below −1\.0 °C · since \d/, 'Alarm: frost'],
    ['de', /Alarm: frost Temperatur unter −1,0 °C · seit \d/, 'Alarm: frost'],
  ] as const)
    for (const javaScriptEnabled of [true, false])
      it(`are said in ${language} on the page of the station and in the list, script: ${javaScriptEnabled}`, async () => {
        const { page, faults, close } = await site.open('/stations/garden', {
          locale: language,
          javaScriptEnabled,
        });
        expect((await page.locator('.alarms').innerText()).replaceAll(/\s+/g, ' ')).to.match(said);
        expect(await page.locator('.alarms li').count()).to.equal(1);
        if (javaScriptEnabled) expect(await faultsOf(page)).to.deep.equal([]);
        await page.goto(`${site.url}/`);
        expect(await page.locator('#row-garden .alarm-mark').textContent()).to.contain(marked);
        expect(await page.locator('#row-roof .alarm-mark').count()).to.equal(0);
        if (javaScriptEnabled) expect(await faultsOf(page)).to.deep.equal([]);
        expect(faults).to.deep.equal([]);
        await close();
      });

  it('are not on the page of a station without any', async () => {
    const { page, close } = await site.open('/stations/roof');
    expect(await page.locator('.alarms').count()).to.equal(0);
    await close();
  });
});

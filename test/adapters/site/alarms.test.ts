import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { AddAlarm } from '#application/alarms/add-alarm.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { V } from '#domain/weather/variables.js';
import { accessibilityFaults } from '../../support/accessibility.js';
import { describeInBrowser, Site } from '../../support/site.js';

/** A chart of a single value refers to a table that it does not have; that is no matter of alarms. */
const faultsOf = async (page: Page) =>
  (await accessibilityFaults(page)).filter((fault) => !fault.includes('aria-details'));

describeInBrowser('alarms on the site', () => {
  let site: Site;

  before(async () => {
    site = await Site.start('empty');
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
        await page.goto('/');
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

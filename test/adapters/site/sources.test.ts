import { expect } from 'chai';
import { ListSources } from '#application/sources/manage/list-sources.js';
import { expectWellFormed } from '../../support/accessibility.js';
import { homeAssistantService, TOKEN } from '../../support/devices/home-assistant.js';
import { describeInBrowser, Site } from '../../support/site.js';
import { addAda, signIn } from '../../support/site-user.js';

describeInBrowser('the sources in the administration', () => {
  it('are added with mapped fields, also with counters, and tested', async () => {
    const site = await Site.start('empty');
    const home = await homeAssistantService({ states: { 'sensor.rain': { state: '7', unit: 'mm' } } });
    try {
      await addAda(site);
      await site.addStation('garden');
      const { page, close } = await site.open('/admin#sources', { locale: 'en-GB' });
      await signIn(page);
      await page.click('button:text("Add a source")');
      await page.selectOption('[name=kind]', 'home-assistant');
      await page.selectOption('[name=station]', 'garden');
      const typed = { name: 'home', address: home.address, 'secret:token': TOKEN, mappings: 'sensor.rain' };
      for (const [name, value] of Object.entries(typed)) await page.fill(`[name="${name}"]`, value);
      await page.click('.editor .main');
      await page.waitForSelector('.fault:text("The line “sensor.rain” is not valid.")');
      await expectWellFormed(page, 'form');
      await page.fill('[name=mappings]', 'sensor.rain precipitation_amount unit=mm counter');
      await page.click('.editor .main');
      await page.waitForSelector(
        'tr:has-text("home"):has-text("sensor.rain precipitation_amount unit=mm counter")',
      );
      const [source] = await site.service.application.useCase(ListSources).execute();
      expect(source?.mappings).to.deep.equal([
        { field: 'sensor.rain', variable: 'precipitation_amount', unit: 'mm', counter: true },
      ]);
      await page.click('button[aria-label="Test: home"]');
      await page.waitForSelector('li:text("precipitation_amount: 7 mm (its increase is stored)")');
      await expectWellFormed(page, 'list');
      await page.click('button[aria-label="Change: home"]');
      expect(await page.inputValue('[name=mappings]')).to.equal(
        'sensor.rain precipitation_amount unit=mm counter',
      );
      await close();
    } finally {
      await site.stop();
      await home.close();
    }
  });
});

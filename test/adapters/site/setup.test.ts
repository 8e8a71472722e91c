import { expect } from 'chai';
import { OpenSetup } from '#application/accounts/setup/open-setup.js';
import { accessibilityFaults } from '../../support/accessibility.js';
import { describeInBrowser, Site } from '../../support/site.js';

describeInBrowser('the page of the first administrator', () => {
  let site: Site;
  before(async () => (site = await Site.start('empty')));
  after(() => site.stop());

  it('takes the code from the address, creates the administrator and signs in', async () => {
    const { code } = await site.service.application.useCase(OpenSetup).execute(true);
    const { page } = await site.open('/', { events: true });
    await page.click('a[href="/setup"]');
    await page.waitForSelector('.setup [name="code"]');
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.goto(`${site.url}/setup#code=${code}`);
    await page.waitForSelector('.setup [name="code"]', { state: 'detached' });
    expect(page.url()).to.equal(`${site.url}/setup`);
    const submit = async (password: string, repeated: string) => {
      await page.fill('[name="username"]', 'ada');
      await page.fill('[name="password"]', password);
      await page.fill('[name="repeated"]', repeated);
      await page.click('.setup button[type="submit"]');
    };
    await submit('correct horse', 'correct hose');
    await page.waitForSelector('[name="repeated"][aria-invalid="true"]');
    await submit('correct horse', 'correct horse');
    await page.waitForURL('**/admin#connect');
    await page.waitForSelector('.admin');
    expect(await page.textContent('.site-bar')).to.contain('ada');
    await page.goto(`${site.url}/setup`);
    expect(await page.textContent('.notice')).to.contain('There is an administrator already');
    expect(await accessibilityFaults(page)).to.deep.equal([]);
  });
});

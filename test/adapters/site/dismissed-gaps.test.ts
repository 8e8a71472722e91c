import { expect } from 'chai';
import { SourceRecords } from '#application/sources/source-records.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { NO_STATE } from '#domain/sources/source.js';
import { expectWellFormed } from '../../support/accessibility.js';
import { describeInBrowser, Site } from '../../support/site.js';
import { addAda, signIn } from '../../support/site-user.js';

describeInBrowser('the panel of sources', () => {
  let site: Site;
  before(async () => {
    site = await Site.start('empty');
    await addAda(site);
    await site.addStation('JFK');
  });
  after(() => site.stop());

  it('dismisses the gaps of a source', async () => {
    const { useCase } = site.service.application;
    const records = useCase(SourceRecords);
    const { station } = await useCase(DescribeStation).execute('JFK');
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
    await records.change(() => [source], 0);
    const gap = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 2), reason: 'No memory card.' };
    await records.putState(
      'garage',
      { ...NO_STATE, failingSince: gap.from, reason: 'No answer.', gaps: [gap] },
      0,
    );
    const { page, faults, close } = await site.open('/admin#sources');
    await signIn(page);
    await page.waitForSelector('td:has-text("No memory card.")');
    expect(await page.innerText('td:has-text("No memory card.")'))
      .to.contain('No answer.')
      .and.not.contain('Not asked yet.');
    await expectWellFormed(page, 'sources');
    await page.click('button:text-is("Dismiss gaps")');
    await page.waitForSelector('td:has-text("No memory card.")', { state: 'detached' });
    expect(await page.locator('button:text-is("Dismiss gaps")').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await close();
  });
});

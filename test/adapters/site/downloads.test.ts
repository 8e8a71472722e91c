import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parquetReadObjects } from 'hyparquet';
import type { Page } from 'playwright-core';
import { describeInBrowser, Site } from '../../support/site.js';
import { addAda, signIn } from '../../support/site-user.js';

/** Clicks a link. @returns the name and the bytes of the file that the browser saves */
async function savedBytes(page: Page, link: string): Promise<readonly [name: string, bytes: Buffer]> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(link)]);
  return [download.suggestedFilename(), await readFile(await download.path())];
}

/** As `savedBytes`, with the text of the file. */
async function saved(page: Page, link: string): Promise<readonly [name: string, text: string]> {
  const [name, bytes] = await savedBytes(page, link);
  return [name, bytes.toString()];
}

/** The last row of a Parquet file. */
async function lastRow(bytes: Buffer): Promise<unknown> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  return (await parquetReadObjects({ file })).at(-1);
}

describeInBrowser('files of a station in a browser', () => {
  const JULY = '/stations/JFK?span=7d&at=2013-07-18';
  const JULY_FILE = /^JFK_2013-07-12T040000Z_2013-07-19T040000Z\.(?:csv|json)$/;

  it('are plain links for visitors of public data', async () => {
    const site = await Site.start('demo');
    const { page, faults, close } = await site.open(JULY);
    await page.click('.chart-download summary');
    const [name, text] = await saved(page, '.chart-download a:text-is("CSV")');
    expect(name).to.match(JULY_FILE);
    expect(text).to.match(/^time,[^]*\n2013-07-18T/);
    const [parquetName, bytes] = await savedBytes(page, '.chart-download a:text("Parquet")');
    expect(parquetName).to.match(/^JFK_.*\.parquet$/);
    expect(await lastRow(bytes)).to.have.deep.property('time', new Date('2013-07-19T03:00:00Z'));
    const hrefs = await page.locator('.chart-download a').evaluateAll((links) => links.map(String));
    const addresses = hrefs.map((href) => new URL(href).searchParams.get('limit'));
    expect(addresses).to.deep.equal(['all', 'all', 'all', '100000']);
    const [sheetName, sheet] = await saved(page, '.chart-download a:text("spreadsheets")');
    expect(sheetName).to.match(/^JFK_.*-en\.csv$/);
    expect(sheet).to.match(/^\uFEFF?time.*,time_utc,[^]*\n2013-07-12 00:00,2013-07-12/);
    expect(await page.innerText('.chart-download p')).to.contain('JSON contains at most 100,000 rows');
    expect(faults).to.deep.equal([]);
    await close();
    await site.stop();
  });

  it('are read with the token of a user where visitors read nothing, and say why one could not be read', async () => {
    const site = await Site.start('demo', { WEATHERD_READ_ACCESS: 'token' });
    await addAda(site);
    const { page, faults, requested, close } = await site.open(JULY);
    await signIn(page);
    await page.click('.chart-download summary');
    const [csvName, csv] = await saved(page, '.chart-download a:text-is("CSV")');
    expect(csvName).to.match(JULY_FILE);
    expect(csv).to.match(/^time,[^]*\n2013-07-18T/);
    const [, parquet] = await savedBytes(page, '.chart-download a:text("Parquet")');
    expect(await lastRow(parquet)).to.have.property('air_temperature');
    const [, json] = await saved(page, '.chart-download a:text("JSON")');
    expect(JSON.parse(json)).to.have.property('observations');
    await page.locator('#climate').scrollIntoViewIfNeeded();
    const [reportName, report] = await saved(page, '#climate a[href*="2013-07.txt"]');
    expect(reportName).to.equal('JFK_2013-07.txt');
    expect(report).to.match(/CLIMATOLOGICAL SUMMARY for Jul 2013/);
    expect(faults).to.deep.equal([]);
    expect(requested.filter((address) => /token|eyJ/i.test(address))).to.deep.equal([]);

    await page.route('**/observations?*format=csv*', (route) => route.abort());
    // The click on the report has closed the menu.
    await page.click('.chart-download summary');
    await page.click('.chart-download a:text-is("CSV")');
    await page.waitForSelector('.chart-download [role=alert]');
    await close();
    await site.stop();
  });
});

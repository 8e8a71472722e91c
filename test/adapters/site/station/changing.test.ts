import { expect } from 'chai';
import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { MILLISECONDS } from '#domain/time.js';
import { accessibilityFaults } from '../../../support/accessibility.js';
import { describeInBrowser, Site } from '../../../support/site.js';

const WIDE = { viewport: { width: 1440, height: 900 } };
const LONG = 'Donaudampfschifffahrtsgesellschaftskapitaenskajuetenwetter';

describeInBrowser('the page of a station while its values change', () => {
  let site: Site;
  before(async () => {
    site = await Site.start('empty');
    await site.addStation('first');
  });
  after(() => site.stop());

  /** @param minutes before now, by value */
  const record = async (station: string, values: readonly (readonly [minutes: number, value: number])[]) => {
    const now = Math.floor(Date.now() / MILLISECONDS.minute) * MILLISECONDS.minute;
    const rows = {
      stations: station,
      times: Float64Array.from(values, ([minutes]) => now - minutes * MILLISECONDS.minute),
      columns: [
        {
          variable: 'air_temperature',
          unit: undefined,
          values: Float64Array.from(values, ([, value]) => value),
        },
      ],
    };
    await site.service.application.useCase(RecordObservations).execute(rows, COMMAND_LINE);
  };

  it('has no fault before the first value, and is whole after it', async () => {
    const { page, faults, close } = await site.open('/', { ...WIDE, events: true });
    await page.locator('.connection.live').waitFor();
    await page.locator('.almanac').waitFor();
    expect(await page.$$('#usual, #climate, .station-age *'), 'parts without a value').to.have.length(0);
    expect(faults).to.deep.equal([]);
    expect(await page.$$('.charts')).to.have.length(0);
    await page.evaluate(`{
      globalThis.bare = [];
      new MutationObserver(() => {
        for (const value of document.querySelectorAll('.now-cards .value'))
          if (/\\\\d$/.test(value.textContent)) globalThis.bare.push(value.textContent);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    }`);
    await record('first', [
      [3, 12.1],
      [2, 12.2],
      [1, 12.3],
    ]);
    await page.locator('.hero .sentence', { hasText: '12.3 °C' }).waitFor();
    await page.locator('.charts .chart-over').first().waitFor();
    for (const [part, content] of [
      ['#usual', '.calendar'],
      ['#climate', '#climate table'],
    ] as const) {
      await page.locator(part).scrollIntoViewIfNeeded();
      await page.locator(content).first().waitFor();
    }
    expect(await page.evaluate('globalThis.bare')).to.deep.equal([]);
    expect(await page.innerText('#usual .verdict-facts')).to.equal('Nothing to compare with yet');
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('draws corrections and new values at once, and shows them after a reload', async () => {
    await site.addStation('corrected');
    await record(
      'corrected',
      Array.from({ length: 120 }, (_row, index) => [121 - index, 5 + (index % 20) / 10]),
    );
    const { page, close } = await site.open('/stations/corrected', { ...WIDE, events: true });
    await page.locator('.connection.live').waitFor();
    const highest = page.locator('.chart p.hidden').first();
    const shows = (value: string) =>
      page
        .locator('.chart p.hidden', { hasText: `highest ${value} °C` })
        .first()
        .waitFor({ state: 'attached' });
    await shows('6.9');
    await record('corrected', [[62, 7]]);
    await shows('7.0');
    await record('corrected', [[1, 7.1]]);
    await shows('7.1');
    await page.reload({ waitUntil: 'load' });
    await shows('7.1');
    expect(await highest.textContent()).to.include('7.1');
    await close();
  });

  for (const theme of ['dark', 'light'])
    it(`draws lines that differ from their ground with forced colors, ${theme}`, async () => {
      const { page, close } = await site.open(`/stations/corrected?theme=${theme}`, {
        ...WIDE,
        forcedColors: 'active',
        colorScheme: 'dark',
      });
      await page.locator('.charts .chart-over').first().waitFor();
      const colors: string[] = await page.evaluate(
        `['body', '.chart-line', '.chart-tick'].map((part) => { const look = getComputedStyle(document.querySelector(part)); return part === 'body' ? look.backgroundColor : part === '.chart-line' ? look.stroke : look.fill; })`,
      );
      const [ground = 0, ...inks] = colors.map((color) => Number(/\d+/.exec(color)?.[0]));
      for (const ink of inks) expect(Math.abs(ink - ground)).to.be.greaterThan(200);
      const looks: (readonly [pressed: string, ground: string])[] = await page.evaluate(
        `[...document.querySelectorAll('.charts [aria-pressed]')].map((button) => [button.getAttribute('aria-pressed'), getComputedStyle(button).backgroundColor])`,
      );
      const [pressed, ...others] = looks.toSorted(([one]) => (one === 'true' ? -1 : 1));
      for (const [, color] of others) expect(color).not.to.equal(pressed?.[1]);
      await close();
    });

  it('has landmarks with different names while a table is open', async () => {
    const { page, close } = await site.open('/stations/corrected', WIDE);
    await page.locator('.chart-options button').first().click();
    await page.locator('.chart-table table').waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await close();
  });

  it('breaks a long name in a narrow window', async () => {
    await site.addStation(LONG);
    const { page, close } = await site.open(`/stations/${LONG}`, {
      viewport: { width: 320, height: 640 },
    });
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(320);
    await close();
  });
});

describeInBrowser('the card for other sites of a service that wants a sign-in', () => {
  it('has no form, and a link that opens the service', async () => {
    const site = await Site.start('empty', { WEATHERD_READ_ACCESS: 'token' });
    await site.addStation('garden');
    for (const javaScriptEnabled of [true, false]) {
      const { page, close } = await site.open('/embed/garden', { javaScriptEnabled });
      expect(await page.locator('form, input').count()).to.equal(0);
      expect(await page.getAttribute('main a', 'href')).to.equal('/stations/garden');
      expect(await page.getAttribute('main a', 'target')).to.equal('_blank');
      await close();
    }
    await site.stop();
  });
});

describe('pages over plain HTTP', () => {
  it('have no policy that browsers ignore there', async () => {
    for (const [settings, expected] of [
      [{}, 'same-origin'],
      [{ WEATHERD_EXTERNAL_HOST: '0.0.0.0', WEATHERD_EXTERNAL_INSECURE: 'true' }, null],
    ] as const) {
      const site = await Site.start('empty', settings);
      const url = site.url.replace('0.0.0.0', '127.0.0.1');
      const reply = await fetch(`${url}/docs`, { headers: { accept: 'text/html' } });
      expect([reply.status, reply.headers.get('cross-origin-opener-policy')]).to.deep.equal([200, expected]);
      await site.stop();
    }
  });
});

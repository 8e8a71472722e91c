import { expect } from 'chai';
import { AddForecast } from '#application/forecast/manage/add-forecast.js';
import { PutStations } from '#application/stations/put-stations.js';
import type { Renderer } from '#adapters/site/renderer.js';
import { packageFile } from '#composition/package-info.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { MILLISECONDS } from '#domain/time.js';
import { accessibilityFaults } from '../../../support/accessibility.js';
import type { HttpDevice } from '../../../support/devices/http-device.js';
import { openMeteoService } from '../../../support/devices/open-meteo.js';
import { describeInBrowser, Site } from '../../../support/site.js';

const WIDE = { viewport: { width: 1280, height: 900 } };

describeInBrowser('the forecast on the pages of a station', () => {
  let site: Site;
  let provider: HttpDevice;
  before(async () => {
    provider = await openMeteoService();
    site = await Site.start('empty', { WEATHERD_FORECAST_OPEN_METEO_URL: provider.url });
    for (const id of ['garden', 'without', 'hidden']) {
      await site.addStation(id);
      const now = Math.floor(Date.now() / MILLISECONDS.minute) * MILLISECONDS.minute;
      const times = Float64Array.from(
        { length: 145 },
        (_, index) => now - (144 - index) * 10 * MILLISECONDS.minute,
      );
      const values = (value: number) => times.map((_, index) => value + Math.sin(index / 20));
      await site.record({
        stations: id,
        times,
        columns: [
          { variable: 'air_temperature', values: values(5) },
          { variable: 'wind_speed', values: values(4) },
        ],
      });
    }
  });
  after(async () => {
    await site.stop();
    await provider.close();
  });

  const order = (...ids: string[]) =>
    site.service.application.useCase(AddForecast).execute(ids, 'open-meteo', COMMAND_LINE);

  it('appears on an open page with the event, and nobody asks for one that does not exist', async () => {
    const { page, faults, requested, close } = await site.open('/stations/garden', { ...WIDE, events: true });
    await page.locator('.connection.live').waitFor();
    expect(await page.locator('.attribution').count()).to.equal(0);
    expect(requested.filter((address) => address.endsWith('/forecast'))).to.deep.equal([]);
    await order('garden');
    const attribution = page.locator('.ribbon .attribution');
    await attribution.waitFor();
    expect(await attribution.innerText()).to.match(
      /^Forecast: Open-Meteo \(CC BY 4\.0\), not corrected, \d\d:\d\d\. How good was it\?$/,
    );
    const links = await attribution
      .locator('a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(links).to.deep.equal([
      'https://open-meteo.com/',
      'https://creativecommons.org/licenses/by/4.0/',
      '/stations/garden/forecast',
    ]);
    // A new station has no bounds yet, so the key does not promise them.
    const keys = await page.locator('.ribbon .key').allInnerTexts();
    expect(keys.map((key) => key.trim())).to.deep.equal(['measured', 'forecast']);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('is in the first HTML, and said to keyboards and screen readers, in each theme and width', async () => {
    for (const options of [
      { ...WIDE, colorScheme: 'light' as const },
      { viewport: { width: 360, height: 800 }, colorScheme: 'dark' as const, locale: 'de-DE' },
    ]) {
      const { page, faults, close } = await site.open('/stations/garden', options);
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      const picture = page.locator('.ribbon-picture');
      const word = options.viewport.width < 720 ? 'Vorhersage' : 'orecast';
      expect(await picture.getAttribute('aria-label')).to.contain(word);
      await picture.focus();
      await page.keyboard.press('End');
      expect(await page.locator('.ribbon [aria-live]').textContent()).to.contain(word);
      await page.keyboard.press('Home');
      expect(await page.locator('.ribbon [aria-live]').textContent()).not.to.contain(word);
      const overflow = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect(overflow).to.equal(false);
      expect(faults).to.deep.equal([]);
      await close();
    }
    const { page, close } = await site.open('/stations/garden', { ...WIDE, javaScriptEnabled: false });
    expect(await page.locator('.ribbon .attribution').innerText()).to.contain('Open-Meteo');
    await close();
  });

  it('goes on behind now in the charts of short spans, for the cursor, the table and screen readers', async () => {
    for (const span of ['24h', '7d']) {
      const { page, faults, close } = await site.open(`/stations/garden?span=${span}`, WIDE);
      const chart = page.locator('#chart-temperature');
      await chart.locator('.chart-now').waitFor({ state: 'attached' });
      expect(await chart.locator('.ahead.chart-line').count(), span).to.equal(1);
      expect(await page.locator('#chart-temperature-text').textContent()).to.contain('Forecast: Temperature');
      expect(await page.locator('.charts .attribution').innerText()).to.contain('Open-Meteo');
      await chart.focus();
      await page.keyboard.press('End');
      const said = page.locator('.charts > .hidden[aria-live]');
      await page.waitForFunction("document.querySelector('.charts > .hidden[aria-live]').textContent !== ''");
      expect(await said.textContent()).to.match(/, forecast: Temperature \d/);
      expect(await page.locator('.chart-tooltip').innerText()).to.contain('forecast');
      await page.keyboard.press('Home');
      await page.waitForFunction(
        "!document.querySelector('.charts > .hidden[aria-live]').textContent.includes('forecast')",
      );
      await page.getByRole('button', { name: 'Table' }).click();
      const table = page.locator('.chart-table');
      const next = table.getByRole('button', { name: 'Next page' });
      while ((await next.getAttribute('aria-disabled')) === 'false') await next.click();
      expect(await table.locator('tbody tr').last().innerText()).to.contain('forecast');
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      expect(faults).to.deep.equal([]);
      await close();
    }
    const { page, close } = await site.open('about:blank', WIDE);
    for (const query of ['span=30d', 'span=year', 'span=7d&at=2026-01-05']) {
      await page.goto(`${site.url}/stations/garden?${query}`, { waitUntil: 'networkidle' });
      await page.locator('#chart-temperature svg').first().waitFor();
      expect(await page.locator('.chart-now').count(), query).to.equal(0);
    }
    await close();
  });

  it('is on the kiosk, the card for frames and the picture for links, each time with its provider', async () => {
    for (const path of ['/kiosk/garden', '/embed/garden']) {
      const { page, faults, close } = await site.open(path, {
        viewport: path.startsWith('/embed') ? { width: 320, height: 340 } : { width: 1920, height: 1080 },
      });
      expect(await page.locator('.attribution').innerText(), path).to.contain('Forecast: Open-Meteo');
      expect(await page.locator('.fitted-ribbon').getAttribute('aria-label'), path).to.contain('forecast');
      expect(await accessibilityFaults(page), path).to.deep.equal([]);
      expect(faults, path).to.deep.equal([]);
      await page.goto(site.url + path.replace('garden', 'without'), { waitUntil: 'networkidle' });
      expect(await page.locator('.attribution').count(), path).to.equal(0);
      await close();
    }
    // A silent station has no forecast in its picture.
    for (const id of ['garden', 'without']) await site.write(id, { air_temperature: 5 });
    const { drawCard } = (await import(packageFile('dist/site/render.js').href)) as Renderer;
    const draw = (station: string, search = '') =>
      drawCard({
        station,
        search,
        read: async (target) => {
          const reply = await fetch(site.url + target);
          const body = (await reply.json()) as { readonly error?: string };
          if (!reply.ok) throw Object.assign(new Error(target), { code: body.error });
          return body;
        },
      });
    expect(await draw('garden')).to.contain('Forecast: Open-Meteo');
    expect(await draw('garden', 'lang=nl')).to.contain('Verwachting: Open-Meteo');
    expect(await draw('without')).not.to.contain('Forecast');
  });

  it('is gone for everybody when the station is hidden', async () => {
    await order('hidden');
    const reply = () => fetch(`${site.url}/v1/stations/hidden/observations/latest?include=forecast`);
    while (((await (await reply()).json()) as { forecast_issued?: unknown }).forecast_issued === null)
      await new Promise((resolve) => setTimeout(resolve, 100));
    const shown = await (await fetch(`${site.url}/stations/hidden`)).text();
    expect(shown).to.contain('Open-Meteo');

    const station = {
      id: 'hidden',
      visibility: 'hidden' as const,
      name: 'hidden',
      latitude: 59.91,
      longitude: 10.75,
      elevation: null,
      timeZone: 'Europe/Oslo',
      reportingInterval: 60,
      identifiers: {},
      limits: {},
    };
    await site.service.application.useCase(PutStations).execute([station], COMMAND_LINE);
    for (const path of ['/stations/hidden', '/kiosk/hidden', '/embed/hidden'])
      expect(await (await fetch(site.url + path)).text(), path).not.to.contain('Open-Meteo');
    expect((await fetch(`${site.url}/stations/hidden/card.png`)).status).to.equal(404);
  });
});

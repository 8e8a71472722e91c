import { rmSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from '../../../support/accessibility.js';
import { describeInBrowser, Site } from '../../../support/site.js';
import { makeStreetMap } from '../../../support/street-map.js';

/** The colors of the pixels at the middle of the drawn tiles, as text. They are copied, because Chromium warns if a page reads them often. */
const COLORS = `[...new Set([...document.querySelectorAll('canvas.leaflet-tile')].map((tile) => {
  const copy = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  copy.drawImage(tile, -tile.width / 2, -tile.height / 2);
  return [...copy.getImageData(0, 0, 1, 1).data].join();
}))]`;

/** Waits until tiles are drawn in other colors than before. */
async function colorsAfter(page: Page, former: readonly string[]): Promise<string[]> {
  for (;;) {
    // Tiles that are not drawn yet are transparent.
    const colors = (await page.evaluate<string[]>(COLORS)).filter((color) => color.endsWith(',255'));
    if (colors.length > 1 && !colors.some((color) => former.includes(color))) return colors;
    await page.waitForTimeout(50);
  }
}

describeInBrowser('the map of streets', () => {
  let site: Site;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weatherd-'));
    const file = join(folder, 'map.pmtiles');
    writeFileSync(file, makeStreetMap());
    site = await Site.start('demo', { WEATHERD_SITE_MAP: file });
  });
  after(async () => {
    await site.stop();
    rmSync(folder, { recursive: true });
  });

  it('is drawn in the colors of the theme under the policy of the site', async () => {
    const { page, faults, requested, close } = await site.open('/', {
      viewport: { width: 1440, height: 900 },
    });
    const seen: string[][] = [];
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      seen.push(await colorsAfter(page, seen.at(-1) ?? []));
      expect(await accessibilityFaults(page), theme).to.deep.equal([]);
    }
    // The colors of land and of a road in both flavors of Protomaps.
    const colors = [
      ['226,223,218,255', '246,246,244,255'],
      ['31,31,31,255', '51,51,51,255'],
    ];
    expect(seen.map((theme) => theme.toSorted())).to.deep.equal(colors);
    expect(await page.$$('.town-marker')).to.have.length(0);
    expect(await page.innerText('.map-sources')).to.include('© OpenStreetMap');
    expect(await page.$$('.marker .dot')).to.have.length(3);
    expect(requested.filter((address) => address.endsWith('/map/tiles.pmtiles'))).to.not.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await close();
  });
});

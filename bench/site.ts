import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '#composition/config.js';
import { openStores } from '#composition/modules/stores.js';
import { MILLISECONDS } from '#domain/time.js';
import { Contexts, launchBrowser, Pages } from '../test/support/browser.js';
import { naturalYear } from '../test/support/natural-year.js';
import { median } from './load.js';
import { startServer } from './server-process.js';
import { makeBatch, makeStations, START } from './weather-data.js';

/**
 * Measures the time from the selection of a year of 10-minute rows until its charts are drawn: first the charts that are visible
 * in the window, then all charts. One station has 4 variables in 3 charts, the other 12 variables in 10 charts.
 *
 * Each run has a new context of the browser, without a cache. The browser runs at normal speed, and four times slower through the
 * DevTools protocol.
 */
const RUNS = 7;
const SLOWER = [1, 4];
const ROWS = 52_560;
const MAIN = fileURLToPath(new URL('../service/main.js', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'weatherd-bench-'));
const stores = await openStores(loadConfig(undefined, { WEATHERD_DATA_DIR: folder }));
const [few, many] = await stores.stations.put(makeStations(2));
const year = naturalYear(START);
const stations = new Uint32Array(year.times.length).fill(few?.station.number ?? 0);
await stores.observations.write([{ batch: { ...year, stations } }]);
await stores.observations.write([{ batch: makeBatch([many?.station.number ?? 0], 0, ROWS, 'time') }]);
await stores.close();

const server = await startServer(
  [MAIN],
  {
    WEATHERD_EXTERNAL_PORT: '0',
    WEATHERD_INTERNAL_PORT: '0',
    WEATHERD_DATA_DIR: folder,
    WEATHERD_RATE_LIMIT: '0',
    WEATHERD_LOG_LEVEL: 'warn',
  },
  join(folder, 'log'),
  '0,1',
);
const browser = await launchBrowser();
const lastDay = new Date(START + (ROWS / 144 - 1) * MILLISECONDS.day).toISOString().slice(0, 10);

/** Milliseconds until the charts in the window, and until all charts, were drawn again and displayed. */
interface YearTimes {
  readonly inWindow: number;
  readonly all: number;
}

/** A script that runs in the page and presses the button of the year. */
const CHOOSE_YEAR = `(async () => {
  const charts = [...document.querySelectorAll('.chart')];
  charts[0].scrollIntoView();
  const inWindow = charts.filter((chart) => chart.getBoundingClientRect().top < innerHeight);
  const pathOf = (chart) => chart.querySelector('.chart-line, .chart-bars')?.getAttribute('d');
  const before = new Map(charts.map((chart) => [chart, pathOf(chart)]));
  const begin = performance.now();
  const shown = (places) => new Promise((resolve) => {
    const watch = new MutationObserver(() => {
      if (places.some((chart) => chart.isConnected && pathOf(chart) === before.get(chart))) return;
      watch.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - begin)));
    });
    watch.observe(document.querySelector('.charts'), { attributes: true, childList: true, subtree: true });
  });
  const both = Promise.all([shown(inWindow), shown(charts)]);
  document.querySelectorAll('.chart-tools button')[3].click();
  const [first, all] = await both;
  return { inWindow: first, all };
})()`;

async function yearTimes(station: string, slower: number): Promise<YearTimes> {
  const pages = new Pages(new Contexts(browser));
  const { page } = await pages.open(server.url, { viewport: { width: 1280, height: 900 } });
  await page.goto(`${server.url}/stations/${station}?span=24h&at=${lastDay}`, { waitUntil: 'networkidle' });
  await page.waitForSelector('.chart .chart-over');
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  const times = await page.evaluate<YearTimes>(CHOOSE_YEAR);
  await pages.close();
  return times;
}

try {
  console.log(
    '| station | browser | charts in the window, ms (median, min, max) | all charts |\n| --- | --- | ---: | ---: |',
  );
  for (const [what, made] of [
    ['4 variables', few],
    ['12 variables', many],
  ] as const) {
    for (const slower of SLOWER) {
      const times: YearTimes[] = [];
      for (let run = 0; run < RUNS; run += 1) times.push(await yearTimes(made?.station.id ?? '', slower));
      const cells = [spread(times.map(({ inWindow }) => inWindow)), spread(times.map(({ all }) => all))];
      console.log(`| ${[what, slower === 1 ? 'normal' : `${slower}× slower`, ...cells].join(' | ')} |`);
    }
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true });
}

function spread(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return [median(sorted), sorted[0] ?? 0, sorted.at(-1) ?? 0].map((time) => time.toFixed(0)).join(', ');
}

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { Relay } from '../support/relay.js';
import { describeInBrowser, Site } from '../support/site.js';

/** What an EventSource got: the newest value with the times of the changed rows, or `reset`. */
type Received = 'reset' | { readonly from: string; readonly to: string; readonly value: number };

/** Collects in `received` what an EventSource gets. */
const LISTEN = `
  globalThis.received = [];
  globalThis.opened = 0;
  const source = new EventSource('/v1/events?stations=live&variables=air_temperature');
  source.addEventListener('open', () => { opened += 1; });
  source.addEventListener('reset', () => received.push('reset'));
  source.addEventListener('observation', ({ data }) => {
    const { from, to, latest } = JSON.parse(data);
    received.push({ from, to, value: latest.air_temperature.value });
  });
`;

describeInBrowser('EventSource of a browser', () => {
  let site: Site;
  let relay: Relay;
  before(async () => {
    site = await Site.start('empty');
    await site.addStation('live');
    await site.write('live', { air_temperature: 0 });
    relay = await Relay.start(site.url);
  });
  after(async () => {
    await relay.close();
    await site.stop();
  });

  const write = async (...values: readonly number[]) => {
    const times: number[] = [];
    for (const value of values) times.push(await site.write('live', { air_temperature: value }));
    return times;
  };
  /** Waits for the reply to a request for the stream. */
  const opened = async (page: Page, times: number) => {
    while ((await page.evaluate<number>('opened')) < times) await page.waitForTimeout(20);
  };
  /** Waits until a value is the last one. @returns what has come by then */
  const receivedUntil = async (page: Page, last: number) => {
    for (;;) {
      const received = (await page.evaluate('received')) as Received[];
      const newest = received.at(-1);
      if (newest !== 'reset' && newest?.value === last) return received;
      await page.waitForTimeout(20);
    }
  };

  it('goes on without a gap after a broken connection', async () => {
    const { page, close } = await site.open('/docs', { events: true, origin: relay.url });
    await page.evaluate(LISTEN);
    await opened(page, 1);
    const times = await write(1, 2);
    await receivedUntil(page, 2);
    relay.cut();
    times.push(...(await write(3, 4)));
    await page.waitForTimeout(100);
    times.push(...(await write(5)));
    await opened(page, 2);
    times.push(...(await write(6)));
    const all = await receivedUntil(page, 6);
    // Changes that follow each other quickly are one event.
    const missed = times.filter(
      (time) =>
        !all.some(
          (event) => event !== 'reset' && Date.parse(event.from) <= time && time <= Date.parse(event.to),
        ),
    );
    expect(missed).to.deep.equal([]);
    expect(all).not.to.include('reset');
    await close();
  });

  it('is told to read everything again after a restart of the service', async () => {
    const { page, close } = await site.open('/docs', { events: true });
    await page.evaluate(LISTEN);
    await opened(page, 1);
    await write(1);
    await receivedUntil(page, 1);
    await site.restart();
    await write(2);
    await opened(page, 2);
    await write(3);
    const all = await receivedUntil(page, 3);
    expect(all.map((event) => (event === 'reset' ? event : event.value))).to.deep.equal([1, 'reset', 3]);
    await close();
  });
});

describeInBrowser('the example page of the client for TypeScript', () => {
  const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
  const SCRIPTS = fileURLToPath(new URL('../../clients/typescript/src/', import.meta.url));
  let pages: Server;
  let origin: string;
  let site: Site;
  let browser: Browser;

  before(async () => {
    pages = createServer(({ url = '' }, reply) => {
      const [, script] = /^\/dist\/([\w-]+\.js)$/.exec(url) ?? [];
      const page = `${ROOT}/clients/typescript/example/index.html`;
      reply.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
      reply.end(readFileSync(script === undefined ? page : `${SCRIPTS}${script}`));
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    site = await Site.start('empty', { WEATHERD_EXTERNAL_ALLOWED_ORIGINS: origin });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await site.stop();
    pages.close();
  });

  it('shows the stations of a service at another address, and their new values', async () => {
    await site.addStation('live');
    await site.write('live', { air_temperature: 3.25 });
    const page = await browser.newPage();
    page.setDefaultTimeout(120_000);
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(`${origin}/example/?service=${site.url}`);
    await page.waitForSelector('#state:text("1 stations")');
    expect(await page.innerText('#stations')).to.match(/^live\s+3\.25 °C at 20\d\d-/);
    while (site.streams === 0) await page.waitForTimeout(20);
    await site.write('live', { air_temperature: 4.5 });
    await page.waitForSelector('#stations:has-text("4.5 °C")');
    // The page is loaded again after `reset`.
    await site.restart();
    while (site.streams === 0) await page.waitForTimeout(20);
    await site.write('live', { air_temperature: 5.5 });
    await page.waitForSelector('#stations:has-text("5.5 °C")');
    expect(faults.filter((fault) => !fault.includes('ERR_CONNECTION_REFUSED'))).to.deep.equal([]);
  });
});
